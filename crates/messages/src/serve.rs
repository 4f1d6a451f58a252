//! Serving calls with a function.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use svcgen::codegen::{Call, Dispatch, Dispatched, Endpoint, Failure};
use svcgen::{Binding, Fault};
use svcgen_attachments::{Attachments, ServerAttachments as _};

use crate::operation::{Answer, Operation, Request};
use crate::service::Service;

impl Service {
    /// Creates a server that answers calls with a function.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen_messages::{Answer, Service};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let definition = "
    /// # service: Greeter
    /// # namespace: http://example.com/greeter
    /// # path: /Greeter.asmx
    /// # operations:
    /// #   Greet: { parameters: { name: 'string?' }, result: string }
    /// # ";
    /// let service = Service::of_definition("greeter.yaml", definition)?;
    /// let server = service.endpoint(|request| async move {
    ///     let name = request.parameters["name"].as_str().unwrap_or("you").to_owned();
    ///     Ok(Answer::from(json!(format!("Hello {name}"))))
    /// });
    ///
    /// let request = service.operation("Greet")?.request(&json!({ "name": "Ada" }), Default::default())?;
    /// let response = server.answer(request).await;
    /// let answer = service.operation("Greet")?.read_answer(&response, Default::default())?;
    /// assert_eq!(answer.value, "Hello Ada");
    /// # Ok(())
    /// # }
    /// ```
    pub fn endpoint<H, F>(self, handler: H) -> Endpoint
    where
        H: Fn(Request) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Answer, Fault>> + Send + 'static,
    {
        Endpoint::new(
            self.model(),
            Arc::new(Handler {
                service: self,
                handler,
            }),
        )
    }

    /// Reads a request over any binding, even if it has attachments (MTOM).
    ///
    /// # Errors
    ///
    /// The fault with which a server answers: the request is not a call of the service, is
    /// malformed, or a value is not of its type.
    pub fn read_request(self, request: http::Request<Bytes>) -> Result<Request, Fault> {
        self.asked(request, |operation, call| operation.read(call))
    }

    /// Returns the operation that a request calls, and the binding. The values are not read, so
    /// they may be masked.
    ///
    /// # Errors
    ///
    /// The fault with which a server answers: the request is not a call of the service, or is
    /// malformed.
    pub fn operation_of(
        self,
        request: http::Request<Bytes>,
    ) -> Result<(Operation, Binding), Fault> {
        self.asked(request, |operation, call| {
            Ok((operation, call.context().binding()))
        })
    }

    /// Returns the result of a function for the call in a request.
    fn asked<T: Send + 'static>(
        self,
        request: http::Request<Bytes>,
        ask: impl Fn(Operation, &mut Call<'_>) -> Result<T, Failure> + Send + Sync + 'static,
    ) -> Result<T, Fault> {
        let kept = Arc::new(Mutex::new(None));
        let keep = Arc::clone(&kept);
        let asking = Asking {
            service: self,
            ask: move |operation, call: &mut Call<'_>| {
                let asked = ask(operation, call)?;
                *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
                Ok(())
            },
        };
        let endpoint = Endpoint::new(self.model(), Arc::new(asking));
        let endpoint = endpoint.with_attachments(Attachments::new());
        // Nothing in the endpoint waits, so this loop does not spin.
        let mut answer = pin!(endpoint.answer(request));
        let mut context = Context::from_waker(Waker::noop());
        let response = loop {
            if let Poll::Ready(response) = answer.as_mut().poll(&mut context) {
                break response;
            }
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take().ok_or_else(|| {
            let text = String::from_utf8_lossy(response.body());
            Fault::client(format_args!("{}: {text}", response.status()))
        })
    }
}

/// Calls a function with each call.
struct Asking<A> {
    service: Service,
    ask: A,
}

impl<A> Dispatch for Asking<A>
where
    A: Fn(Operation, &mut Call<'_>) -> Result<(), Failure> + Send + Sync + 'static,
{
    fn dispatch<'a>(&'a self, index: usize, mut call: Call<'a>) -> Dispatched<'a> {
        let operation = Operation {
            service: self.service,
            index,
        };
        Box::pin(async move {
            (self.ask)(operation, &mut call)?;
            // The answer is not used.
            call.reply(&())
        })
    }
}

/// A function as a [`Dispatch`].
struct Handler<H> {
    service: Service,
    handler: H,
}

impl<H, F> Dispatch for Handler<H>
where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Answer, Fault>> + Send + 'static,
{
    fn dispatch<'a>(&'a self, index: usize, mut call: Call<'a>) -> Dispatched<'a> {
        let operation = Operation {
            service: self.service,
            index,
        };
        Box::pin(async move {
            let request = operation.read(&mut call)?;
            let answer = (self.handler)(request).await?;
            operation.reply(call, &answer)
        })
    }
}

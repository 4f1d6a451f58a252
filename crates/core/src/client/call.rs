//! The calls that generated clients return.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};

use super::answer::Answer;
use super::caller::Caller;
use crate::added_header::add_header;
use crate::call_error::CallError;
use crate::maybe_send::BoxFuture;
use crate::packaging::{Pack, WrittenParts};
use crate::transport::{CallTimeout, Transport, TransportError, within};
use svcgen_wire::{ReadError, ReadErrorKind, Reader};

/// A call of an operation, sent when you `.await` it. Methods of generated clients return it.
///
/// The request is already written, so the call borrows only the client.
///
/// ```
/// # #[derive(svcgen::Service)]
/// # #[service(definition = "../../examples/service-defs/greeter.yaml")]
/// # struct Greeter;
/// # use greeter::{GreetRequest, GreeterClient};
/// # use std::time::Duration;
/// # use svcgen::{CallError, Transport};
/// # async fn example<T: Transport>(client: GreeterClient<T>, request: GreetRequest) -> Result<(), CallError> {
/// let greeting = client.greet(&request).await?;
///
/// let call = client.greet(&request).with_header("X-Request-Id", "17");
/// let greeting = call.with_timeout(Duration::from_secs(5)).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a call is sent when it is awaited"]
pub struct ClientCall<'c, T, R> {
    transport: &'c T,
    caller: &'c Caller,
    operation: usize,
    read: fn(Answer<'_>) -> Result<R, CallError>,
    state: State<'c>,
}

enum State<'c> {
    Written(Request<Bytes>),
    /// The call will not be sent.
    Refused(CallError),
    Sent(BoxFuture<'c, Result<Response<Bytes>, TransportError>>),
    Done,
}

impl<'c, T, R> ClientCall<'c, T, R> {
    pub(super) fn new(
        (transport, caller): (&'c T, &'c Caller),
        operation: usize,
        request: Result<Request<Bytes>, CallError>,
        read: fn(Answer<'_>) -> Result<R, CallError>,
    ) -> Self {
        Self {
            transport,
            caller,
            operation,
            read,
            state: request.map_or_else(State::Refused, State::Written),
        }
    }

    fn change(mut self, change: impl FnOnce(&mut Request<Bytes>) -> Result<(), CallError>) -> Self {
        if let State::Written(request) = &mut self.state
            && let Err(error) = change(request)
        {
            self.state = State::Refused(error);
        }
        self
    }

    /// Sets a header of the HTTP request, and replaces any of the same name.
    ///
    /// The call fails with [`CallError::HttpHeader`] if the name or value is invalid, or for
    /// `Connection`, `Content-Length` and `Transfer-Encoding`, which the transport writes.
    pub fn with_header<N, V>(self, name: N, value: V) -> Self
    where
        N: TryInto<HeaderName, Error: fmt::Display>,
        V: TryInto<HeaderValue, Error: fmt::Display>,
    {
        self.change(|request| {
            let refused = |name: &str, why: &dyn fmt::Display| CallError::HttpHeader {
                name: name.to_owned(),
                why: why.to_string(),
            };
            let name = name.try_into().map_err(|error| refused("", &error))?;
            if [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING].contains(&name) {
                return Err(refused(name.as_str(), &"the transport writes it"));
            }
            let value = value.try_into();
            let value = value.map_err(|error| refused(name.as_str(), &error))?;
            request.headers_mut().insert(name, value);
            Ok(())
        })
    }

    /// Limits the time of the call, instead of the limit of the transport.
    ///
    /// In a tokio runtime with the feature `client`, the limit applies to every transport.
    /// Otherwise the transport must enforce it: the request has the extension [`CallTimeout`].
    pub fn with_timeout(self, time: Duration) -> Self {
        self.with_extension(CallTimeout(time))
    }

    /// Adds a value to the request, for layers and transports.
    pub fn with_extension<E: Clone + Send + Sync + 'static>(self, value: E) -> Self {
        self.change(|request| {
            request.extensions_mut().insert(value);
            Ok(())
        })
    }

    /// Adds parts to the request. The call fails if its client cannot send parts, or uses another
    /// binding than SOAP.
    #[doc(hidden)]
    pub fn with_attached(self, attach: impl FnOnce(&mut dyn Pack)) -> Self {
        let (caller, operation) = (self.caller, self.operation);
        self.change(|request| {
            let written = request.extensions_mut().get_mut();
            match written.and_then(|WrittenParts(parts)| Arc::get_mut(parts)) {
                Some(parts) => {
                    attach(parts);
                    Ok(())
                }
                None => Err(CallError::Attachments {
                    operation: caller.model.operation(operation).name.to_owned(),
                    binding: caller.binding,
                }),
            }
        })
    }

    /// Adds a SOAP header that the operation does not declare: one element with all its namespace
    /// declarations.
    ///
    /// The call fails if the element is not well-formed, or if the client uses another binding than
    /// SOAP.
    ///
    /// ```
    /// # fn example<T: svcgen::Transport>(call: svcgen::ClientCall<'_, T, bool>) {
    /// let call = call.with_soap_header(r#"<Tenant xmlns="urn:tenants">17</Tenant>"#);
    /// # }
    /// ```
    pub fn with_soap_header(self, xml: &str) -> Self {
        let (caller, operation) = (self.caller, self.operation);
        self.change(|request| {
            if !caller.binding.is_soap() {
                return Err(CallError::Headers {
                    operation: caller.model.operation(operation).name.to_owned(),
                    binding: caller.binding,
                });
            }
            let xml = xml.trim_ascii();
            let mut reader = Reader::new(xml, &caller.limits);
            let mut read = || {
                if xml.starts_with("<?") {
                    let message = "A declaration or an instruction stands before the element.";
                    return Err(ReadError::new(ReadErrorKind::Malformed, message));
                }
                reader.root()?;
                reader.skip()?;
                reader.finish()
            };
            read().map_err(CallError::SoapHeader)?;
            let body = add_header(request.body(), xml);
            *request.body_mut() = body;
            Ok(())
        })
    }
}

impl<'c, T: Transport, R> ClientCall<'c, T, R> {
    /// Sends the call and returns its result with the status, the headers and the extensions of the
    /// HTTP response, whether it failed or not.
    ///
    /// ```
    /// # async fn example<T: svcgen::Transport>(call: svcgen::ClientCall<'_, T, bool>) {
    /// let answered = call.answered().await;
    /// if let Some(left) = answered.headers.get("X-Calls-Left") {
    ///     println!("{left:?} calls left");
    /// }
    /// # }
    /// ```
    pub async fn answered(mut self) -> Answered<R> {
        match poll_fn(|context| self.poll_response(context)).await {
            Ok(response) => {
                let result = self.read(&response);
                let (head, _) = response.into_parts();
                Answered {
                    result,
                    status: Some(head.status),
                    headers: head.headers,
                    extensions: head.extensions,
                }
            }
            Err(error) => Answered {
                result: Err(error),
                status: None,
                headers: HeaderMap::new(),
                extensions: Extensions::new(),
            },
        }
    }

    fn poll_response(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Response<Bytes>, CallError>> {
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Written(request) => {
                    let transport = self.transport;
                    self.state = State::Sent(match request.extensions().get() {
                        Some(&CallTimeout(time)) => {
                            Box::pin(within(time, Box::pin(transport.send(request))))
                        }
                        None => Box::pin(transport.send(request)),
                    });
                }
                State::Sent(mut response) => {
                    let Poll::Ready(response) = response.as_mut().poll(context) else {
                        self.state = State::Sent(response);
                        return Poll::Pending;
                    };
                    return Poll::Ready(response.map_err(CallError::Transport));
                }
                State::Refused(error) => return Poll::Ready(Err(error)),
                State::Done => panic!("a call is polled after it has ended"),
            }
        }
    }

    fn read(&self, response: &Response<Bytes>) -> Result<R, CallError> {
        (self.read)(Answer::new(self.caller, self.operation, response))
    }
}

impl<T: Transport, R> Future for ClientCall<'_, T, R> {
    type Output = Result<R, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let response = ready!(self.poll_response(context))?;
        Poll::Ready(self.read(&response))
    }
}

impl<T, R> fmt::Debug for ClientCall<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.caller.model.operation(self.operation);
        f.debug_struct("ClientCall")
            .field("operation", &operation.name)
            .field("url", &self.caller.url)
            .finish_non_exhaustive()
    }
}

/// The result of a call with the status, headers and extensions of the HTTP response, from
/// [`ClientCall::answered`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered<R> {
    /// The result.
    pub result: Result<R, CallError>,
    /// The status; `None` if there is no response.
    pub status: Option<StatusCode>,
    /// The headers.
    pub headers: HeaderMap,
    /// The values that the transport and layers added, such as the attachments of the answer.
    pub extensions: Extensions,
}

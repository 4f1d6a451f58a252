//! From a request to its response: route, binding, dispatch, binding. No input or output happens here.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::Poll;

use bytes::Bytes;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Method, Request, Response, Version, request};
use http_body::Body;
use http_body_util::Full;

use crate::binding::protocol::{self, Message, Opened, Unopened};
use crate::body::{self, BodyError};
use crate::call::{Call, Reply};
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::response::NoCall;
use crate::routing::{Route, route, unknown_media_type};
use crate::server_options::ServerOptions;

/// Answers calls: reads their parameters, calls a handler and writes the result.
///
/// Emitted code implements [`DispatchTo`](crate::codegen::DispatchTo) instead; implement this trait to serve a [`Model`] without emitted code.
pub trait Dispatch: Send + Sync + 'static {
    /// Answers a call of the operation of an index.
    fn dispatch<'a>(&'a self, operation: usize, call: Call<'a>) -> Dispatched<'a>;
}

/// The future of an answer.
pub type Dispatched<'a> = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>>;

/// A server without the types of its handler: a [`Model`] and a [`Dispatch`].
///
/// It is a [`tower_service::Service`] for requests with any body. Clones share everything.
#[derive(Clone)]
pub struct Endpoint(Arc<Shared>);

struct Shared {
    model: Model,
    dispatch: Arc<dyn Dispatch>,
    options: ServerOptions,
    /// How many bytes to reserve for the answer of each operation.
    capacities: Box<[AtomicUsize]>,
}

impl Endpoint {
    /// Serves a model with default options.
    pub fn new(model: Model, dispatch: Arc<dyn Dispatch>) -> Self {
        Self::set_up(model, dispatch, ServerOptions::default())
    }

    /// The same service with other options.
    #[must_use]
    pub fn with_options(&self, options: ServerOptions) -> Self {
        let Shared {
            model, dispatch, ..
        } = &*self.0;
        Self::set_up(model.clone(), Arc::clone(dispatch), options)
    }

    fn set_up(model: Model, dispatch: Arc<dyn Dispatch>, options: ServerOptions) -> Self {
        let operations = model.service().operations.iter();
        let capacities = operations.map(|_| AtomicUsize::new(512)).collect();
        Self(Arc::new(Shared {
            model,
            dispatch,
            options,
            capacities,
        }))
    }

    /// The model of the service.
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// The options.
    pub fn options(&self) -> &ServerOptions {
        &self.0.options
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (parts, body) = body::into_parts(request);
        answer(self.route(&parts), parts, Full::new(body)).await
    }

    /// Routes a request.
    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        let (service, options) = (self.model().service(), self.options());
        let response = match route(service, options, parts) {
            Ok(Route::Call(route)) => return Routed::Call(self.clone(), route),
            #[cfg(feature = "documents")]
            Ok(Route::Document(document)) => {
                Box::new(options.documents.answer(document, service, parts))
            }
            Err(response) => response,
        };
        Routed::Answered {
            response,
            most_discarded: self.most_discarded(),
        }
    }

    /// How many bytes of an unwanted body to read: most callers read the answer only after they have sent the whole body.
    pub(crate) fn most_discarded(&self) -> usize {
        self.options().limits.body.saturating_mul(DISCARDED)
    }

    /// Collects the body of a call; the body of a GET is discarded.
    async fn collect<B: Body>(&self, parts: &request::Parts, body: B) -> Result<Bytes, Failure> {
        let discarded = self.most_discarded();
        if parts.method == Method::GET {
            body::discard(pin!(body), discarded).await;
            return Ok(Bytes::new());
        }
        let limit = self.options().limits.body;
        Ok(body::collect(body, limit, discarded).await?)
    }

    async fn answer_call(
        &self,
        route: protocol::Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, Failure>,
    ) -> Response<Bytes> {
        let (service, options) = (self.model().service(), self.options());
        let protocol = route.protocol;
        let body = match body {
            Ok(body) => body,
            Err(failure) => return protocol.refuse(&failure),
        };
        let text = match protocol.decode(route.charset, &body) {
            Ok(text) => text,
            Err(failure) => return protocol.refuse(&failure),
        };
        // The handler gets the head while the parameters borrow from the query.
        let uri = parts.uri.clone();
        let message = Message {
            service: service.row(),
            limits: &options.limits,
            strict: options.strict,
            headers: &parts.headers,
            query: uri.query().unwrap_or_default(),
            body: &body,
            text: &text,
        };
        let opened = match protocol.open(route, &message) {
            Ok(opened) => opened,
            Err(Unopened::Refused(response)) => return *response,
            Err(Unopened::MediaType) => return *unknown_media_type(&service),
        };
        let (protocol, operation) = (opened.protocol, opened.operation);
        let outcome = self.call(parts, opened).await;
        protocol.respond(self.model().operation(operation), outcome)
    }

    async fn call(
        &self,
        parts: Box<request::Parts>,
        opened: Opened<'_>,
    ) -> Result<Vec<u8>, Failure> {
        let Shared {
            model,
            dispatch,
            options,
            capacities,
        } = &*self.0;
        let operation = opened.operation;
        let call = Call::new(parts, model, opened, options.crlf, &capacities[operation]);
        let mut answer = dispatch.dispatch(operation, call);
        let reply = std::future::poll_fn(|context| {
            // The future is not polled again after a panic, and the handler is `Sync`.
            match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
                Ok(poll) => poll,
                Err(_) => Poll::Ready(Err(Fault::server("The handler panicked.").into())),
            }
        });
        Ok(reply.await?.body)
    }
}

/// The route of a call, or the answer to a request that is no call.
pub(crate) enum Routed {
    Call(Endpoint, protocol::Route),
    Answered {
        response: NoCall,
        /// How many bytes of the body are still read.
        most_discarded: usize,
    },
}

/// The answer to a request with any body.
pub(crate) async fn answer<B: Body>(
    routed: Routed,
    parts: Box<request::Parts>,
    body: B,
) -> Response<Bytes> {
    match routed {
        Routed::Call(endpoint, route) => {
            let limit = endpoint.options().limits.body;
            if waits_to_send(&parts, &body) && body::announced(&body) > limit {
                let too_long = BodyError::<B::Error>::TooLong;
                return closing(route.protocol.refuse(&too_long.into()));
            }
            let body = endpoint.collect(&parts, body).await;
            endpoint.answer_call(route, parts, body).await
        }
        Routed::Answered {
            response,
            most_discarded,
        } => answer_early(&parts, body, response, most_discarded).await,
    }
}

/// How much more of a body than the limit is read before the connection is closed.
const DISCARDED: usize = 4;

/// Answers a request that is no call after reading its body: a connection that is closed while the caller still sends may lose the answer (RFC 9112 §9.6).
async fn answer_early<B: Body>(
    parts: &request::Parts,
    body: B,
    response: NoCall,
    most_discarded: usize,
) -> Response<Bytes> {
    if waits_to_send(parts, &body) {
        return closing(*response);
    }
    body::discard(pin!(body), most_discarded).await;
    *response
}

/// Whether the caller sends the body only after `100 Continue`, which is written when the body is first polled. HTTP/1.0 does not know it (RFC 9110 §10.1.1).
fn waits_to_send(parts: &request::Parts, body: &impl Body) -> bool {
    let expects = parts.headers.get(EXPECT);
    let expects =
        expects.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    expects && parts.version > Version::HTTP_10 && !body.is_end_stream()
}

/// A response after which the connection is closed.
fn closing(mut response: Response<Bytes>) -> Response<Bytes> {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("service", &self.model().service().name)
            .field("options", self.options())
            .finish_non_exhaustive()
    }
}

/// The future of a response of [`Endpoint`], [`Server`](crate::Server) or [`Router`](crate::Router).
pub type ResponseFuture =
    Pin<Box<dyn Future<Output = Result<Response<Full<Bytes>>, Infallible>> + Send>>;

/// Implements [`tower_service::Service`] for a type with a method `route`.
macro_rules! tower_service {
    ([$($parameter:ident)*] $server:ty) => {
        impl<$($parameter,)* B> tower_service::Service<Request<B>> for $server
        where
            B: http_body::Body + Send + 'static,
            B::Data: Send,
        {
            type Response = Response<Full<Bytes>>;
            type Error = std::convert::Infallible;
            type Future = $crate::endpoint::ResponseFuture;

            fn poll_ready(
                &mut self,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Result<(), Self::Error>> {
                std::task::Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> Self::Future {
                let (parts, body) = $crate::body::into_parts(request);
                let routed = self.route(&parts);
                Box::pin(async {
                    let response = $crate::endpoint::answer(routed, parts, body).await;
                    Ok(response.map(Full::new))
                })
            }
        }
    };
}
pub(crate) use tower_service;

tower_service!([] Endpoint);

//! From a request to its response: route, binding, dispatch, binding. No input or output happens here.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context as TaskContext, Poll};

use bytes::Bytes;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Method, Request, Response, request};
use http_body::Body;
use http_body_util::Full;

use crate::binding::protocol::{self, Message, Opened, Unopened};
use crate::body::{self, BodyError};
use crate::call::{Call, Reply, Settings};
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::response::NoCall;
use crate::routing::{Route, route, unknown_media_type};
use crate::server_options::ServerOptions;

/// What calls are handed to: reads their parameters, calls a handler and writes the result.
///
/// Emitted code does so through [`DispatchTo`](crate::codegen::DispatchTo); implement it to serve a [`Model`] that no code was emitted for.
pub trait Dispatch: Send + Sync + 'static {
    /// Answers a call of an operation, which is known by its index.
    fn dispatch<'a>(&'a self, operation: usize, call: Call<'a>) -> Dispatched<'a>;
}

/// An answer on its way.
pub type Dispatched<'a> = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>>;

/// Serves a service, whatever types its handler has: a [`Model`], and what its calls are handed to.
///
/// It is a [`tower_service::Service`] for requests with any body. Clones share everything.
#[derive(Clone)]
pub struct Endpoint(Arc<Shared>);

struct Shared {
    model: Model,
    dispatch: Arc<dyn Dispatch>,
    options: ServerOptions,
    /// How long the last answer of each operation was.
    lengths: Box<[AtomicUsize]>,
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
        let lengths = operations.map(|_| AtomicUsize::new(512)).collect();
        Self(Arc::new(Shared {
            model,
            dispatch,
            options,
            lengths,
        }))
    }

    /// What is served.
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

    /// Where a request goes.
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

    /// How many bytes of a body are read and thrown away, so that whoever sends it hears the answer.
    pub(crate) fn most_discarded(&self) -> usize {
        self.options().limits.body.saturating_mul(DISCARDED)
    }

    /// The body of a call; of a GET there is none to be read.
    async fn collect<B: Body>(&self, parts: &request::Parts, body: B) -> Result<Bytes, BodyError> {
        let discarded = self.most_discarded();
        if parts.method == Method::GET {
            body::discard(pin!(body), discarded).await;
            return Ok(Bytes::new());
        }
        body::collect(body, self.options().limits.body, discarded).await
    }

    async fn answer_call(
        &self,
        route: protocol::Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        let (service, options) = (self.model().service(), self.options());
        let protocol = route.protocol;
        let body = match body {
            Ok(body) => body,
            Err(error) => return protocol.refuse(&error.into()),
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
            lengths,
        } = &*self.0;
        let operation = opened.operation;
        let settings = Settings {
            crlf: options.crlf,
            length: &lengths[operation],
        };
        let call = Call::new(parts, model, opened, settings);
        let mut answer = dispatch.dispatch(operation, call);
        let reply = std::future::poll_fn(|context| {
            // What a panic leaves behind is dropped with the call; the handler is shared as it would be between threads.
            match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
                Ok(poll) => poll,
                Err(_) => Poll::Ready(Err(Fault::server("The handler panicked.").into())),
            }
        });
        Ok(reply.await?.body)
    }
}

/// Where a request goes, or the answer if it is no call.
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
            let body = endpoint.collect(&parts, body).await;
            endpoint.answer_call(route, parts, body).await
        }
        Routed::Answered {
            response,
            most_discarded,
        } => answer_early(&parts, body, response, most_discarded).await,
    }
}

/// How many bodies' worth of a body that is too long are still read: whoever sends it hears the answer only when it has sent it all.
const DISCARDED: usize = 4;

/// The answer to a request that is no call, when its body has come: a connection that is closed while the caller still sends may lose the answer (RFC 9112 §9.6).
async fn answer_early<B: Body>(
    parts: &request::Parts,
    body: B,
    mut response: NoCall,
    most_discarded: usize,
) -> Response<Bytes> {
    // Whoever waits for a 100 has sent none of it, and need not.
    if parts.headers.contains_key(EXPECT) && !body.is_end_stream() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    } else {
        body::discard(pin!(body), most_discarded).await;
    }
    *response
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("service", &self.model().service().name)
            .field("options", self.options())
            .finish_non_exhaustive()
    }
}

/// A response on its way, as [`Endpoint`], [`Server`](crate::Server) and [`Router`](crate::Router) return it.
pub type ResponseFuture =
    Pin<Box<dyn Future<Output = Result<Response<Full<Bytes>>, Infallible>> + Send>>;

impl<B> tower_service::Service<Request<B>> for Endpoint
where
    B: Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let (parts, body) = body::into_parts(request);
        let routed = self.route(&parts);
        Box::pin(async { Ok(answer(routed, parts, body).await.map(Full::new)) })
    }
}

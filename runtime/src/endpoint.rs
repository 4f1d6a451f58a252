//! The way of a request: route, binding, dispatch, binding, response. No input or output happens here.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context as TaskContext, Poll};

use bytes::Bytes;
#[cfg(feature = "documents")]
use http::Method;
use http::header::{CONNECTION, CONTENT_TYPE, EXPECT};
use http::{HeaderValue, Request, Response, request};
use http_body::Body;
use http_body_util::Full;
use svcgen_model::Binding;

use crate::binding::charset::Charset;
use crate::binding::envelope::Version;
#[cfg(feature = "documents")]
use crate::binding::media_type::compression;
use crate::binding::media_type::header_text;
use crate::body::{self, BodyError};
use crate::call::{Call, Parameters, Reply, Settings};
use crate::described::Model;
#[cfg(feature = "documents")]
use crate::documents::{self, Documents};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::message::{Unopened, open_message, read_message};
use crate::response::{self, NoCall};
use crate::routing::{Route, route};

/// What calls are handed to: reads their parameters, calls a handler and writes the result.
///
/// Emitted code does so through [`Service`](crate::Service); implement it to serve a [`Model`] that no code was emitted for.
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

/// What a server may be told.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The outer bounds of requests.
    pub limits: Limits,
    /// Whether lines of results over HTTP GET and POST end in CR LF, as on Windows, instead of LF.
    pub crlf: bool,
    /// What is said about the service to those who ask.
    #[cfg(feature = "documents")]
    pub documents: Documents,
}

impl ServerOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bounds requests by these limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Ends lines in CR LF.
    #[must_use]
    pub fn with_crlf(mut self, crlf: bool) -> Self {
        self.crlf = crlf;
        self
    }

    /// Says this about the service.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(mut self, documents: Documents) -> Self {
        self.documents = documents;
        self
    }
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

    /// Where a request goes, or the answer if it is no call.
    pub(crate) fn route(&self, parts: &request::Parts) -> Result<(Self, Route), NoCall> {
        let service = self.model().service();
        #[cfg(feature = "documents")]
        if parts.method != Method::POST
            && compression(&parts.headers).is_none()
            && let Some(document) = documents::answer(&self.options().documents, service, parts)
        {
            return Err(Box::new(document));
        }
        route(&service, parts).map(|route| (self.clone(), route))
    }

    async fn answer_routed(
        &self,
        route: Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        match route {
            Route::Soap(version, charset) => self.answer_soap(version, charset, parts, body).await,
            Route::Form(binding, operation) => {
                self.answer_form(binding, operation, parts, body).await
            }
        }
    }

    async fn answer_soap(
        &self,
        guess: &'static Version,
        charset: Option<Charset>,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        let text = match read_message(&body, charset) {
            Ok(text) => text,
            Err(failure) => return response::soap_fault(guess, &failure),
        };
        let (service, limits) = (self.model().service(), &self.options().limits);
        let opened = open_message(guess, &text, &parts.headers, &service, limits);
        let (operation, request) = match opened {
            Ok(opened) => opened,
            Err(Unopened::MediaType) => {
                return response::unknown_media_type(&service);
            }
            Err(Unopened::Fault(version, failure)) => {
                return response::soap_fault(version, &failure);
            }
        };
        let version = request.version;
        let outcome = self
            .call(version.binding, operation, parts, Parameters::Soap(request))
            .await;
        // Of such a call the caller hears no more than that it was read. Only SOAP has them: over HTTP GET and POST the operation is one without a result.
        let one_way = self.model().operation(operation).one_way;
        let by_handler = |failure: &Failure| failure.by_handler;
        match outcome {
            _ if one_way && outcome.as_ref().err().is_none_or(by_handler) => response::accepted(),
            Ok(reply) => response::ok(version.content_type, reply.body),
            Err(failure) => response::soap_fault(version, &failure),
        }
    }

    async fn answer_form(
        &self,
        binding: Binding,
        operation: usize,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        let body = match body {
            Ok(body) => body,
            Err(error) => return response::form_fault(&error.into()),
        };
        let (uri, content_type) = (parts.uri.clone(), parts.headers.get(CONTENT_TYPE).cloned());
        let content_type = header_text(content_type.as_ref());
        let parameters = match binding {
            Binding::HttpGet => Parameters::Query(uri.query().unwrap_or_default().as_bytes()),
            _ => Parameters::Body {
                body: &body,
                content_type: &content_type,
            },
        };
        let outcome = self.call(binding, operation, parts, parameters).await;
        match outcome {
            Ok(reply) => response::result(reply.body),
            Err(failure) => response::form_fault(&failure),
        }
    }

    async fn call(
        &self,
        binding: Binding,
        operation: usize,
        parts: Box<request::Parts>,
        parameters: Parameters<'_>,
    ) -> Result<Reply, Failure> {
        let Shared {
            model,
            dispatch,
            options,
            lengths,
        } = &*self.0;
        let settings = Settings {
            limits: &options.limits,
            crlf: options.crlf,
            length: &lengths[operation],
        };
        let call = Call::new(parts, binding, model, operation, parameters, settings);
        let mut answer = dispatch.dispatch(operation, call);
        std::future::poll_fn(|context| {
            // What a panic leaves behind is dropped with the call; the handler is shared as it would be between threads.
            match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
                Ok(poll) => poll,
                Err(_) => Poll::Ready(Err(Fault::server("The handler panicked.").into())),
            }
        })
        .await
    }
}

/// The answer to a request with any body, for which an endpoint and a route are found.
pub(crate) async fn answer<B: Body>(
    routed: Result<(Endpoint, Route), NoCall>,
    parts: Box<request::Parts>,
    body: B,
) -> Response<Bytes> {
    match routed {
        Err(response) => refuse(&parts, body, response).await,
        Ok((endpoint, route)) => {
            let body = collect(route, body, endpoint.options().limits.body).await;
            endpoint.answer_routed(route, parts, body).await
        }
    }
}

/// How many bodies' worth of a body that is too long are still read: whoever sends it hears the answer only when it has sent it all.
const DISCARDED: usize = 4;

/// The body if the route reads one.
async fn collect<B: Body>(route: Route, body: B, limit: usize) -> Result<Bytes, BodyError> {
    let discarded = limit.saturating_mul(DISCARDED);
    if matches!(route, Route::Form(Binding::HttpGet, _)) {
        body::discard(pin!(body), discarded).await;
        return Ok(Bytes::new());
    }
    body::collect(body, limit, discarded).await
}

/// The answer to a request that is no call, when its body has come: a connection that is closed while the caller still sends may lose the answer (RFC 9112 §9.6).
async fn refuse<B: Body>(parts: &request::Parts, body: B, mut response: NoCall) -> Response<Bytes> {
    // Whoever waits for a 100 has sent none of it, and need not.
    if parts.headers.contains_key(EXPECT) && !body.is_end_stream() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    } else {
        body::discard(pin!(body), Limits::default().body * DISCARDED).await;
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

//! The road of a request: route, binding, handler, binding, response. No input or output happens here.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context as TaskContext, Poll};

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_TYPE, EXPECT};
use http::{HeaderValue, Request, Response, request};
use http_body::Body;
use http_body_util::Full;

use crate::binding::Binding;
use crate::binding::charset::Charset;
use crate::binding::envelope::Version;
use crate::binding::media_type::header_text;
use crate::body::{self, BodyError};
use crate::call::{Call, Parameters, Reply, Settings};
#[cfg(feature = "documents")]
use crate::documents::{self, Documents};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::message::{Opened, Unopened, open_message, read_message};
use crate::response::{self, NoCall, Refusal};
use crate::routing::{Route, route};
use crate::service::Service;

/// Serves a service with a handler: emitted code names it `AuthenticatorServer<H>`.
///
/// It is a [`tower_service::Service`] for requests with any body, so it mounts in axum, hyper, [`Router`](crate::Router)
/// and [`serve`](fn@crate::serve). Clones share the handler.
pub struct Server<S, H> {
    shared: Arc<Shared<H>>,
    service: PhantomData<fn() -> S>,
}

struct Shared<H> {
    handler: Arc<H>,
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

impl<S: Service<H>, H> Server<S, H> {
    /// Serves with a handler and default options.
    pub fn new(handler: H) -> Self {
        Self::from_arc(Arc::new(handler))
    }

    /// Serves with a handler that others hold too.
    pub fn from_arc(handler: Arc<H>) -> Self {
        Self::set_up(handler, ServerOptions::default())
    }

    /// The same handler with other options.
    #[must_use]
    pub fn with_options(self, options: ServerOptions) -> Self {
        Self::set_up(Arc::clone(&self.shared.handler), options)
    }

    fn set_up(handler: Arc<H>, options: ServerOptions) -> Self {
        let lengths = S::DESCRIPTION
            .operations
            .iter()
            .map(|_| AtomicUsize::new(512))
            .collect();
        Self {
            shared: Arc::new(Shared {
                handler,
                options,
                lengths,
            }),
            service: PhantomData,
        }
    }

    /// The same handler with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let options = self.shared.options.clone().with_limits(limits);
        self.with_options(options)
    }

    /// The same handler with other documents.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        let options = self.shared.options.clone().with_documents(documents);
        self.with_options(options)
    }

    /// The handler.
    pub fn handler(&self) -> &Arc<H> {
        &self.shared.handler
    }

    /// The options.
    pub fn options(&self) -> &ServerOptions {
        &self.shared.options
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (parts, body) = body::into_parts(request);
        match self.route(&parts) {
            Err(response) => *response,
            Ok(route) => {
                self.answer_routed(
                    route,
                    parts,
                    body::limited(body, self.shared.options.limits.body),
                )
                .await
            }
        }
    }

    /// Where a request goes, or the answer if it is no call.
    pub(crate) fn route(&self, parts: &request::Parts) -> Result<Route, NoCall> {
        route(S::DESCRIPTION, parts).map_err(|refusal| {
            #[cfg(feature = "documents")]
            if let Refusal::Method(_) = refusal
                && let Some(document) =
                    documents::answer(&self.options().documents, S::DESCRIPTION, S::SCHEMA, parts)
            {
                return Box::new(document);
            }
            Box::new(response::refused(&refusal))
        })
    }

    pub(crate) async fn answer_routed(
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
        let limits = &self.shared.options.limits;
        let opened = open_message(guess, &text, &parts.headers, S::DESCRIPTION, limits);
        let Opened {
            version,
            operation,
            request,
        } = match opened {
            Ok(opened) => opened,
            Err(Unopened::MediaType) => {
                return response::refused(&Refusal::MediaType(S::DESCRIPTION));
            }
            Err(Unopened::Fault(version, failure)) => {
                return response::soap_fault(version, &failure);
            }
        };
        let outcome = self
            .call(version.binding, operation, parts, Parameters::Soap(request))
            .await;
        match outcome {
            _ if Self::is_accepted(operation, &outcome) => response::accepted(),
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

    /// Whether the caller hears no more than that the call was read. Only SOAP has such calls: over HTTP GET and POST the operation is one without a result.
    fn is_accepted(operation: usize, outcome: &Result<Reply, Failure>) -> bool {
        let one_way = S::DESCRIPTION.operations[operation].one_way;
        one_way
            && outcome
                .as_ref()
                .err()
                .is_none_or(|failure| failure.by_handler)
    }

    async fn call(
        &self,
        binding: Binding,
        operation: usize,
        parts: Box<request::Parts>,
        parameters: Parameters<'_>,
    ) -> Result<Reply, Failure> {
        let Shared {
            handler,
            options,
            lengths,
        } = &*self.shared;
        let settings = Settings {
            limits: &options.limits,
            crlf: options.crlf,
            length: &lengths[operation],
        };
        let call = Call::new(
            parts,
            binding,
            S::DESCRIPTION,
            operation,
            parameters,
            settings,
        );
        let mut answer = pin!(S::call(handler, operation, call));
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

/// How many bodies' worth of a body that is too long are still read: whoever sends it hears the answer only when it has sent it all.
const DISCARDED: usize = 4;

/// The body if the route reads one.
pub(crate) async fn collect<B: Body>(
    route: Route,
    body: B,
    limit: usize,
) -> Result<Bytes, BodyError> {
    let discarded = limit.saturating_mul(DISCARDED);
    if matches!(route, Route::Form(Binding::HttpGet, _)) {
        body::discard(pin!(body), discarded).await;
        return Ok(Bytes::new());
    }
    body::collect(body, limit, discarded).await
}

/// The answer to a request that is no call, when its body has come: a connection that is closed while the caller still sends may lose the answer (RFC 9112 §9.6).
pub(crate) async fn refuse<B: Body>(
    parts: &request::Parts,
    body: B,
    mut response: NoCall,
) -> Response<Bytes> {
    // Whoever waits for a 100 has sent none of it, and need not.
    if parts.headers.contains_key(EXPECT) && !body.is_end_stream() {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    } else {
        body::discard(pin!(body), Limits::default().body * DISCARDED).await;
    }
    *response
}

impl<S, H> Clone for Server<S, H> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            service: PhantomData,
        }
    }
}

impl<S: Service<H>, H> std::fmt::Debug for Server<S, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("service", &S::DESCRIPTION.name)
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

/// A response on its way, as [`Server`] and [`Router`](crate::Router) return it.
pub type ResponseFuture =
    Pin<Box<dyn Future<Output = Result<Response<Full<Bytes>>, Infallible>> + Send>>;

impl<S, H, B> tower_service::Service<Request<B>> for Server<S, H>
where
    S: Service<H>,
    H: Send + Sync + 'static,
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
        let route = self.route(&parts);
        let server = self.clone();
        Box::pin(async move {
            let answer = match route {
                Err(response) => refuse(&parts, body, response).await,
                Ok(route) => {
                    let body = collect(route, body, server.shared.options.limits.body).await;
                    server.answer_routed(route, parts, body).await
                }
            };
            Ok(answer.map(Full::new))
        })
    }
}

//! The road of a request: route, binding, handler, binding, response. No input or output happens here.

use std::borrow::Cow;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context as TaskContext, Poll};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, request};
use http_body::Body;
use http_body_util::Full;

use crate::binding::charset::decode_message;
use crate::binding::envelope::{self, Target, Version};
use crate::binding::form::percent_decode;
use crate::binding::media_type::MediaType;
use crate::binding::{self, Binding};
use crate::body::{self, BodyError};
use crate::fault::{Fault, FaultCode};
use crate::limits::Limits;
use crate::response::{self, Refusal};
use crate::service::{Call, Failure, Parameters, Reply, Service, ServiceDescription, Settings};
use crate::xml::Reader;

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
        match route(S::DESCRIPTION, &parts) {
            Err(refusal) => response::refused(&refusal),
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

    pub(crate) async fn answer_routed(
        &self,
        route: Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        match route {
            Route::Soap(version) => self.answer_soap(version, parts, body).await,
            Route::Form(binding, operation) => {
                self.answer_form(binding, operation, parts, body).await
            }
        }
    }

    async fn answer_soap(
        &self,
        guess: &'static Version,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> Response<Bytes> {
        let content_type = parts.headers.get(CONTENT_TYPE).cloned();
        let content_type = text(content_type.as_ref());
        let media_type = MediaType::read(&content_type);
        let message = match read_message(&body, &media_type) {
            Ok(message) => message,
            Err(failure) => return response::soap_fault(guess, &failure),
        };
        let limits = &self.shared.options.limits;
        let message = Message {
            guess,
            text: &message,
            media_type,
            headers: &parts.headers,
        };
        let Opened {
            version,
            operation,
            request,
        } = match message.open(S::DESCRIPTION, limits) {
            Ok(opened) => opened,
            Err(Unopened::MediaType) => {
                return response::refused(&Refusal::MediaType(S::DESCRIPTION));
            }
            Err(Unopened::Fault(version, failure)) => {
                return response::soap_fault(version, &failure);
            }
        };
        match self
            .call(version.binding, operation, parts, Parameters::Soap(request))
            .await
        {
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
        let content_type = text(content_type.as_ref());
        let parameters = match binding {
            Binding::HttpGet => Parameters::Query(uri.query().unwrap_or_default().as_bytes()),
            _ => Parameters::Body {
                body: &body,
                content_type: &content_type,
            },
        };
        match self.call(binding, operation, parts, parameters).await {
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

/// What a request is for, as far as its path, method and media type tell.
#[derive(Clone, Copy)]
pub(crate) enum Route {
    /// A SOAP message, of this version if its media type is right.
    Soap(&'static Version),
    Form(Binding, usize),
}

/// The path below a service's path, in any letter case, percent-decoded: absent if the request is for another path, empty for the path itself.
pub(crate) fn path_below<'p>(service: &ServiceDescription, path: &'p str) -> Option<Cow<'p, str>> {
    let path = percent_decode(path);
    let (start, rest) = path.split_at_checked(service.path.len())?;
    if !start.eq_ignore_ascii_case(service.path) || !(rest.is_empty() || rest.starts_with('/')) {
        return None;
    }
    Some(match path {
        Cow::Borrowed(path) => Cow::Borrowed(&path[service.path.len()..]),
        Cow::Owned(_) => Cow::Owned(rest.to_owned()),
    })
}

/// How many bodies' worth of a body that is too long are still read: whoever sends it hears the answer only when it has sent it all.
const DISCARDED: usize = 4;

/// The body if the route reads one.
pub(crate) async fn collect<B: Body>(
    route: Route,
    body: B,
    limit: usize,
) -> Result<Bytes, BodyError> {
    if matches!(route, Route::Form(Binding::HttpGet, _)) {
        return Ok(Bytes::new());
    }
    body::collect(body, limit, limit.saturating_mul(DISCARDED)).await
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLong => Self::too_long(),
            BodyError::Broken => Self::malformed("The body of the request ended early."),
        }
    }
}

/// Routes a request.
pub(crate) fn route(
    service: &'static ServiceDescription,
    parts: &request::Parts,
) -> Result<Route, Refusal> {
    let below = path_below(service, parts.uri.path()).ok_or(Refusal::Path)?;
    let encoding = parts.headers.get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Refusal::Encoding);
    }
    match below.strip_prefix('/') {
        None => route_soap(service, parts),
        Some(operation) => route_form(service, operation, &parts.method),
    }
}

fn route_soap(
    service: &'static ServiceDescription,
    parts: &request::Parts,
) -> Result<Route, Refusal> {
    if parts.method != Method::POST {
        return Err(Refusal::Method("POST"));
    }
    let content_type = text(parts.headers.get(CONTENT_TYPE));
    let media_type = MediaType::read(&content_type);
    binding::VERSIONS
        .into_iter()
        .find(|version| media_type.is(version.media_type))
        .map(Route::Soap)
        .ok_or(Refusal::MediaType(service))
}

fn route_form(
    service: &'static ServiceDescription,
    operation: &str,
    method: &Method,
) -> Result<Route, Refusal> {
    let binding = match *method {
        Method::GET => Binding::HttpGet,
        Method::POST => Binding::HttpPost,
        _ => return Err(Refusal::Method("GET, POST")),
    };
    match service.find(binding, |known| known.name == operation) {
        Some(index) => Ok(Route::Form(binding, index)),
        None => Err(Refusal::Operation(unknown_operation(
            service, binding, operation,
        ))),
    }
}

fn unknown_operation(service: &ServiceDescription, binding: Binding, operation: &str) -> String {
    let lower_case = operation.to_lowercase();
    match service.find(binding, |known| known.name.to_lowercase() == lower_case) {
        None => format!("{operation} Web Service method name is not valid."),
        Some(index) => format!(
            "Invalid method name '{operation}',  method names are case sensitive.   The method name '{}' \
             with the same name but different casing was found.\nParameter name: methodName",
            service.operations[index].name,
        ),
    }
}

/// The text of a header; empty if it is absent.
fn text(header: Option<&HeaderValue>) -> Cow<'_, str> {
    header.map_or(Cow::Borrowed(""), |value| {
        String::from_utf8_lossy(value.as_bytes())
    })
}

fn read_message<'b>(
    body: &'b Result<Bytes, BodyError>,
    media_type: &MediaType<'_>,
) -> Result<Cow<'b, str>, Failure> {
    let body = body.as_ref().map_err(|error| Failure::from(*error))?;
    decode_message(body, media_type.charset().as_deref())
        .map_err(|error| Failure::malformed(error.message))
}

/// A SOAP message with what the HTTP request says about it.
struct Message<'m, 'i> {
    /// The version that the media type stands for.
    guess: &'static Version,
    text: &'i str,
    media_type: MediaType<'m>,
    headers: &'m HeaderMap,
}

/// A message that is read up to its parameters.
struct Opened<'i> {
    version: &'static Version,
    operation: usize,
    request: envelope::Request<'i>,
}

enum Unopened {
    Fault(&'static Version, Failure),
    /// The envelope is of another version than the media type.
    MediaType,
}

impl<'i> Message<'_, 'i> {
    /// Reads up to the parameters and finds the operation.
    fn open(
        &self,
        service: &'static ServiceDescription,
        limits: &Limits,
    ) -> Result<Opened<'i>, Unopened> {
        let mut reader = Reader::new(self.text, limits);
        let version = envelope::version(&mut reader).map_err(|failure| {
            // A version mismatch is told in SOAP 1.1, which whoever speaks neither may know (SOAP 1.2 part 1 appendix A).
            let mismatch = *failure.fault.code() == FaultCode::VersionMismatch;
            Unopened::Fault(
                if mismatch {
                    binding::VERSIONS[0]
                } else {
                    self.guess
                },
                failure,
            )
        })?;
        if (version.binding, self.guess.binding) == (Binding::Soap11, Binding::Soap12) {
            return Err(Unopened::MediaType);
        }
        let fault = |failure| Unopened::Fault(version, failure);
        let request = envelope::Request::open(reader, version).map_err(fault)?;
        let target = Target {
            headers: self.headers,
            media_type: &self.media_type,
            service,
            element: request.element(),
        };
        match (version.route)(&target) {
            Ok(operation) => Ok(Opened {
                version,
                operation,
                request,
            }),
            Err(failure) => Err(fault(request.refuse(failure))),
        }
    }
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
        let server = self.clone();
        Box::pin(async move {
            let (parts, body) = body::into_parts(request);
            let answer = match route(S::DESCRIPTION, &parts) {
                Err(refusal) => response::refused(&refusal),
                Ok(route) => {
                    let body = collect(route, body, server.shared.options.limits.body).await;
                    server.answer_routed(route, parts, body).await
                }
            };
            Ok(answer.map(Full::new))
        })
    }
}

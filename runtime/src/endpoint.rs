//! From a request to its response: route, binding, dispatch, binding. No input or output happens here.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;

use bytes::Bytes;
use http::header::{EXPECT, RETRY_AFTER};
use http::{HeaderValue, Method, Request, Response, StatusCode, Version, request};
use http_body::Body;
use http_body_util::Full;

use crate::binding::protocol::{self, Message, Opened, Protocol, Unopened};
use crate::body::{self, BodyError};
#[cfg(feature = "axum")]
use crate::call::take_connect_info;
use crate::call::{Call, MadeSession, Reply};
use crate::carrier::{Carrier, Grant};
use crate::deadline::Deadline;
use crate::described::Model;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::paths::{AskedPath, Found};
use crate::response::{self, NoCall};
use crate::routing::{Route, no_service, route, unknown_media_type};
use crate::server_options::ServerOptions;
use crate::values::{Facets, TimeZone};

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
    /// Those of the options, or that of the model.
    paths: Box<[String]>,
    facets: Facets,
    /// How many bytes to reserve for the answer of each operation.
    capacities: Box<[AtomicUsize]>,
    /// Whether an operation is one-way.
    has_one_way: bool,
}

impl Endpoint {
    /// Serves a model with default options.
    ///
    /// # Panics
    ///
    /// The time zone of the service is not known.
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
        // It panics here rather than in a call.
        TimeZone::of(model.service().row());
        let paths = match &*options.paths {
            [] => vec![model.service().path.to_owned()],
            paths => paths.to_owned(),
        };
        let operations = model.service().operations;
        let capacities = operations.iter().map(|_| AtomicUsize::new(512)).collect();
        let has_one_way = operations.iter().any(|operation| operation.one_way);
        #[cfg(feature = "facets")]
        let facets = Facets::of(model.service(), options.facets);
        #[cfg(not(feature = "facets"))]
        let facets = Facets::default();
        Self(Arc::new(Shared {
            model,
            dispatch,
            options,
            paths: paths.into(),
            facets,
            capacities,
            has_one_way,
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

    /// The paths of the service: those of the options, or that of the model.
    pub fn paths(&self) -> &[String] {
        &self.0.paths
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (parts, body) = into_parts(request);
        answer(self.route(&parts), parts, Full::new(body)).await
    }

    /// Routes a request.
    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        match AskedPath::of(parts).find(std::iter::once(((), self.paths()))) {
            Some(((), found)) => self.route_found(parts, &found),
            None => Routed::Answered {
                response: no_service(parts),
                most_discarded: self.most_discarded(),
            },
        }
    }

    /// Routes a request for a path of the service.
    pub(crate) fn route_found(&self, parts: &request::Parts, found: &Found<'_>) -> Routed {
        let (service, options) = (self.model().service(), self.options());
        let response = match route(service, options, parts, found) {
            Ok(Route::Call(route)) => return Routed::Call(self.clone(), route),
            #[cfg(feature = "documents")]
            Ok(Route::Document(document)) => {
                Box::new(options.documents.answer(document, service, parts, found))
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

    /// Answers a call, whose body is not read yet.
    async fn take_call<B: Body>(
        self,
        route: protocol::Route,
        parts: Box<request::Parts>,
        body: B,
    ) -> Response<Bytes> {
        let carrier = parts.extensions.get::<Arc<Carrier>>();
        let calls = carrier.map(|carrier| carrier.calls.all());
        let mut grant = carrier.cloned().and_then(Grant::of_call);
        if let (Some(calls), None) = (calls, &grant) {
            let response = busy(&Failure::busy(format_args!(
                "its limit of {calls} running calls is reached"
            )));
            return answer_early(&parts, body, response.into(), self.most_discarded()).await;
        }
        let body = match self.collect(&parts, body, grant.as_mut()).await {
            Ok(body) => body,
            Err(failure) => return refuse(route.protocol, &failure),
        };
        match grant {
            Some(grant) if self.0.has_one_way => {
                self.accept_or_answer(route, parts, body, grant).await
            }
            grant => self.answer_call(route, parts, body, grant, None).await,
        }
    }

    /// Collects the body of a call; the body of a GET is discarded.
    async fn collect<B: Body>(
        &self,
        parts: &request::Parts,
        body: B,
        mut grant: Option<&mut Grant>,
    ) -> Result<Bytes, Failure> {
        let discarded = self.most_discarded();
        if parts.method == Method::GET {
            body::discard(pin!(body), discarded).await;
            return Ok(Bytes::new());
        }
        let allow = |bytes| {
            if grant.as_mut().is_none_or(|grant| grant.take(bytes)) {
                return Ok(());
            }
            let message = "its limit of memory for requests is reached";
            Err(Failure::busy(message))
        };
        body::collect_allowed(body, self.options().limits.body, discarded, allow).await
    }

    /// Answers a call; a one-way call is answered once its parameters are read, and then goes on by itself.
    async fn accept_or_answer(
        self,
        route: protocol::Route,
        parts: Box<request::Parts>,
        body: Bytes,
        grant: Grant,
    ) -> Response<Bytes> {
        let detach = Arc::clone(&grant.carrier().detach);
        let accepted = Arc::new(AtomicBool::new(false));
        let call = self.answer_call(route, parts, body, Some(grant), Some(Arc::clone(&accepted)));
        let mut call = Box::pin(call);
        let answer = std::future::poll_fn(|context| match call.as_mut().poll(context) {
            Poll::Pending if accepted.load(Ordering::Relaxed) => Poll::Ready(None),
            poll => poll.map(Some),
        });
        answer.await.unwrap_or_else(|| {
            detach(Box::pin(async { drop(call.await) }));
            response::accepted()
        })
    }

    /// Answers a call. If it is one-way, `accepted` is set once its parameters are read.
    async fn answer_call(
        self,
        route: protocol::Route,
        parts: Box<request::Parts>,
        body: Bytes,
        grant: Option<Grant>,
        accepted: Option<Arc<AtomicBool>>,
    ) -> Response<Bytes> {
        let (service, options) = (self.model().service(), self.options());
        let protocol = route.protocol;
        let text = match protocol.decode(route.charset, &body) {
            Ok(text) => text,
            Err(failure) => return protocol.refuse(&failure),
        };
        // The handler gets the head while the parameters borrow from the query.
        let uri = parts.uri.clone();
        let message = Message {
            service,
            limits: &options.limits,
            strict: options.strict,
            facets: &self.0.facets,
            headers: &parts.headers,
            query: uri.query().unwrap_or_default(),
            body: &body,
            text: &text,
        };
        let opened = match protocol.open(route, &message) {
            Ok(opened) => opened,
            Err(Unopened::Refused(response)) => return *response,
            Err(Unopened::MediaType) => return *unknown_media_type(&service, ""),
        };
        let (protocol, operation) = (opened.protocol, opened.operation);
        let operation = self.model().operation(operation);
        let session = operation.session.then(MadeSession::default);
        let made = session.clone();
        let outcome = self.call(parts, opened, accepted, made).await;
        drop(grant);
        let mut response = protocol.respond(operation, outcome);
        if let Some(id) = session.as_ref().and_then(|session| session.get()) {
            response::begin_session(&mut response, id);
        }
        if operation.cached {
            response::kept_by_server(&mut response);
        }
        response
    }

    async fn call(
        &self,
        parts: Box<request::Parts>,
        opened: Opened<'_>,
        accepted: Option<Arc<AtomicBool>>,
        session: Option<MadeSession>,
    ) -> Result<Vec<u8>, Failure> {
        let Shared {
            model,
            dispatch,
            options,
            capacities,
            ..
        } = &*self.0;
        let index = opened.operation;
        let operation = model.operation(index);
        // Over HTTP GET and POST one-way operations are answered as others are.
        let accepted = accepted.filter(|_| operation.one_way && opened.binding.is_soap());
        let cancels = (operation.safe || options.cancel_abandoned) && !operation.one_way;
        let carrier = cancels.then(|| parts.extensions.get::<Arc<Carrier>>().cloned());
        let carrier = carrier.flatten();
        let mut deadline = Deadline::new(options.deadline);
        let call = Call::new(
            parts,
            model,
            opened,
            options.crlf,
            &capacities[index],
            accepted,
            session,
        );
        let mut answer = dispatch.dispatch(index, call);
        let reply = std::future::poll_fn(|context| {
            if carrier
                .as_ref()
                .is_some_and(|carrier| carrier.is_abandoned())
            {
                return Poll::Ready(Err(Fault::server("The caller is gone.").into()));
            }
            // The future is not polled again after a panic, and the handler is `Sync`.
            match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
                Ok(Poll::Ready(reply)) => Poll::Ready(reply),
                Ok(Poll::Pending) => deadline
                    .poll(context)
                    .map(|()| Err(Fault::server("Request timed out.").into())),
                Err(_) => Poll::Ready(Err(Fault::server("The handler panicked.").into())),
            }
        });
        let reply = reply.await;
        // A handler that is cancelled may panic, too.
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| drop(answer)));
        Ok(reply?.body)
    }
}

/// Splits a request. The head is boxed, as it is moved often.
pub(crate) fn into_parts<B>(request: Request<B>) -> (Box<request::Parts>, B) {
    let (parts, body) = request.into_parts();
    #[cfg_attr(not(feature = "axum"), allow(unused_mut))]
    let mut parts = Box::new(parts);
    #[cfg(feature = "axum")]
    take_connect_info(&mut parts.extensions);
    (parts, body)
}

/// The response to a call that failed before its operation was known.
fn refuse(protocol: &dyn Protocol, failure: &Failure) -> Response<Bytes> {
    match failure.status {
        StatusCode::SERVICE_UNAVAILABLE => busy(failure),
        _ => protocol.refuse(failure),
    }
}

/// The response of a server that has no room for a call: a line of text over every binding, as callers read no fault with this status.
fn busy(failure: &Failure) -> Response<Bytes> {
    let mut response = response::refused(failure.status, failure.fault.text());
    let seconds = HeaderValue::from_static("1");
    response.headers_mut().insert(RETRY_AFTER, seconds);
    response
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
    // Pinned once: the futures below would each have room for the body.
    let body = pin!(body);
    match routed {
        Routed::Call(endpoint, route) => {
            let limit = endpoint.options().limits.body;
            if waits_to_send(&parts, &body) && body::announced(&body) > limit {
                let too_long = BodyError::<B::Error>::TooLong;
                return closing(route.protocol.refuse(&too_long.into()));
            }
            endpoint.take_call(route, parts, body).await
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
    response::close_connection(&mut response);
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
                let (parts, body) = $crate::endpoint::into_parts(request);
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

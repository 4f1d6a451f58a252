//! From a request to its response: route, binding, dispatch, binding. No input or output happens here.

mod admission;
mod forward;
mod refused;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, Uri, request};
use http_body::Body;
use http_body_util::Full;

use crate::authentication::{self, Authentication, Guarded};
use crate::binding::Binding;
use crate::binding::operations::Operations;
use crate::binding::protocol::{self, Message, Opened, Unopened};
use crate::call::{Call, Reply};
use crate::carrier::{Carrier, Grant};
use crate::deadline::Deadline;
use crate::described::Model;
use crate::failure::Failure;
#[cfg(feature = "gzip")]
use crate::gzip::Coding;
use crate::heads::{Heads, into_heads};
use crate::layer::{CallLayer, CallRequest, CallResponse, Layers, LayersOfCall, Patience};
use crate::outcome::Outcome;
use crate::paths::{AskedPath, Found, served};
use crate::response;
#[cfg(feature = "documents")]
use crate::response::NoCall;
use crate::routing::{Route, no_service, route, unknown_media_type};
use crate::server_options::ServerOptions;
use crate::unknown_header::UnderstoodHeaders;
use crate::watched::report;
use admission::{Coded, admit, answer_early};
pub(crate) use forward::Forward;
pub(crate) use refused::Refused;
use svcgen_wire::internals::{Facets, TimeZone};

/// Answers calls: reads their parameters, calls a handler and writes the result.
///
/// Emitted code implements [`DispatchTo`](crate::codegen::DispatchTo) instead; implement this trait to serve a [`Model`] without emitted code.
pub trait Dispatch: Send + Sync + 'static {
    /// Answers a call of the operation of an index.
    fn dispatch<'a>(&'a self, operation: usize, call: Call<'a>) -> Dispatched<'a>;

    /// Whether the operation of an index is implemented; by default all are. With a [`Fallback`](crate::fallback::Fallback) the calls of others go to the original.
    fn implements(&self, _operation: usize) -> bool {
        true
    }
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
    facets: Facets,
    operations: Operations,
    /// How many bytes to reserve for the answer of each operation.
    capacities: Box<[AtomicUsize]>,
    /// Whether an operation is one-way.
    has_one_way: bool,
    layers: Layers,
    /// The SOAP headers that the options, or layers of this crate, understand.
    understood: Box<UnderstoodHeaders>,
    /// Those of layers, which stay with other options.
    understood_by_layers: Vec<(String, String)>,
    /// Which operations are implemented.
    implemented: Box<[bool]>,
}

impl Endpoint {
    /// Serves a model with default options.
    ///
    /// # Panics
    ///
    /// The time zone of the service is not known.
    pub fn new(model: Model, dispatch: Arc<dyn Dispatch>) -> Self {
        let (options, layers) = (ServerOptions::default(), Layers::default());
        Self::set_up(model, dispatch, options, layers, Vec::new())
    }

    /// The same service with other options.
    #[must_use]
    pub fn with_options(&self, options: ServerOptions) -> Self {
        let understood = self.0.understood_by_layers.clone();
        self.set_up_again(options, self.0.layers.clone(), understood)
    }

    /// The same service with a [layer](crate::layer) around its calls, outside of those that were added before.
    #[must_use]
    pub fn with_layer(&self, layer: impl CallLayer) -> Self {
        self.with_header_layer(&[], layer)
    }

    /// The same with a layer that understands SOAP headers: their namespaces and names, `*` for all of a namespace.
    pub fn with_header_layer(&self, headers: &[(&str, &str)], layer: impl CallLayer) -> Self {
        let mut understood = self.0.understood_by_layers.clone();
        let owned = |(namespace, name): &(&str, &str)| ((*namespace).into(), (*name).into());
        understood.extend(headers.iter().map(owned));
        let layers = self.0.layers.with(&layer);
        self.set_up_again(self.options().clone(), layers, understood)
    }

    fn set_up_again(
        &self,
        options: ServerOptions,
        layers: Layers,
        understood: Vec<(String, String)>,
    ) -> Self {
        let Shared {
            model, dispatch, ..
        } = &*self.0;
        let dispatch = Arc::clone(dispatch);
        Self::set_up(model.clone(), dispatch, options, layers, understood)
    }

    fn set_up(
        model: Model,
        dispatch: Arc<dyn Dispatch>,
        options: ServerOptions,
        layers: Layers,
        understood_by_layers: Vec<(String, String)>,
    ) -> Self {
        // It panics here rather than in a call.
        TimeZone::of(model.service().row());
        let paths = match &*options.paths {
            [] => vec![served(model.service().path)],
            paths => paths.iter().map(|path| served(path)).collect(),
        };
        let model = model.with_paths(paths);
        let rows = model.service().operations;
        let capacities = rows.iter().map(|_| AtomicUsize::new(512)).collect();
        let understood = [&*options.understood_headers, &*understood_by_layers].concat();
        let has_one_way = rows.iter().any(|operation| operation.one_way);
        let implemented = (0..rows.len()).map(|operation| dispatch.implements(operation));
        let implemented = implemented.collect();
        #[cfg(feature = "facets")]
        let facets = Facets::of(model.service(), options.facets);
        #[cfg(not(feature = "facets"))]
        let facets = Facets::default();
        let operations = Operations::of(model.service().row());
        Self(Arc::new(Shared {
            model,
            dispatch,
            options,
            facets,
            operations,
            capacities,
            has_one_way,
            layers,
            understood: understood.into(),
            understood_by_layers,
            implemented,
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

    pub(crate) fn operations(&self) -> &Operations {
        &self.0.operations
    }

    /// The paths of the service: those of the options, or that of the model.
    pub fn paths(&self) -> &[String] {
        self.0.model.paths()
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (heads, body) = into_heads(request);
        let routed = self.route(&heads.parts);
        answer(routed, heads, Full::new(body), |response| response).await
    }

    /// The response to a call of an operation over a binding that was read already: `reply` writes it. Layers are not asked.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index, or does not have the binding.
    pub fn response(
        &self,
        binding: Binding,
        operation: usize,
        reply: impl FnOnce(Call<'_>) -> Result<Reply, Failure>,
    ) -> Response<Bytes> {
        let (model, options) = (self.model(), self.options());
        let protocol = model.answering(binding);
        let capacity = &self.0.capacities[operation];
        let call = Call::unread(model, protocol, operation, options, capacity);
        let body = reply(call).map(|reply| reply.body);
        let row = model.operation(operation);
        let mut answer = CallResponse::of_call(protocol, row, body);
        if row.cached {
            response::kept_by_server(answer.response_mut());
        }
        answer.into_response()
    }

    /// Routes a request.
    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        let routed = self.route_unguarded(parts);
        let routed = self.guard(parts, routed);
        routed
    }

    fn route_unguarded(&self, parts: &request::Parts) -> Routed {
        match AskedPath::of(parts).find(std::iter::once(((), self.paths()))) {
            Some(((), found)) => self.route_beneath(&Layers::default(), parts, &found),
            None => {
                if let Some(routed) = self.forward_elsewhere(parts) {
                    return routed;
                }
                let refused = Refused::no_service(*no_service(parts), &self.0.layers);
                Routed::Refused {
                    refused: refused.into(),
                    most_discarded: self.most_discarded(),
                }
            }
        }
    }

    /// Routes a request for a path of the service, beneath the layers of a router.
    pub(crate) fn route_beneath(
        &self,
        outer: &Layers,
        parts: &request::Parts,
        found: &Found<'_>,
    ) -> Routed {
        let options = self.options();
        let routed = route(self.model(), self.operations(), options, parts, found);
        if let (Some(fallback), Ok(route)) = (&options.fallback, &routed)
            && let Some(routed) = self.forward(fallback, route, outer, parts, found)
        {
            return routed;
        }
        let (protocol, answer) = match routed {
            Ok(Route::Call(route)) => {
                let layers = outer.around(&self.0.layers);
                return Routed::Call(self.clone(), route, layers);
            }
            #[cfg(feature = "documents")]
            Ok(Route::Document(document)) => {
                #[cfg_attr(not(feature = "gzip"), expect(unused_mut))]
                let mut response = {
                    let service = self.model().service();
                    (options.documents).answer(document, service, parts, found, &options.limits)
                };
                #[cfg(feature = "gzip")]
                Coding::of(options.gzip, &parts.headers).apply(&mut response);
                return Routed::Document {
                    response: response.into(),
                    most_discarded: self.most_discarded(),
                };
            }
            Ok(Route::Refused(router, failure)) => {
                (Some(router), CallResponse::refused(router, failure))
            }
            Ok(Route::NoCall { answer, .. }) | Err(answer) => {
                (None, CallResponse::no_call(*answer))
            }
        };
        self.refused(outer, protocol, answer)
    }

    fn refused(
        &self,
        outer: &Layers,
        protocol: Option<&'static dyn protocol::BindingRouter>,
        answer: CallResponse,
    ) -> Routed {
        let refused = Refused {
            answer,
            protocol,
            model: Some(self.model().clone()),
            layers: outer.around(&self.0.layers),
            time: self.options().deadline,
        };
        Routed::Refused {
            refused: refused.into(),
            most_discarded: self.most_discarded(),
        }
    }

    /// The same request, whose caller is asked first who it is, if the options say so.
    pub(crate) fn guard(&self, parts: &request::Parts, routed: Routed) -> Routed {
        let options = self.options();
        match &options.authentication {
            Some(authentication) => authentication.guard(parts, routed, options.deadline),
            None => routed,
        }
    }

    /// The same service, which asks who calls, unless it does so by itself.
    pub(crate) fn asking(&self, authentication: &Authentication) -> Self {
        let mut options = self.options().clone();
        options
            .authentication
            .get_or_insert_with(|| authentication.clone());
        self.with_options(options)
    }

    /// How many bytes of an unwanted body to read: most callers read the answer only after they have sent the whole body.
    pub(crate) fn most_discarded(&self) -> usize {
        admission::most_discarded(self.options().limits.body)
    }

    /// Answers a call; a one-way call is answered once its parameters are read, and then goes on by itself.
    async fn accept_or_answer(
        self,
        route: protocol::Route,
        heads: Arc<Heads>,
        body: Bytes,
        grant: Grant,
        layers: Option<Box<LayersOfCall>>,
    ) -> Response<Bytes> {
        let detach = Arc::clone(&grant.carrier().detach);
        let accepted = Arc::new(AtomicBool::new(false));
        let accept = Some(Arc::clone(&accepted));
        let call = self.answer_call(route, heads, body, Some(grant), accept, layers);
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
    #[allow(
        clippy::manual_async_fn,
        reason = "an `async fn` has room for its arguments twice"
    )]
    fn answer_call(
        self,
        route: protocol::Route,
        mut heads: Arc<Heads>,
        body: Bytes,
        grant: Option<Grant>,
        accepted: Option<Arc<AtomicBool>>,
        layers: Option<Box<LayersOfCall>>,
    ) -> impl Future<Output = Response<Bytes>> {
        async move {
            // The handler gets the head while the parameters borrow from the query.
            let uri = heads.parts.uri.clone();
            let text;
            let mut opened = match route.protocol.decode(route.called.charset, &body) {
                Ok(decoded) => {
                    text = decoded;
                    self.open(route, &heads.parts.headers, &uri, &body, &text)
                }
                Err(failure) => Err(Unopened::Refused(route.protocol, failure)),
            };
            let Some(layers) = layers else {
                let answer = match opened {
                    Ok(opened) => {
                        let carrier = self.carrier(&heads.parts, opened.operation);
                        self.call(heads, &body, opened, accepted, carrier).await
                    }
                    Err(unopened) => self.refuse(unopened),
                };
                drop(grant);
                return answer.into_response();
            };
            let (protocol, operation): (&dyn protocol::BindingRouter, _) = match &opened {
                Ok(opened) => (opened.protocol, Some(opened.operation)),
                Err(Unopened::Refused(protocol, _)) => (*protocol, None),
                Err(Unopened::MediaType) => (route.protocol, None),
            };
            let carrier = operation.and_then(|operation| self.carrier(&heads.parts, operation));
            let patience = Patience {
                time: self.options().deadline,
                carrier: carrier.clone(),
            };
            if let Ok(opened) = &mut opened {
                let understood = std::mem::take(&mut opened.understood);
                Heads::of_request(&mut heads).understood = understood;
            }
            let model = Some(self.model().clone());
            let request = CallRequest::new(heads, body.clone(), model, operation, Some(protocol));
            let handle = async |mut heads| match opened {
                Ok(mut opened) => {
                    let request = Heads::of_request(&mut heads);
                    opened.understood = std::mem::take(&mut request.understood);
                    self.call(heads, &body, opened, accepted, carrier).await
                }
                Err(unopened) => self.refuse(unopened),
            };
            let answer = Box::pin(layers.answer(request, patience, handle)).await;
            drop(grant);
            answer
        }
    }

    /// Finds the operation of a request.
    fn open<'m>(
        &'m self,
        route: protocol::Route,
        headers: &HeaderMap,
        uri: &'m Uri,
        body: &'m [u8],
        text: &'m str,
    ) -> Result<Opened<'m>, Unopened> {
        let options = self.options();
        let message = Message {
            service: self.model().service(),
            operations: self.operations(),
            limits: &options.limits,
            strict: options.strict,
            facets: &self.0.facets,
            understood: &self.0.understood,
            headers,
            query: uri.query().unwrap_or_default(),
            body,
            text,
        };
        route.protocol.open(route.called, &message)
    }

    /// The answer to a request that is no call.
    fn refuse(&self, unopened: Unopened) -> CallResponse {
        match unopened {
            Unopened::Refused(protocol, failure) => CallResponse::refused(protocol, failure),
            Unopened::MediaType => {
                CallResponse::no_call(*unknown_media_type(&self.model().service(), ""))
            }
        }
    }

    /// Tells whether the caller is gone, for a call of an operation that ends with it.
    fn carrier(&self, parts: &request::Parts, operation: usize) -> Option<Arc<Carrier>> {
        let operation = self.model().operation(operation);
        let cancels = operation.read_only || self.options().cancel_abandoned;
        let carrier = (cancels && !operation.one_way).then(|| parts.extensions.get());
        carrier.flatten().cloned()
    }

    /// Calls the handler.
    fn call<'a>(
        &'a self,
        heads: Arc<Heads>,
        body: &'a Bytes,
        opened: Opened<'a>,
        accepted: Option<Arc<AtomicBool>>,
        carrier: Option<Arc<Carrier>>,
    ) -> impl Future<Output = CallResponse> {
        let Shared {
            model,
            dispatch,
            options,
            capacities,
            ..
        } = &*self.0;
        let (protocol, index) = (opened.protocol, opened.operation);
        let operation = model.operation(index);
        // Over HTTP GET and POST one-way operations are answered as others are.
        let is_accepted = operation.one_way && protocol.binding().is_soap();
        let accepted = accepted.filter(|_| is_accepted);
        let capacity = &capacities[index];
        let (head, accept) = (Arc::clone(&heads), accepted.clone());
        let call = Call::new(head, model, opened, options, capacity, accept);
        let answer = dispatch.dispatch(index, call);
        // What the call consists of is in the future of the handler, and needs no room here.
        async move {
            let reply = reply(answer, carrier, options.deadline).await;
            // The caller hears of it, however long layers take after that.
            if let (Err(Failure { untold: false, .. }), Some(accepted)) = (&reply, accepted) {
                accepted.store(false, Ordering::Relaxed);
            }
            let mut answer = CallResponse::of_call(protocol, operation, reply);
            let called = Some((model, Some(index)));
            report(&answer, called, Some((&heads.parts, body)));
            if operation.cached {
                response::kept_by_server(answer.response_mut());
            }
            if *answer.outcome() == Outcome::Answered || !protocol.clears_head() {
                let has_returned = matches!(answer.outcome(), Outcome::Answered | Outcome::Fault);
                let has_status = has_returned && !protocol.binding().is_soap();
                heads.complete(answer.response_mut(), has_status, options);
            }
            answer
        }
    }
}

/// The body of a handler's answer.
async fn reply(
    mut answer: Dispatched<'_>,
    carrier: Option<Arc<Carrier>>,
    deadline: Option<Duration>,
) -> Result<Vec<u8>, Failure> {
    let mut deadline = Deadline::new(deadline);
    let no_return = |outcome, text| Poll::Ready(Err(Failure::no_return(outcome, text)));
    let reply = std::future::poll_fn(|context| {
        if carrier
            .as_ref()
            .is_some_and(|carrier| carrier.is_abandoned())
        {
            return no_return(Outcome::Abandoned, "The caller is gone.");
        }
        // The future is not polled again after a panic, and the handler is `Sync`.
        match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(Poll::Ready(reply)) => Poll::Ready(reply),
            Ok(Poll::Pending) if deadline.poll(context).is_pending() => Poll::Pending,
            Ok(Poll::Pending) => no_return(Outcome::TimedOut, "Request timed out."),
            Err(_) => no_return(Outcome::Panicked, "The handler panicked."),
        }
    });
    let reply = reply.await;
    // A handler that is cancelled may panic, too.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| drop(answer)));
    Ok(reply?.body)
}

/// The route of a call, or the answer to a request that is no call.
pub(crate) enum Routed {
    Call(Endpoint, protocol::Route, Option<Box<LayersOfCall>>),
    Forward(Box<Forward>),
    Guarded(Box<Guarded>),
    Refused {
        refused: Box<Refused>,
        /// How many bytes of the body are still read.
        most_discarded: usize,
    },
    #[cfg(feature = "documents")]
    Document {
        response: NoCall,
        most_discarded: usize,
    },
}

impl Routed {
    /// The same request with an answer that refuses it.
    pub(crate) fn refused_with(self, response: Response<Bytes>) -> Self {
        let answer = CallResponse::no_call(response);
        let (refused, most_discarded) = match self {
            Self::Call(endpoint, route, layers) => {
                let refused = Refused {
                    answer,
                    protocol: Some(route.protocol),
                    model: Some(endpoint.model().clone()),
                    layers,
                    time: endpoint.options().deadline,
                };
                (refused.into(), endpoint.most_discarded())
            }
            Self::Forward(forward) => {
                let most_discarded = admission::most_discarded(forward.limit);
                let refused = Refused {
                    answer,
                    protocol: forward.protocol,
                    model: forward.model,
                    layers: forward.layers,
                    time: forward.time,
                };
                (refused.into(), most_discarded)
            }
            Self::Refused {
                mut refused,
                most_discarded,
            } => {
                refused.answer = answer;
                (refused, most_discarded)
            }
            #[cfg(feature = "documents")]
            Self::Document { most_discarded, .. } => {
                return Self::Document {
                    response: answer.into_response().into(),
                    most_discarded,
                };
            }
            Self::Guarded(guarded) => return guarded.routed.refused_with(answer.into_response()),
        };
        Self::Refused {
            refused,
            most_discarded,
        }
    }
}

/// The answer to a request with any body, as what `finish` makes of it: a future around this one would have room for it twice.
#[allow(
    clippy::manual_async_fn,
    reason = "an `async fn` has room for its arguments twice"
)]
pub(crate) fn answer<B: Body, O>(
    routed: Routed,
    heads: Arc<Heads>,
    body: B,
    finish: fn(Response<Bytes>) -> O,
) -> impl Future<Output = O> {
    async move {
        // Pinned once: the futures below would each have room for the body.
        let body = pin!(body);
        let (routed, heads, granted) = match routed {
            Routed::Guarded(guarded) => Box::pin(guarded.check(heads)).await,
            routed => (routed, heads, None),
        };
        let response = match routed {
            Routed::Call(endpoint, route, layers) => {
                let options = endpoint.options();
                let protocol = Some(route.protocol as &dyn protocol::BindingRouter);
                #[cfg(feature = "gzip")]
                let coding = Coding::of(options.gzip, &heads.parts.headers);
                #[cfg_attr(not(feature = "gzip"), expect(unused_mut))]
                let mut answer = match admit(
                    protocol,
                    options.limits.body,
                    &heads.parts,
                    body,
                    Coded::Read,
                )
                .await
                {
                    Ok((body, Some(grant))) if endpoint.0.has_one_way => {
                        let answer = endpoint.accept_or_answer(route, heads, body, grant, layers);
                        answer.await
                    }
                    Ok((body, grant)) => {
                        let answer = endpoint.answer_call(route, heads, body, grant, None, layers);
                        answer.await
                    }
                    Err(answer) => {
                        let refused = Refused {
                            answer: *answer,
                            protocol,
                            model: Some(endpoint.model().clone()),
                            layers,
                            time: options.deadline,
                        };
                        Box::new(refused).answer(heads).await
                    }
                };
                #[cfg(feature = "gzip")]
                coding.apply(&mut answer);
                answer
            }
            Routed::Forward(forward) => Box::pin(forward.answer(heads, body)).await,
            Routed::Refused {
                mut refused,
                most_discarded,
            } => {
                let read = answer_early(&heads.parts, body, &mut refused.answer, most_discarded);
                read.await;
                refused.answer(heads).await
            }
            #[cfg(feature = "documents")]
            Routed::Document {
                response,
                most_discarded,
            } => {
                let mut answer = CallResponse::no_call(*response);
                answer_early(&heads.parts, body, &mut answer, most_discarded).await;
                answer.into_response()
            }
            Routed::Guarded(_) => unreachable!("a request is guarded once"),
        };
        let response = authentication::complete(granted, response);
        finish(response)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("service", &self.model().service().name)
            .field("options", self.options())
            .finish_non_exhaustive()
    }
}

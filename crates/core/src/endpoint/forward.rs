//! Requests that go to the original instead of a handler.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{Response, StatusCode, request};
use http_body::Body;
use http_body_util::Full;

use super::admission::{Coded, admit};
use super::{Endpoint, Refused, Routed, answer};
use crate::binding::protocol::{BindingRouter, Route as CallRoute};
use crate::deadline::Deadline;
use crate::described::Model;
use crate::failure::Failure;
use crate::fallback::{Fallback, remove_named, returned};
use crate::fault::Fault;
use crate::heads::Heads;
use crate::layer::{CallRequest, CallResponse, Layers, LayersOfCall, Patience};
use crate::outcome::Outcome;
use crate::paths::{AskedPath, Found};
use crate::routing::{Route, check_caller};
use crate::transport::{CalledOperation, TransportError, TransportErrorKind};
use crate::watched::report;
#[cfg(feature = "gzip")]
use crate::{binding::media_type::is_gzip, gzip};

/// A request that goes to the original, as far as its head tells.
pub(crate) struct Forward {
    pub(crate) fallback: Arc<Fallback>,
    pub(crate) model: Option<Model>,
    pub(crate) operation: Option<usize>,
    pub(crate) protocol: Option<&'static dyn BindingRouter>,
    pub(crate) layers: Option<Box<LayersOfCall>>,
    /// How many bytes its body may have.
    pub(crate) limit: usize,
    /// How long the original may take.
    pub(crate) time: Option<Duration>,
    /// What tells by the body whether it is a call of an operation that is implemented here, if the head does not.
    pub(crate) undecided: Option<(Endpoint, CallRoute)>,
}

impl Forward {
    /// The answer of the original, or that of the service if its operation turns out to be implemented.
    pub(super) async fn answer<B: Body>(
        mut self: Box<Self>,
        mut heads: Arc<Heads>,
        body: Pin<&mut B>,
    ) -> Response<Bytes> {
        let admitted = admit(self.protocol, self.limit, &heads.parts, body, Coded::Kept);
        let (body, grant) = match admitted.await {
            Ok(admitted) => admitted,
            Err(answer) => {
                let refused = Refused {
                    answer: *answer,
                    protocol: self.protocol,
                    model: self.model,
                    layers: self.layers,
                    time: self.time,
                };
                return Box::new(refused).answer(heads).await;
            }
        };
        if let Some((endpoint, route)) = self.undecided.take() {
            let operation = endpoint.operation_of(route, &heads.parts, &body);
            if operation.is_some_and(|operation| endpoint.implements(operation)) {
                drop(grant);
                return answer_here(endpoint, route, self.layers, heads, body).await;
            }
            self.operation = operation;
        }
        remove_named(&mut Heads::of_request(&mut heads).parts.headers);
        let Some(layers) = self.layers.take() else {
            return self.pass_on(&heads, body).await.into_response();
        };
        let patience = Patience {
            time: self.time,
            carrier: None,
        };
        let (model, operation) = (self.model.clone(), self.operation);
        let request = CallRequest::new(heads, body.clone(), model, operation, self.protocol);
        let request = request.forwarded();
        let this = &self;
        let handle = async |heads: Arc<Heads>| this.pass_on(&heads, body).await;
        Box::pin(layers.answer(request, patience, handle)).await
    }

    /// Asks the original.
    async fn pass_on(&self, heads: &Heads, body: Bytes) -> CallResponse {
        let called = self.model.clone().zip(self.operation).zip(self.protocol);
        let called = called.map(|((model, operation), protocol)| {
            CalledOperation::new(model, operation, protocol.binding())
        });
        let mut sent = pin!(self.fallback.send(&heads.parts, body.clone(), called));
        let mut deadline = Deadline::new(self.time);
        let sent = std::future::poll_fn(|context| match sent.as_mut().poll(context) {
            Poll::Pending => deadline.poll(context).map(|()| None),
            sent => sent.map(Some),
        });
        match sent.await {
            Some(Ok(mut response)) => {
                returned(&heads.parts.method, &mut response);
                CallResponse::forwarded(response, &heads.parts.method)
            }
            Some(Err(error)) => self.unanswered(error, heads, &body),
            None => {
                let message = "no answer came within the time limit of the server";
                let error = TransportError::new(TransportErrorKind::Timeout, message);
                self.unanswered(error, heads, &body)
            }
        }
    }

    /// The answer to a request that the original gave none to.
    fn unanswered(&self, error: TransportError, heads: &Heads, body: &Bytes) -> CallResponse {
        let (status, outcome, why) = match error.kind() {
            TransportErrorKind::Connect | TransportErrorKind::Scheme => (
                StatusCode::BAD_GATEWAY,
                Outcome::Failed,
                "cannot be reached. The request was not sent; send it again later.",
            ),
            TransportErrorKind::Timeout => (
                StatusCode::GATEWAY_TIMEOUT,
                Outcome::TimedOut,
                "did not answer in time. It may have run the call.",
            ),
            TransportErrorKind::TooLong => (
                StatusCode::BAD_GATEWAY,
                Outcome::Failed,
                "gave a longer answer than this server passes on. It may have run the call.",
            ),
            _ => (
                StatusCode::BAD_GATEWAY,
                Outcome::Failed,
                "gave no answer of HTTP. It may have run the call.",
            ),
        };
        let text = format_args!("The server that still answers this request {why}");
        let mut fault = Fault::exception(text);
        match &self.fallback.report {
            Some(report) => report(&error),
            None => fault = fault.with_cause(error),
        }
        let failure = Failure {
            outcome,
            status,
            ..Failure::told(fault)
        };
        let mut answer = CallResponse::failed(self.protocol, failure);
        // Some bindings have one status for all failures.
        *answer.response_mut().status_mut() = status;
        let called = self.model.as_ref().map(|model| (model, self.operation));
        report(&answer, called, Some((&heads.parts, body)));
        answer
    }
}

impl Endpoint {
    /// The same service, which falls back to this server unless it does to another.
    pub(crate) fn falling_back(&self, fallback: &Arc<Fallback>) -> Self {
        let mut options = self.options().clone();
        options.fallback.get_or_insert_with(|| Arc::clone(fallback));
        self.with_options(options)
    }

    fn implements(&self, operation: usize) -> bool {
        self.0.implemented[operation]
    }

    /// Whether what is below the path of the service is the name of an operation that is implemented, over whatever binding.
    fn implements_path(&self, below: &str) -> bool {
        let operations = self.model().service().operations.iter();
        let mut implemented = operations.zip(&self.0.implemented);
        let name = below.strip_prefix('/').unwrap_or_default();
        implemented.any(|(operation, is_it)| *is_it && operation.name.eq_ignore_ascii_case(name))
    }

    /// A request to the path of no service, for the original; `None` if it has none, or may take the path for one of this service.
    pub(super) fn forward_elsewhere(&self, parts: &request::Parts) -> Option<Routed> {
        let options = self.options();
        let fallback = options.fallback.as_ref()?;
        if AskedPath::of(parts).is_alias(self.paths().iter()) {
            return None;
        }
        Some(match check_caller(options, parts) {
            Ok(()) if !Fallback::takes(parts) => return None,
            Ok(()) => Routed::Forward(Box::new(Forward {
                fallback: Arc::clone(fallback),
                model: None,
                operation: None,
                protocol: None,
                layers: self.0.layers.around(&Layers::default()),
                limit: options.limits.body,
                time: options.deadline,
                undecided: None,
            })),
            Err(answer) => {
                let answer = CallResponse::no_call(*answer);
                self.refused(&Layers::default(), None, answer)
            }
        })
    }

    /// A request to the path of this service, for the original; `None` if it is answered here.
    pub(super) fn forward(
        &self,
        fallback: &Arc<Fallback>,
        route: &Route,
        outer: &Layers,
        parts: &request::Parts,
        found: &Found<'_>,
    ) -> Option<Routed> {
        if !Fallback::takes(parts) {
            return None;
        }
        let (call, protocol) = match route {
            Route::Call(call) => (Some(*call), Some(call.protocol as _)),
            Route::Refused(protocol, _) => (None, Some(*protocol)),
            Route::NoCall { unread, .. } => (None, unread.map(|call| call.protocol as _)),
            #[cfg(feature = "documents")]
            Route::Document(_) if !fallback.has_documents => return None,
            #[cfg(feature = "documents")]
            Route::Document(_) => (None, None),
        };
        let operation = match route {
            Route::Call(call)
            | Route::NoCall {
                unread: Some(call), ..
            } => {
                let service = self.model().service();
                let operations = self.operations();
                let named = || {
                    call.protocol
                        .named(service.row(), operations, &parts.headers)
                };
                call.called.operation.or_else(named)
            }
            _ => None,
        };
        // The original may take what names no operation here for one that is implemented: it may read the path in another way, or have more bindings.
        let stays = match operation {
            Some(operation) => self.implements(operation),
            None => !found.is_canonical() || self.implements_path(&found.below),
        };
        if stays {
            return None;
        }
        let options = self.options();
        if let Err(answer) = check_caller(options, parts) {
            return Some(self.refused(outer, protocol, CallResponse::no_call(*answer)));
        }
        let has_any = self.0.implemented.contains(&true);
        let is_undecided = operation.is_none() && has_any;
        #[cfg(feature = "documents")]
        let has_layers = !matches!(route, Route::Document(_));
        #[cfg(not(feature = "documents"))]
        let has_layers = true;
        let layers = has_layers.then(|| outer.around(&self.0.layers));
        Some(Routed::Forward(Box::new(Forward {
            fallback: Arc::clone(fallback),
            model: Some(self.model().clone()),
            operation,
            protocol,
            layers: layers.flatten(),
            limit: options.limits.body,
            time: options.deadline,
            undecided: call
                .filter(|_| is_undecided)
                .map(|route| (self.clone(), route)),
        })))
    }

    /// The operation that a message calls, by its body; `None` if it cannot be told.
    fn operation_of(
        &self,
        route: CallRoute,
        parts: &request::Parts,
        body: &Bytes,
    ) -> Option<usize> {
        #[cfg(feature = "gzip")]
        let inflated;
        #[cfg(feature = "gzip")]
        let body = if is_gzip(&parts.headers) {
            inflated = gzip::inflated(body, self.options().limits.body).ok()?;
            &inflated
        } else {
            body
        };
        let text = route.protocol.decode(route.called.charset, body).ok()?;
        let opened = self.open(route, &parts.headers, &parts.uri, body, &text);
        opened.ok().map(|opened| opened.operation)
    }
}

/// Answers a call whose body has arrived. Boxed, as an answer may end here.
fn answer_here(
    endpoint: Endpoint,
    route: CallRoute,
    layers: Option<Box<LayersOfCall>>,
    heads: Arc<Heads>,
    body: Bytes,
) -> Pin<Box<dyn Future<Output = Response<Bytes>> + Send>> {
    let routed = Routed::Call(endpoint, route, layers);
    Box::pin(answer(routed, heads, Full::new(body), |response| response))
}

//! Requests that are forwarded to the original instead of a handler.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode, request};
use http_body::Body;

use super::Endpoint;
use super::admission::{Coded, admit};
use super::early::Setting;
use super::packed::message_of;
use super::routed::{Destination, Forward, RoutedCall};
use crate::binding::protocol::Route as CallRoute;
use crate::deadline;
use crate::failure::Failure;
use crate::fallback::{Fallback, remove_named, returned};
use crate::fault::Fault;
use crate::gzip;
use crate::heads::Heads;
use crate::layer::{CallRequest, CallResponse, Layers, Patience, report};
use crate::media_type::is_gzip;
use crate::outcome::Outcome;
use crate::paths::{AskedPath, Found};
use crate::routing::{Route, check_caller};
use crate::transport::{CalledOperation, TransportError, TransportErrorKind};

/// The result of a request to the original.
pub(super) enum Forwarded {
    Answered(Response<Bytes>),
    /// The request is a call of an operation that is implemented here.
    Here(RoutedCall, Arc<Heads>, Bytes),
}

impl Forward {
    /// Returns the answer of the original, unless the operation turns out to be implemented here.
    pub(super) async fn answer<B: Body>(
        mut self: Box<Self>,
        mut heads: Arc<Heads>,
        body: Pin<&mut B>,
    ) -> Forwarded {
        let (protocol, limit) = (self.setting.protocol, self.setting.limit);
        let admitted = admit(protocol, limit, &heads.parts, body, Coded::Kept, None);
        // The grant is held until the answer has arrived.
        let (body, grant) = match admitted.await {
            Ok(admitted) => admitted,
            Err(answer) => {
                let early = self.setting.answered(*answer);
                return Forwarded::Answered(early.pass_layers(heads, Bytes::new()).await);
            }
        };
        if let Some((endpoint, route)) = self.undecided.take() {
            let operation = endpoint.operation_of(route, &heads.parts, &body);
            if operation.is_some_and(|operation| endpoint.implements(operation)) {
                let layers = self.setting.layers;
                let call = RoutedCall {
                    endpoint,
                    route,
                    layers,
                };
                return Forwarded::Here(call, heads, body);
            }
            self.operation = operation;
        }
        remove_named(&mut Heads::of_request(&mut heads).parts.headers);
        let response = match self.setting.layers.take() {
            None => self.pass_on(&heads, body).await.into_response(),
            Some(layers) => {
                let patience = Patience {
                    time: self.setting.time,
                    grants: None,
                };
                let (model, protocol) = (self.setting.model.clone(), protocol);
                let request =
                    CallRequest::new(heads, body.clone(), model, self.operation, protocol);
                let this = &self;
                let handle = async |heads: Arc<Heads>| this.pass_on(&heads, body).await;
                Box::pin(layers.answer(request.forwarded(), patience, handle)).await
            }
        };
        drop(grant);
        Forwarded::Answered(response)
    }

    /// Forwards a request to the original.
    async fn pass_on(&self, heads: &Heads, body: Bytes) -> CallResponse {
        let Setting {
            protocol,
            model,
            time,
            ..
        } = &self.setting;
        let called = model.clone().zip(self.operation).zip(*protocol);
        let called = called.map(|((model, operation), protocol)| {
            CalledOperation::new(model, operation, protocol.binding())
        });
        let sent = self.fallback.send(&heads.parts, body.clone(), called);
        match deadline::within(*time, sent).await {
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

    /// Returns the answer to a request that the original did not answer.
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
        let mut answer = CallResponse::failed(self.setting.protocol, failure);
        // Some bindings have the same status for all failures.
        *answer.response_mut().status_mut() = status;
        let model = self.setting.model.as_ref();
        let called = model.map(|model| (model, self.operation));
        report(&answer, called, Some((&heads.parts, body)));
        answer
    }
}

impl Endpoint {
    /// Returns the same service with this fallback, unless it has its own.
    pub(crate) fn falling_back(&self, fallback: &Arc<Fallback>) -> Self {
        let mut options = self.options().clone();
        options.fallback.get_or_insert_with(|| Arc::clone(fallback));
        self.with_options(options)
    }

    fn implements(&self, operation: usize) -> bool {
        self.0.implemented[operation]
    }

    /// Whether the path below the service's is the name of an implemented operation, over any
    /// binding.
    fn implements_path(&self, below: &str) -> bool {
        let operations = self.model().service().operations.iter();
        let mut implemented = operations.zip(&self.0.implemented);
        let name = below.strip_prefix('/').unwrap_or_default();
        implemented.any(|(operation, is_it)| *is_it && operation.name.eq_ignore_ascii_case(name))
    }

    /// Forwards a request to the path of no service. Returns `None` if there is no original, or if
    /// the original may take the path for one of this service.
    pub(super) fn forward_elsewhere(&self, parts: &request::Parts) -> Option<Destination> {
        let options = self.options();
        let fallback = options.fallback.as_ref()?;
        if AskedPath::of(parts).is_alias(self.paths().iter()) {
            return None;
        }
        Some(match check_caller(options, parts) {
            Ok(()) if !Fallback::takes(parts) => return None,
            Ok(()) => Forward {
                fallback: Arc::clone(fallback),
                setting: Setting {
                    model: None,
                    ..self.setting(None, self.0.layers.around(&Layers::default()))
                },
                operation: None,
                undecided: None,
            }
            .into(),
            Err(answer) => {
                let answer = CallResponse::no_call(*answer);
                self.refused(&Layers::default(), None, answer)
            }
        })
    }

    /// Forwards a request to the path of this service. Returns `None` if it is answered here.
    pub(super) fn forward(
        &self,
        fallback: &Arc<Fallback>,
        route: &Route,
        outer: &Layers,
        parts: &request::Parts,
        found: &Found<'_>,
    ) -> Option<Destination> {
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
                call.head.operation.or_else(named)
            }
            _ => None,
        };
        // The original may see a call of an implemented operation where this server sees no
        // operation: it may read the path in another way, or have more bindings.
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
        let mut setting = self.setting(protocol, layers.flatten());
        setting.limit = call.map_or(setting.limit, |call| self.most_bytes(call, parts));
        let forward = Forward {
            fallback: Arc::clone(fallback),
            setting,
            operation,
            undecided: call
                .filter(|_| is_undecided)
                .map(|route| (self.clone(), route)),
        };
        Some(forward.into())
    }

    /// Returns the operation that a message calls, by its body; `None` if this is unclear.
    fn operation_of(
        &self,
        mut route: CallRoute,
        parts: &request::Parts,
        body: &Bytes,
    ) -> Option<usize> {
        let body = match self.unpacking(route, parts) {
            Some(unpacking) => message_of(*unpacking, &mut route, body)?,
            None if is_gzip(&parts.headers) => {
                gzip::inflated(body, self.options().limits.body).ok()?
            }
            None => body.clone(),
        };
        let mut text = Cow::default();
        let opened = self.open(route, &parts.headers, &parts.uri, &body, None, &mut text);
        opened.ok().map(|opened| opened.operation)
    }
}

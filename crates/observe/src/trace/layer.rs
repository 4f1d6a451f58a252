//! Spans of the calls of a server.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Request;
use tower_layer::Layer;
use tower_service::Service;
use tracing::field::{Empty, display};
use tracing::{Instrument, Level, Span};

use super::context::TraceContext;
use crate::watch::{End, RunningCall, Stopwatch, WatchedCall};
use svcgen_core::{
    FaultCode, Model,
    internals::{FailureTexts, Surroundings, Within},
    layer::{CallRequest, CallResponse, Outcome},
};

/// A layer that creates a span for each call, in which handlers and inner layers run, and an event
/// at its end.
///
/// ```
/// # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
/// server.with_layer(svcgen_observe::trace::TraceLayer::new())
/// # }
/// ```
///
/// The span `call` at level `INFO` of the target `svcgen::call` has these fields, with the names of
/// OpenTelemetry where it defines them:
///
/// | field | value |
/// |---|---|
/// | `otel.name`, `otel.kind` | `SERVICE/OPERATION` and `server`, for tracing-opentelemetry |
/// | `rpc.system`, `rpc.service`, `rpc.method` | `asmx`, the names of the service and the operation, if they are known |
/// | `binding` | `soap11`, `soap12`, `http-get` or `http-post`, if it is known |
/// | `http.request.body.size`, `http.response.body.size` | bytes |
/// | `client.address` | the caller's address, if [`with_caller_address`](Self::with_caller_address) asks for it |
/// | `trace_id`, `span_id`, `parent_span_id` | the ids in the [`TraceContext`] of the call, and the span of the caller, if its request names one |
/// | `outcome` | the name of the [`Outcome`], or `dropped` if an outer layer dropped the call |
/// | `http.response.status_code` | the status of the answer |
/// | `fault.code` | `Client`, `Server`, `MustUnderstand`, `VersionMismatch` or `other`, if the answer is a fault |
///
/// The event has `outcome`, `http.response.status_code`, `fault.code` and `duration` in seconds,
/// the text of the fault as `fault.text`, and as `error` the error that the fault was created from,
/// with its causes ([`Fault::cause`](svcgen_core::Fault::cause)). Its level is `INFO` for an
/// answer, `WARN` for a refused request, a fault that the handler returns for its caller
/// ([`Fault::client`](svcgen_core::Fault::client), [`Fault::server`](svcgen_core::Fault::server)),
/// and a caller who is gone, and `ERROR` for exceptions
/// ([`Fault::exception`](svcgen_core::Fault::exception), errors that became faults), any fault of a
/// one-way call, which callers do not get, panics, time limits, and all other failures of the
/// server.
///
/// They contain no other value of a message, nor the URL, whose query may contain secrets. Texts
/// that quote a secret of the request, or may do so, are replaced by
/// [`SECRET`](svcgen_core::mask::SECRET): see [`Mask::secrets`](svcgen_core::mask::Mask::secrets).
///
/// Without this layer, the server itself logs errors and failed one-way calls that callers do not
/// see, with an event `call failed` of the same target.
///
/// The [`TraceContext`] of the call continues the caller's, or starts a trace. It is
/// [current](TraceContext::current) while the handler runs, and an extension of the request.
/// Transports that are [`Traced`](super::Traced) pass it on.
///
/// Without a subscriber, a call costs six allocations, besides those of any layer, and one or two
/// requests for random bytes.
#[derive(Clone)]
pub struct TraceLayer {
    span: fn(&CallRequest) -> Span,
    has_address: bool,
}

impl TraceLayer {
    /// Creates a layer with the spans that are described above, without addresses.
    pub fn new() -> Self {
        Self {
            span,
            has_address: false,
        }
    }

    /// Creates spans with a function. The fields of the table are recorded if the span has them,
    /// even empty.
    ///
    /// For example, this gives a span a parent from another system, such as OpenTelemetry:
    ///
    /// ```
    /// use svcgen::layer::CallRequest;
    /// use tracing::{Span, field::Empty, info_span};
    ///
    /// fn span(request: &CallRequest) -> Span {
    ///     let operation = request.operation_name();
    ///     let span = info_span!("call", rpc.method = operation, outcome = Empty, trace_id = Empty);
    ///     // With tracing-opentelemetry: `span.set_parent(propagator.extract(&HeaderExtractor(request.headers())))`.
    ///     span
    /// }
    ///
    /// let layer = svcgen_observe::trace::TraceLayer::new().with_span(span);
    /// ```
    #[must_use]
    pub fn with_span(mut self, span: fn(&CallRequest) -> Span) -> Self {
        self.span = span;
        self
    }

    /// Records the addresses of callers, which are personal data under some laws.
    #[must_use]
    pub fn with_caller_address(mut self) -> Self {
        self.has_address = true;
        self
    }
}

impl Default for TraceLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TraceLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceLayer")
            .field("has_address", &self.has_address)
            .finish_non_exhaustive()
    }
}

impl<S> Layer<S> for TraceLayer {
    type Service = TracedCalls<S>;

    fn layer(&self, inner: S) -> TracedCalls<S> {
        let layer = self.clone();
        TracedCalls { inner, layer }
    }
}

/// The service of a [`TraceLayer`].
#[derive(Debug, Clone)]
pub struct TracedCalls<S> {
    inner: S,
    layer: TraceLayer,
}

impl<S> Service<CallRequest> for TracedCalls<S>
where
    S: Service<CallRequest, Response = CallResponse>,
    S::Future: Send + 'static,
{
    type Response = CallResponse;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: CallRequest) -> Self::Future {
        let began = Stopwatch::start();
        let caller = TraceContext::of_headers(request.headers());
        let own = caller
            .as_ref()
            .map_or_else(TraceContext::start, TraceContext::child);
        let span = (self.layer.span)(&request);
        let mut asked = None;
        if !span.is_disabled() {
            asked = Some((request.model().cloned(), request.copy()));
            record_ids(&span, &own, caller.as_ref());
            span.record("http.request.body.size", request.body().len());
            if let Some(address) = request.remote_address().filter(|_| self.layer.has_address) {
                span.record("client.address", display(address.ip()));
            }
        }
        request.extensions_mut().insert(own.clone());
        request.extensions_mut().insert(SURROUNDINGS);
        let running = RunningCall::new(Some(TracedCall {
            span: span.clone(),
            began,
            asked,
        }));
        let answer = span.in_scope(|| self.inner.call(request));
        Box::pin(async move {
            let answer = own.scope(answer.instrument(span)).await;
            running.end(&End::Answered(answer.as_ref().ok()));
            answer
        })
    }
}

/// Creates the span of a call by default.
fn span(request: &CallRequest) -> Span {
    let service = request.service().map(|service| service.name);
    let operation = request.operation_name();
    tracing::info_span!(
        target: "svcgen::call",
        "call",
        otel.name = service.map(|service| display(Name { service, operation })),
        otel.kind = "server",
        rpc.system = "asmx",
        rpc.service = service,
        rpc.method = operation,
        binding = request.binding().map(|binding| binding.key()),
        http.request.body.size = Empty,
        client.address = Empty,
        trace_id = Empty,
        span_id = Empty,
        parent_span_id = Empty,
        outcome = Empty,
        http.response.status_code = Empty,
        http.response.body.size = Empty,
        fault.code = Empty,
    )
}

/// The name of a span for OpenTelemetry.
pub(super) struct Name<'n> {
    pub(super) service: &'n str,
    pub(super) operation: Option<&'n str>,
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operation {
            Some(operation) => write!(f, "{}/{operation}", self.service),
            None => f.write_str(self.service),
        }
    }
}

pub(super) fn record_ids(span: &Span, own: &TraceContext, parent: Option<&TraceContext>) {
    span.record("trace_id", display(own.trace_id()));
    span.record("span_id", display(own.span_id()));
    if let Some(parent) = parent {
        span.record("parent_span_id", display(parent.span_id()));
    }
}

/// Makes the handler run in the span and the trace of the layers around it.
const SURROUNDINGS: Surroundings = Surroundings {
    current: || {
        Box::new(Current {
            span: Span::current(),
            trace: TraceContext::current(),
        })
    },
};

struct Current {
    span: Span,
    trace: Option<TraceContext>,
}

impl Within for Current {
    fn run(&mut self, poll: &mut dyn FnMut()) {
        let _entered = self.span.enter();
        TraceContext::run_in(&mut self.trace, poll);
    }
}

/// A request and the model of its service.
type Asked = (Option<Model>, Request<Bytes>);

/// A call in its span.
struct TracedCall {
    span: Span,
    began: Stopwatch,
    asked: Option<Asked>,
}

impl WatchedCall for TracedCall {
    fn end(self, end: &End<'_>) {
        let Self { span, began, asked } = self;
        let answer = match *end {
            End::Answered(answer) => answer,
            End::Dropped | End::Sent(_) => None,
        };
        let is_failure = match end {
            End::Dropped => false,
            _ => answer.is_none_or(CallResponse::is_failure),
        };
        let outcome = end.outcome();
        let is_answered = |answer: &CallResponse| {
            matches!(answer.outcome(), Outcome::Answered | Outcome::Forwarded)
        };
        let level = match answer {
            Some(answer) if is_answered(answer) => Level::INFO,
            _ if is_failure => Level::ERROR,
            _ => Level::WARN,
        };
        let texts = answer
            .zip(asked)
            .map(|(answer, (model, request))| FailureTexts::of(answer, model.as_ref(), &request));
        let texts = texts.unwrap_or_default();
        let status = answer.map(|answer| answer.status().as_u16());
        let fault = answer.and_then(CallResponse::fault);
        let code = fault.map(|fault| code(fault.code()));
        let duration = began.elapsed().as_secs_f64();
        if let Some(answer) = answer {
            span.record("http.response.body.size", answer.body().len());
        }
        span.record("outcome", outcome);
        span.record("http.response.status_code", status);
        span.record("fault.code", code);
        macro_rules! event {
            ($level:expr) => {
                tracing::event!(
                    target: "svcgen::call",
                    parent: &span,
                    $level,
                    outcome,
                    http.response.status_code = status,
                    fault.code = code,
                    fault.text = texts.text.as_deref(),
                    error = texts.error.as_deref(),
                    duration,
                    "call ended"
                )
            };
        }
        // The level of an event is a constant.
        match level {
            Level::ERROR => event!(Level::ERROR),
            Level::WARN => event!(Level::WARN),
            _ => event!(Level::INFO),
        }
    }
}

/// Returns the name of a code, except for codes of handlers, which may contain anything.
fn code(code: &FaultCode) -> &'static str {
    match code {
        FaultCode::Client => "Client",
        FaultCode::Server => "Server",
        FaultCode::MustUnderstand => "MustUnderstand",
        FaultCode::VersionMismatch => "VersionMismatch",
        _ => "other",
    }
}

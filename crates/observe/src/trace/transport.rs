//! Spans of the calls of a client.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use tracing::field::Empty;
use tracing::{Instrument, Level, Span};

use super::context::TraceContext;
use super::layer::{Name, record_ids};
use crate::watch::{End, RunningCall, WatchedCall};
use svcgen_core::transport::{CalledOperation, Transport, TransportError};

/// A transport that creates a span for each call, and sends the trace context.
///
/// ```
/// # fn example(transport: svcgen::HttpTransport) {
/// let transport = svcgen_observe::trace::Traced::new(transport);
/// # }
/// ```
///
/// A call from a handler under a [`TraceLayer`](super::TraceLayer) belongs to the trace of the
/// handler; any other call starts a trace. A request that already has a `traceparent` keeps it.
///
/// The span `call` at level `INFO` of the target `svcgen::client` has the fields `otel.name`,
/// `otel.kind` (`client`), `rpc.system`, `rpc.service`, `rpc.method`, `binding`, `server.address`,
/// `server.port`, `http.request.body.size`, `http.response.body.size`, `trace_id`, `span_id`,
/// `parent_span_id`, `http.response.status_code` and `outcome`: `answered`; `fault` (status 500) or
/// `refused` (any other status from 400 on); `connect`, `timed_out`, `too_long`, `scheme`, `layer`
/// (a tower layer failed) or `broken` without a response; `dropped` if the call was dropped. The
/// event at its end has `outcome`, at level `DEBUG` for an answer and otherwise `WARN`. Neither
/// contains the query of the URL or a value of a message.
///
/// Without a subscriber, a call costs three allocations, and one or two requests for random bytes.
#[derive(Debug, Clone)]
pub struct Traced<T> {
    transport: T,
}

impl<T> Traced<T> {
    /// Creates a transport that sends requests through `transport`.
    pub fn new(transport: T) -> Self {
        Self { transport }
    }
}

impl<T: Transport + Sync> Transport for Traced<T> {
    async fn send(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let span = span(&request);
        let running = RunningCall::new(Some(SentCall(span.clone())));
        match TraceContext::of_headers(request.headers()) {
            Some(given) => record_ids(&span, &given, None),
            None => {
                let caller = TraceContext::current();
                let own = caller
                    .as_ref()
                    .map_or_else(TraceContext::start, TraceContext::child);
                record_ids(&span, &own, caller.as_ref());
                own.write(request.headers_mut());
            }
        }
        let result = self.transport.send(request).instrument(span).await;
        running.end(&End::Sent(&result));
        result
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

fn span(request: &Request<Bytes>) -> Span {
    let called = request.extensions().get::<CalledOperation>();
    let name = called.map(|called| Name {
        service: called.service(),
        operation: Some(called.operation()),
    });
    tracing::info_span!(
        target: "svcgen::client",
        "call",
        otel.name = name.map(display),
        otel.kind = "client",
        rpc.system = "asmx",
        rpc.service = called.map(CalledOperation::service),
        rpc.method = called.map(CalledOperation::operation),
        binding = called.map(|called| called.binding().key()),
        server.address = request.uri().host(),
        server.port = request.uri().port_u16(),
        http.request.body.size = request.body().len(),
        trace_id = Empty,
        span_id = Empty,
        parent_span_id = Empty,
        outcome = Empty,
        http.response.status_code = Empty,
        http.response.body.size = Empty,
    )
}

/// A call in its span.
struct SentCall(Span);

impl WatchedCall for SentCall {
    fn end(self, end: &End<'_>) {
        let (Self(span), outcome) = (self, end.outcome());
        if let Some((status, _, body)) = end.answer() {
            span.record("http.response.status_code", status.as_u16());
            span.record("http.response.body.size", body.len());
        }
        span.record("outcome", outcome);
        macro_rules! event {
            ($level:expr) => {
                tracing::event!(target: "svcgen::client", parent: &span, $level, outcome, "call ended")
            };
        }
        // The level of an event is a constant.
        match outcome {
            "answered" => event!(Level::DEBUG),
            _ => event!(Level::WARN),
        }
    }
}

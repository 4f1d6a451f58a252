//! Traces: spans of calls, and the trace context that links those of several programs (feature `tracing`).

mod context;
mod state;

pub use context::{SpanId, TraceContext, TraceId};

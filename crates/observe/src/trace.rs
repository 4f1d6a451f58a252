//! Traces: spans of calls, and the trace context that links spans of several programs.

mod context;
mod layer;
mod state;
mod transport;

pub use context::{SpanId, TraceContext, TraceId};
pub use layer::{TraceLayer, TracedCalls};
pub use transport::Traced;

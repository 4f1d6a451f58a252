//! What the code of a layer runs in, and so the handler beneath it: the span of `tracing`, and the trace context. The handler is polled by the frame of its
//! call, not by the futures of layers, so it takes them along.

use std::pin::Pin;
use std::task::{Context, Poll};

#[cfg(feature = "tracing")]
use crate::trace::TraceContext;

/// Nothing without the feature `tracing`.
#[derive(Clone)]
pub(super) struct Surroundings {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    #[cfg(feature = "tracing")]
    trace: Option<TraceContext>,
}

impl Surroundings {
    /// Those of the code that calls this.
    pub(super) fn current() -> Self {
        Self {
            #[cfg(feature = "tracing")]
            span: tracing::Span::current(),
            #[cfg(feature = "tracing")]
            trace: TraceContext::current(),
        }
    }

    /// Polls a future in them.
    #[cfg(feature = "tracing")]
    pub(super) fn poll<F: Future>(
        &mut self,
        future: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let _entered = self.span.enter();
        TraceContext::poll_in(&mut self.trace, future, context)
    }

    /// Polls a future in them.
    #[cfg(not(feature = "tracing"))]
    pub(super) fn poll<F: Future>(
        &mut self,
        future: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        future.poll(context)
    }
}

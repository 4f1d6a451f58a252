//! The surroundings of a layer's code, and so of the handler beneath it: a span, a trace context.
//! They are passed on explicitly, because the frame of a call polls the handler, not the futures of
//! layers.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Polls a future in the surroundings of a layer.
pub trait Within: Send {
    /// Calls a function in the surroundings, once.
    fn run(&mut self, poll: &mut dyn FnMut());
}

/// Finds the surroundings of a layer: an extension of the request that the layer passes on. Such a
/// layer logs the end of the call.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings {
    /// Returns the surroundings of the calling code.
    pub current: fn() -> Box<dyn Within>,
}

/// Polls a future in the surroundings of the layers, if there are any.
pub(super) fn poll<F: Future>(
    within: &mut Option<Box<dyn Within>>,
    mut future: Pin<&mut F>,
    context: &mut Context<'_>,
) -> Poll<F::Output> {
    let Some(within) = within else {
        return future.poll(context);
    };
    let mut output = Poll::Pending;
    within.run(&mut || output = future.as_mut().poll(context));
    output
}

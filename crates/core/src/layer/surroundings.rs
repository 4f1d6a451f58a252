//! What the code of a layer runs in, and so the handler beneath it: a span, a trace context. The
//! handler is polled by the frame of its call, not by the futures of layers, so it takes them
//! along.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Polls what runs in them.
pub trait Within: Send {
    /// Calls a function in them, once.
    fn run(&mut self, poll: &mut dyn FnMut());
}

/// How those of a layer are found: an extension of the request that the layer passes on. Such a
/// layer tells how the call ends.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings {
    /// Returns those of the code that calls it.
    pub current: fn() -> Box<dyn Within>,
}

/// Polls a future in those of the layers, if there are any.
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

//! A future that another one may end.

use std::pin::{Pin, pin};
use std::task::Poll;

/// Returns the output of a future, or of the other one if that is ready first.
pub(super) async fn unless<F: Future, O: Future + ?Sized>(
    future: F,
    mut other: Pin<&mut O>,
) -> Result<F::Output, O::Output> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        if let Poll::Ready(output) = other.as_mut().poll(context) {
            return Poll::Ready(Err(output));
        }
        future.as_mut().poll(context).map(Ok)
    })
    .await
}

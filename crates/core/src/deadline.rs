//! The time limit of a call.

use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Completes some time after it was first polled; never without tokio, or on a thread without a
/// tokio runtime.
pub(crate) struct Deadline {
    time: Option<Duration>,
    #[cfg(feature = "clock")]
    timer: Option<std::pin::Pin<Box<tokio::time::Sleep>>>,
}

impl Deadline {
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self {
            time,
            #[cfg(feature = "clock")]
            timer: None,
        }
    }

    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let time = self.time.take();
        #[cfg(feature = "clock")]
        {
            // The timer is created only now: most handlers are ready when they are first polled,
            // and a timer costs more than routing a request.
            let time = time.filter(|_| tokio::runtime::Handle::try_current().is_ok());
            if let Some(time) = time {
                self.timer = Some(Box::pin(tokio::time::sleep(time)));
            }
            if let Some(timer) = &mut self.timer {
                return timer.as_mut().poll(context);
            }
        }
        let _ = (time, context);
        Poll::Pending
    }
}

/// Returns the output of a future; `None` if it takes longer than `time`.
pub(crate) async fn within<F: Future>(time: Option<Duration>, future: F) -> Option<F::Output> {
    let (mut future, mut deadline) = (pin!(future), Deadline::new(time));
    let output = std::future::poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Pending => deadline.poll(context).map(|()| None),
        output => output.map(Some),
    });
    output.await
}

//! The time limit of a call.

use std::task::{Context, Poll};
use std::time::Duration;

/// Ends some time after it was first polled. Without tokio it never ends, nor on a thread without a runtime of tokio.
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
            // Only now: most handlers are ready when they are polled first, and a timer costs more than routing a request.
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

//! The body of a request, with time limits.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Instant, Sleep, sleep};

/// The time limit of a whole body, as a multiple of that of a pause.
const WHOLE_BODY: u32 = 6;

/// The body of a request under [`serve`](fn@crate::serve). It fails if the caller pauses for too long.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    time: Duration,
    /// The ends of the pause and of the whole body. `None` until the body was waited for.
    waiting: Option<Waiting>,
    /// Whether data came since the pause began.
    received: bool,
}

#[derive(Debug)]
struct Waiting {
    pause: Pin<Box<Sleep>>,
    whole: Instant,
}

impl RequestBody {
    pub(super) fn new(incoming: Incoming, time: Duration) -> Self {
        Self {
            incoming,
            time,
            waiting: None,
            received: false,
        }
    }

    fn poll_pause(&mut self, context: &mut Context<'_>, restart: bool) -> Poll<()> {
        let now = Instant::now();
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            pause: Box::pin(sleep(self.time)),
            whole: now + self.time * WHOLE_BODY,
        });
        if restart {
            waiting
                .pause
                .as_mut()
                .reset((now + self.time).min(waiting.whole));
        }
        waiting.pause.as_mut().poll(context)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match Pin::new(&mut self.incoming).poll_frame(context) {
            Poll::Ready(frame) => {
                self.received = true;
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                let restart = std::mem::take(&mut self.received);
                ready!(self.poll_pause(context, restart));
                Poll::Ready(Some(Err("the body of the request came too slowly".into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

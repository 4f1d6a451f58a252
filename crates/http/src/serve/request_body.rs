//! The body of a request, with time limits.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

use super::pace::Pace;

/// The time limit of a whole body, as a multiple of the limit of a pause.
const WHOLE_BODY: u32 = 6;

/// The body of a request under [`serve`](fn@crate::serve). It fails if the caller pauses for too
/// long.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    pace: Pace,
}

impl RequestBody {
    pub(super) fn new(incoming: Incoming, time: Duration) -> Self {
        let pace = Pace::new(time, time * WHOLE_BODY);
        Self { incoming, pace }
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
                self.pace.moved();
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                ready!(self.pace.poll_end(context));
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

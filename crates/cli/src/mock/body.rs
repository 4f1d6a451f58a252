//! Bodies of answers, which may break off.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};
use svcgen::bytes::Bytes;

pub(super) struct AnswerBody {
    rest: Bytes,
    /// The length that the head declares.
    length: u64,
    breaks_off: bool,
    /// Whether the server had time to send the bytes before the body breaks off.
    is_sent: bool,
}

impl AnswerBody {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            rest: bytes,
            breaks_off: false,
            is_sent: false,
        }
    }

    /// Creates a body of half of the bytes, after which the connection is closed.
    pub(super) fn half(bytes: Bytes) -> Self {
        let half = bytes.slice(..bytes.len() / 2);
        Self {
            rest: half,
            breaks_off: true,
            ..Self::whole(bytes)
        }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if !self.rest.is_empty() {
            let bytes = std::mem::take(&mut self.rest);
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.breaks_off && !self.is_sent {
            // The server flushes its buffer when the body is pending.
            self.is_sent = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(
            self.breaks_off
                .then(|| Err(io::ErrorKind::BrokenPipe.into())),
        )
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && !self.breaks_off
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length)
    }
}

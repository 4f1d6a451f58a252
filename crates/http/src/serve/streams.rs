//! The concurrent requests of a connection, and the progress of their answers.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::Instant;

use super::times::Times;

/// The length of the pieces of an answer in bytes. hyper asks for the next piece when the caller
/// can receive more.
const PIECE: usize = 16 << 10;

/// The streams of a connection.
#[derive(Clone)]
pub(super) struct Streams(Arc<Mutex<Open>>);

struct Open {
    next: u64,
    /// The progress of each stream's answer; `None` while its call runs.
    answers: HashMap<u64, Option<Progress>>,
    /// The time when the last stream ended.
    idle_since: Instant,
}

#[derive(Clone, Copy)]
struct Progress {
    begun: Instant,
    moved: Instant,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Open {
            next: 0,
            answers: HashMap::new(),
            idle_since: Instant::now(),
        })))
    }

    /// Counts another stream until the returned value is dropped.
    pub(super) fn enter(&self) -> Entered {
        let mut open = self.lock();
        let number = open.next;
        open.next += 1;
        open.answers.insert(number, None);
        let streams = self.clone();
        Entered { streams, number }
    }

    /// Returns the time since the last stream ended; `None` while there are streams.
    pub(super) fn idle(&self) -> Option<Duration> {
        let open = self.lock();
        open.answers.is_empty().then(|| open.idle_since.elapsed())
    }

    /// Whether the caller reads an answer too slowly.
    pub(super) fn has_late_answer(&self, times: &Times) -> bool {
        self.lock().answers.values().flatten().any(|progress| {
            progress.moved.elapsed() >= times.write || progress.begun.elapsed() >= times.answer
        })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that counts until this is dropped.
pub(super) struct Entered {
    streams: Streams,
    number: u64,
}

impl Entered {
    /// Wraps the body of the answer. The stream counts until the body is sent.
    pub(super) fn answer<B>(self, body: B) -> AnswerBody<B> {
        AnswerBody {
            body,
            rest: Bytes::new(),
            stream: self,
        }
    }

    fn moved(&self) {
        let now = Instant::now();
        let begun = Progress {
            begun: now,
            moved: now,
        };
        if let Some(answer) = self.streams.lock().answers.get_mut(&self.number) {
            answer.get_or_insert(begun).moved = now;
        }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        open.answers.remove(&self.number);
        open.idle_since = Instant::now();
    }
}

/// The body of an answer in pieces, which show how fast the caller reads it.
pub(super) struct AnswerBody<B> {
    body: B,
    /// The rest of a frame of the body.
    rest: Bytes,
    stream: Entered,
}

impl<B: Body<Data = Bytes> + Unpin> Body for AnswerBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.stream.moved();
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                end => return Poll::Ready(end),
            }
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut both = SizeHint::new();
        if let Some(upper) = body.upper() {
            both.set_upper(upper.saturating_add(rest));
        }
        both.set_lower(body.lower().saturating_add(rest));
        both
    }
}

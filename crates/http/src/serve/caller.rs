//! Connections that end when their caller is too slow or gone.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::head_wait::HeadWait;
use super::pace::Pace;
use super::paced::Paced;
use super::passing::{Between, Passing};
use super::stream::Stream;

/// The interval of checks for a broken connection, while reading provides no further information.
const INTERVAL: Duration = Duration::from_secs(1);

/// A connection that fails when the head of a request does not arrive in time, when the caller
/// reads an answer too slowly, or when the caller is gone while a call runs.
pub(super) type Caller<S> = Passing<Paced<S>, Presence<S>>;

/// Detects whether the caller is gone.
pub(super) struct Presence<S> {
    head: HeadWait,
    is_broken: fn(&S) -> bool,
    /// A byte of the next request, read while a call runs.
    ahead: Option<u8>,
    /// Whether the caller has closed its side.
    is_closed: bool,
    /// The timer until the next check for a broken connection.
    question: Option<Pin<Box<Sleep>>>,
}

impl<S> Caller<S> {
    pub(super) fn new(
        stream: Stream<S>,
        is_broken: fn(&S) -> bool,
        head: HeadWait,
        answer: Pace,
    ) -> Self {
        let between = Presence {
            head,
            is_broken,
            ahead: None,
            is_closed: false,
            question: None,
        };
        let stream = Paced {
            stream,
            between: answer,
        };
        Self { stream, between }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Between<Paced<S>> for Presence<S> {
    fn poll_read(
        &mut self,
        stream: &mut Paced<S>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let ahead = self.ahead.take();
        if let Some(byte) = ahead {
            buffer.put_slice(&[byte]);
        }
        match Pin::new(stream).poll_read(context, buffer) {
            Poll::Pending if ahead.is_some() => Poll::Ready(Ok(())),
            Poll::Pending => self
                .head
                .poll_end(context)
                .map(|()| Err(io::ErrorKind::TimedOut.into())),
            outcome => outcome,
        }
    }

    /// Fails if a call runs and its caller is gone. hyper also flushes whenever it is polled. It
    /// does not read while a call runs, because a caller that has closed its side may still read
    /// the answer.
    fn flushed(&mut self, stream: &mut Paced<S>, context: &mut Context<'_>) -> io::Result<()> {
        if !self.head.is_call_running() {
            self.question = None;
            return Ok(());
        }
        let stream = &mut stream.stream;
        if self.ahead.is_none() && !self.is_closed {
            let mut byte = [0];
            let mut read = ReadBuf::new(&mut byte);
            match Pin::new(&mut *stream).poll_read(context, &mut read) {
                Poll::Pending => return Ok(()),
                Poll::Ready(outcome) => outcome?,
            }
            self.ahead = read.filled().first().copied();
            self.is_closed = self.ahead.is_none();
            // hyper may be waiting for this byte.
            context.waker().wake_by_ref();
        }
        // Reading provides no further information.
        let question = self
            .question
            .get_or_insert_with(|| Box::pin(sleep(INTERVAL)));
        while question.as_mut().poll(context).is_ready() {
            if (self.is_broken)(stream.accepted()) {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            question.as_mut().reset(Instant::now() + INTERVAL);
        }
        Ok(())
    }
}

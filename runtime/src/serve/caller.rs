//! Connections with time limits for the heads of requests and for writing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::head_wait::HeadWait;

/// A connection that breaks when the head of a request does not come, or nothing of an answer can be written, for too long.
pub(super) struct Caller {
    stream: TokioIo<TcpStream>,
    head: HeadWait,
    write_time: Duration,
    /// Ends when a write has waited for too long. `None` unless a write waits.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Caller {
    pub(super) fn new(stream: TcpStream, head: HeadWait, write_time: Duration) -> Self {
        Self {
            stream: TokioIo::new(stream),
            head,
            write_time,
            stalled: None,
        }
    }

    /// The outcome of a write, or an error if it has waited for too long.
    fn in_time<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(self.write_time)));
        stalled
            .as_mut()
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Caller {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self
                .head
                .poll_end(context)
                .map(|()| Err(io::ErrorKind::TimedOut.into())),
            outcome => outcome,
        }
    }
}

impl Write for Caller {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(outcome, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(outcome, context)
    }
}

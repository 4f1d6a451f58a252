//! A stream that fails when what is written is taken too slowly.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::pace::Pace;
use super::stream::Stream;

pub(super) struct Paced<S> {
    stream: TokioIo<Stream<S>>,
    pace: Pace,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Paced<S> {
    pub(super) fn new(stream: Stream<S>, pace: Pace) -> Self {
        let stream = TokioIo::new(stream);
        Self { stream, pace }
    }

    pub(super) fn stream(&mut self) -> &mut Stream<S> {
        self.stream.inner_mut()
    }

    /// The outcome of a write, or an error if it takes too long.
    fn in_time<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.pace.moved();
            return outcome;
        }
        let end = self.pace.poll_end(context);
        end.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Read for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Write for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(outcome, context)
    }

    /// hyper flushes once it has written all that there is.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        ready!(self.in_time(outcome, context))?;
        self.pace.done();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TLS says that it ends.
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(outcome, context)
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

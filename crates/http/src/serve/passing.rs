//! Streams that observe the data of an inner stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream with a [`Between`] that observes its reads and writes.
pub(super) struct Passing<S, M> {
    pub(super) stream: S,
    pub(super) between: M,
}

/// Observes the reads and writes of a stream, and may change their results. By default, everything
/// is passed on.
pub(super) trait Between<S: AsyncRead + AsyncWrite + Unpin>: Unpin {
    fn poll_read(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(stream).poll_read(context, buffer)
    }

    /// Returns the result of a write, which this may replace.
    fn written<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        _context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        outcome
    }

    /// Called when all written data is flushed.
    fn flushed(&mut self, _stream: &mut S, _context: &mut Context<'_>) -> io::Result<()> {
        Ok(())
    }
}

impl<S, M: Between<S>> AsyncRead for Passing<S, M>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, between } = &mut *self;
        between.poll_read(stream, context, buffer)
    }
}

impl<S, M: Between<S>> AsyncWrite for Passing<S, M>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.between.written(outcome, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        ready!(self.between.written(outcome, context))?;
        let Self { stream, between } = &mut *self;
        Poll::Ready(between.flushed(stream, context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TLS sends a message on shutdown.
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.between.written(outcome, context)
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
        self.between.written(outcome, context)
    }
}

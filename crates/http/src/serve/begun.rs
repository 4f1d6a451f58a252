//! A stream whose first bytes were read to see what the caller speaks.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

/// A stream with the bytes that were read of it before.
pub(super) struct Begun<S> {
    stream: S,
    first: Vec<u8>,
    /// How many of the first bytes were read again.
    read: usize,
}

impl<S: AsyncRead + Unpin> Begun<S> {
    /// Reads the first bytes of a stream until they tell enough, or it ends.
    pub(super) async fn read_while(
        mut stream: S,
        most: usize,
        is_open: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Self> {
        let mut first = Vec::with_capacity(most);
        while first.len() < most && is_open(&first) {
            let left = (most - first.len()) as u64;
            if (&mut stream).take(left).read_buf(&mut first).await? == 0 {
                break;
            }
        }
        let read = 0;
        Ok(Self {
            stream,
            first,
            read,
        })
    }
}

impl<S> Begun<S> {
    /// The bytes that were read.
    pub(super) fn first(&self) -> &[u8] {
        &self.first
    }

    /// What the listener accepted.
    pub(super) fn accepted(&self) -> &S {
        &self.stream
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Begun<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let left = &self.first[self.read..];
        if left.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let length = left.len().min(buffer.remaining());
        buffer.put_slice(&left[..length]);
        self.read += length;
        if self.read == self.first.len() {
            (self.first, self.read) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Begun<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
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
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }
}

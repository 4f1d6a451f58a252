//! A stream whose first bytes were read to detect the protocol.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

#[cfg(any(feature = "tls", feature = "http2"))]
use tokio::io::AsyncReadExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::passing::{Between, Passing};

/// A stream that returns bytes again that were already read from it.
pub(super) type PeekedStream<S> = Passing<S, FirstBytes>;

/// Bytes that are read again.
#[derive(Default)]
pub(super) struct FirstBytes {
    bytes: Vec<u8>,
    /// The number of bytes that were read again.
    read: usize,
}

impl<S> PeekedStream<S> {
    /// Wraps a stream from which nothing was read.
    pub(super) fn new(stream: S) -> Self {
        let between = FirstBytes::default();
        Self { stream, between }
    }
}

#[cfg(any(feature = "tls", feature = "http2"))]
impl<S: AsyncRead + Unpin> PeekedStream<S> {
    /// Reads the first bytes of a stream until they suffice, or the stream ends.
    pub(super) async fn read_while(
        mut stream: S,
        most: usize,
        is_open: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Self> {
        let mut bytes = Vec::with_capacity(most);
        while bytes.len() < most && is_open(&bytes) {
            let left = (most - bytes.len()) as u64;
            if (&mut stream).take(left).read_buf(&mut bytes).await? == 0 {
                break;
            }
        }
        let between = FirstBytes { bytes, read: 0 };
        Ok(Self { stream, between })
    }

    /// Returns the bytes that were read.
    pub(super) fn first(&self) -> &[u8] {
        &self.between.bytes
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Between<S> for FirstBytes {
    fn poll_read(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let left = &self.bytes[self.read..];
        if left.is_empty() {
            return Pin::new(stream).poll_read(context, buffer);
        }
        let length = left.len().min(buffer.remaining());
        buffer.put_slice(&left[..length]);
        self.read += length;
        if self.read == self.bytes.len() {
            *self = Self::default();
        }
        Poll::Ready(Ok(()))
    }
}

//! The stream of a connection, encrypted or not.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
#[cfg(feature = "tls")]
use tokio_rustls::server::TlsStream;

use super::peeked::PeekedStream;

/// The stream that a listener accepted, or TLS over it.
pub(super) enum Stream<S> {
    Plain(PeekedStream<S>),
    #[cfg(feature = "tls")]
    Encrypted(Box<TlsStream<PeekedStream<S>>>),
}

impl<S> Stream<S> {
    /// Returns the stream that the listener accepted.
    pub(super) fn accepted(&self) -> &S {
        match self {
            Self::Plain(begun) => &begun.stream,
            #[cfg(feature = "tls")]
            Self::Encrypted(encrypted) => &encrypted.get_ref().0.stream,
        }
    }
}

/// Calls a method of the stream, encrypted or not.
macro_rules! delegate {
    ($stream:expr, $method:ident($($argument:expr),*)) => {
        match $stream.get_mut() {
            Stream::Plain(stream) => Pin::new(stream).$method($($argument),*),
            #[cfg(feature = "tls")]
            Stream::Encrypted(stream) => Pin::new(stream).$method($($argument),*),
        }
    };
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        delegate!(self, poll_read(context, buffer))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, poll_write(context, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, poll_shutdown(context))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            #[cfg(feature = "tls")]
            Self::Encrypted(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, poll_write_vectored(context, slices))
    }
}

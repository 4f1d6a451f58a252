//! Listeners of any type.

use std::any::Any;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::listener::Listener;

/// A listener of any type, so that listeners of different types can stand in a `Vec`.
pub struct AnyListener(Box<dyn Accepts>);

/// A connection of an [`AnyListener`].
pub struct AnyStream {
    stream: Box<dyn Connected>,
    is_broken: fn(&dyn Any) -> bool,
}

type Accepted = (AnyStream, Option<SocketAddr>);

trait Accepts: Send {
    fn accept<'l>(&'l mut self) -> Pin<Box<dyn Future<Output = Accepted> + Send + 'l>>;
}

trait Connected: AsyncRead + AsyncWrite + Send + Unpin + Any {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + Any> Connected for S {}

impl AnyListener {
    /// The listener without its type.
    pub fn new(listener: impl Listener) -> Self {
        Self(Box::new(listener))
    }
}

impl<L: Listener> Accepts for L {
    fn accept<'l>(&'l mut self) -> Pin<Box<dyn Future<Output = Accepted> + Send + 'l>> {
        Box::pin(async {
            let (stream, address) = Listener::accept(self).await;
            let stream = AnyStream {
                stream: Box::new(stream),
                is_broken: |stream| stream.downcast_ref().is_some_and(L::is_broken),
            };
            (stream, address)
        })
    }
}

impl Listener for AnyListener {
    type Stream = AnyStream;

    async fn accept(&mut self) -> Accepted {
        self.0.accept().await
    }

    fn is_broken(AnyStream { stream, is_broken }: &AnyStream) -> bool {
        is_broken(&**stream)
    }
}

impl AsyncRead for AnyStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for AnyStream {
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

impl fmt::Debug for AnyListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyListener").finish_non_exhaustive()
    }
}

impl fmt::Debug for AnyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyStream").finish_non_exhaustive()
    }
}

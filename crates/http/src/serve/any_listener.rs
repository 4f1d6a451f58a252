//! Listeners of any type.

use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};

use super::listener::Listener;
use super::passing::{Between, Passing};

/// A listener of any type, to put listeners of different types into a `Vec`.
pub struct AnyListener(Box<dyn Accepts>);

/// A connection of an [`AnyListener`].
pub trait AnyStream: AsyncRead + AsyncWrite + Send + Unpin {
    /// Returns whether the connection is known to be broken: see [`Listener::is_broken`].
    fn is_broken(&self) -> bool;
}

type Accepted = (Box<dyn AnyStream>, Option<SocketAddr>);

trait Accepts: Send {
    fn accept<'l>(&'l mut self) -> Pin<Box<dyn Future<Output = Accepted> + Send + 'l>>;
}

/// Whether a stream of a type is broken.
struct IsBroken<S>(fn(&S) -> bool);

impl<S: AsyncRead + AsyncWrite + Unpin> Between<S> for IsBroken<S> {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> AnyStream for Passing<S, IsBroken<S>> {
    fn is_broken(&self) -> bool {
        (self.between.0)(&self.stream)
    }
}

impl AnyListener {
    /// Erases the type of a listener.
    pub fn new(listener: impl Listener) -> Self {
        Self(Box::new(listener))
    }
}

impl<L: Listener> Accepts for L {
    fn accept<'l>(&'l mut self) -> Pin<Box<dyn Future<Output = Accepted> + Send + 'l>> {
        Box::pin(async {
            let (stream, address) = Listener::accept(self).await;
            let between = IsBroken(L::is_broken);
            let stream: Box<dyn AnyStream> = Box::new(Passing { stream, between });
            (stream, address)
        })
    }
}

impl Listener for AnyListener {
    type Stream = Box<dyn AnyStream>;

    async fn accept(&mut self) -> Accepted {
        self.0.accept().await
    }

    fn is_broken(stream: &Self::Stream) -> bool {
        stream.is_broken()
    }
}

impl fmt::Debug for AnyListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyListener").finish_non_exhaustive()
    }
}

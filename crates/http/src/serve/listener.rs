//! Sources of connections.

use std::io;
use std::net::SocketAddr;
#[cfg(unix)]
use std::pin::pin;
use std::task::Poll;
#[cfg(unix)]
use std::task::{Context, Waker};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
#[cfg(unix)]
use tokio::io::Interest;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::sleep;

/// A source of connections for [`serve`](fn@crate::serve).
///
/// Sources are tokio's [`TcpListener`] and, on Unix, its `UnixListener`; the receiver of a channel
/// of connections that were accepted elsewhere; a `Vec` of listeners of one type, or of any types
/// as [`AnyListener`](super::AnyListener); or your own implementation.
///
/// ```no_run
/// # #[cfg(unix)]
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// use svcgen::serve::AnyListener;
///
/// let listeners = vec![
///     AnyListener::new(tokio::net::TcpListener::bind("127.0.0.1:8080").await?),
///     AnyListener::new(tokio::net::UnixListener::bind("/run/greeter.sock")?),
/// ];
/// svcgen::serve(listeners, router).await?;
/// # Ok(())
/// # }
/// ```
pub trait Listener: Send + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// Waits for the next connection, and returns it with the address of the caller, if it has one.
    /// Handle errors here, because the server continues after them. If the future is dropped before
    /// it is ready, it must not have taken a connection.
    fn accept(&mut self) -> impl Future<Output = (Self::Stream, Option<SocketAddr>)> + Send;

    /// Returns whether a connection is known to be broken after the caller has closed its side. The
    /// server calls this once a second while a call runs on the connection. By default, it returns
    /// `false`, and the call runs to its end. Reading notices an earlier reset.
    fn is_broken(_stream: &Self::Stream) -> bool {
        false
    }
}

/// Sends without delay on accepted connections, and probes callers that are silent for 15 seconds.
/// A call is abandoned a minute after the caller's machine is gone. If the caller has closed both
/// sides, it is abandoned once the caller's system has forgotten the connection, on Linux within 76
/// seconds.
impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> (TcpStream, Option<SocketAddr>) {
        loop {
            match TcpListener::accept(self).await {
                Ok((stream, address)) => {
                    set_up(&stream);
                    return (stream, Some(address));
                }
                Err(error) => recover(&error).await,
            }
        }
    }

    fn is_broken(stream: &TcpStream) -> bool {
        !matches!(stream.take_error(), Ok(None))
    }
}

/// Callers have no address.
#[cfg(unix)]
impl Listener for UnixListener {
    type Stream = UnixStream;

    async fn accept(&mut self) -> (UnixStream, Option<SocketAddr>) {
        loop {
            match UnixListener::accept(self).await {
                Ok((stream, _)) => return (stream, None),
                Err(error) => recover(&error).await,
            }
        }
    }

    /// Returns `true` also after the caller has closed both sides.
    fn is_broken(stream: &UnixStream) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let ready = pin!(stream.ready(Interest::WRITABLE)).poll(&mut context);
        let is_closed = matches!(ready, Poll::Ready(Ok(ready)) if ready.is_write_closed());
        is_closed || !matches!(stream.take_error(), Ok(None))
    }
}

/// Yields no further connection once all senders are gone.
impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Listener
    for mpsc::Receiver<(S, Option<SocketAddr>)>
{
    type Stream = S;

    async fn accept(&mut self) -> (S, Option<SocketAddr>) {
        match self.recv().await {
            Some(accepted) => accepted,
            None => std::future::pending().await,
        }
    }
}

/// Accepts from each listener in turn.
impl<L: Listener> Listener for Vec<L> {
    type Stream = L::Stream;

    async fn accept(&mut self) -> (L::Stream, Option<SocketAddr>) {
        let mut accepts: Vec<_> = self
            .iter_mut()
            .map(|listener| Box::pin(listener.accept()))
            .collect();
        let (which, accepted) = std::future::poll_fn(|context| {
            for (which, accept) in accepts.iter_mut().enumerate() {
                if let Poll::Ready(accepted) = accept.as_mut().poll(context) {
                    return Poll::Ready((which, accepted));
                }
            }
            Poll::Pending
        })
        .await;
        drop(accepts);
        self.rotate_left(which + 1);
        accepted
    }

    fn is_broken(stream: &L::Stream) -> bool {
        L::is_broken(stream)
    }
}

/// Waits until the next connection may be accepted after an error.
async fn recover(error: &io::Error) {
    if !is_of_one_connection(error) {
        // For example, too many files are open.
        sleep(Duration::from_millis(100)).await;
    }
}

/// Sets the options of a connection. Errors are ignored: the connection is then already broken, and
/// reading from it fails.
fn set_up(stream: &TcpStream) {
    const PROBES: Duration = Duration::from_secs(15);
    // Otherwise an answer may wait for the acknowledgement of the previous one.
    let _ = stream.set_nodelay(true);
    let keepalive = TcpKeepalive::new().with_time(PROBES);
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    let keepalive = keepalive.with_interval(PROBES).with_retries(3);
    let _ = SockRef::from(stream).set_tcp_keepalive(&keepalive);
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

//! Where connections come from.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// What [`serve`](fn@crate::serve) accepts connections from: tokio's [`TcpListener`], or another source of streams.
pub trait Listener: Send + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// Waits for the next connection, with the address of the caller if it has one. Errors are dealt with here, as the server goes on after them.
    fn accept(&mut self) -> impl Future<Output = (Self::Stream, Option<SocketAddr>)> + Send;

    /// Whether a connection, whose caller has closed its side, is known to be broken. While a call runs on such a connection, the server asks once a second; by
    /// default no connection is, and the call runs to its end. A stream that is reset before is noticed by reading it.
    fn is_broken(_stream: &Self::Stream) -> bool {
        false
    }
}

/// Accepted connections send without delay and probe callers that are silent for 15 seconds: a call whose caller's machine is gone is abandoned after a
/// minute, and one whose caller has closed both sides once the caller's system has forgotten the connection, on Linux within 76 seconds.
impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> (TcpStream, Option<SocketAddr>) {
        loop {
            match TcpListener::accept(self).await {
                Ok((stream, address)) => {
                    set_up(&stream);
                    return (stream, Some(address));
                }
                Err(error) if is_of_one_connection(&error) => {}
                // Such as too many open files.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn is_broken(stream: &TcpStream) -> bool {
        !matches!(stream.take_error(), Ok(None))
    }
}

/// Errors mean a connection that is broken already, which reading it tells.
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

//! The relay: connections that are passed on.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::conversation::Conversation;
use crate::exchange::Observe;
use crate::framing::Part;

/// Where connections are passed on to.
#[derive(Clone)]
pub struct Upstream {
    /// Host and port.
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl Upstream {
    /// A server at `HOST:PORT`.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            tls: None,
        }
    }

    /// Speaks TLS to it, which shows the certificate of `name`.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ClientConfig>, name: ServerName<'static>) -> Self {
        self.tls = Some((TlsConnector::from(config), name));
        self
    }

    async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        Ok(match &self.tls {
            None => Box::new(stream),
            Some((connector, name)) => Box::new(connector.connect(name.clone(), stream).await?),
        })
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream")
            .field("address", &self.address)
            .field("tls", &self.tls.is_some())
            .finish()
    }
}

/// A connection, with or without TLS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {
    /// The connection beneath.
    fn tcp(&self) -> &TcpStream;
}

impl Stream for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Stream for tokio_rustls::client::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

impl Stream for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Passes connections on, byte for byte, and shows their exchanges to an observer.
///
/// Bytes are passed as they come, whether they can be read or not: messages of any length and pace, other protocols too. A side that closes its half closes
/// that of the other one; a connection that breaks, or that cannot be made, is reset.
#[derive(Clone)]
pub struct Relay {
    upstream: Upstream,
    observer: Arc<dyn Observe>,
    acceptor: Option<TlsAcceptor>,
    host: Option<String>,
    most_kept: usize,
    most_connections: usize,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay")
            .field("upstream", &self.upstream)
            .finish_non_exhaustive()
    }
}

/// How long a caller may take to agree on TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long open connections may go on once the relay stops.
const GRACE: Duration = Duration::from_secs(5);
/// How much is read at once.
const AT_ONCE: usize = 64 << 10;

impl Relay {
    /// A relay to a server. Up to 1 MiB of each body is kept, and up to 1,024 connections are open at a time.
    pub fn new(upstream: Upstream, observer: Arc<dyn Observe>) -> Self {
        Self {
            upstream,
            observer,
            acceptor: None,
            host: None,
            most_kept: 1 << 20,
            most_connections: 1024,
        }
    }

    /// Speaks TLS to callers.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ServerConfig>) -> Self {
        self.acceptor = Some(TlsAcceptor::from(config));
        self
    }

    /// Writes another `Host` into requests, which is the only change to what passes: for servers that tell sites apart by it.
    #[must_use]
    pub fn with_host(mut self, host: impl Into<String>) -> Self {
        self.host = Some(host.into());
        self
    }

    /// Keeps so many bytes of each body for the observer.
    #[must_use]
    pub fn with_kept(mut self, bytes: usize) -> Self {
        self.most_kept = bytes;
        self
    }

    /// Opens so many connections at a time; callers beyond wait.
    #[must_use]
    pub fn with_connections(mut self, most: usize) -> Self {
        self.most_connections = most;
        self
    }

    /// Passes connections on until `stop` is ready, then waits for those that are open, five seconds at most.
    ///
    /// # Errors
    ///
    /// The listener cannot accept connections any more.
    pub async fn run(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let relay = Arc::new(self);
        let room = Arc::new(Semaphore::new(relay.most_connections));
        let number = AtomicU64::new(1);
        let mut open = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        let accepted = loop {
            while open.try_join_next().is_some() {}
            let next = async {
                let permit = Arc::clone(&room).acquire_owned().await;
                (permit, listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                () = &mut stop => break Ok(()),
                next = next => next,
            };
            match accepted {
                Ok((stream, caller)) => {
                    let relay = Arc::clone(&relay);
                    let number = number.fetch_add(1, Ordering::Relaxed);
                    open.spawn(async move {
                        relay.pass(stream, caller, number).await;
                        drop(permit);
                    });
                }
                // A caller that is gone already, or no more files: the next one may be luckier.
                Err(error) if is_of_caller(&error) => {}
                Err(error) if is_lack(&error) => {
                    tokio::time::sleep(Duration::from_millis(50)).await
                }
                Err(error) => break Err(error),
            }
        };
        drop(listener);
        let rest = async { while open.join_next().await.is_some() {} };
        if timeout(GRACE, rest).await.is_err() {
            open.shutdown().await;
        }
        accepted
    }

    async fn pass(&self, stream: TcpStream, caller: SocketAddr, number: u64) {
        let passed = self.try_pass(stream, caller, number).await;
        if let Err(error) = passed {
            self.observer.broken(caller, &error);
        }
    }

    async fn try_pass(&self, stream: TcpStream, caller: SocketAddr, number: u64) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let (mut down, up): (Box<dyn Stream>, _) = match &self.acceptor {
            None => (Box::new(stream), self.upstream.connect().await),
            Some(acceptor) => {
                let accepted = timeout(HANDSHAKE, acceptor.accept(stream)).await;
                let accepted = accepted.map_err(|_| io::ErrorKind::TimedOut)??;
                (Box::new(accepted), self.upstream.connect().await)
            }
        };
        let mut up = match up {
            Ok(up) => up,
            Err(error) => {
                reset(&*down);
                return Err(error);
            }
        };
        let observer = Arc::clone(&self.observer);
        let conversation = Conversation::new(observer, number, caller, self.most_kept);
        let conversation = Mutex::new(conversation);
        let host = self.host.as_deref();
        let (from_caller, to_caller) = split(&mut *down);
        let (from_server, to_server) = split(&mut *up);
        let passed = tokio::try_join!(
            requests(from_caller, to_server, &conversation, host),
            answers(from_server, to_caller, &conversation),
        );
        let mut conversation = conversation
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        conversation.end();
        if passed.is_err() {
            reset(&*down);
            reset(&*up);
        }
        passed.map(drop)
    }
}

/// Resets a connection when it is dropped, as the other one was.
fn reset(stream: &dyn Stream) {
    // A connection that is gone needs none.
    let _ = stream.tcp().set_zero_linger();
}

fn is_of_caller(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    let kinds = [
        ConnectionAborted,
        ConnectionRefused,
        ConnectionReset,
        Interrupted,
    ];
    kinds.contains(&error.kind())
}

/// Whether there are too many open files for now.
fn is_lack(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 24 | 10024))
}

/// Passes requests on, through the end of the caller's side.
async fn requests(
    mut from: ReadHalf<&mut (dyn Stream + '_)>,
    mut to: WriteHalf<&mut (dyn Stream + '_)>,
    conversation: &Mutex<Conversation>,
    host: Option<&str>,
) -> io::Result<()> {
    let mut buffer = vec![0; AT_ONCE];
    let mut changed = Vec::new();
    loop {
        let length = from.read(&mut buffer).await?;
        let bytes = &buffer[..length];
        // With another host, heads are held until they are whole.
        let Some(host) = host else {
            // Before they are passed on, so that no answer comes first.
            locked(conversation).asked(bytes, &mut |_| ());
            if length == 0 {
                return to.shutdown().await;
            }
            to.write_all(bytes).await?;
            to.flush().await?;
            continue;
        };
        locked(conversation).asked(bytes, &mut |part| match part {
            Part::Head(head) => with_host(head, host, &mut changed),
            Part::Body(bytes) | Part::Unread(bytes, _) => changed.extend_from_slice(bytes),
            Part::End => {}
        });
        to.write_all(&changed).await?;
        to.flush().await?;
        changed.clear();
        if length == 0 {
            return to.shutdown().await;
        }
    }
}

/// Passes answers on, through the end of the server's side.
async fn answers(
    mut from: ReadHalf<&mut (dyn Stream + '_)>,
    mut to: WriteHalf<&mut (dyn Stream + '_)>,
    conversation: &Mutex<Conversation>,
) -> io::Result<()> {
    let mut buffer = vec![0; AT_ONCE];
    loop {
        let length = from.read(&mut buffer).await?;
        let bytes = &buffer[..length];
        if length > 0 {
            to.write_all(bytes).await?;
            to.flush().await?;
        }
        locked(conversation).answered(bytes);
        if length == 0 {
            return to.shutdown().await;
        }
    }
}

fn locked(conversation: &Mutex<Conversation>) -> std::sync::MutexGuard<'_, Conversation> {
    conversation.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a head with another host.
fn with_host(head: &[u8], host: &str, out: &mut Vec<u8>) {
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let colon = line.iter().position(|byte| *byte == b':');
        let is_host =
            colon.is_some_and(|colon| line[..colon].trim_ascii().eq_ignore_ascii_case(b"host"));
        if is_host {
            let end: &[u8] = if line.ends_with(b"\r\n") {
                b"\r\n"
            } else {
                b"\n"
            };
            out.extend_from_slice(&[b"Host: ", host.as_bytes(), end].concat());
        } else {
            out.extend_from_slice(line);
        }
    }
}

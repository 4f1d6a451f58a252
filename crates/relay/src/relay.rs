//! The relay, which passes connections on.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svcgen::serve::{Limited, Pace, Quota};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::conversation::Conversation;
use crate::exchange::{Observe, Refusal};
use crate::framing::MessagePart;
use crate::hosts::{other_host, with_host};
use crate::split::Split;
use crate::upstream::{Stream, Upstream};

/// Passes connections on, byte for byte, and shows their exchanges to an observer.
///
/// Bytes are passed as they arrive, whether they can be parsed or not: messages of any length and
/// pace, and other protocols. When one side closes its half of the connection, so does the relay on
/// the other side; a connection that breaks, or that cannot be made, is reset.
#[derive(Clone)]
pub struct Relay {
    upstream: Upstream,
    split: Option<Arc<Split>>,
    observer: Arc<dyn Observe>,
    acceptor: Option<TlsAcceptor>,
    host: Option<String>,
    allowed_hosts: Option<Vec<String>>,
    most_kept: usize,
    memory: Arc<Quota>,
    most_connections: u32,
    most_per_address: u32,
    head_time: Duration,
    idle_time: Duration,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay")
            .field("upstream", &self.upstream)
            .finish_non_exhaustive()
    }
}

/// The time that open connections may continue after the relay was stopped.
const GRACE: Duration = Duration::from_secs(5);
/// The time that a caller may take to notice that its connection is closed between two messages.
const LINGER: Duration = Duration::from_secs(1);
/// The answer to a request for a host that is not allowed.
const REFUSAL: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 58\r\nConnection: close\r\n\r\nThe request names a host that is not allowed at this port\n";
/// The time that a connection in use may be open.
const ENDLESS: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// The number of bytes read at once.
const AT_ONCE: usize = 64 << 10;

impl Relay {
    /// Creates a relay to a server. Up to 1 MiB of each body is kept. Up to 1,024 connections are
    /// open at a time, at most half of them from one address.
    pub fn new(upstream: Upstream, observer: Arc<dyn Observe>) -> Self {
        Self {
            upstream,
            split: None,
            observer,
            acceptor: None,
            host: None,
            allowed_hosts: None,
            most_kept: 1 << 20,
            memory: Arc::new(Quota::new(256 << 20)),
            most_connections: 1024,
            most_per_address: 512,
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(300),
        }
    }

    /// Uses TLS with callers.
    #[must_use]
    pub fn with_tls(mut self, config: Arc<ServerConfig>) -> Self {
        self.acceptor = Some(TlsAcceptor::from(config));
        self
    }

    /// Passes a share of the connections to another server.
    #[must_use]
    pub fn with_split(mut self, split: Arc<Split>) -> Self {
        self.split = Some(split);
        self
    }

    /// Replaces the `Host` of requests, for servers that select the site by it. This is the only
    /// change to the bytes that pass.
    #[must_use]
    pub fn with_host(mut self, host: impl Into<String>) -> Self {
        self.host = Some(host.into());
        self
    }

    /// Refuses requests for a host other than these, with or without a port, and requests that
    /// cannot be read. This protects against DNS rebinding: a web page whose host name resolves to
    /// this machine cannot reach the server. By default nothing is refused.
    #[must_use]
    pub fn with_allowed_hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.allowed_hosts = Some(hosts.into_iter().collect());
        self
    }

    /// Keeps up to `bytes` bytes of each body for the observer.
    #[must_use]
    pub fn with_kept(mut self, bytes: usize) -> Self {
        self.most_kept = bytes;
        self
    }

    /// Keeps up to `bytes` bytes of all open exchanges, by default 256 MiB. Bytes that have no room
    /// pass and are not kept.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = Arc::new(Quota::new(bytes));
        self
    }

    /// Sets the number of connections open at a time, and the number from one address. Callers
    /// beyond the first limit wait; further connections from one address are closed.
    #[must_use]
    pub fn with_connections(mut self, most: u32, most_per_address: u32) -> Self {
        self.most_connections = most;
        self.most_per_address = most_per_address;
        self
    }

    /// Sets the time that a caller may take for the TLS handshake, for its first head, and for each
    /// further head that it has begun. The default is 10 seconds.
    #[must_use]
    pub fn with_head_timeout(mut self, time: Duration) -> Self {
        self.head_time = time;
        self
    }

    /// Sets the time without any traffic after which a connection is closed, even while a call
    /// runs. The default is five minutes.
    #[must_use]
    pub fn with_idle_timeout(mut self, time: Duration) -> Self {
        self.idle_time = time;
        self
    }

    /// Accepts and passes on connections until `stop` is ready, then waits for the open ones, five
    /// seconds at most.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let relay = Arc::new(self);
        let mut listener = Limited::new(
            listener,
            relay.most_connections,
            Some(relay.most_per_address),
        );
        let number = AtomicU64::new(1);
        let mut open = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            while open.try_join_next().is_some() {}
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, Some(caller), admission)) => {
                    let relay = Arc::clone(&relay);
                    let number = number.fetch_add(1, Ordering::Relaxed);
                    open.spawn(async move {
                        relay.pass(stream, caller, number).await;
                        drop(admission);
                    });
                }
                // Every TCP connection has an address.
                Ok((_, None, _)) => {}
                Err(caller) => {
                    let why = Refusal::Connections(relay.most_per_address);
                    relay.observer.refused(caller, why);
                }
            }
        }
        drop(listener);
        let rest = async { while open.join_next().await.is_some() {} };
        if timeout(GRACE, rest).await.is_err() {
            open.shutdown().await;
        }
    }

    async fn pass(&self, stream: TcpStream, caller: SocketAddr, number: u64) {
        let passed = self.try_pass(stream, caller, number).await;
        if let Err(error) = passed {
            self.observer.broken(caller, &error);
        }
    }

    async fn try_pass(&self, stream: TcpStream, caller: SocketAddr, number: u64) -> io::Result<()> {
        let mut down: Box<dyn Stream> = match &self.acceptor {
            None => Box::new(stream),
            Some(acceptor) => {
                let accepted = timeout(self.head_time, acceptor.accept(stream)).await;
                Box::new(accepted.map_err(|_| io::ErrorKind::TimedOut)??)
            }
        };
        let (up, candidate) = self.connect(caller, number).await;
        let mut up = match up {
            Ok(up) => up,
            Err(error) => {
                reset(&*down);
                return Err(error);
            }
        };
        let observer = Arc::clone(&self.observer);
        let conversation = Conversation::new(
            observer,
            number,
            caller,
            self.most_kept,
            Arc::clone(&self.memory),
        );
        let conversation = conversation.with_candidate(candidate.is_some());
        let passing = Passing {
            conversation: Mutex::new(conversation),
            answered: Notify::new(),
            idle: Mutex::new(Pace::new(self.idle_time, ENDLESS)),
        };
        let (from_caller, to_caller) = split(&mut *down);
        let (from_server, to_server) = split(&mut *up);
        let both = async {
            tokio::try_join!(
                self.requests(from_caller, to_server, &passing),
                answers(from_server, to_caller, &passing),
            )
        };
        let ended = tokio::select! {
            passed = both => passed.map(drop),
            () = passing.sent_back(candidate) => Err(Ended::Between),
            () = passing.idle() => {
                let why = format!("nothing has passed for {:?}", self.idle_time);
                let late = io::Error::new(io::ErrorKind::TimedOut, why);
                let is_between = passing.conversation().may_close();
                Err(if is_between { Ended::Between } else { Ended::Broken(late) })
            }
        };
        passing.conversation().end();
        match ended {
            Ok(()) => Ok(()),
            Err(Ended::Between) => {
                close(&mut *down).await;
                Ok(())
            }
            Err(Ended::Refused { host, is_next }) => {
                self.observer.refused(caller, Refusal::Host(&host));
                if is_next && down.write_all(REFUSAL).await.is_ok() {
                    close(&mut *down).await;
                }
                Ok(())
            }
            Err(Ended::Broken(error)) => {
                reset(&*down);
                reset(&*up);
                Err(error)
            }
        }
    }

    /// Passes requests on until the caller has closed its side.
    async fn requests(
        &self,
        mut from: ReadHalf<&mut (dyn Stream + '_)>,
        mut to: WriteHalf<&mut (dyn Stream + '_)>,
        passing: &Passing,
    ) -> Result<(), Ended> {
        let (host, allowed) = (self.host.as_deref(), self.allowed_hosts.as_deref());
        // Heads are held until they are complete.
        let holds_heads = host.is_some() || allowed.is_some();
        let mut head = Pace::new(self.head_time, self.head_time);
        let mut buffer = vec![0; AT_ONCE];
        let mut held = Vec::new();
        let (mut has_begun, mut waits_for_head) = (false, true);
        loop {
            let late = async {
                if waits_for_head {
                    std::future::poll_fn(|context| head.poll_end(context)).await;
                } else {
                    std::future::pending().await
                }
            };
            let length = tokio::select! {
                length = from.read(&mut buffer) => length?,
                () = late => {
                    let why = "the head of a request did not come in time";
                    return Err(io::Error::new(io::ErrorKind::TimedOut, why).into());
                }
            };
            let bytes = &buffer[..length];
            // The conversation gets the bytes before they are passed on, so that no answer comes
            // first.
            let mut refused = None;
            let mut is_next = passing.conversation().has_answered();
            let is_in_head = passing.conversation().asked(bytes, &mut |part| {
                has_begun |= matches!(part, MessagePart::Head(_) | MessagePart::Unread(..));
                match part {
                    _ if refused.is_some() => {}
                    MessagePart::Head(bytes) => {
                        head.done();
                        let other = allowed.and_then(|allowed| other_host(bytes, allowed));
                        refused = other.map(|host| Ended::Refused { host, is_next });
                        is_next = false;
                        match host {
                            Some(host) => with_host(bytes, host, &mut held),
                            None if holds_heads => held.extend_from_slice(bytes),
                            None => {}
                        }
                    }
                    MessagePart::Unread(_, Some(why)) if allowed.is_some() => {
                        let why = format!("{why}, so that nobody knows for which host");
                        let error = io::Error::new(io::ErrorKind::InvalidData, why);
                        refused = Some(Ended::Broken(error));
                    }
                    MessagePart::Body(bytes) | MessagePart::Unread(bytes, _) if holds_heads => {
                        held.extend_from_slice(bytes);
                    }
                    _ => {}
                }
            });
            if let Some(refused) = refused {
                return Err(refused);
            }
            // Empty lines after a message do not begin a head, and those before the first message
            // do not count as its beginning.
            waits_for_head = is_in_head || !has_begun;
            to.write_all(if holds_heads { &held } else { bytes })
                .await?;
            to.flush().await?;
            passing.pace().moved();
            held.clear();
            if length == 0 {
                return Ok(to.shutdown().await?);
            }
        }
    }

    /// Connects to the candidate if the caller is part of its share and the candidate can be
    /// reached, and to the upstream otherwise. Also returns the caller's place in the split if the
    /// connection goes to the candidate.
    async fn connect(
        &self,
        caller: SocketAddr,
        number: u64,
    ) -> (io::Result<Box<dyn Stream>>, Option<Leaving<'_>>) {
        if let Some(split) = self.split.as_deref() {
            let key = split.key(caller.ip(), number);
            if split.share().takes(&key) {
                match split.connect().await {
                    Ok(up) => return (Ok(up), Some(Leaving { split, key })),
                    Err(error) => self.observer.candidate_unreachable(caller, &error),
                }
            }
        }
        (self.upstream.connect().await, None)
    }
}

/// The split and the key by which a connection goes to the candidate.
struct Leaving<'s> {
    split: &'s Split,
    key: Vec<u8>,
}

/// The reason why a connection ends before both sides have closed it.
enum Ended {
    Broken(io::Error),
    /// The relay closes it between two messages.
    Between,
    /// A request names a host that is not allowed.
    Refused {
        host: String,
        /// Whether the answer to this request comes next: no other answer is under way.
        is_next: bool,
    },
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// The state that both directions of a connection share.
struct Passing {
    conversation: Mutex<Conversation>,
    /// Notified when bytes of an answer have passed.
    answered: Notify,
    /// Ends when nothing passes for the idle timeout.
    idle: Mutex<Pace>,
}

impl Passing {
    fn conversation(&self) -> std::sync::MutexGuard<'_, Conversation> {
        self.conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn pace(&self) -> std::sync::MutexGuard<'_, Pace> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nothing has passed for the idle timeout.
    async fn idle(&self) {
        std::future::poll_fn(|context| self.pace().poll_end(context)).await;
    }

    /// Waits until a connection to the candidate is to be closed: its caller is no longer part of
    /// the share, and no message is under way.
    async fn sent_back(&self, candidate: Option<Leaving<'_>>) {
        let Some(Leaving { split, key }) = candidate else {
            return std::future::pending().await;
        };
        split.left(&key).await;
        while !self.conversation().may_close() {
            self.answered.notified().await;
        }
    }
}

/// Closes a connection between two messages. A request that arrives meanwhile is read and not
/// passed on, so that no reset overtakes the last answer.
async fn close(stream: &mut dyn Stream) {
    // Fails only if the caller is gone.
    let _ = stream.shutdown().await;
    let mut rest = [0; 4096];
    let heard = async { while matches!(stream.read(&mut rest).await, Ok(1..)) {} };
    let _ = timeout(LINGER, heard).await;
}

/// Makes a connection be reset when it is dropped, as the other side's was.
fn reset(stream: &dyn Stream) {
    // Fails only if the connection is gone.
    let _ = stream.tcp().set_zero_linger();
}

/// Passes answers on until the server has closed its side.
async fn answers(
    mut from: ReadHalf<&mut (dyn Stream + '_)>,
    mut to: WriteHalf<&mut (dyn Stream + '_)>,
    passing: &Passing,
) -> Result<(), Ended> {
    let mut buffer = vec![0; AT_ONCE];
    loop {
        let length = from.read(&mut buffer).await?;
        let bytes = &buffer[..length];
        if length > 0 {
            to.write_all(bytes).await?;
            to.flush().await?;
            passing.pace().moved();
        }
        passing.conversation().answered(bytes);
        passing.answered.notify_one();
        if length == 0 {
            return Ok(to.shutdown().await?);
        }
    }
}

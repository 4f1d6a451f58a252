//! What `svcgen record` and `svcgen shadow` share: callers, servers, and what waits while a relay goes on.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use svcgen_relay::{Relay, Upstream};
use tokio::net::TcpListener;
use url::Url;

use crate::http_options::TlsOptions;
use crate::record::tls;

/// The arguments that say how callers connect, and what of their messages is looked at.
#[derive(Debug, Args)]
pub(crate) struct Callers {
    /// Where callers connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    address: SocketAddr,

    /// Writes this `Host` into requests, the only change to what passes
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    host: Option<String>,

    /// Passes on requests that name this host, too. At a loopback address, and with `--host`, only those that name this machine, the server or the host are
    #[arg(long, value_name = "HOST", value_parser = crate::document::host)]
    allow_host: Vec<String>,

    /// Speaks TLS to callers, with the certificates of a PEM file
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,

    /// The private key of the first certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,

    /// Opens so many connections at a time; further callers wait
    #[arg(long, value_name = "COUNT", default_value = "1024")]
    max_connections: NonZeroU32,

    /// Opens so many connections from one address, and closes further ones; a load balancer has one address
    #[arg(long, value_name = "COUNT", default_value = "512")]
    max_connections_per_address: NonZeroU32,

    /// The time for the head of a request that has begun, for the first one, and to agree on TLS
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    head_timeout: u64,

    /// Closes connections on which nothing passes for so long, while a call runs, too
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86400))]
    idle_timeout: u64,

    /// The time to connect to a server
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    connect_timeout: u64,
}

impl Callers {
    /// The `Host` of requests, if it is another one than that of callers.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// A relay that speaks to callers as these arguments say.
    pub fn relay(&self, relay: Relay, server: &Url) -> Result<Relay, String> {
        let (most, per_address) = (self.max_connections, self.max_connections_per_address);
        let mut relay = relay
            .with_connections(most.get(), per_address.get())
            .with_head_timeout(Duration::from_secs(self.head_timeout))
            .with_idle_timeout(Duration::from_secs(self.idle_timeout));
        if let Some(host) = &self.host {
            relay = relay.with_host(host);
        }
        // A page whose name leads here (DNS rebinding) would reach the server by its caller's connection, and with `--host` under the name of the server.
        if is_loopback(self.address) || self.host.is_some() || !self.allow_host.is_empty() {
            let named = self.host.iter().chain(&self.allow_host).cloned();
            let named = named.chain(server.host_str().map(str::to_owned));
            relay = relay.with_allowed_hosts(local_names(self.address).into_iter().chain(named));
        }
        if let (Some(certificate), Some(key)) = (&self.certificate, &self.key) {
            relay = relay.with_tls(tls::server(certificate, key)?);
        }
        Ok(relay)
    }

    /// Listens to callers. Returns the URL for them, too.
    pub async fn listen(&self) -> Result<(TcpListener, String), String> {
        open_many_files();
        let (listener, address) = listen(self.address).await?;
        let scheme = if self.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        Ok((listener, format!("{scheme}://{address}")))
    }

    /// The server at a URL, whose certificate is that of `host` if one is given.
    pub fn upstream(
        &self,
        url: &Url,
        host: Option<&str>,
        trust: &TlsOptions,
    ) -> Result<Upstream, String> {
        let (Some(named), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(format!("{url} names no host"));
        };
        let upstream = Upstream::new(format!("{named}:{port}"));
        let upstream = upstream.with_connect_timeout(Duration::from_secs(self.connect_timeout));
        if url.scheme() != "https" {
            return Ok(upstream);
        }
        let name = match host {
            Some(host) => tls::name(host)?,
            None => tls::name(&named.to_string())?,
        };
        let config = trust.tls()?.client_config();
        Ok(upstream.with_tls(config.map_err(|error| error.to_string())?, name))
    }
}

/// Whether this machine alone can connect to an address.
pub(crate) fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// The names of this machine for callers of an address.
pub(crate) fn local_names(address: SocketAddr) -> Vec<String> {
    let names = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
    let own = match address.ip() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    names.into_iter().chain([own]).collect()
}

/// Listens to an address. Returns it with the port that was taken.
pub(crate) async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), String> {
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| format!("{address} cannot be listened to: {error}"))?;
    let address = listener.local_addr().unwrap_or(address);
    Ok((listener, address))
}

/// Parses the URL of a server without a path.
pub(crate) fn server_url(text: &str) -> Result<Url, &'static str> {
    const LIKE: &str = "write it as `https://svc.example.com`: scheme, host and port";
    let url = Url::parse(text).map_err(|_| LIKE)?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_open = url.username().is_empty() && url.password().is_none();
    if matches!(url.scheme(), "http" | "https") && is_bare && is_open && url.has_host() {
        Ok(url)
    } else {
        Err(LIKE)
    }
}

/// A URL as people write it.
pub(crate) fn plain(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

/// Lets the process open as many files as it may. A connection takes two, and many systems allow 1,024 unless they are asked.
///
/// Only on Linux, where there are such limits for each process.
fn open_many_files() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Otherwise fewer connections are open at a time, which is no error.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Gives this thread, and those that it starts, the lowest priority, so that keeping and comparing exchanges does not slow those that pass.
///
/// Only on Linux, where `setpriority` changes a thread and not the process.
pub(crate) fn run_behind() {
    #[cfg(target_os = "linux")]
    // Without it, the thread competes with the others, which is no error.
    let _ = rustix::process::setpriority_process(None, 19);
}

/// What waits for threads that may lag behind: bounded by bytes and by count.
pub(crate) struct Queue<T> {
    waiting: Mutex<Waiting<T>>,
    ready: Condvar,
    most_bytes: usize,
    most_items: usize,
}

struct Waiting<T> {
    items: VecDeque<(usize, T)>,
    bytes: usize,
    /// How many did not fit.
    lost: u64,
    is_closed: bool,
    /// When what waits is dropped.
    last: Option<Instant>,
}

/// What comes next in a [`Queue`].
pub(crate) enum Next<T> {
    Item(T),
    /// Nothing came until the moment.
    Nothing,
    /// It is closed and empty.
    Closed,
}

impl<T> Queue<T> {
    pub fn new(most_bytes: usize, most_items: usize) -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                items: VecDeque::new(),
                bytes: 0,
                lost: 0,
                is_closed: false,
                last: None,
            }),
            ready: Condvar::new(),
            most_bytes,
            most_items,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item of so many bytes. If it does not fit, it is counted and dropped. Never waits for those who take items.
    pub fn push(&self, bytes: usize, item: T) {
        let mut waiting = self.waiting();
        let is_full = waiting.items.len() >= self.most_items
            || waiting.bytes.saturating_add(bytes) > self.most_bytes;
        if is_full || waiting.is_closed {
            waiting.lost += 1;
            return;
        }
        waiting.bytes += bytes;
        waiting.items.push_back((bytes, item));
        drop(waiting);
        self.ready.notify_one();
    }

    /// Waits for the next item, until a moment at most.
    pub fn next(&self, until: Option<Instant>) -> Next<T> {
        let mut waiting = self.waiting();
        loop {
            if waiting.last.is_some_and(|last| Instant::now() >= last) {
                waiting.lost += waiting.items.len() as u64;
                waiting.items.clear();
                waiting.bytes = 0;
            }
            if let Some((bytes, item)) = waiting.items.pop_front() {
                waiting.bytes -= bytes;
                return Next::Item(item);
            }
            if waiting.is_closed {
                return Next::Closed;
            }
            waiting = match until {
                None => self
                    .ready
                    .wait(waiting)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let time = until.saturating_duration_since(Instant::now());
                    if time.is_zero() {
                        return Next::Nothing;
                    }
                    let woken = self.ready.wait_timeout(waiting, time);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Takes no more items.
    pub fn close(&self) {
        self.waiting().is_closed = true;
        self.ready.notify_all();
    }

    /// Takes no more items, and drops after some time those that still wait; they count as lost.
    pub fn close_after(&self, time: Duration) {
        self.waiting().last = Some(Instant::now() + time);
        self.close();
    }

    /// How many items did not fit.
    pub fn lost(&self) -> u64 {
        self.waiting().lost
    }

    /// How many items did not fit since it was asked.
    pub fn take_lost(&self) -> u64 {
        std::mem::take(&mut self.waiting().lost)
    }
}

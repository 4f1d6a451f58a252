//! A server on hyper, with limits of time, connections, calls and memory, and graceful shutdown.

mod addresses;
mod answer;
#[cfg(any(feature = "tls", feature = "http2"))]
mod begun;
mod caller;
mod connection;
mod head_wait;
#[cfg(feature = "http2")]
mod http2;
mod listener;
mod opening;
mod pace;
mod paced;
mod peer;
mod request_body;
mod stage;
#[cfg(feature = "signals")]
mod stop;
mod stream;
#[cfg(feature = "http2")]
mod streams;
mod times;
#[cfg(feature = "tls")]
mod tls;
mod unless;

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tower_service::Service;

use crate::carrier::{Carrier, Detach};
use crate::quota::Quota;
use addresses::Addresses;
use connection::Connection;
pub use listener::Listener;
use opening::Opening;
pub use request_body::RequestBody;
pub use stage::Abort;
use stage::Stages;
#[cfg(feature = "signals")]
pub use stop::stop_signal;
use times::{ENDLESS, Times};
#[cfg(feature = "tls")]
pub use tls::{ClientCertificates, Tls};
use unless::unless;

/// Serves a [`Server`](crate::Server), a [`Router`](crate::Router) or another tower service on a listener, until the signal given to [`with_shutdown`](Serve::with_shutdown).
///
/// By default, connections are closed after 10 seconds without the head of a request, or without a piece of its body. Heads are read up to 32 KiB.
///
/// When a caller is gone before it is answered (a reset of the connection says so, see [`Listener`] for others), the connection is closed and another one is
/// accepted; the handler finishes by default, and counts as a running call until then (see [`ServerOptions::cancel_abandoned`](crate::ServerOptions::cancel_abandoned)).
/// A one-way call over SOAP is answered once its parameters are read, while its handler goes on; without `serve` it is answered when its handler is done.
///
/// A request that the service answers with an error, or at which it panics, is answered with 500 and a line of text, without the text of the error.
///
/// ```no_run
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// svcgen::serve(listener, router).await
/// # }
/// ```
///
/// Calls run on the current runtime. The throughput is highest with a single-threaded runtime on each core, each with a listener of its own on the
/// same port, among which the kernel distributes connections; limits and shutdown are then those of each runtime.
///
/// ```no_run
/// # #[cfg(unix)]
/// fn serve_on_a_core(address: std::net::SocketAddr, router: svcgen::Router) -> std::io::Result<()> {
///     let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
///     runtime.block_on(async {
///         let socket = tokio::net::TcpSocket::new_v4()?;
///         socket.set_reuseport(true)?;
///         socket.bind(address)?;
///         svcgen::serve(socket.listen(1024)?, router).await
///     })
/// }
/// ```
pub fn serve<L: Listener, V>(listener: L, service: V) -> Serve<V, L> {
    Serve {
        listener,
        service,
        shutdown: Box::pin(std::future::pending()),
        times: Times::default(),
        #[cfg(feature = "tls")]
        tls: None,
        #[cfg(feature = "http2")]
        has_http2: false,
        max_connections: 10_000,
        max_connections_per_address: None,
        max_calls: 5_000,
        max_body_memory: 256 << 20,
        shutdown_timeout: Duration::from_secs(30),
    }
}

/// The builder that [`serve`] returns: set it up, then `.await` it.
pub struct Serve<V, L = TcpListener> {
    listener: L,
    service: V,
    shutdown: Pin<Box<dyn Future<Output = Abort> + Send>>,
    times: Times,
    #[cfg(feature = "tls")]
    tls: Option<Tls>,
    #[cfg(feature = "http2")]
    has_http2: bool,
    max_connections: u32,
    max_connections_per_address: Option<u32>,
    max_calls: usize,
    max_body_memory: usize,
    shutdown_timeout: Duration,
}

impl<V, L: fmt::Debug> fmt::Debug for Serve<V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("listener", &self.listener)
            .finish_non_exhaustive()
    }
}

impl<V, L> Serve<V, L> {
    /// Shuts down when the future is ready: accepts no new connections, finishes running calls and closes all connections.
    ///
    /// The future may return an [`Abort`], which says when calls are not waited for any longer; `stop_signal` does.
    #[must_use]
    pub fn with_shutdown<F>(mut self, signal: F) -> Self
    where
        F: Future<Output: Into<Abort>> + Send + 'static,
    {
        self.shutdown = Box::pin(async { signal.await.into() });
        self
    }

    /// Serves over TLS alone. A caller without TLS is told so with 400.
    ///
    /// The handshake has the time of a head. Addresses in documents begin with `https`.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Serves HTTP/2 besides HTTP/1.1, by default not: over TLS to callers that offer it (ALPN), without TLS to callers that begin with it (prior knowledge,
    /// RFC 9113 §3.3).
    ///
    /// All limits hold. A connection has 100 open requests at most, and holds up to 256 KiB of bodies that no call has read. It is closed when there was no
    /// request for the time of a head.
    #[cfg(feature = "http2")]
    #[must_use]
    pub fn with_http2(mut self, has_http2: bool) -> Self {
        self.has_http2 = has_http2;
        self
    }

    /// Sets how long a connection may take for the head of a request, counted from the end of the previous answer. By default 10 seconds.
    #[must_use]
    pub fn with_header_timeout(mut self, time: Duration) -> Self {
        self.times.header = time.min(ENDLESS);
        self
    }

    /// Sets how long a caller may pause in the body of a request; the whole body may take six times as long. By default 10 seconds.
    #[must_use]
    pub fn with_body_timeout(mut self, time: Duration) -> Self {
        self.times.body = time.min(ENDLESS);
        self
    }

    /// Sets how long a caller may read nothing of its answer. By default 30 seconds.
    #[must_use]
    pub fn with_write_timeout(mut self, time: Duration) -> Self {
        self.times.write = time.min(ENDLESS);
        self
    }

    /// Sets how long a caller may take for a whole answer, however steadily it reads. By default 5 minutes.
    #[must_use]
    pub fn with_answer_timeout(mut self, time: Duration) -> Self {
        self.times.answer = time.min(ENDLESS);
        self
    }

    /// Sets how long a connection may live; then it is closed after the call that runs. By default an hour.
    #[must_use]
    pub fn with_max_connection_age(mut self, time: Duration) -> Self {
        self.times.life = time.min(ENDLESS);
        self
    }

    /// Sets how many connections may be open; more wait until one closes. By default 10,000.
    #[must_use]
    pub fn with_max_connections(mut self, connections: u32) -> Self {
        self.max_connections =
            connections.clamp(1, u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        self
    }

    /// Sets how many connections may be open from one address; more are closed at once. By default any number, as callers behind a proxy share its address.
    #[must_use]
    pub fn with_max_connections_per_address(mut self, connections: u32) -> Self {
        self.max_connections_per_address = Some(connections);
        self
    }

    /// Sets how many calls of svcgen's services may run, those included whose caller is gone and one-way calls that are answered already. More are answered with
    /// 503 and `Retry-After`, before their bodies are read. By default 5,000.
    #[must_use]
    pub fn with_max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// Sets how many bytes the bodies of all requests to svcgen's services may have together. A body counts with the bytes that have arrived of it, until its call
    /// is done; what has no room is answered with 503 and `Retry-After`. By default 256 MiB.
    ///
    /// A buffer that grows takes up to twice these bytes; besides, each connection has a buffer of up to 64 KiB.
    #[must_use]
    pub fn with_max_body_memory(mut self, bytes: usize) -> Self {
        self.max_body_memory = bytes;
        self
    }

    /// Sets how long running calls may take after the shutdown signal before they are aborted. By default 30 seconds.
    #[must_use]
    pub fn with_shutdown_timeout(mut self, time: Duration) -> Self {
        self.shutdown_timeout = time;
        self
    }
}

impl<V> Serve<V> {
    /// The address of the listener.
    ///
    /// # Errors
    ///
    /// Those of [`TcpListener::local_addr`].
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl<V, L, B> IntoFuture for Serve<V, L>
where
    L: Listener,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Output = io::Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            mut listener,
            service,
            mut shutdown,
            times,
            #[cfg(feature = "tls")]
            tls,
            #[cfg(feature = "http2")]
            has_http2,
            max_connections,
            max_connections_per_address,
            max_calls,
            max_body_memory,
            shutdown_timeout,
        } = self;
        Box::pin(async move {
            let places = Arc::new(Semaphore::new(max_connections as usize));
            let addresses = max_connections_per_address.map(Addresses::new);
            let calls = Arc::new(Quota::new(max_calls));
            let bodies = Arc::new(Quota::new(max_body_memory));
            let stages = Stages::new();
            let detach = detach(&stages);
            let opening = Opening {
                #[cfg(any(feature = "tls", feature = "http2"))]
                time: times.header,
                #[cfg(feature = "tls")]
                tls,
                #[cfg(feature = "http2")]
                has_http2,
            };
            let mut abort = loop {
                let next = async {
                    let place = Arc::clone(&places).acquire_owned().await;
                    let place = place.expect("the semaphore is never closed");
                    (place, listener.accept().await)
                };
                let (place, (stream, address)) = match unless(next, shutdown.as_mut()).await {
                    Ok(next) => next,
                    Err(abort) => break abort,
                };
                let from = match addresses.as_ref().zip(address) {
                    Some((addresses, address)) => match addresses.enter(address.ip()) {
                        Some(from) => Some(from),
                        None => continue,
                    },
                    None => None,
                };
                let carrier =
                    Carrier::new(Arc::clone(&calls), Arc::clone(&bodies), Arc::clone(&detach));
                let (opening, service) = (opening.clone(), service.clone());
                let stages = stages.watched();
                let mut end = stages.end();
                tokio::spawn(async move {
                    let opened = opening.open(stream, address);
                    let Ok(Some(opened)) = unless(opened, pin!(end.finishing())).await else {
                        return;
                    };
                    let connection = Connection {
                        opened,
                        is_broken: L::is_broken,
                        times,
                        carrier: Arc::new(carrier),
                        end,
                        admission: (place, from),
                    };
                    #[cfg(feature = "http2")]
                    if connection.opened.is_http2 {
                        return http2::serve(connection, service, stages).await;
                    }
                    connection::serve(connection, service).await;
                });
            };
            drop(listener);
            stages.finish();
            let ended = timeout(shutdown_timeout, stages.all_ended());
            if !matches!(unless(ended, abort.0.as_mut()).await, Ok(Ok(()))) {
                stages.abort();
            }
            Ok(())
        })
    }
}

/// Runs calls that are answered already, until the server aborts them.
fn detach(stages: &Stages) -> Arc<Detach> {
    let stages = stages.watched();
    Arc::new(move |call| {
        let mut end = stages.end();
        tokio::spawn(async move {
            let _ = unless(call, pin!(end.aborted())).await;
        });
    })
}

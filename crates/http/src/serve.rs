//! A server on hyper, with limits of time, connections, calls and memory, and graceful shutdown.

mod addresses;
mod answer;
mod any_listener;
mod caller;
mod connection;
#[cfg(feature = "metrics")]
mod counted;
#[cfg(not(feature = "metrics"))]
#[path = "serve/uncounted.rs"]
mod counted;
mod head_wait;
mod health;
#[cfg(feature = "http2")]
mod http2;
mod listener;
mod opening;
mod pace;
mod paced;
mod passing;
mod peeked;
mod peer;
mod per_core;
mod request_body;
mod run;
mod settings;
mod stage;
mod stop;
mod stopped;
mod stream;
#[cfg(feature = "http2")]
mod streams;
#[cfg(feature = "systemd")]
mod systemd;
mod times;
#[cfg(feature = "tls")]
mod tls;
mod unless;
mod until_woken;

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_service::Service;

// The relay of the command also uses it.
#[doc(hidden)]
pub use addresses::{Admission, Limited};
pub use any_listener::{AnyListener, AnyStream};
pub use health::Health;
pub use listener::Listener;
#[doc(hidden)]
pub use pace::Pace;
pub use per_core::{PerCore, serve_per_core};
pub use request_body::RequestBody;
use settings::Settings;
pub use stage::Abort;
pub use stop::stop_signal;
pub use stopped::Stopped;
#[doc(hidden)]
pub use svcgen_core::internals::{Quota, names_one_of};
#[cfg(feature = "systemd")]
pub use systemd::inherited_listeners;
use times::ENDLESS;
#[cfg(feature = "tls")]
pub use tls::{ClientCertificates, Tls};

/// Serves a [`Server`](svcgen_core::Server), a [`Router`](svcgen_core::Router) or another tower
/// service on a listener, until the signal given to [`with_shutdown`](Serve::with_shutdown).
///
/// By default, a connection is closed after 10 seconds without the head of a request, or without a
/// piece of its body. Heads may have up to 32 KiB.
///
/// If a caller leaves before its answer (a reset of the connection shows this; see [`Listener`] for
/// other signs), the connection is closed and makes room for another. By default, the handler
/// finishes and counts as a running call until then (see
/// [`ServerOptions::cancel_abandoned`](svcgen_core::ServerOptions::cancel_abandoned)). A one-way
/// call over SOAP is answered once its parameters are read, while its handler continues; without
/// `serve`, it is answered when its handler is done.
///
/// If the service returns an error or panics, the caller gets 500 and a line of text, without the
/// text of the error. A [`Refusal`](svcgen_core::layer::Refusal) sets the answer itself.
///
/// ```no_run
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// svcgen::serve(listener, router).await?;
/// # Ok(())
/// # }
/// ```
///
/// Calls run on the current runtime. For the highest throughput, use a runtime for each core:
/// [`serve_per_core`].
pub fn serve<L: Listener, V>(listener: L, service: V) -> Serve<V, L> {
    Serve {
        listener,
        service,
        shutdown: Box::pin(std::future::pending()),
        settings: Settings::default(),
    }
}

/// The server that [`serve`] returns: set it up, then `.await` it.
pub struct Serve<V, L = TcpListener> {
    listener: L,
    service: V,
    shutdown: Pin<Box<dyn Future<Output = Abort> + Send>>,
    settings: Settings,
}

impl<V, L: fmt::Debug> fmt::Debug for Serve<V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("listener", &self.listener)
            .finish_non_exhaustive()
    }
}

impl<V, L> Serve<V, L> {
    /// Shuts down when the future is ready: accepts no new connections, finishes running calls and
    /// closes all connections. The output of the server, [`Stopped`], counts the calls and
    /// connections that were cut off.
    ///
    /// The future may return an [`Abort`], which ends the waiting for running calls early, as
    /// `stop_signal` does.
    #[must_use]
    pub fn with_shutdown<F>(mut self, signal: F) -> Self
    where
        F: Future<Output: Into<Abort>> + Send + 'static,
    {
        self.shutdown = Box::pin(async { signal.await.into() });
        self
    }

    /// Serves only over TLS. A caller without TLS gets 400 and a line of text.
    ///
    /// The handshake must finish within the time for a head. Addresses in documents start with
    /// `https`.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.settings.tls = Some(tls);
        self
    }

    /// Sets whether to serve HTTP/2 in addition to HTTP/1.1; by default, it is off. Over TLS,
    /// callers offer HTTP/2 by ALPN; without TLS, they begin with it (prior knowledge, RFC 9113
    /// §3.3).
    ///
    /// All limits apply. A connection has at most 100 open requests, and holds up to 256 KiB of
    /// bodies that no call has read. It is closed if it has no request for the time for a head.
    #[cfg(feature = "http2")]
    #[must_use]
    pub fn with_http2(mut self, has_http2: bool) -> Self {
        self.settings.has_http2 = has_http2;
        self
    }

    /// Limits the time to receive the head of a request, counted from the end of the previous
    /// answer. By default, 10 seconds.
    #[must_use]
    pub fn with_header_timeout(mut self, time: Duration) -> Self {
        self.settings.times.header = time.min(ENDLESS);
        self
    }

    /// Limits the pauses of a caller within the body of a request; the whole body may take six
    /// times as long. By default, 10 seconds.
    #[must_use]
    pub fn with_body_timeout(mut self, time: Duration) -> Self {
        self.settings.times.body = time.min(ENDLESS);
        self
    }

    /// Limits the time in which a caller reads nothing of its answer. By default, 30 seconds.
    #[must_use]
    pub fn with_write_timeout(mut self, time: Duration) -> Self {
        self.settings.times.write = time.min(ENDLESS);
        self
    }

    /// Limits the time to send a whole answer, even if the caller reads steadily. By default, 5
    /// minutes.
    #[must_use]
    pub fn with_answer_timeout(mut self, time: Duration) -> Self {
        self.settings.times.answer = time.min(ENDLESS);
        self
    }

    /// Limits the age of a connection; an older one is closed after its running call. By default,
    /// an hour.
    #[must_use]
    pub fn with_max_connection_age(mut self, time: Duration) -> Self {
        self.settings.times.life = time.min(ENDLESS);
        self
    }

    /// Limits the number of open connections; further ones wait until one closes. By default,
    /// 10,000.
    #[must_use]
    pub fn with_max_connections(mut self, connections: u32) -> Self {
        self.settings.max_connections =
            connections.clamp(1, u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        self
    }

    /// Limits the number of open connections from one address; further ones are closed at once. By
    /// default, there is no limit, because callers behind a proxy share its address.
    #[must_use]
    pub fn with_max_connections_per_address(mut self, connections: u32) -> Self {
        self.settings.max_connections_per_address = Some(connections);
        self
    }

    /// Limits the number of running calls of svcgen's services, including calls whose caller is
    /// gone and one-way calls that are already answered. Further calls get 503 and `Retry-After`
    /// before their bodies are read. By default, 5,000.
    #[must_use]
    pub fn with_max_calls(mut self, calls: usize) -> Self {
        self.settings.max_calls = calls;
        self
    }

    /// Limits the total size of the request bodies of svcgen's services. A body counts with the
    /// bytes that have arrived and are not on disk, until its call is done. A request whose body
    /// has no room gets 503 and `Retry-After`. By default, 256 MiB.
    ///
    /// A growing buffer takes up to twice as many bytes; in addition, each connection has a buffer
    /// of up to 256 KiB.
    #[must_use]
    pub fn with_max_body_memory(mut self, bytes: usize) -> Self {
        self.settings.max_body_memory = bytes;
        self
    }

    /// Answers requests for the health of the application before the service sees them. They do not
    /// count as running calls.
    #[must_use]
    pub fn with_health(mut self, health: Health) -> Self {
        self.settings.health = Some(health);
        self
    }

    /// Sets the time in which the server still accepts calls after the shutdown signal, while its
    /// [`Health`] already reports that it stops, so that load balancers send no further calls. By
    /// default, it stops at once.
    #[must_use]
    pub fn with_drain_time(mut self, time: Duration) -> Self {
        self.settings.drain_time = time.min(ENDLESS);
        self
    }

    /// Limits the time for running calls after the shutdown signal and the drain time; then they
    /// are aborted. By default, 30 seconds.
    #[must_use]
    pub fn with_shutdown_timeout(mut self, time: Duration) -> Self {
        self.settings.shutdown_timeout = time;
        self
    }
}

impl<V> Serve<V> {
    /// Returns the address of the listener.
    ///
    /// # Errors
    ///
    /// The same as for [`TcpListener::local_addr`].
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
    type Output = io::Result<Stopped>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<Stopped>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            listener,
            service,
            shutdown,
            settings,
        } = self;
        Box::pin(run::run(listener, service, shutdown, settings))
    }
}

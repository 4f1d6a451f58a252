//! An HTTP/1.1 server on hyper, with time limits, a limit of connections and graceful shutdown.

mod caller;
mod head_wait;
mod request_body;
#[cfg(feature = "signals")]
mod stop;

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower_service::Service;

use crate::call::RemoteAddress;
use caller::Caller;
use head_wait::{Calls, HeadWait};
pub use request_body::RequestBody;
#[cfg(feature = "signals")]
pub use stop::stop_signal;

/// Serves a [`Server`](crate::Server), a [`Router`](crate::Router) or another tower service on a listener, until the signal given to [`with_shutdown`](Serve::with_shutdown).
///
/// By default, connections are closed after 10 seconds without the head of a request, or without a piece of its body.
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
pub fn serve<V>(listener: TcpListener, service: V) -> Serve<V> {
    Serve {
        listener,
        service,
        shutdown: Box::pin(std::future::pending()),
        times: Times {
            header: Duration::from_secs(10),
            body: Duration::from_secs(10),
            write: Duration::from_secs(30),
        },
        max_connections: 10_000,
        shutdown_timeout: Duration::from_secs(30),
    }
}

/// The builder that [`serve`] returns: set it up, then `.await` it.
pub struct Serve<V> {
    listener: TcpListener,
    service: V,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
    times: Times,
    max_connections: u32,
    shutdown_timeout: Duration,
}

/// The longest time limit: adding much longer ones to the current time would overflow.
const ENDLESS: Duration = Duration::from_secs(365 * 24 * 60 * 60);

#[derive(Clone, Copy)]
struct Times {
    header: Duration,
    body: Duration,
    write: Duration,
}

impl<V> fmt::Debug for Serve<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("listener", &self.listener)
            .finish_non_exhaustive()
    }
}

impl<V> Serve<V> {
    /// Shuts down when the future is ready: accepts no new connections, finishes running calls and closes all connections.
    #[must_use]
    pub fn with_shutdown(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(signal);
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
        self.times.write = time;
        self
    }

    /// Sets how many connections may be open; more wait until one closes. By default 10,000.
    #[must_use]
    pub fn with_max_connections(mut self, connections: u32) -> Self {
        self.max_connections =
            connections.clamp(1, u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        self
    }

    /// Sets how long running calls may take after the shutdown signal before they are aborted. By default 30 seconds.
    #[must_use]
    pub fn with_shutdown_timeout(mut self, time: Duration) -> Self {
        self.shutdown_timeout = time;
        self
    }

    /// The address of the listener.
    ///
    /// # Errors
    ///
    /// Those of [`TcpListener::local_addr`].
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl<V, B> IntoFuture for Serve<V>
where
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Output = io::Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self {
            listener,
            service,
            mut shutdown,
            times,
            max_connections,
            shutdown_timeout,
        } = self;
        Box::pin(async move {
            // Every connection holds a permit: all permits can be acquired once all connections are closed.
            let permits = Arc::new(Semaphore::new(max_connections as usize));
            let (stop, stopping) = watch::channel(());
            loop {
                let next = async {
                    let permit = Arc::clone(&permits).acquire_owned().await;
                    (permit, accept(&listener).await)
                };
                let Some((permit, (stream, address))) = unless(next, shutdown.as_mut()).await
                else {
                    break;
                };
                let (service, stopping) = (service.clone(), stopping.clone());
                tokio::spawn(async move {
                    serve_connection(stream, address, service, times, stopping).await;
                    drop(permit);
                });
            }
            drop(listener);
            drop(stop);
            let _ = timeout(shutdown_timeout, permits.acquire_many(max_connections)).await;
            Ok(())
        })
    }
}

/// The output of a future, unless the other one is ready first.
async fn unless<F: Future>(
    future: F,
    mut other: Pin<&mut (impl Future<Output = ()> + ?Sized)>,
) -> Option<F::Output> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        if other.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// The next connection. Errors of one connection are skipped; after others, such as too many open files, it waits and tries again.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_one_connection(&error) => {}
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

async fn serve_connection<V, B>(
    stream: TcpStream,
    address: SocketAddr,
    service: V,
    times: Times,
    mut stopping: watch::Receiver<()>,
) where
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    // Otherwise an answer may wait for the acknowledgement of the previous one.
    let _ = stream.set_nodelay(true);
    let calls = Calls::default();
    let head = HeadWait::new(calls.clone(), times.header);
    let service = service_fn(move |request: Request<Incoming>| {
        let (mut service, calls) = (service.clone(), calls.clone());
        calls.step();
        let mut request = request.map(|incoming| RequestBody::new(incoming, times.body));
        request.extensions_mut().insert(RemoteAddress(address));
        async move {
            std::future::poll_fn(|context| service.poll_ready(context)).await?;
            let answer = service.call(request).await;
            calls.step();
            answer
        }
    });
    let connection = http1::Builder::new()
        // `Caller` has a cheaper one.
        .header_read_timeout(None)
        // Some callers close their side after sending the request.
        .half_close(true)
        // As ASMX writes header names: some callers compare them case-sensitively.
        .title_case_headers(true)
        .serve_connection(Caller::new(stream, head, times.write), service);
    let mut connection = pin!(connection);
    let mut stop = pin!(stopping.changed());
    let mut stopped = false;
    std::future::poll_fn(|context| {
        if !stopped && stop.as_mut().poll(context).is_ready() {
            stopped = true;
            connection.as_mut().graceful_shutdown();
        }
        // There is nobody to report an error of the connection to.
        connection
            .as_mut()
            .poll(context)
            .map(|_: Result<(), hyper::Error>| ())
    })
    .await;
}

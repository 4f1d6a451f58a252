//! A server on each core.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tower_service::Service;

use super::stage::{Abort, End, Stages};
use super::stopped::Stopped;
use super::unless::unless;
use super::{RequestBody, Serve};

/// Serves on all cores, with a thread and a single-threaded runtime for each; connections stay on
/// their core. The throughput is higher than on a multi-threaded runtime, but blocking work holds
/// up all connections of its core.
///
/// `serve` sets up the server of a core from its listener. Limits apply per core; health,
/// certificates and handlers are shared if their clones are. On Linux, each core has its own
/// socket, and the kernel distributes connections among them (`SO_REUSEPORT`); elsewhere all cores
/// accept from one socket.
///
/// ```no_run
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// let address = ([0, 0, 0, 0], 8080).into();
/// let servers = svcgen::serve_per_core(address, move |listener| svcgen::serve(listener, router.clone()))?;
/// let stopped = servers.with_shutdown(async { /* such as `svcgen::stop_signal()?` */ }).await?;
/// println!("{stopped}");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The server cannot listen on the address.
pub fn serve_per_core<F, V>(address: SocketAddr, serve: F) -> io::Result<PerCore<F>>
where
    F: Fn(TcpListener) -> Serve<V> + Send + Sync + 'static,
{
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Ok(PerCore {
        listeners: listeners(address, cores)?,
        serve,
        shutdown: Box::pin(std::future::pending()),
    })
}

/// The servers that [`serve_per_core`] returns: set them up, then `.await` them to start.
pub struct PerCore<F> {
    listeners: Vec<StdListener>,
    serve: F,
    shutdown: Pin<Box<dyn Future<Output = Abort> + Send>>,
}

impl<F> PerCore<F> {
    /// Shuts down all servers when the future is ready, as [`Serve::with_shutdown`] does. Signals
    /// of the servers of single cores are ignored.
    #[must_use]
    pub fn with_shutdown<S>(mut self, signal: S) -> Self
    where
        S: Future<Output: Into<Abort>> + Send + 'static,
    {
        self.shutdown = Box::pin(async { signal.await.into() });
        self
    }

    /// Sets the number of cores that serve, at most all cores of the machine. By default, all cores
    /// that the process may use.
    #[must_use]
    pub fn with_cores(mut self, cores: usize) -> Self {
        self.listeners.truncate(cores.max(1));
        self
    }

    /// Returns the address of the listeners.
    ///
    /// # Errors
    ///
    /// The same as for [`TcpListener::local_addr`].
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listeners[0].local_addr()
    }
}

impl<F> fmt::Debug for PerCore<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerCore")
            .field("listeners", &self.listeners)
            .finish_non_exhaustive()
    }
}

fn listeners(address: SocketAddr, count: usize) -> io::Result<Vec<StdListener>> {
    const HAS_ONE_EACH: bool = cfg!(target_os = "linux");
    // Finds the port if the address has none, and fails if another server has the port: sockets
    // with `SO_REUSEPORT` would share it.
    let first = bound(address, false)?;
    let address = first.local_addr()?.as_socket().unwrap_or(address);
    let mut listeners = Vec::with_capacity(count);
    if HAS_ONE_EACH {
        drop(first);
        for _ in 0..count {
            listeners.push(listening(bound(address, true)?)?);
        }
        return Ok(listeners);
    }
    listeners.push(listening(first)?);
    while listeners.len() < count {
        listeners.push(listeners[0].try_clone()?);
    }
    Ok(listeners)
}

fn bound(address: SocketAddr, is_shared: bool) -> io::Result<Socket> {
    let domain = Domain::for_address(address);
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    // As in tokio, so that a port is free as soon as its server has ended.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    #[cfg(target_os = "linux")]
    socket.set_reuse_port(is_shared)?;
    #[cfg(not(target_os = "linux"))]
    let _ = is_shared;
    socket.bind(&address.into())?;
    Ok(socket)
}

fn listening(socket: Socket) -> io::Result<StdListener> {
    socket.set_nonblocking(true)?;
    socket.listen(1024)?;
    Ok(socket.into())
}

impl<F, V, B> IntoFuture for PerCore<F>
where
    F: Fn(TcpListener) -> Serve<V> + Send + Sync + 'static,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Output = io::Result<Stopped>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<Stopped>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(run(self))
    }
}

async fn run<F, V, B>(servers: PerCore<F>) -> io::Result<Stopped>
where
    F: Fn(TcpListener) -> Serve<V> + Send + Sync + 'static,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let PerCore {
        listeners,
        serve,
        shutdown,
    } = servers;
    let serve = Arc::new(serve);
    // When this is dropped, the servers stop.
    let stages = Stages::new();
    let (ended, mut outcomes) = mpsc::unbounded_channel();
    for (core, listener) in listeners.into_iter().enumerate() {
        let (serve, ended) = (Arc::clone(&serve), ended.clone());
        let end = stages.watched().end();
        let thread = thread::Builder::new().name(format!("svcgen core {core}"));
        thread.spawn(move || {
            let served = AssertUnwindSafe(|| serve_on_core(listener, &*serve, end));
            let outcome = catch_unwind(served).unwrap_or_else(|panic| {
                let text = panic_text(&*panic);
                Err(io::Error::other(format!(
                    "the server of core {core} panicked: {text}"
                )))
            });
            let _ = ended.send(outcome);
        })?;
    }
    drop(ended);
    let mut stop = pin!(async {
        let abort = shutdown.await;
        stages.finish();
        abort.0.await;
        stages.abort();
        std::future::pending::<()>().await;
    });
    let mut together = Ok(Stopped::default());
    while let Ok(Some(outcome)) = unless(outcomes.recv(), stop.as_mut()).await {
        together = match (together, outcome) {
            (Ok(together), Ok(stopped)) => Ok(together + stopped),
            (Err(error), _) | (_, Err(error)) => {
                // Otherwise the remaining servers would serve only a part of the callers.
                stages.finish();
                Err(error)
            }
        };
    }
    together
}

fn serve_on_core<F, V, B>(listener: StdListener, serve: &F, mut end: End) -> io::Result<Stopped>
where
    F: Fn(TcpListener) -> Serve<V>,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let stop = async move {
        end.finishing().await;
        Abort::when(async move { end.aborted().await })
    };
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        serve(listener).with_shutdown(stop).await
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied())
        .unwrap_or("no message")
}

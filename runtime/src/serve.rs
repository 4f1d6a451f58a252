//! A ready HTTP/1.1 server on hyper: time limits, a limit of connections, a graceful stop.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tower_service::Service;

use crate::service::RemoteAddress;

/// Serves a service, a [`Router`](crate::Router) or any other tower service on a listener, until [`shutdown`](Serve::shutdown) says stop.
///
/// The defaults cut whoever is silent: 10 seconds for the head of a request (an idle connection too), 10 seconds between pieces of its body.
///
/// ```no_run
/// # async fn example(router: svcgen::Router) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// svcgen::serve(listener, router).await
/// # }
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

/// A server about to run: set it up, then `.await` it.
pub struct Serve<V> {
    listener: TcpListener,
    service: V,
    shutdown: Pin<Box<dyn Future<Output = ()> + Send>>,
    times: Times,
    max_connections: u32,
    shutdown_timeout: Duration,
}

#[derive(Clone, Copy)]
struct Times {
    header: Duration,
    body: Duration,
    write: Duration,
}

/// How often the time between two pieces of a body may pass before the whole body must be there.
const WHOLE_BODY: u32 = 6;

impl<V> Serve<V> {
    /// Stops when the future is ready: no new connections, running calls are finished, then every connection is closed.
    #[must_use]
    pub fn shutdown(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(signal);
        self
    }

    /// How long a connection may take for the head of a request, counted from the end of the answer before it. 10 seconds.
    #[must_use]
    pub fn header_timeout(mut self, time: Duration) -> Self {
        self.times.header = time;
        self
    }

    /// How long a caller may pause in the body of a request; the whole body may take six times as long. 10 seconds.
    #[must_use]
    pub fn body_timeout(mut self, time: Duration) -> Self {
        self.times.body = time;
        self
    }

    /// How long a caller may take no part of its answer. 30 seconds.
    #[must_use]
    pub fn write_timeout(mut self, time: Duration) -> Self {
        self.times.write = time;
        self
    }

    /// How many connections may be open; more wait until one closes. 10,000.
    #[must_use]
    pub fn max_connections(mut self, connections: u32) -> Self {
        self.max_connections =
            connections.clamp(1, u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX));
        self
    }

    /// How long running calls may take after the stop before they are cut. 30 seconds.
    #[must_use]
    pub fn shutdown_timeout(mut self, time: Duration) -> Self {
        self.shutdown_timeout = time;
        self
    }

    /// The address that is listened on.
    ///
    /// # Errors
    ///
    /// The operating system does not tell.
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
        Box::pin(self.run())
    }
}

impl<V, B> Serve<V>
where
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    async fn run(self) -> io::Result<()> {
        let Self {
            listener,
            service,
            mut shutdown,
            times,
            max_connections,
            shutdown_timeout,
        } = self;
        // Every connection holds a permit: all of them together can be had only when all connections are closed.
        let permits = Arc::new(Semaphore::new(max_connections as usize));
        let (stop, stopping) = watch::channel(());
        loop {
            let next = async {
                let permit = Arc::clone(&permits).acquire_owned().await;
                (permit, accept(&listener).await)
            };
            let Some((permit, (stream, address))) = unless(next, shutdown.as_mut()).await else {
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

/// The next connection. An error of one connection is that connection's; any other, such as too many open files, passes with time.
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
    // Without it an answer may wait for the caller's acknowledgement of the one before.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut service = service.clone();
        let mut request = request.map(|incoming| RequestBody::new(incoming, times.body));
        request.extensions_mut().insert(RemoteAddress(address));
        async move {
            std::future::poll_fn(|context| service.poll_ready(context)).await?;
            service.call(request).await
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(times.header)
        // A caller may close its side as soon as the request is sent.
        .half_close(true)
        .serve_connection(Caller::new(stream, times.write), service);
    let mut connection = pin!(connection);
    let mut stop = pin!(stopping.changed());
    let mut stopped = false;
    std::future::poll_fn(|context| {
        if !stopped && stop.as_mut().poll(context).is_ready() {
            stopped = true;
            connection.as_mut().graceful_shutdown();
        }
        // What broke the connection is known to the caller as far as it can be.
        connection
            .as_mut()
            .poll(context)
            .map(|_: Result<(), hyper::Error>| ())
    })
    .await;
}

/// A connection that breaks when nothing of an answer can be written for too long.
struct Caller {
    stream: TokioIo<TcpStream>,
    time: Duration,
    /// Ends when the caller has taken nothing for too long. Absent unless a write waits.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Caller {
    fn new(stream: TcpStream, time: Duration) -> Self {
        Self {
            stream: TokioIo::new(stream),
            time,
            stalled: None,
        }
    }

    /// A write's outcome, or an error if it has been waited for too long.
    fn in_time<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(self.time)));
        stalled
            .as_mut()
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Caller {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for Caller {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(outcome, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(outcome, context)
    }
}

/// The body of a request as [`serve`] hands it on: an error once the caller pauses for too long.
pub struct RequestBody {
    incoming: Incoming,
    time: Duration,
    /// Until when the next piece and the whole body must come. Absent while nothing was waited for.
    waiting: Option<Waiting>,
    /// Whether something came since the pause began.
    received: bool,
}

struct Waiting {
    pause: Pin<Box<Sleep>>,
    whole: Instant,
}

impl RequestBody {
    fn new(incoming: Incoming, time: Duration) -> Self {
        Self {
            incoming,
            time,
            waiting: None,
            received: false,
        }
    }

    fn poll_pause(&mut self, context: &mut Context<'_>, restart: bool) -> Poll<()> {
        let now = Instant::now();
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            pause: Box::pin(sleep(self.time)),
            whole: now + self.time * WHOLE_BODY,
        });
        if restart {
            waiting
                .pause
                .as_mut()
                .reset((now + self.time).min(waiting.whole));
        }
        waiting.pause.as_mut().poll(context)
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RequestBody").field(&self.incoming).finish()
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match Pin::new(&mut self.incoming).poll_frame(context) {
            Poll::Ready(frame) => {
                self.received = true;
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                let restart = std::mem::take(&mut self.received);
                ready!(self.poll_pause(context, restart));
                Poll::Ready(Some(Err("the body of the request came too slowly".into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

//! A connection over HTTP/2 and its calls.

use std::error::Error;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep};
use tower_service::Service;

use super::answer;
use super::connection::{Connection, LONGEST_HEAD, received};
use super::opening::OpenedConnection;
use super::pace::Pace;
use super::paced::Paced;
use super::request_body::RequestBody;
use super::stage::{End, Watched};
use super::streams::Streams;
use super::times::{ENDLESS, Times};
use svcgen_core::internals::{ConnectionGrants, OnlyHttp1};

/// The reason why a request is reset instead of answered.
type Reset = h2::Error;

/// The largest number of open requests of a connection.
const MOST_STREAMS: u32 = 100;
/// The limit of unread bytes of bodies that a connection holds.
const WINDOW: u32 = 256 << 10;
/// The limit of bytes of an answer that the connection buffers before the caller reads them.
const SEND_BUFFER: usize = 64 << 10;

/// A call whose caller may be gone before the answer: then it continues in its own task.
struct Call<F: Future<Output: Send> + Send + 'static> {
    running: Option<Pin<Box<F>>>,
    grants: Arc<ConnectionGrants>,
    /// Makes the server wait for the call.
    end: Option<End>,
    runtime: Handle,
}

impl<F: Future<Output: Send> + Send> Future for Call<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(running) = &mut self.running else {
            return Poll::Pending;
        };
        let output = running.as_mut().poll(context);
        if output.is_ready() {
            self.running = None;
            if let Some(end) = &self.end
                && end.is_finishing()
            {
                end.tally().finish_call();
            }
        }
        output
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for Call<F> {
    fn drop(&mut self) {
        if let (Some(running), Some(end)) = (self.running.take(), self.end.take()) {
            self.grants.abandon();
            self.runtime.spawn(end.run(running, true));
        }
    }
}

/// Decides when the server ends a connection.
struct Watch {
    streams: Streams,
    times: Times,
    closing: Instant,
    /// The time when the caller was notified of the end of the connection.
    told: Option<Instant>,
}

enum Seen {
    Nothing,
    /// No further request is accepted.
    Last,
    /// The caller is too slow.
    Late,
}

impl Watch {
    fn new(streams: Streams, times: Times) -> Self {
        Self {
            streams,
            times,
            closing: Instant::now() + times.life,
            told: None,
        }
    }

    fn look(&mut self) -> Seen {
        let now = Instant::now();
        let idle = self.streams.idle();
        let is_late = match (self.told, idle) {
            // The rest of an answer may still be on its way.
            (Some(told), Some(idle)) => idle.min(now - told) >= self.times.write,
            _ => self.streams.has_late_answer(&self.times),
        };
        if is_late {
            return Seen::Late;
        }
        let is_last = now >= self.closing || idle.is_some_and(|idle| idle >= self.times.header);
        if self.told.is_none() && is_last {
            return Seen::Last;
        }
        Seen::Nothing
    }

    /// Checks the connection whenever the timer ends.
    fn poll(&mut self, mut timer: Pin<&mut Sleep>, context: &mut Context<'_>) -> Seen {
        let mut seen = Seen::Nothing;
        while timer.as_mut().poll(context).is_ready() {
            timer.as_mut().reset(Instant::now() + self.interval());
            match self.look() {
                Seen::Nothing => {}
                Seen::Last => seen = Seen::Last,
                Seen::Late => return Seen::Late,
            }
        }
        seen
    }

    /// Returns the interval of the checks.
    fn interval(&self) -> Duration {
        let shortest = self.times.header.min(self.times.write).min(self.times.life);
        (shortest / 4).clamp(Duration::from_millis(10), Duration::from_secs(5))
    }
}

/// Serves a connection until it ends. Calls without an answer continue.
pub(super) async fn serve<S, V, B>(connection: Connection<S>, service: V, stages: Watched)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    V: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
    V::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let Connection {
        opened: OpenedConnection { stream, peer, .. },
        times,
        health,
        grants,
        mut end,
        admission,
        ..
    } = connection;
    let tally = Arc::clone(end.tally());
    let is_finishing = AtomicBool::new(false);
    let mut aborted = pin!(end.aborted_after(&is_finishing));
    let streams = Streams::new();
    let mut watch = Watch::new(streams.clone(), times);
    let (peer, runtime) = (Arc::new(peer), Handle::current());
    let service = service_fn(move |request: Request<Incoming>| {
        let entered = streams.enter();
        let grants = Arc::new(grants.another());
        let request = received(request, &times, Arc::clone(&grants), &peer);
        let (service, health) = (service.clone(), health.clone());
        let (end, runtime) = (Some(stages.end()), runtime.clone());
        async move {
            let answer = match answer::ready(service, &health, &request).await {
                Ok(service) => {
                    let call = Call {
                        running: Some(Box::pin(answer::call(service, request))),
                        grants,
                        end,
                        runtime,
                    };
                    call.await
                }
                Err(answer) => answer,
            };
            if answer.extensions().get::<OnlyHttp1>().is_some() {
                return Err(h2::Error::from(h2::Reason::HTTP_1_1_REQUIRED));
            }
            Ok::<_, Reset>(answer.map(|body| entered.answer(Box::pin(body))))
        }
    });
    // `Watch` limits the time of a whole answer.
    let paced = Paced {
        stream,
        between: Pace::new(times.write, ENDLESS),
    };
    let connection = http2_builder().serve_connection(TokioIo::new(paced), service);
    let mut connection = pin!(connection);
    let mut timer = pin!(sleep(watch.interval()));
    std::future::poll_fn(|context| {
        if aborted.as_mut().poll(context).is_ready() {
            tally.cut_connection();
            return Poll::Ready(());
        }
        let seen = watch.poll(timer.as_mut(), context);
        if matches!(seen, Seen::Late) {
            return Poll::Ready(());
        }
        let is_last = matches!(seen, Seen::Last) || is_finishing.load(Ordering::Relaxed);
        if is_last && watch.told.is_none() {
            watch.told = Some(Instant::now());
            connection.as_mut().graceful_shutdown();
        }
        // No caller is left to report an error of the connection to.
        connection.as_mut().poll(context).map(drop)
    })
    .await;
    drop(admission);
}

fn http2_builder() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .max_concurrent_streams(MOST_STREAMS)
        .max_header_list_size(LONGEST_HEAD as u32)
        .initial_connection_window_size(WINDOW)
        .initial_stream_window_size(WINDOW)
        .max_send_buf_size(SEND_BUFFER);
    builder
}

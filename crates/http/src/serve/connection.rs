//! A connection over HTTP/1.1 and its calls.

use std::convert::Infallible;
use std::error::Error;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use tower_service::Service;

use super::addresses::Admission;
use super::answer;
use super::caller::Caller;
use super::head_wait::{Calls, HeadWait};
use super::health::Health;
use super::opening::OpenedConnection;
use super::pace::Pace;
use super::peer::Peer;
use super::request_body::RequestBody;
use super::stage::End;
use super::stopped::Tally;
use super::times::Times;
use super::until_woken::UntilWoken;
use svcgen_core::internals::{ConnectionGrants, close_connection};

/// The length of the longest head in bytes. IIS reads heads of up to 16 KiB.
pub(super) const LONGEST_HEAD: usize = 32 << 10;

/// The largest length of pieces of bodies in bytes, which hyper approaches while a caller sends
/// fast enough. The buffer of a connection has at most twice this size.
const LONGEST_PIECE: usize = 128 << 10;

/// The running call of a connection. hyper polls it from within the connection, and may be dropped
/// before it is ready.
struct RunningCall<F>(Mutex<Pin<Box<Option<F>>>>);

impl<F: Future> RunningCall<F> {
    fn start(&self, call: F) {
        self.with(|running| running.set(Some(call)));
    }

    /// Polls the call. Returns pending if there is none.
    fn poll(&self, context: &mut Context<'_>) -> Poll<F::Output> {
        self.with(|running| {
            let Some(call) = running.as_mut().as_pin_mut() else {
                return Poll::Pending;
            };
            let output = ready!(call.poll(context));
            running.set(None);
            Poll::Ready(output)
        })
    }

    fn is_some(&self) -> bool {
        self.with(|running| running.is_some())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Pin<Box<Option<F>>>) -> T) -> T {
        // `answer::call` catches panics.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(super) struct Connection<S> {
    pub(super) opened: OpenedConnection<S>,
    pub(super) is_broken: fn(&S) -> bool,
    pub(super) times: Times,
    pub(super) health: Option<Health>,
    pub(super) grants: Arc<ConnectionGrants>,
    pub(super) end: End,
    /// Dropped when the connection is closed.
    pub(super) admission: Admission,
}

/// Serves a connection until it ends, and then runs a call to its end whose caller is gone.
pub(super) async fn serve<S, V, B>(connection: Connection<S>, service: V)
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
        is_broken,
        times,
        health,
        grants,
        mut end,
        admission,
    } = connection;
    let tally = Arc::clone(end.tally());
    let is_finishing = AtomicBool::new(false);
    let aborted = pin!(end.aborted_after(&is_finishing));
    let mut aborted = UntilWoken::new(aborted);
    let (running, calls) = (RunningCall(Mutex::new(Box::pin(None))), Calls::default());
    let closing = Instant::now() + times.life;
    let ended = {
        let (running, grants, calls, peer) = (&running, &grants, &calls, &peer);
        let (health, tally, is_finishing) = (&health, &tally, &is_finishing);
        let head = HeadWait::new(calls.clone(), times.header, closing);
        let answer = Pace::new(times.write, times.answer);
        let caller = Caller::new(stream, is_broken, head, answer);
        let service = service_fn(move |request: Request<Incoming>| {
            calls.step();
            let request = received(request, &times, Arc::clone(grants), peer);
            let service = service.clone();
            async move {
                let mut answer = match answer::ready(service, health, &request).await {
                    Ok(service) => {
                        running.start(answer::call(service, request));
                        let answer = std::future::poll_fn(|context| running.poll(context)).await;
                        if is_finishing.load(Ordering::Relaxed) {
                            tally.finish_call();
                        }
                        answer
                    }
                    Err(answer) => answer,
                };
                calls.step();
                if Instant::now() >= closing {
                    close_connection(&mut answer);
                }
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = http1_builder().serve_connection(TokioIo::new(caller), service);
        let connection = pin!(connection);
        let mut connection = UntilWoken::new(connection);
        let mut is_told = false;
        std::future::poll_fn(|context| {
            if aborted.poll(context).is_ready() {
                return Poll::Ready(None);
            }
            if !is_told && is_finishing.load(Ordering::Relaxed) {
                is_told = true;
                connection.get_mut().as_mut().graceful_shutdown();
            }
            // No caller is left to report an error of the connection to.
            connection.poll(context).map(Some)
        })
        .await
    };
    drop(admission);
    if ended.is_none() {
        tally.cut_connection();
        tally.cut_calls(usize::from(running.is_some()));
        return;
    }
    if running.is_some() {
        grants.abandon();
        finish(&running, aborted, &is_finishing, &tally).await;
    }
}

/// Adds the information about its connection to a request.
pub(super) fn received(
    request: Request<Incoming>,
    times: &Times,
    grants: Arc<ConnectionGrants>,
    peer: &Peer,
) -> Request<RequestBody> {
    let mut request = request.map(|incoming| RequestBody::new(incoming, times.body));
    let extensions = request.extensions_mut();
    extensions.insert(grants);
    peer.describe(extensions);
    request
}

fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // `Caller` has a cheaper timeout.
        .header_read_timeout(None)
        .max_header_size(LONGEST_HEAD)
        .max_buf_size(LONGEST_PIECE)
        // Some callers close their side after sending the request.
        .half_close(true)
        // ASMX writes header names like this, and some callers compare them case-sensitively.
        .title_case_headers(true);
    builder
}

/// Runs a call whose caller is gone to its end, unless the server aborts it.
async fn finish<F: Future>(
    running: &RunningCall<F>,
    mut aborted: UntilWoken<Pin<&mut impl Future>>,
    is_finishing: &AtomicBool,
    tally: &Tally,
) {
    let answer = std::future::poll_fn(|context| {
        if aborted.poll(context).is_ready() {
            return Poll::Ready(None);
        }
        running.poll(context).map(Some)
    });
    match answer.await {
        None => tally.cut_calls(1),
        Some(_) if is_finishing.load(Ordering::Relaxed) => tally.finish_call(),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use svcgen_core::{OutgoingBody, Router};
    use tokio::net::TcpStream;

    use super::*;

    fn size<C, V, F: Future>(_: impl Fn(C, V) -> F) -> usize {
        size_of::<F>()
    }

    /// Each open connection has one such future, besides a buffer of hyper and the running call.
    #[test]
    fn a_connection_takes_about_two_kibibytes() {
        let size = size(serve::<TcpStream, Router, OutgoingBody>);
        assert!(size <= 2_100, "{size} bytes");
    }
}

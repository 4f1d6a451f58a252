//! Watchers of calls, on a server as a layer and on a client around a transport. A call begins, and
//! ends with an answer, without one, or when it is dropped.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use svcgen_core::{
    Binding, Model,
    layer::{CallRequest, CallResponse, Outcome},
    transport::{CalledOperation, Transport, TransportError},
};
use tower_service::Service;

/// The start of a call.
pub(crate) struct Begin<'r> {
    /// The model of the service, if it is known.
    pub(crate) model: Option<&'r Model>,
    pub(crate) operation: Option<&'r str>,
    pub(crate) binding: Option<Binding>,
    pub(crate) body: &'r Bytes,
    head: (&'r Method, &'r Uri, &'r HeaderMap),
}

impl<'r> Begin<'r> {
    fn of_server(request: &'r CallRequest) -> Self {
        Self {
            model: request.model(),
            operation: request.operation_name(),
            binding: request.binding(),
            body: request.body(),
            head: (request.method(), request.uri(), request.headers()),
        }
    }

    fn of_client(request: &'r Request<Bytes>) -> Self {
        let called = request.extensions().get::<CalledOperation>();
        Self {
            model: called.map(CalledOperation::model),
            operation: called.map(CalledOperation::operation),
            binding: called.map(CalledOperation::binding),
            body: request.body(),
            head: (request.method(), request.uri(), request.headers()),
        }
    }

    pub(crate) fn copy(&self) -> Request<Bytes> {
        let (method, uri, headers) = self.head;
        let mut request = Request::new(self.body.clone());
        *request.method_mut() = method.clone();
        *request.uri_mut() = uri.clone();
        *request.headers_mut() = headers.clone();
        request
    }
}

/// The end of a call.
pub(crate) enum End<'a> {
    /// The future of the call was dropped.
    Dropped,
    /// A server has answered the call. Without an answer, an inner layer failed.
    Answered(Option<&'a CallResponse>),
    /// A client has sent the call.
    Sent(&'a Result<Response<Bytes>, TransportError>),
}

impl<'a> End<'a> {
    /// Returns the name of the outcome for logs and labels. For a client, only the status shows
    /// whether an answer is a fault.
    pub(crate) fn outcome(&self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Answered(answer) => {
                let outcome = answer.map(|answer| *answer.outcome());
                outcome.unwrap_or(Outcome::Failed).name()
            }
            Self::Sent(Ok(response)) => match response.status() {
                status if status.as_u16() < 400 => "answered",
                StatusCode::INTERNAL_SERVER_ERROR => "fault",
                _ => "refused",
            },
            Self::Sent(Err(error)) => error.kind().name(),
        }
    }

    /// Returns the answer, if there is one.
    pub(crate) fn answer(&self) -> Option<(StatusCode, &'a HeaderMap, &'a Bytes)> {
        match *self {
            Self::Answered(Some(answer)) => {
                Some((answer.status(), answer.headers(), answer.body()))
            }
            Self::Sent(Ok(answer)) => Some((answer.status(), answer.headers(), answer.body())),
            Self::Dropped | Self::Answered(None) | Self::Sent(Err(_)) => None,
        }
    }
}

pub(crate) trait WatchedCall {
    /// Records the end of the call.
    fn end(self, end: &End<'_>);
}

/// A running call, whose end is recorded even if its future is dropped.
pub(crate) struct RunningCall<C: WatchedCall>(Option<C>);

impl<C: WatchedCall> RunningCall<C> {
    pub(crate) fn new(call: Option<C>) -> Self {
        Self(call)
    }

    pub(crate) fn end(mut self, end: &End<'_>) {
        if let Some(call) = self.0.take() {
            call.end(end);
        }
    }
}

impl<C: WatchedCall> Drop for RunningCall<C> {
    fn drop(&mut self) {
        if let Some(call) = self.0.take() {
            call.end(&End::Dropped);
        }
    }
}

/// Watches calls.
pub(crate) trait Watcher {
    /// The state of a watched call.
    type Call: WatchedCall;

    /// Starts watching a call. Returns `None` if the call is not watched.
    fn begin(&self, call: &Begin<'_>) -> Option<Self::Call>;
}

/// A watched service of calls, or a watched transport.
#[derive(Debug, Clone)]
pub struct Watched<S, W> {
    pub(crate) inner: S,
    pub(crate) watcher: W,
}

impl<S, W> Service<CallRequest> for Watched<S, W>
where
    S: Service<CallRequest, Response = CallResponse>,
    S::Future: Send + 'static,
    W: Watcher,
    W::Call: Send + 'static,
{
    type Response = CallResponse;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        let running = RunningCall::new(self.watcher.begin(&Begin::of_server(&request)));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            running.end(&End::Answered(answer.as_ref().ok()));
            answer
        })
    }
}

impl<T, W> Transport for Watched<T, W>
where
    T: Transport + Sync,
    W: Watcher + Sync,
    W::Call: Send,
{
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let running = RunningCall::new(self.watcher.begin(&Begin::of_client(&request)));
        let result = self.inner.send(request).await;
        running.end(&End::Sent(&result));
        result
    }

    fn timeout(&self) -> Option<Duration> {
        self.inner.timeout()
    }
}

/// Measures the time since the start of a call. In a browser, the standard library has no clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    began: Instant,
}

impl Stopwatch {
    /// Starts the measurement now.
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            began: Instant::now(),
        }
    }

    /// Returns the time since the start; zero in a browser.
    pub(crate) fn elapsed(self) -> Duration {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return self.began.elapsed();
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        Duration::ZERO
    }
}

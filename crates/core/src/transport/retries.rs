//! Retries of failed requests.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::{HeaderMap, Request, Response, StatusCode};
use tokio::time::{Instant, sleep};

use super::called_operation::CalledOperation;
use super::send::Transport;
use super::time::{CallTimeout, within};
use crate::maybe_send::MaybeSync;
use crate::transport_error::{TransportError, TransportErrorKind, Tries};

/// The number of tries of a call, the waits between them, and the time limit of each.
///
/// A call is retried if no connection could be made, because nothing was sent. After other failures
/// (a broken connection, a timeout of the try, the statuses 429, 502, 503 and 504), only operations
/// marked `read_only: true` are retried, because another call may have run although it failed.
/// Waits double each time, are shortened at random by up to half, but are never shorter than
/// `Retry-After`. If `Retry-After` exceeds the time left, or is a date, the call ends with this
/// answer.
///
/// The time limit of a call includes all tries and waits. It is set by
/// [`ClientCall::with_timeout`](crate::ClientCall::with_timeout), or by the transport, such as
/// `HttpTransport::with_timeout`; it is 100 seconds if the transport [has
/// none](Transport::timeout). [`with_try_timeout`](Self::with_try_timeout) limits a single try, so
/// that a silent server leaves time for another one.
///
/// ```
/// use std::time::Duration;
/// use svcgen::transport::Retries;
///
/// # fn example<T>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl Sized> {
/// let retries = Retries::new(4).with_try_timeout(Duration::from_secs(3));
/// client.with_retries(retries)
/// # }
/// ```
///
/// The error of the last try lists the others. Retries need a tokio runtime.
#[derive(Debug, Clone)]
pub struct Retries {
    tries: u32,
    try_timeout: Option<Duration>,
    waits: [Duration; 2],
}

impl Retries {
    /// Allows this many tries, including the first, with waits from 100 milliseconds to 5 seconds.
    pub fn new(tries: u32) -> Self {
        Self {
            tries,
            try_timeout: None,
            waits: [Duration::from_millis(100), Duration::from_secs(5)],
        }
    }

    /// Limits the time of each try. By default, a try may take the rest of the time of its call.
    #[must_use]
    pub fn with_try_timeout(mut self, time: Duration) -> Self {
        self.try_timeout = Some(time);
        self
    }

    /// Sets the wait before the second try, and the longest one.
    #[must_use]
    pub fn with_waits(mut self, first: Duration, longest: Duration) -> Self {
        self.waits = [first, longest];
        self
    }

    /// Returns the wait after this number of tries, if another one is allowed. `asked` is the wait
    /// that the server asked for.
    fn wait(&self, tries: u32, asked: Duration, left: Duration) -> Option<Duration> {
        let [first, longest] = self.waits;
        let doubled = first.saturating_mul(1 << (tries - 1).min(20)).min(longest);
        // Callers that failed at the same time do not retry at the same time.
        let random = RandomState::new().hash_one(tries) as f64 / u64::MAX as f64;
        let wait = doubled.mul_f64(1.0 - random / 2.0).max(asked);
        (tries < self.tries && wait < left).then_some(wait)
    }
}

/// The time limit of a call if its transport has none.
const CALL_TIMEOUT: Duration = Duration::from_secs(100);

/// A transport that retries failed requests: see [`Retries`].
#[derive(Debug, Clone)]
pub struct Retrying<T> {
    transport: T,
    retries: Retries,
}

impl<T> Retrying<T> {
    /// Creates a transport that sends requests through `transport`.
    pub fn new(transport: T, retries: Retries) -> Self {
        Self { transport, retries }
    }
}

impl<T: Transport + MaybeSync> Transport for Retrying<T> {
    async fn send(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let called = request.extensions().get::<CalledOperation>();
        let is_read_only = called.is_some_and(CalledOperation::is_read_only);
        let began = Instant::now();
        let of_call = request.extensions().get().map(|CallTimeout(time)| *time);
        let of_call = of_call.or_else(|| self.transport.timeout());
        let time = of_call.unwrap_or(CALL_TIMEOUT);
        let mut failures = Failures::default();
        loop {
            let left = time.saturating_sub(began.elapsed());
            let of_try = self.retries.try_timeout.map_or(left, |time| time.min(left));
            // The transport may have a limit that it does not report.
            if of_try < left || of_call.is_some() {
                request.extensions_mut().insert(CallTimeout(of_try));
            }
            let result = within(of_try, pin!(self.transport.send(request.clone()))).await;
            let asked = match &result {
                Ok(response) if !is_read_only || !is_busy(response.status()) => return result,
                Ok(response) => retry_after(response.headers()),
                Err(error) => may_help(error.kind(), is_read_only).then_some(Duration::ZERO),
            };
            failures.add(&result);
            let left = time.saturating_sub(began.elapsed());
            match asked.and_then(|asked| self.retries.wait(failures.count, asked, left)) {
                Some(wait) => sleep(wait).await,
                None => return failures.tell(result),
            }
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

/// Whether another try may help after an error of this kind, and cannot run a call twice that is
/// not read-only.
fn may_help(kind: TransportErrorKind, is_read_only: bool) -> bool {
    match kind {
        // Nothing was sent.
        TransportErrorKind::Connect => true,
        TransportErrorKind::Timeout | TransportErrorKind::Exchange => is_read_only,
        _ => false,
    }
}

/// Whether this is the status of a server that is busy or down, or of a proxy in front of it.
fn is_busy(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Returns the time in `Retry-After` (RFC 9110 §10.2.3); zero if the header is missing. Returns
/// `None` for a date, because it depends on another clock.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    match headers.get(RETRY_AFTER) {
        None => Some(Duration::ZERO),
        Some(value) => {
            let seconds = value.to_str().ok()?.trim().parse().ok()?;
            Some(Duration::from_secs(seconds))
        }
    }
}

/// The failed tries.
#[derive(Default)]
struct Failures {
    count: u32,
    /// The shown failures. Consecutive tries with the same failure are shown once.
    shown: Vec<String>,
    is_cut: bool,
}

impl Failures {
    fn add(&mut self, result: &Result<Response<Bytes>, TransportError>) {
        const SHOWN: usize = 5;
        self.count += 1;
        let failure = match result {
            Ok(response) => response.status().to_string(),
            Err(error) => error.to_string(),
        };
        if self.shown.last() == Some(&failure) {
            return;
        }
        match self.shown.len() {
            ..SHOWN => self.shown.push(failure),
            _ => self.is_cut = true,
        }
    }

    /// Adds the failed tries to the last result.
    fn tell(
        self,
        result: Result<Response<Bytes>, TransportError>,
    ) -> Result<Response<Bytes>, TransportError> {
        if self.count < 2 {
            return result;
        }
        let tries = Tries(self.to_string());
        match result {
            Ok(mut response) => {
                response.extensions_mut().insert(tries);
                Ok(response)
            }
            Err(error) => Err(error.with_tries(&tries)),
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.shown {
            [_] => write!(f, "{} tries, which failed alike", self.count),
            shown => {
                let dots = if self.is_cut { "; …" } else { "" };
                write!(f, "{} tries: {}{dots}", self.count, shown.join("; "))
            }
        }
    }
}

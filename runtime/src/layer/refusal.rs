//! The answers to calls whose layers fail.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

use super::call_request::CallRequest;
use super::call_response::CallResponse;
use super::slot::Slot;
use crate::binding::protocol::Protocol;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::outcome::Outcome;
use crate::response;

/// An error of a layer that is answered by HTTP instead of a fault: a status and headers, with a line of text.
///
/// ```
/// use svcgen::http::{HeaderValue, StatusCode, header};
/// use svcgen::layer::Refusal;
///
/// let refusal = Refusal::new(StatusCode::UNAUTHORIZED)
///     .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
/// assert_eq!(refusal.to_string(), "401 Unauthorized");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refusal {
    /// The status of the answer.
    pub status: StatusCode,
    /// Headers of the answer, besides `Content-Type` and the like. Boxed, so that it is a small error.
    pub headers: Box<HeaderMap>,
    /// The line of text; `None` for that of the status, such as `401 Unauthorized`.
    pub text: Option<String>,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: StatusCode) -> Self {
        Self {
            status,
            headers: Box::default(),
            text: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets the line of text.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The refusal that is an error or one of its sources.
    #[cfg(feature = "serve")]
    pub(crate) fn among<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(refusal) = found(error) {
                return Some(refusal);
            }
            cause = error.source();
        }
        None
    }

    pub(crate) fn response(&self) -> Response<Bytes> {
        let mut response = response::refused(self.status, &self.to_string());
        response
            .headers_mut()
            .extend(HeaderMap::clone(&self.headers));
        response
    }
}

/// The line of text.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => write!(f, "{}", self.status),
        }
    }
}

impl Error for Refusal {}

/// A layer panicked.
#[derive(Debug)]
pub(super) struct Panicked;

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("A layer panicked.")
    }
}

impl Error for Panicked {}

/// What the answer to an error of a layer depends on.
#[derive(Clone)]
pub(super) struct Failures {
    protocol: Option<&'static dyn Protocol>,
    slot: Arc<Slot>,
}

impl Failures {
    pub(super) fn of(request: &CallRequest) -> Self {
        Self {
            protocol: request.protocol(),
            slot: Arc::clone(request.slot()),
        }
    }

    /// The answer to an error.
    pub(super) fn answer(&self, error: &(dyn Error + Send + Sync + 'static)) -> CallResponse {
        let outcome = if error.is::<Panicked>() {
            Outcome::Panicked
        } else if self.slot.is_open() {
            Outcome::Refused
        } else {
            Outcome::Failed
        };
        let mut cause: Option<&(dyn Error + 'static)> = Some(error);
        let mut answer = None;
        while let (Some(error), None) = (cause, &answer) {
            let fault = || found::<Fault>(error).map(|fault| self.failed(fault.clone()));
            answer = found(error).map(refused).or_else(fault);
            cause = error.source();
        }
        let answer = answer.unwrap_or_else(|| self.failed(Fault::server(error)));
        answer.with_outcome(outcome)
    }

    /// The answer to a call whose layers take too long.
    pub(super) fn timed_out(&self) -> CallResponse {
        let answer = self.failed(Fault::server("Request timed out."));
        answer.with_outcome(Outcome::TimedOut)
    }

    /// The answer to a call whose caller is gone.
    pub(super) fn abandoned(&self) -> CallResponse {
        let answer = self.failed(Fault::server("The caller is gone."));
        answer.with_outcome(Outcome::Abandoned)
    }

    fn failed(&self, fault: Fault) -> CallResponse {
        CallResponse::failed(self.protocol, Failure::told(fault.bounded()))
    }
}

fn found<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let boxed = || error.downcast_ref::<Box<E>>().map(|boxed| &**boxed);
    error.downcast_ref().or_else(boxed)
}

fn refused(refusal: &Refusal) -> CallResponse {
    CallResponse::no_call(refusal.response())
}

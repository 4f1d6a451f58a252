//! The answers to calls whose layers fail.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::call_request::CallRequest;
use super::call_response::CallResponse;
use super::report::{is_traced, report};
use super::slot::Slot;
use crate::binding::protocol::BindingRouter;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::outcome::Outcome;
use crate::response;

/// An error of a layer that sets the answer to the call: an HTTP status with a line of text, or a
/// fault over the binding of the call.
///
/// ```
/// use svcgen::Fault;
/// use svcgen::http::{HeaderValue, StatusCode, header};
/// use svcgen::layer::Refusal;
///
/// let refusal = Refusal::new(StatusCode::UNAUTHORIZED)
///     .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
/// assert_eq!(refusal.to_string(), "401 Unauthorized");
/// let refusal = Refusal::from(Fault::client("Only Ann may store."));
/// assert_eq!(refusal.to_string(), "Only Ann may store.");
/// ```
#[derive(Debug, Clone)]
pub struct Refusal {
    answer: Answer,
    /// Boxed, so that the error is small.
    headers: Box<HeaderMap>,
}

#[derive(Debug, Clone)]
enum Answer {
    /// A status, with a line of text or else the name of the status.
    Status(StatusCode, Option<String>),
    Fault(Fault),
}

impl Refusal {
    /// Creates a refusal with this status, whose name is the line of text: `401 Unauthorized`.
    pub fn new(status: StatusCode) -> Self {
        Answer::Status(status, None).into()
    }

    /// Adds a header to the answer, besides `Content-Type` and the like.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets the line of text, or the text of the fault.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.answer = match self.answer {
            Answer::Status(status, _) => Answer::Status(status, Some(text)),
            Answer::Fault(fault) => Answer::Fault(fault.with_text(text)),
        };
        self
    }

    /// Returns the refusal that is an error itself or one of its sources.
    pub fn among<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let boxed = || error.downcast_ref::<Box<Self>>().map(|boxed| &**boxed);
            if let Some(refusal) = error.downcast_ref().or_else(boxed) {
                return Some(refusal);
            }
            cause = error.source();
        }
        None
    }

    /// Returns the answer if no binding is known in which a fault could be written.
    pub fn response(&self) -> http::Response<bytes::Bytes> {
        self.answer(None).into_response()
    }

    fn answer(&self, protocol: Option<&'static dyn BindingRouter>) -> CallResponse {
        let mut answer = match &self.answer {
            Answer::Status(status, _) => {
                CallResponse::no_call(response::refused(*status, &self.to_string()))
            }
            Answer::Fault(fault) => failed(protocol, fault.clone()),
        };
        let headers = HeaderMap::clone(&self.headers);
        answer.headers_mut().extend(headers);
        answer
    }
}

impl From<Answer> for Refusal {
    fn from(answer: Answer) -> Self {
        let headers = Box::default();
        Self { answer, headers }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Answer::Fault(fault).into()
    }
}

/// Writes the line of text, or the text of the fault.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.answer {
            Answer::Status(_, Some(text)) => f.write_str(text),
            Answer::Status(status, None) => write!(f, "{status}"),
            Answer::Fault(fault) => write!(f, "{fault}"),
        }
    }
}

impl Error for Refusal {}

/// The error of a layer that panicked.
#[derive(Debug)]
pub(super) struct Panicked;

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("A layer panicked.")
    }
}

impl Error for Panicked {}

/// The parts of a request that the answer to an error of a layer depends on.
#[derive(Clone)]
pub(super) struct Failures {
    protocol: Option<&'static dyn BindingRouter>,
    slot: Arc<Slot>,
    is_traced: bool,
}

impl Failures {
    pub(super) fn of(request: &CallRequest) -> Self {
        Self {
            protocol: request.protocol(),
            slot: Arc::clone(request.slot()),
            is_traced: is_traced(request.extensions()),
        }
    }

    /// Returns the answer to an error.
    pub(super) fn answer(&self, error: Box<dyn Error + Send + Sync>) -> CallResponse {
        let outcome = if error.is::<Panicked>() {
            Outcome::Panicked
        } else if self.slot.is_open() {
            Outcome::Refused
        } else {
            Outcome::Failed
        };
        let answer = match Refusal::among(&*error) {
            Some(refusal) => refusal.answer(self.protocol),
            None if error.is::<Panicked>() => self.failed(Fault::exception(error)),
            None => self.failed(error.into()),
        };
        let answer = answer.with_outcome(outcome);
        if !self.is_traced {
            report(&answer, None, None);
        }
        answer
    }

    /// Returns the answer to a call whose layers take too long.
    pub(super) fn timed_out(&self) -> CallResponse {
        let answer = self.failed(Fault::exception("Request timed out."));
        answer.with_outcome(Outcome::TimedOut)
    }

    /// Returns the answer to a call whose caller is gone.
    pub(super) fn abandoned(&self) -> CallResponse {
        let answer = self.failed(Fault::exception("The caller is gone."));
        answer.with_outcome(Outcome::Abandoned)
    }

    fn failed(&self, fault: Fault) -> CallResponse {
        failed(self.protocol, fault)
    }
}

fn failed(protocol: Option<&'static dyn BindingRouter>, fault: Fault) -> CallResponse {
    CallResponse::failed(protocol, Failure::told(fault.bounded()))
}

//! Failures of calls.

use std::fmt;

use http::StatusCode;

use crate::body::BodyError;
use crate::fault::{Fault, FaultCode, Stage, unwritable};
use crate::outcome::Outcome;
use svcgen_wire::{ReadError, ReadErrorKind, WriteError, internals::innermost};

/// Why a call has no answer: a fault and its HTTP status.
#[derive(Debug)]
pub struct Failure {
    pub(crate) fault: Fault,
    pub(crate) status: StatusCode,
    /// Whether it happened before the call, which decides `Cache-Control`.
    pub(crate) early: bool,
    /// Whether the caller of a one-way operation hears nothing of it: the handler failed, a header
    /// was not understood, or the Body holds another element than the action names.
    pub(crate) untold: bool,
    /// The text over HTTP GET and POST, if it is not the fault's.
    pub(crate) form_text: Option<&'static str>,
    /// What became of the call.
    pub(crate) outcome: Outcome,
}

impl Failure {
    /// A failure before the call. The text of the fault may quote the request.
    pub(crate) fn early(fault: Fault) -> Self {
        Self {
            early: true,
            ..Self::told(fault.bounded())
        }
    }

    /// A refusal that the caller of a one-way operation is told, too.
    pub(crate) fn told(fault: Fault) -> Self {
        Self {
            untold: false,
            outcome: Outcome::Refused,
            ..Self::from(fault)
        }
    }

    /// The handler did not return.
    pub(crate) fn no_return(outcome: Outcome, text: &str) -> Self {
        Self {
            outcome,
            ..Self::from(Fault::exception(text))
        }
    }

    /// The service has no operation of this index, because it was emitted from another definition
    /// than its model.
    pub fn no_operation(index: usize) -> Self {
        let text = format_args!("The service has no operation {index}.");
        Self::early(Fault::exception(text))
    }

    /// A header must be understood and is not.
    pub(crate) fn not_understood(name: &str) -> Self {
        let text = format_args!("SOAP header {name} was not understood.");
        Self {
            early: false,
            untold: true,
            ..Self::early(Fault::new(FaultCode::MustUnderstand, text))
        }
    }

    /// The XML of the request is well-formed and no message of the service.
    pub(crate) fn request_format(message: impl fmt::Display) -> Self {
        Self::early(Fault::at(
            Stage::Reading,
            FaultCode::Client,
            format_args!("Request format is invalid: {message}"),
        ))
    }

    /// The server has no room for the call; it may have later.
    pub(crate) fn busy(message: impl fmt::Display) -> Self {
        let text = format_args!("The service is busy: {message}. Send the request again later.");
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Self::early(Fault::exception(text))
        }
    }

    /// A body in gzip cannot be inflated.
    pub(crate) fn of_gzip(error: BodyError<std::io::Error>) -> Self {
        match error {
            BodyError::TooLong => error.into(),
            BodyError::Broken(_) => {
                Self::malformed("The body of the request is not gzip, or is cut off.")
            }
        }
    }

    /// The request is not well-formed XML.
    pub(crate) fn malformed(message: impl fmt::Display) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            ..Self::early(Fault::at(Stage::Reading, FaultCode::Client, message))
        }
    }
}

/// The handler failed.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            early: false,
            // A call that nothing runs must not look like one that was accepted.
            untold: !fault.is_unwritten(),
            fault,
            form_text: None,
            outcome: Outcome::Fault,
        }
    }
}

/// The parameters could not be read.
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let message = match (error.line(), error.column()) {
            (Some(line), Some(column)) => {
                format!(
                    "There is an error in XML document ({line}, {column}). ---> {}",
                    error.message()
                )
            }
            _ => error.message().to_owned(),
        };
        match error.kind() {
            // ASMX answers these without a text, so the text may hold more than the place.
            ReadErrorKind::Malformed | ReadErrorKind::Limit => match &*innermost(error.path()) {
                "" => Self::malformed(message),
                path => Self::malformed(format_args!("{message} ---> at {path}")),
            },
            _ => Self::early(Fault::at(Stage::Reading, FaultCode::Client, message)),
        }
    }
}

/// The result could not be written.
impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Fault::exception(unwritable(&error)).into()
    }
}

impl<E> From<BodyError<E>> for Failure {
    fn from(error: BodyError<E>) -> Self {
        match error {
            BodyError::TooLong => Self {
                form_text: Some("Upload size exceeds httpRuntime limit."),
                ..Self::early(Fault::exception("Maximum request length exceeded."))
            },
            BodyError::Broken(_) => Self::malformed("The body of the request ended early."),
        }
    }
}

//! Failures of calls.

use std::fmt;

use http::StatusCode;

use crate::body::BodyError;
use crate::fault::{Fault, FaultCode, Stage, unwritable};
use crate::outcome::Outcome;
use svcgen_wire::{ReadError, ReadErrorKind, WriteError, internals::innermost};

/// The reason why a call has no answer: a fault and its HTTP status.
#[derive(Debug)]
pub struct Failure {
    pub(crate) fault: Fault,
    pub(crate) status: StatusCode,
    /// Whether the failure happened before the call, which decides `Cache-Control`.
    pub(crate) early: bool,
    /// Whether the failure is hidden from the caller of a one-way operation: the handler failed, a
    /// header was not understood, or the Body contains another element than the action names.
    pub(crate) untold: bool,
    /// The text over HTTP GET and POST, if it is not the text of the fault.
    pub(crate) form_text: Option<&'static str>,
    /// The outcome of the call.
    pub(crate) outcome: Outcome,
}

impl Failure {
    /// Creates a failure before the call. The text of the fault may quote the request.
    pub(crate) fn early(fault: Fault) -> Self {
        Self {
            early: true,
            ..Self::told(fault.bounded())
        }
    }

    /// Creates a refusal that the caller of a one-way operation gets, too.
    pub(crate) fn told(fault: Fault) -> Self {
        Self {
            untold: false,
            outcome: Outcome::Refused,
            ..Self::from(fault)
        }
    }

    /// Creates the failure of a handler that did not return.
    pub(crate) fn no_return(outcome: Outcome, text: &str) -> Self {
        Self {
            outcome,
            ..Self::from(Fault::exception(text))
        }
    }

    /// Creates the failure of a service without an operation of this index, because it was emitted
    /// from another definition than its model.
    pub fn no_operation(index: usize) -> Self {
        let text = format_args!("The service has no operation {index}.");
        Self::early(Fault::exception(text))
    }

    /// Creates the failure of a header that must be understood, but is not.
    pub(crate) fn not_understood(name: &str) -> Self {
        let text = format_args!("SOAP header {name} was not understood.");
        Self {
            early: false,
            untold: true,
            ..Self::early(Fault::new(FaultCode::MustUnderstand, text))
        }
    }

    /// Creates the failure of a request whose XML is well-formed, but is not a message of the
    /// service.
    pub(crate) fn request_format(message: impl fmt::Display) -> Self {
        Self::early(Fault::at(
            Stage::Reading,
            FaultCode::Client,
            format_args!("Request format is invalid: {message}"),
        ))
    }

    /// Creates the failure of a server that has no room for the call at the moment.
    pub(crate) fn busy(message: impl fmt::Display) -> Self {
        let text = format_args!("The service is busy: {message}. Send the request again later.");
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Self::early(Fault::exception(text))
        }
    }

    /// Creates the failure of a request whose body in gzip cannot be decompressed.
    pub(crate) fn of_gzip(error: BodyError<std::io::Error>) -> Self {
        match error {
            BodyError::TooLong => error.into(),
            BodyError::Broken(_) => {
                Self::malformed("The body of the request is not gzip, or is cut off.")
            }
        }
    }

    /// Creates the failure of a request that is malformed, for example not well-formed XML.
    pub(crate) fn malformed(message: impl fmt::Display) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            ..Self::early(Fault::at(Stage::Reading, FaultCode::Client, message))
        }
    }
}

/// Converts the fault of a handler.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            early: false,
            // A call without a handler must not look like an accepted call.
            untold: !fault.is_unwritten(),
            fault,
            form_text: None,
            outcome: Outcome::Fault,
        }
    }
}

/// Converts the error of parameters that cannot be read.
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
            // ASMX answers these without a text, so the text may contain more than the place.
            ReadErrorKind::Malformed | ReadErrorKind::Limit => match &*innermost(error.path()) {
                "" => Self::malformed(message),
                path => Self::malformed(format_args!("{message} ---> at {path}")),
            },
            _ => Self::early(Fault::at(Stage::Reading, FaultCode::Client, message)),
        }
    }
}

/// Converts the error of a result that cannot be written.
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

//! Why a call has no result.

use std::fmt;

use http::StatusCode;
use svcgen_model::Binding;

use crate::fault::Fault;
use crate::transport::TransportError;
use crate::xml::{ReadError, WriteError};

/// Why a call has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The request was not carried, or its response not brought back.
    Transport(TransportError),
    /// The server answered with an HTTP status that is no answer of a service.
    Status {
        /// The status.
        status: StatusCode,
        /// The beginning of the text that came with it.
        text: String,
    },
    /// The service answered with a fault.
    Fault(Fault),
    /// The answer is malformed, or a value in it is not of its type.
    Read(ReadError),
    /// A parameter cannot be written; nothing was sent.
    Write(WriteError),
    /// What came back is no answer of this operation, said in words.
    Answer(String),
    /// The answer lacks the result.
    MissingResult {
        /// The element of the result.
        element: String,
    },
    /// The operation is not offered over the client's binding; nothing was sent.
    Binding {
        /// The operation.
        operation: String,
        /// The client's binding.
        binding: Binding,
    },
    /// SOAP headers were given, which the client's binding does not carry; nothing was sent.
    Headers {
        /// The operation.
        operation: String,
        /// The client's binding.
        binding: Binding,
    },
    /// The action of the operation cannot stand in an HTTP header; nothing was sent.
    Action {
        /// The operation.
        operation: String,
    },
    /// The address cannot be used, said in words; nothing was sent.
    Url(String),
}

impl CallError {
    /// The fault, if the service answered with one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Status { status, text } if text.is_empty() => {
                write!(f, "the server answered {status}")
            }
            Self::Status { status, text } => write!(f, "the server answered {status}: {text}"),
            Self::Fault(fault) => write!(
                f,
                "the service answered with a fault ({}): {fault}",
                fault.code()
            ),
            Self::Read(error) => write!(f, "the answer cannot be read: {error}"),
            Self::Write(error) => write!(f, "the request cannot be written: {error}"),
            Self::Answer(message) => f.write_str(message),
            Self::MissingResult { element } => write!(f, "the answer lacks the element {element}"),
            Self::Binding { operation, binding } => {
                write!(f, "the operation {operation} is not offered over {binding}")
            }
            Self::Headers { operation, binding } => {
                write!(
                    f,
                    "the SOAP headers given to {operation} cannot be sent over {binding}"
                )
            }
            Self::Action { operation } => write!(
                f,
                "the action of the operation {operation} cannot stand in an HTTP header"
            ),
            Self::Url(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => Some(error),
            Self::Fault(fault) => Some(fault),
            Self::Read(error) => Some(error),
            Self::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl From<TransportError> for CallError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<ReadError> for CallError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for CallError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

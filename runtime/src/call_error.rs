//! Why a call has no result.

use std::fmt;

use http::StatusCode;
use svcgen_model::Binding;

use crate::error_text::printable;
use crate::fault::Fault;
use crate::transport::TransportError;
use crate::values::Reader;
use crate::xml::{ReadError, WriteError};

/// Why a call has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The transport failed.
    Transport(TransportError),
    /// The server answered with an HTTP status that no service answers with.
    Status {
        /// The status.
        status: StatusCode,
        /// The beginning of its text.
        text: String,
    },
    /// The service answered with a fault.
    Fault(Fault),
    /// The answer is malformed, or a value in it is not of its type.
    Read(ReadError),
    /// A parameter cannot be written; nothing was sent.
    Write(WriteError),
    /// The answer is longer than [`Limits::body`](crate::Limits::body).
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The answer is compressed, though the request did not accept that.
    Compressed {
        /// Its content coding.
        coding: String,
    },
    /// The answer is not text in its encoding, for this reason.
    NotText(String),
    /// The answer is not of a media type of the binding.
    MediaType {
        /// What was expected.
        expected: &'static str,
        /// The media type and the beginning of the answer.
        found: String,
    },
    /// The answer is XML, but not a SOAP envelope.
    NotAnEnvelope {
        /// Its root element, with its prefix.
        element: String,
    },
    /// The envelope has no Body.
    NoBody,
    /// The Body of the envelope is empty.
    EmptyBody,
    /// The answer holds another element than the operation's.
    UnexpectedElement {
        /// The namespace and the local name of the element.
        found: [String; 2],
        /// Those of the operation's element.
        expected: [String; 2],
    },
    /// The answer has a SOAP header that must be understood and that the operation does not know.
    HeaderNotUnderstood {
        /// Its name.
        header: String,
    },
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
    /// The action of the operation is not a valid HTTP header value; nothing was sent.
    Action {
        /// The operation.
        operation: String,
    },
    /// A header of the HTTP request cannot be sent; nothing was sent.
    HttpHeader {
        /// Its name; empty if that is not valid.
        name: String,
        /// Why.
        why: String,
    },
    /// A SOAP header that was added to the call is not a well-formed element; nothing was sent.
    SoapHeader(ReadError),
    /// The URL cannot be used, for this reason; nothing was sent.
    Url(String),
}

impl CallError {
    pub(crate) fn unexpected_element(reader: &Reader<'_>, expected: [&str; 2]) -> Self {
        Self::UnexpectedElement {
            found: [
                reader.namespace().to_owned(),
                reader.local_name().to_owned(),
            ],
            expected: expected.map(str::to_owned),
        }
    }

    /// The fault, if the service answered with one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// On one line and without control characters, whatever the answer holds.
impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Status { status, text } if text.is_empty() => {
                write!(f, "the server answered {status}")
            }
            Self::Status { status, text } => {
                write!(f, "the server answered {status}: {}", printable(text))
            }
            Self::Fault(fault) => write!(
                f,
                "the service answered with a fault ({}): {fault}",
                fault.code()
            ),
            Self::Read(error) => write!(f, "the answer cannot be read: {error}"),
            Self::Write(error) => write!(f, "the request cannot be written: {error}"),
            Self::TooLong { limit } => write!(f, "the answer is longer than {limit} bytes"),
            Self::Compressed { coding } => write!(
                f,
                "the answer is compressed ({}) though that was not asked for",
                printable(coding)
            ),
            Self::NotText(why) => write!(f, "the answer is not text: {}", printable(why)),
            Self::MediaType { expected, found } => {
                write!(f, "the answer is not {expected} but {}", printable(found))
            }
            Self::NotAnEnvelope { element } => {
                write!(
                    f,
                    "the answer is no SOAP envelope but the element {}",
                    printable(element)
                )
            }
            Self::NoBody => f.write_str("the answer has no Body"),
            Self::EmptyBody => f.write_str("the Body of the answer is empty"),
            Self::UnexpectedElement {
                found: [namespace, name],
                expected: [expected_namespace, expected],
            } => write!(
                f,
                "the answer holds the element {} of namespace {} where {expected} of {expected_namespace} was expected",
                printable(name),
                printable(namespace)
            ),
            Self::HeaderNotUnderstood { header } => write!(
                f,
                "the answer has the header {}, which must be understood and is not known",
                printable(header)
            ),
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
            Self::HttpHeader { name, why } if name.is_empty() => {
                write!(
                    f,
                    "a header of the request cannot be sent: {}",
                    printable(why)
                )
            }
            Self::HttpHeader { name, why } => {
                write!(
                    f,
                    "the header {name} of the request cannot be sent: {}",
                    printable(why)
                )
            }
            Self::SoapHeader(error) => write!(f, "the SOAP header cannot be sent: {error}"),
            Self::Url(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The messages of the others contain those of their sources.
        match self {
            Self::Transport(error) => error.source(),
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

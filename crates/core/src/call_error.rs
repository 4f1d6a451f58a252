//! The reason why a call has no result.

mod kind;
mod status_hint;

use std::borrow::Cow;
use std::fmt;

use http::StatusCode;
use svcgen_model::Binding;

use crate::fault::{Fault, FaultCode};
use crate::transport_error::{TransportError, TransportErrorKind};
pub use kind::CallErrorKind;
pub(crate) use status_hint::status_hint;
use svcgen_wire::{ReadError, ReadErrorKind, Reader, WriteError, internals::printable};

/// The reason why a call has no result.
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
        /// A hint for the user.
        hint: Option<String>,
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
    /// The answer is compressed, although the request did not accept compression.
    Compressed {
        /// Its content coding.
        coding: String,
    },
    /// The answer is not text in its encoding, for this reason.
    NotText(String),
    /// The answer is not of a media type of the binding.
    MediaType {
        /// The expected media type.
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
    /// The answer contains another element than the operation's.
    UnexpectedElement {
        /// The namespace and the local name of the element.
        found: [String; 2],
        /// The namespace and the local name of the operation's element.
        expected: [String; 2],
    },
    /// The answer has an unknown SOAP header with `mustUnderstand`.
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
    /// The client's binding does not carry SOAP headers, but some were given; nothing was sent.
    Headers {
        /// The operation.
        operation: String,
        /// The client's binding.
        binding: Binding,
    },
    /// The client or its binding does not carry attachments, but some were given; nothing was sent.
    Attachments {
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
        /// The name of the header; empty if it is not valid.
        name: String,
        /// The reason.
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

    /// Returns the kind of the error.
    ///
    /// ```
    /// # use svcgen::{CallError, CallErrorKind};
    /// fn is_up(error: &CallError) -> bool {
    ///     !matches!(error.kind(), CallErrorKind::Transport | CallErrorKind::Timeout)
    /// }
    /// ```
    pub fn kind(&self) -> CallErrorKind {
        match self {
            Self::Transport(error) => match error.kind() {
                TransportErrorKind::Timeout => CallErrorKind::Timeout,
                TransportErrorKind::TooLong => CallErrorKind::Limit,
                TransportErrorKind::Scheme => CallErrorKind::Request,
                _ => CallErrorKind::Transport,
            },
            Self::Status { .. } => CallErrorKind::Status,
            Self::Fault(_) => CallErrorKind::Fault,
            Self::Read(error) => match error.kind() {
                ReadErrorKind::Malformed => CallErrorKind::IllFormed,
                ReadErrorKind::Limit => CallErrorKind::Limit,
                // A value is not of its type, or is missing.
                _ => CallErrorKind::Value,
            },
            Self::TooLong { .. } => CallErrorKind::Limit,
            Self::Compressed { .. }
            | Self::NotText(_)
            | Self::MediaType { .. }
            | Self::NotAnEnvelope { .. } => CallErrorKind::Content,
            Self::NoBody
            | Self::EmptyBody
            | Self::UnexpectedElement { .. }
            | Self::MissingResult { .. } => CallErrorKind::Element,
            Self::HeaderNotUnderstood { .. } => CallErrorKind::Header,
            Self::Write(_)
            | Self::Binding { .. }
            | Self::Headers { .. }
            | Self::Attachments { .. }
            | Self::Action { .. }
            | Self::HttpHeader { .. }
            | Self::SoapHeader(_)
            | Self::Url(_) => CallErrorKind::Request,
        }
    }

    /// Returns a hint for the user, which is also the end of the message.
    pub fn hint(&self) -> Option<Cow<'_, str>> {
        let hint = match self {
            Self::Transport(error) => match error.kind() {
                TransportErrorKind::Connect if error.is_of_tls() => "nothing was sent",
                TransportErrorKind::Connect => {
                    "nothing was sent; the server may be down, or its host or port is another one"
                }
                TransportErrorKind::Timeout => {
                    "the service may have run the call; `with_timeout` gives it more time"
                }
                TransportErrorKind::TooLong => "the transport sets the limit",
                TransportErrorKind::Exchange => "the service may have run the call",
                _ => return None,
            },
            Self::Status { hint, .. } => return hint.as_deref().map(Cow::Borrowed),
            Self::Fault(fault)
                if fault.text().starts_with(
                    "Server did not recognize the value of HTTP Header SOAPAction",
                ) =>
            {
                "the service has no such operation, or another namespace than its definition"
            }
            Self::Fault(fault) if fault.text() == "There was an error processing the request." => {
                "the service hides its errors (`customErrors`); its own log tells more"
            }
            Self::Read(error) if error.kind() == ReadErrorKind::Limit => {
                "`Client::with_limits` sets other limits"
            }
            Self::TooLong { .. } => "`Client::with_limits` sets another limit",
            Self::Compressed { .. } => "a transport has to decompress what it asks for",
            Self::MediaType { found, .. } if found.starts_with("text/html") => {
                "a web page, as at another URL than that of the service, or of a sign-in or a proxy"
            }
            Self::MediaType { found, .. } if found.starts_with("multipart/related") => {
                "`with_attachments` of `svcgen-attachments` reads attachments (MTOM)"
            }
            Self::NotAnEnvelope { .. } => "the URL may not be that of the service",
            Self::UnexpectedElement { found, expected } if found[1] == expected[1] => {
                "the service has another namespace than its definition"
            }
            Self::UnexpectedElement { found, expected } if found[0] == expected[0] => {
                "it is the answer of another operation"
            }
            Self::Attachments { binding, .. } if binding.is_soap() => {
                "`with_attachments` of `svcgen-attachments` makes a client that carries them"
            }
            Self::Attachments { .. } => "SOAP carries them; `with_binding` chooses another binding",
            Self::Binding { .. } | Self::Headers { .. } => "`with_binding` chooses another binding",
            _ => return None,
        };
        Some(Cow::Borrowed(hint))
    }

    /// Returns whether the service may have run the call. If not, nothing was sent.
    pub fn may_have_run(&self) -> bool {
        let is_unconnected =
            matches!(self, Self::Transport(error) if error.kind() == TransportErrorKind::Connect);
        !is_unconnected && self.kind() != CallErrorKind::Request
    }

    /// Adds a description of the tries that ended with this status.
    pub(crate) fn with_tries(mut self, tries: &str) -> Self {
        if let Self::Status { hint, .. } = &mut self {
            let before = hint.take().map(|hint| hint + "; ").unwrap_or_default();
            *hint = Some(before + tries);
        }
        self
    }

    /// Returns the fault, if the service answered with one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// Writes one line without control characters, for any content of the answer. If there is a
/// [`hint`](CallError::hint), it is the end of the line.
impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &str::to_owned)
    }
}

/// An error, and a function that shows texts of the answer.
struct TextWith<'e, S>(&'e CallError, S);

impl<S: Fn(&str) -> String> fmt::Display for TextWith<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, &self.1)
    }
}

impl CallError {
    /// Returns the message of `Display`, with each text that may quote a message, such as a secret,
    /// replaced by the result of `show`. The words around it stay.
    ///
    /// ```
    /// use svcgen::{CallError, Fault};
    ///
    /// let error = CallError::Fault(Fault::client("No user hunter2."));
    /// let text = error.text_with(|text| text.replace("hunter2", "[secret]"));
    /// assert_eq!(text, "the service answered with a fault (Client): No user [secret].");
    /// ```
    pub fn text_with(&self, show: impl Fn(&str) -> String) -> String {
        TextWith(self, show).to_string()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, show: &dyn Fn(&str) -> String) -> fmt::Result {
        self.write_own(f, show)?;
        match self.hint() {
            Some(hint) => write!(f, " (hint: {hint})"),
            None => Ok(()),
        }
    }

    /// Writes the message without the hint.
    fn write_own(&self, f: &mut fmt::Formatter<'_>, show: &dyn Fn(&str) -> String) -> fmt::Result {
        let printable = |text: &str| printable(&show(text));
        match self {
            Self::Transport(error) => write!(f, "{error}"),
            Self::Status { status, text, .. } if text.is_empty() => {
                write!(f, "the server answered {status}")
            }
            Self::Status { status, text, .. } => {
                write!(f, "the server answered {status}: {}", printable(text))
            }
            Self::Fault(fault) => write!(
                f,
                "the service answered with a fault ({}): {}",
                match fault.code() {
                    FaultCode::Other(code) => printable(&code.to_string()),
                    code => code.to_string(),
                },
                printable(fault.text())
            ),
            Self::Read(error) => {
                let error = show(&error.to_string());
                write!(f, "the answer cannot be read: {error}")
            }
            Self::Write(error) => {
                let error = show(&error.to_string());
                write!(f, "the request cannot be written: {error}")
            }
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
                    "the answer is not a SOAP envelope but the element {}",
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
                "the answer holds the element {} of {} where {expected} of {expected_namespace} was expected",
                printable(name),
                match namespace.as_str() {
                    "" => "no namespace".to_owned(),
                    namespace => format!("the namespace {}", printable(namespace)),
                }
            ),
            Self::HeaderNotUnderstood { header } => write!(
                f,
                "the answer has the header {}, which must be understood and is not known",
                printable(header)
            ),
            Self::MissingResult { element } => write!(f, "the answer lacks the element {element}"),
            Self::Binding { .. }
            | Self::Headers { .. }
            | Self::Attachments { .. }
            | Self::Action { .. }
            | Self::HttpHeader { .. }
            | Self::SoapHeader(_)
            | Self::Url(_) => self.write_unsent(f, show),
        }
    }

    /// Writes the reason why nothing was sent.
    fn write_unsent(
        &self,
        f: &mut fmt::Formatter<'_>,
        show: &dyn Fn(&str) -> String,
    ) -> fmt::Result {
        let printable = |text: &str| printable(&show(text));
        match self {
            Self::Binding { operation, binding } => {
                write!(f, "the operation {operation} is not offered over {binding}")
            }
            Self::Headers { operation, binding } => {
                write!(
                    f,
                    "the SOAP headers given to {operation} cannot be sent over {binding}"
                )
            }
            Self::Attachments { operation, binding } => write!(
                f,
                "the attachments given to {operation} cannot be sent over {binding} by this client"
            ),
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
            Self::SoapHeader(error) => {
                let error = show(&error.to_string());
                write!(f, "the SOAP header cannot be sent: {error}")
            }
            Self::Url(message) => f.write_str(message),
            _ => unreachable!("it is about an answer"),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The messages of the other errors contain the messages of their sources.
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

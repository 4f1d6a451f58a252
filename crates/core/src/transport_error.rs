//! The reason why a request has no response.

use std::error::Error;
use std::fmt;

use svcgen_wire::internals::printable;

/// The reason why a request has no response.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    is_of_tls: bool,
}

/// The kind of a [`TransportError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// No connection: the request has not reached the server.
    Connect,
    /// The time limit has passed. The server may have run the call.
    Timeout,
    /// The response is longer than the limit.
    TooLong,
    /// The transport does not support the scheme of the URL.
    Scheme,
    /// A layer around the transport failed. The server may have run the call.
    Layer,
    /// The connection broke or the response is not HTTP. The server may have run the call.
    Exchange,
}

impl TransportErrorKind {
    /// Returns a name for logs and labels of metrics: `connect`, `timed_out`, `too_long`, `scheme`,
    /// `layer` or `broken`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Timeout => "timed_out",
            Self::TooLong => "too_long",
            Self::Scheme => "scheme",
            Self::Layer => "layer",
            Self::Exchange => "broken",
        }
    }
}

impl TransportError {
    /// Creates an error without a source.
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
            is_of_tls: false,
        }
    }

    /// Creates the error for a response that is longer than the limit in bytes.
    pub fn too_long(limit: usize) -> Self {
        let message = format!("the response is longer than {limit} bytes");
        Self::new(TransportErrorKind::TooLong, message)
    }

    /// Creates the error for a call that took longer than its time limit.
    pub fn timed_out(time: std::time::Duration) -> Self {
        let message = format!("the call took longer than {time:?}");
        Self::new(TransportErrorKind::Timeout, message)
    }

    /// Adds a description of the previous tries.
    #[cfg(feature = "clock")]
    pub(crate) fn with_tries(mut self, tries: &Tries) -> Self {
        self.message = format!("{} ({})", self.message, tries.0);
        self
    }

    /// Sets the source of the error.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Marks the error: the server was reached, but it is not trusted, or the TLS handshake failed.
    #[must_use]
    #[doc(hidden)]
    pub fn of_tls(mut self) -> Self {
        self.is_of_tls = true;
        self
    }

    /// Whether the server was reached, but is not trusted, or the TLS handshake failed.
    pub(crate) fn is_of_tls(&self) -> bool {
        self.is_of_tls
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }
}

/// The tries of a call, in words: an extension of the response to the last one, if it failed.
#[derive(Debug, Clone)]
pub(crate) struct Tries(pub(crate) String);

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.message))
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

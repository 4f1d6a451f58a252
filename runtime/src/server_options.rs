//! What a server may be told.

#[cfg(feature = "documents")]
use crate::documents::Documents;
use crate::limits::Limits;

/// What a server may be told.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The outer bounds of requests.
    pub limits: Limits,
    /// Whether values are read strictly: elements that their type does not have, elements in another order than its own or twice, and fields of a form that are no parameter, are refused. By default they are ignored, as by the original.
    pub strict: bool,
    /// Whether lines of results over HTTP GET and POST end in CR LF, as on Windows, instead of LF.
    pub crlf: bool,
    /// What is said about the service to those who ask.
    #[cfg(feature = "documents")]
    pub documents: Documents,
}

impl ServerOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bounds requests by these limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads values strictly.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Ends lines in CR LF.
    #[must_use]
    pub fn with_crlf(mut self, crlf: bool) -> Self {
        self.crlf = crlf;
        self
    }

    /// Says this about the service.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(mut self, documents: Documents) -> Self {
        self.documents = documents;
        self
    }
}

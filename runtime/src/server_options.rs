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

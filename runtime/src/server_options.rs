//! The options of a server.

#[cfg(feature = "documents")]
use crate::documents::Documents;
use crate::limits::Limits;

/// The options of a server.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ServerOptions {
    /// The limits of requests.
    pub limits: Limits,
    /// Whether to refuse elements that a type does not have, repeats or has in another order, and form fields that are no parameters. By default they are ignored, as by ASMX.
    pub strict: bool,
    /// Whether lines of results over HTTP GET and POST end with CR LF, as on Windows, instead of LF.
    pub crlf: bool,
    /// The WSDL, the discovery document and the help page.
    #[cfg(feature = "documents")]
    pub documents: Documents,
}

impl ServerOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits of requests.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether values are read strictly.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets whether lines end with CR LF.
    #[must_use]
    pub fn with_crlf(mut self, crlf: bool) -> Self {
        self.crlf = crlf;
        self
    }

    /// Sets the documents.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(mut self, documents: Documents) -> Self {
        self.documents = documents;
        self
    }
}

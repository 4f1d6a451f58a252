//! Loading of documents.

/// Loads documents by their addresses: URLs or file paths.
///
/// A closure that returns bytes is a loader. It is called for documents that others refer to on the
/// same host or, from files, for files; it never allows other hosts.
pub trait Load {
    /// Loads a document.
    ///
    /// # Errors
    ///
    /// Returns a sentence that says why the document cannot be loaded.
    fn load(&mut self, address: &str) -> Result<Loaded, String>;

    /// Returns the files in the folder of a file, including the file itself; none for a URL.
    /// Documents that were saved from elsewhere are looked for among them.
    fn siblings(&mut self, _address: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a document on another host, or on any host for a file, may be loaded because a
    /// document refers to it. This is not called where a document that was loaded over `https`
    /// refers to one over `http`, which is never loaded.
    fn allows(&mut self, _address: &str) -> bool {
        false
    }
}

/// A document that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The document.
    pub bytes: Vec<u8>,
    /// The final address, if the host redirected.
    pub address: Option<String>,
    /// The encoding that the host states, for documents that do not state it themselves.
    pub charset: Option<String>,
}

impl Loaded {
    /// The maximum size of a document in bytes; a loader need not load more.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Creates a document that was found at another address than the one requested.
    pub fn redirected(bytes: Vec<u8>, address: String) -> Self {
        Self {
            address: Some(address),
            ..Self::from(bytes)
        }
    }

    /// Sets the encoding that the host states, such as the `charset` of `Content-Type`.
    #[must_use]
    pub fn with_charset(mut self, charset: Option<String>) -> Self {
        self.charset = charset;
        self
    }
}

impl From<Vec<u8>> for Loaded {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            address: None,
            charset: None,
        }
    }
}

impl<F: FnMut(&str) -> Result<Vec<u8>, String>> Load for F {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        self(address).map(Loaded::from)
    }
}

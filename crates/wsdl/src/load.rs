//! Where documents come from.

/// Gives documents by their addresses: URLs, or paths of files.
///
/// A closure that gives bytes is one. It is asked for what documents refer to on the same host or,
/// of files, among files; other hosts are out of bounds.
pub trait Load {
    /// Loads a document.
    ///
    /// # Errors
    ///
    /// A sentence that says why it cannot be loaded.
    fn load(&mut self, address: &str) -> Result<Loaded, String>;

    /// The files of the folder that a file is in, itself among them; none for a URL. Documents that
    /// were saved from elsewhere are looked for among them.
    fn siblings(&mut self, _address: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a document of another host, or of any host for a file, may be loaded because a
    /// document refers to it. It is not asked where one that came over `https` refers to one over
    /// `http`, which is never loaded.
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
    /// Where it was found in the end, if its host redirected.
    pub address: Option<String>,
    /// The encoding that its host names, for documents that do not name it themselves.
    pub charset: Option<String>,
}

impl Loaded {
    /// The most bytes of a document that are taken; it is not worth while to load more.
    pub const MOST_BYTES: usize = 64 << 20;

    /// A document that was found at another address than was asked for.
    pub fn redirected(bytes: Vec<u8>, address: String) -> Self {
        Self {
            address: Some(address),
            ..Self::from(bytes)
        }
    }

    /// Says the encoding that a host names, as by the `charset` of `Content-Type`.
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

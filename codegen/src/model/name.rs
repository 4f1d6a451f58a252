//! Names, in both forms.

/// A name in both forms. No later stage converts one into the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name in definitions.
    pub key: String,
    /// The name on the wire.
    pub xml: String,
    /// The identifier in emitted code, raw if necessary.
    pub rust: String,
}

impl Name {
    /// Creates a name that is the same in definitions and on the wire.
    pub(crate) fn new(xml: impl Into<String>, rust: impl Into<String>) -> Self {
        let xml = xml.into();
        Self {
            key: xml.clone(),
            xml,
            rust: rust.into(),
        }
    }

    /// Returns the Rust name without `r#`.
    pub fn unraw(&self) -> &str {
        self.rust.strip_prefix("r#").unwrap_or(&self.rust)
    }
}

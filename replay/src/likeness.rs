//! How alike answers are.

use std::fmt;

use serde::Serialize;

/// How alike two answers are, from the most alike. The order is that: `Bytes` is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// Status, headers that count and body are the same bytes.
    Bytes,
    /// The bodies are the same document: they differ in what XML, or JSON, does not tell apart, such as prefixes.
    Document,
    /// The definition reads equal values.
    Values,
    /// Something differs that a caller may notice.
    Differs,
}

impl Likeness {
    /// All of them, from the most alike.
    pub const ALL: [Self; 4] = [Self::Bytes, Self::Document, Self::Values, Self::Differs];

    /// The name: `bytes`, `document`, `values` or `differs`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Document => "document",
            Self::Values => "values",
            Self::Differs => "differs",
        }
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

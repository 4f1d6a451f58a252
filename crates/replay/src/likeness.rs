//! How alike answers are.

use std::fmt;

use serde::Serialize;

/// How alike two answers are, from the most alike. The order is that: `Identical` is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// Status, headers that count and body are the same bytes.
    Identical,
    /// The bodies are the same document: they differ in what XML, or JSON, does not tell apart,
    /// such as prefixes.
    SameDocument,
    /// The definition reads equal values.
    SameValues,
    /// Something differs that a caller may notice.
    Differs,
}

impl Likeness {
    /// All of them, from the most alike.
    pub const ALL: [Self; 4] = [
        Self::Identical,
        Self::SameDocument,
        Self::SameValues,
        Self::Differs,
    ];

    /// The name: `identical`, `same-document`, `same-values` or `differs`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameDocument => "same-document",
            Self::SameValues => "same-values",
            Self::Differs => "differs",
        }
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

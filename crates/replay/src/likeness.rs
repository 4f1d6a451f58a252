//! The likeness of answers.

use std::fmt;

use serde::Serialize;

/// The likeness of two answers, from the most alike to the least: `Identical` is the smallest
/// value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// Status, headers that count and body are the same bytes.
    Identical,
    /// The bodies are the same document: they differ only in notation that XML or JSON does not
    /// distinguish, such as prefixes.
    SameDocument,
    /// The definition reads equal values.
    SameValues,
    /// The answers differ in a way that a caller may notice.
    Differs,
}

impl Likeness {
    /// All values, from the most alike.
    pub const ALL: [Self; 4] = [
        Self::Identical,
        Self::SameDocument,
        Self::SameValues,
        Self::Differs,
    ];

    /// Returns the name: `identical`, `same-document`, `same-values` or `differs`.
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

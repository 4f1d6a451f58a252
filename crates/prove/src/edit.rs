//! Changes at a place.

use std::fmt;

use crate::place::Path;

/// A change at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    Text(String),
    Nil,
    Absent,
    Repeated(usize),
    Unknown,
    Reversed,
    Renamed(String),
    Namespace(&'static str),
    Cdata,
    Comment,
}

/// Returns a text in quotes, a long one shortened to its beginning.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}… of {} characters", &text[..end], text.chars().count()),
        None => format!("{text:?}"),
    }
}

impl Edit {
    pub(crate) fn at(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = format!("`{path}`");
        match self {
            Self::Text(text) => write!(f, "{path} is {}", shown(text)),
            Self::Nil => write!(f, "{path} is nil"),
            Self::Absent => write!(f, "{path} is absent"),
            Self::Repeated(0) => write!(f, "none of {path} is there"),
            Self::Repeated(count) => write!(f, "{path} is there {count} times"),
            Self::Unknown => write!(f, "{path} holds an unknown element"),
            Self::Reversed => write!(f, "{path} holds its elements in reverse order"),
            Self::Renamed(name) => write!(f, "{path} is called `{name}`"),
            Self::Namespace("") => write!(f, "{path} is in no namespace"),
            Self::Namespace(uri) => write!(f, "{path} is in the namespace `{uri}`"),
            Self::Cdata => write!(f, "{path} is a CDATA section"),
            Self::Comment => write!(f, "{path} holds a comment"),
        }
    }
}

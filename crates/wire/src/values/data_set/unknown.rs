//! Why a value cannot be read into tables.

use crate::xml::error::ReadError;

/// Why reading stops.
pub(super) enum Stop {
    /// The document is wrong.
    Error(ReadError),
    /// The schema says what tables cannot.
    Unknown(String),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Error(error)
    }
}

pub(super) fn unknown<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unknown(why.into()))
}

//! Why a value cannot be read into tables.

use svcgen_wire::ReadError;

/// Why reading stops.
pub(crate) enum Stop {
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

pub(crate) fn unknown<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unknown(why.into()))
}

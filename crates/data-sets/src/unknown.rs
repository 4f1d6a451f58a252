//! Reasons why a value cannot be read into tables.

use svcgen_wire::ReadError;

/// The reason to stop reading.
pub(crate) enum Stop {
    /// The document is wrong.
    Error(ReadError),
    /// Tables cannot express the schema.
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

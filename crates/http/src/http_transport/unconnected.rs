//! Failed connections.

use std::error::Error;
use std::io;

/// The reason why there is no connection, with the error behind it.
pub(super) struct Unconnected {
    pub(super) why: String,
    pub(super) source: Option<Box<dyn Error + Send + Sync>>,
}

impl From<String> for Unconnected {
    fn from(why: String) -> Self {
        let source = None;
        Self { why, source }
    }
}

impl From<io::Error> for Unconnected {
    fn from(error: io::Error) -> Self {
        Self {
            why: error.to_string(),
            source: Some(error.into()),
        }
    }
}

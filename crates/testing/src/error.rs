//! The error of recorded exchanges.

use std::error::Error;
use std::fmt;

/// The error for exchanges with answers other than the recorded ones, or that cannot be read.
/// [`Debug`](fmt::Debug) shows the text, too.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplayError(String);

impl ReplayError {
    pub(super) fn new(why: String) -> Self {
        Self(why)
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ReplayError {}

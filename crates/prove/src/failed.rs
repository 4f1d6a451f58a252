//! The error of a proof that made no calls.

use std::fmt;

/// The error for a proof that could make no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFailed(pub(crate) String);

impl fmt::Display for ProofFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProofFailed {}

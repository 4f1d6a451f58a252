//! Why there is no proof.

use std::fmt;

/// Why no call was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFailed(pub(crate) String);

impl fmt::Display for ProofFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProofFailed {}

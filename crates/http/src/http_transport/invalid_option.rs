//! Invalid options of a transport.

use std::error::Error;
use std::fmt;

use svcgen_core::internals::printable;

/// The reason why an option of a transport cannot be used. It quotes no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidOption(pub(super) String);

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.0))
    }
}

impl Error for InvalidOption {}

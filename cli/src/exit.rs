//! The exit codes.

use std::process::ExitCode;

/// The outcome of a run, the worst last: of several, the greatest counts.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is done, and nothing was found.
    Done = 0,
    /// A definition is wrong, or what was checked is stale or breaks something.
    Found = 1,
    /// The call was wrong, or a file could not be read or written.
    Failed = 2,
}

/// The exit codes, for the help of every subcommand.
pub(crate) const CODES: &str = "\
Exit codes:
  0  done; nothing was found
  1  a definition is wrong, or what was checked is stale or breaks something
  2  the call was wrong, or a file could not be read or written";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

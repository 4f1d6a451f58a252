//! The exit codes, and the failures of commands.

use std::process::ExitCode;

use svcgen_codegen::Diagnostics;

/// The outcome of a run. The variants are in ascending order of severity; of several outcomes the
/// maximum counts.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success, without findings.
    Done = 0,
    /// A definition has errors, or the checked files are stale or break something.
    Found = 1,
    /// The arguments are wrong, or a file cannot be read or written.
    Failed = 2,
    /// A service that was called answered with a fault.
    Fault = 3,
    /// A service could not be reached, or took too long.
    Unreached = 4,
    /// A service answered with a message that is not an answer of its definition.
    Misread = 5,
}

/// The exit codes, for the help.
pub(crate) const CODES: &str = "\
Exit codes:
  0  done; nothing was found
  1  a definition is wrong, a file is stale, or a change breaks something
  2  the arguments are wrong, or a file could not be read or written
  3  a service answered a call with a fault
  4  a service could not be reached, or took too long
  5  a service gave an answer that does not match its definition";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The failure of a command before its work is done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A definition or a WSDL is wrong.
    Wrong(Diagnostics),
    /// Another file is wrong: each mistake with its place.
    Mistakes(Vec<String>),
    /// The reason in one sentence.
    Failed(String),
    /// The reason has already been printed.
    Printed(Exit),
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Wrong(diagnostics)
    }
}

impl From<String> for Failure {
    fn from(complaint: String) -> Self {
        Self::Failed(complaint)
    }
}

impl From<&str> for Failure {
    fn from(complaint: &str) -> Self {
        Self::Failed(complaint.to_owned())
    }
}

impl From<Exit> for Failure {
    fn from(exit: Exit) -> Self {
        Self::Printed(exit)
    }
}

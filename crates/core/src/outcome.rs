//! The outcomes of calls.

use std::fmt;

/// The outcome of a call, which layers get from
/// [`CallResponse::outcome`](crate::layer::CallResponse::outcome).
///
/// ```
/// assert_eq!(svcgen::layer::Outcome::TimedOut.to_string(), "timed_out");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The handler returned a result.
    Answered,
    /// The handler returned a fault, or a result that cannot be written.
    Fault,
    /// The handler was not called: the request is not a call, its message cannot be read, the server
    /// has no room for it, or a layer refused it.
    Refused,
    /// The handler panicked, or a layer did.
    Panicked,
    /// The handler took longer than [`ServerOptions::deadline`](crate::ServerOptions::deadline), or
    /// the layers around it did.
    TimedOut,
    /// The caller was gone, and the handler was cancelled
    /// ([`ServerOptions::cancel_abandoned`](crate::ServerOptions::cancel_abandoned)).
    Abandoned,
    /// A layer failed after it had called the handler, or the original of a `Fallback` did not
    /// answer. If the handler was still running, as with a timeout of tower, it was cancelled.
    Failed,
    /// The original of a `Fallback` answered, with any answer.
    Forwarded,
}

impl Outcome {
    /// Returns a name for logs and labels of metrics: `answered`, `fault`, `refused`, `panicked`,
    /// `timed_out`, `abandoned`, `failed` or `forwarded`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Fault => "fault",
            Self::Refused => "refused",
            Self::Panicked => "panicked",
            Self::TimedOut => "timed_out",
            Self::Abandoned => "abandoned",
            Self::Failed => "failed",
            Self::Forwarded => "forwarded",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

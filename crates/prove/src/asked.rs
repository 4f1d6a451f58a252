//! A call and its answers.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use svcgen_replay::Comparison;

use crate::call::Call;

/// The answer of a server, or the reason why it has not answered, and the time that this took.
pub(crate) struct Answered {
    pub(crate) answer: Result<Response<Bytes>, String>,
    pub(crate) took: Duration,
}

/// A call that was sent to both servers.
pub(crate) struct Asked {
    pub(crate) call: Call,
    pub(crate) request: Request<Bytes>,
    pub(crate) original: Answered,
    pub(crate) candidate: Answered,
    /// Present if both answered.
    pub(crate) comparison: Option<Comparison>,
}

//! Logged requests and answers.

use std::fmt;
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use svcgen_model::is_hidden;

use svcgen_core::{Binding, mask::Masked};

/// A request and its answer without their secrets.
///
/// `Display` shows them as HTTP does, on several lines, without characters that control a terminal.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LoggedExchange {
    /// The name of the service; `None` if a router has no service at the path.
    pub service: Option<String>,
    /// The name of the operation; `None` if the request was refused before it was known.
    pub operation: Option<String>,
    /// The binding, if it is known.
    pub binding: Option<Binding>,
    /// On a server, the name of the [`Outcome`](svcgen_core::layer::Outcome), or `dropped` if an
    /// outer layer dropped the call; on a client, `answered`, `fault` (status 500), `refused` (any
    /// other status from 400 on), `connect`, `timed_out`, `too_long`, `scheme`, `layer` (a tower
    /// layer failed) or `broken` without a response, and `dropped`.
    pub outcome: &'static str,
    /// On a server, the error that the fault was created from
    /// ([`Fault::cause`](svcgen_core::Fault::cause)), with its own causes. Callers do not get it.
    pub error: Option<Masked<String>>,
    /// The duration of the call; in a browser, zero.
    pub duration: Duration,
    /// The request.
    pub request: Masked<Request<String>>,
    /// The answer, if there is one.
    pub response: Option<Masked<Response<String>>>,
}

impl fmt::Display for LoggedExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let service = self.service.as_deref().unwrap_or("unknown");
        let operation = self.operation.as_deref().unwrap_or("unknown");
        write!(f, "{service}/{operation}")?;
        if let Some(binding) = self.binding {
            write!(f, " over {binding}")?;
        }
        writeln!(f, ": {} in {:?}", self.outcome, self.duration)?;
        if let Some(error) = &self.error {
            writeln!(f, "error: {}", error.replace(is_hidden, "\u{FFFD}"))?;
        }
        writeln!(f, "{} {}", self.request.method(), self.request.uri())?;
        message(f, self.request.headers(), self.request.body())?;
        if let Some(response) = &self.response {
            writeln!(f, "\n\n{}", response.status())?;
            message(f, response.headers(), response.body())?;
        }
        Ok(())
    }
}

fn message(f: &mut fmt::Formatter<'_>, headers: &HeaderMap, body: &str) -> fmt::Result {
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        writeln!(f, "{name}: {}", value.replace(is_hidden, "\u{FFFD}"))?;
    }
    write!(f, "\n{}", body.replace(is_hidden, "\u{FFFD}"))
}

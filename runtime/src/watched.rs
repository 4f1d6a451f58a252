//! What is told of calls alike by spans, metrics and the message log.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::transport::{TransportError, TransportErrorKind};

/// What became of a request that a client sent, by a name for logs and labels. Whether an answer is a fault only its status tells.
pub(crate) fn outcome_of_exchange(
    result: &Result<Response<Bytes>, TransportError>,
) -> &'static str {
    match result {
        Ok(response) => match response.status() {
            status if status.as_u16() < 400 => "answered",
            StatusCode::INTERNAL_SERVER_ERROR => "fault",
            _ => "refused",
        },
        Err(error) => match error.kind() {
            TransportErrorKind::Connect => "connect",
            TransportErrorKind::Timeout => "timed_out",
            TransportErrorKind::TooLong => "too_long",
            TransportErrorKind::Scheme => "scheme",
            TransportErrorKind::Layer => "layer",
            TransportErrorKind::Exchange => "broken",
        },
    }
}

/// What became of a call whose future was dropped.
pub(crate) const DROPPED: &str = "dropped";

/// The time since the begin of a call. In a browser the standard library has no clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    began: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            began: Instant::now(),
        }
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) fn elapsed(self) -> Duration {
        self.began.elapsed()
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}

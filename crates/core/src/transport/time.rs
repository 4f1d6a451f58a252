//! The time limit of a single call.

use std::time::Duration;

use crate::deadline;
use crate::transport_error::TransportError;

/// The time limit of a call, from connecting to the last byte of the response, as an extension of
/// its request. It replaces the limit of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallTimeout(pub Duration);

/// Limits the time of a call in a tokio runtime. In another runtime, the transport must do it. The
/// call is pinned in place, because it may be large.
///
/// # Errors
///
/// The call fails or takes too long.
pub async fn within<T>(
    time: Duration,
    call: impl Future<Output = Result<T, TransportError>> + Unpin,
) -> Result<T, TransportError> {
    let result = deadline::within(Some(time), call).await;
    result.unwrap_or_else(|| Err(TransportError::timed_out(time)))
}

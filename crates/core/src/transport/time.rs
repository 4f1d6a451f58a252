//! The time limit of a single call.

use std::time::Duration;

use crate::deadline;
use crate::transport_error::TransportError;

/// An extension of a request: how long its call may take, from connecting to the last byte of the
/// response. It takes the place of the limit of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallTimeout(pub Duration);

/// Bounds the time of a call, if the runtime is tokio's. In another one the transport has to. The
/// call is pinned where it is, as it may be large.
///
/// # Errors
///
/// Those of the call, or that it took too long.
pub async fn within<T>(
    time: Duration,
    call: impl Future<Output = Result<T, TransportError>> + Unpin,
) -> Result<T, TransportError> {
    let result = deadline::within(Some(time), call).await;
    result.unwrap_or_else(|| Err(TransportError::timed_out(time)))
}

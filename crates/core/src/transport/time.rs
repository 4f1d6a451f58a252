//! The time limit of a single call.

use std::time::Duration;

use super::error::TransportError;

/// An extension of a request: how long its call may take, from connecting to the last byte of the response. It takes the place of the
/// limit of the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallTimeout(pub Duration);

/// Bounds the time of a call, if the runtime is tokio's. In another one the transport has to. The call is pinned where it is, as it may be large.
#[cfg(feature = "clock")]
pub async fn within<T>(
    time: Duration,
    call: impl Future<Output = Result<T, TransportError>> + Unpin,
) -> Result<T, TransportError> {
    if tokio::runtime::Handle::try_current().is_err() {
        return call.await;
    }
    match tokio::time::timeout(time, call).await {
        Ok(result) => result,
        Err(_) => Err(TransportError::timed_out(time)),
    }
}

/// Without a clock the transport has to bound the time of a call.
#[cfg(not(feature = "clock"))]
pub async fn within<T>(
    _: Duration,
    call: impl Future<Output = Result<T, TransportError>> + Unpin,
) -> Result<T, TransportError> {
    call.await
}

//! Metrics of the calls of a client.

use super::calls::{CLIENT, Metrics};
use crate::watch::Watched;

/// A transport that counts and times calls, by the [metrics](super) of the client.
///
/// ```
/// # fn example(transport: svcgen::HttpTransport) {
/// let transport = svcgen_observe::metrics::Measured::new(transport);
/// # }
/// ```
pub type Measured<T> = Watched<T, Metrics>;

impl<T> Measured<T> {
    /// Sends requests through a transport. Describes the metrics to the recorder that is installed.
    pub fn new(transport: T) -> Self {
        CLIENT.describe();
        Self {
            inner: transport,
            watcher: Metrics(&CLIENT),
        }
    }
}

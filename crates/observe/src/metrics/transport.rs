//! Metrics of the calls of a client.

use super::calls::{CLIENT, Metrics};
use crate::watch::Watched;

/// A transport that counts and times calls in the [metrics](super) of the client.
///
/// ```
/// # fn example(transport: svcgen::HttpTransport) {
/// let transport = svcgen_observe::metrics::Measured::new(transport);
/// # }
/// ```
pub type Measured<T> = Watched<T, Metrics>;

impl<T> Measured<T> {
    /// Creates a transport that sends requests through `transport`, and registers the descriptions
    /// of the metrics with the installed recorder.
    pub fn new(transport: T) -> Self {
        CLIENT.describe();
        Self {
            inner: transport,
            watcher: Metrics(&CLIENT),
        }
    }
}

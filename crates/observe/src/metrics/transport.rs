//! Metrics of the calls of a client.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::calls::{CLIENT, Running};
use svcgen_core::internals::outcome_of_exchange;
use svcgen_core::transport::{CalledOperation, Transport, TransportError};

/// A transport that counts and times calls, by the [metrics](super) of the client.
///
/// ```
/// # fn example(transport: svcgen::HttpTransport) {
/// let transport = svcgen_observe::metrics::Measured::new(transport);
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Measured<T> {
    transport: T,
}

impl<T> Measured<T> {
    /// Sends requests through a transport. Describes the metrics to the recorder that is installed.
    pub fn new(transport: T) -> Self {
        CLIENT.describe();
        Self { transport }
    }
}

impl<T: Transport + Sync> Transport for Measured<T> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let called = request.extensions().get::<CalledOperation>();
        let running = Running::begin(
            &CLIENT,
            called.map(CalledOperation::service),
            called.map(CalledOperation::operation),
            called.map(CalledOperation::binding),
            request.body().len(),
        );
        let result = self.transport.send(request).await;
        let length = result.as_ref().map_or(0, |response| response.body().len());
        running.end(outcome_of_exchange(&result), length);
        result
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

//! The messages of a client.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::log::MessageLog;
use super::running::{self, Running};
use svcgen_core::internals::outcome_of_exchange;
use svcgen_core::transport::{CalledOperation, Transport, TransportError};

/// A transport whose messages are logged ([`MessageLog::around`]).
#[derive(Debug, Clone)]
pub struct Logged<T> {
    transport: T,
    log: MessageLog,
}

impl MessageLog {
    /// Logs what is sent through a transport.
    pub fn around<T>(&self, transport: T) -> Logged<T> {
        let log = self.clone();
        Logged { transport, log }
    }
}

impl<T: Transport + Sync> Transport for Logged<T> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let called = request.extensions().get::<CalledOperation>();
        let operation = called.map(CalledOperation::operation);
        if !self.log.is_for(operation) {
            return self.transport.send(request).await;
        }
        let (method, uri) = (request.method(), request.uri());
        let copy = running::request(method, uri, request.headers(), request.body());
        let binding = called.map(CalledOperation::binding);
        let model = called.map(CalledOperation::model);
        let mut running = Running::begin(&self.log, model, operation, binding, copy);
        let result = self.transport.send(request).await;
        running.end(outcome_of_exchange(&result), None, || {
            let answer = result.as_ref().ok()?;
            let (status, headers) = (answer.status(), answer.headers());
            Some(running::response(status, headers, answer.body()))
        });
        result
    }

    fn timeout(&self) -> Option<Duration> {
        self.transport.timeout()
    }
}

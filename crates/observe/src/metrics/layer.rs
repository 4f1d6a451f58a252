//! Metrics of the calls of a server.

use std::pin::Pin;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::calls::{Running, SERVER};
use svcgen_core::layer::{CallRequest, CallResponse, Outcome};

/// A layer that counts and times calls, by the [metrics](super) of the server. As the outermost one it also counts what other layers refuse.
#[derive(Debug, Clone)]
pub struct MetricsLayer(());

impl MetricsLayer {
    /// Describes the metrics to the recorder that is installed.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Self {
        SERVER.describe();
        Self(())
    }
}

impl<S> Layer<S> for MetricsLayer {
    type Service = MeasuredCalls<S>;

    fn layer(&self, inner: S) -> MeasuredCalls<S> {
        MeasuredCalls { inner }
    }
}

/// The service of a [`MetricsLayer`].
#[derive(Debug, Clone)]
pub struct MeasuredCalls<S> {
    inner: S,
}

impl<S> Service<CallRequest> for MeasuredCalls<S>
where
    S: Service<CallRequest, Response = CallResponse>,
    S::Future: Send + 'static,
{
    type Response = CallResponse;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        let service = request.service().map(|service| service.name);
        let operation = request.operation_name();
        let length = request.body().len();
        let running = Running::begin(&SERVER, service, operation, request.binding(), length);
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            let told = answer.as_ref().ok();
            let outcome = told.map_or(Outcome::Failed, |answer| *answer.outcome());
            let length = told.map_or(0, |answer| answer.body().len());
            running.end(outcome.name(), length);
            answer
        })
    }
}

//! The messages of a server.

use std::pin::Pin;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::log::MessageLog;
use super::running::{self, Running};
use svcgen_core::layer::{CallRequest, CallResponse, Outcome};

impl<S> Layer<S> for MessageLog {
    type Service = LoggedCalls<S>;

    fn layer(&self, inner: S) -> LoggedCalls<S> {
        let log = self.clone();
        LoggedCalls { inner, log }
    }
}

/// The service of a [`MessageLog`].
#[derive(Debug, Clone)]
pub struct LoggedCalls<S> {
    inner: S,
    log: MessageLog,
}

impl<S> Service<CallRequest> for LoggedCalls<S>
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
        let operation = request.operation_name();
        let running = self.log.is_for(operation).then(|| {
            Running::begin(
                &self.log,
                request.model(),
                operation,
                request.binding(),
                request.copy(),
            )
        });
        let answer = self.inner.call(request);
        Box::pin(async move {
            let Some(mut running) = running else {
                return answer.await;
            };
            let answer = answer.await;
            let told = answer.as_ref().ok();
            let outcome = told.map_or(Outcome::Failed, |answer| *answer.outcome());
            let error = told.and_then(CallResponse::error);
            running.end(outcome.name(), error, || {
                let answer = told?;
                let (status, headers) = (answer.status(), answer.headers());
                Some(running::response(status, headers, answer.body()))
            });
            answer
        })
    }
}

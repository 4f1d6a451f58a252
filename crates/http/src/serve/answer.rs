//! The answers of a service, and of the server for a service that fails.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{Either, Full};
use tower_service::Service;

use super::health::Health;
use super::request_body::RequestBody;
use svcgen_core::{internals::refused, layer::Refusal};

/// An answer of the service or of the server.
pub(super) type Answer<B> = Response<Either<B, Full<Bytes>>>;

/// Waits until the service can take a request. Returns an answer instead if it cannot, or if the
/// request asks for the health of the application.
pub(super) async fn ready<V, B>(
    mut service: V,
    health: &Option<Health>,
    request: &Request<RequestBody>,
) -> Result<V, Answer<B>>
where
    V: Service<Request<RequestBody>>,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
{
    if let Some(health) = health
        && let Some(probe) = health.probe(request)
    {
        return Err(health.answer(probe).await.map(Either::Right));
    }
    let ready = std::future::poll_fn(|context| service.poll_ready(context)).await;
    ready
        .map(|()| service)
        .map_err(|error| failed(error.into()))
}

const PANICKED: &str = "the service panicked";

/// Calls a ready service. Converts an error or a panic to an answer, so that the connection
/// survives.
// The service is called immediately, so that the future does not contain the request.
pub(super) fn call<V, B>(
    mut service: V,
    request: Request<RequestBody>,
) -> impl Future<Output = Answer<B>>
where
    V: Service<Request<RequestBody>, Response = Response<B>>,
    V::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let called = catch_unwind(AssertUnwindSafe(|| service.call(request)));
    async move {
        let outcome = match called {
            Ok(call) => {
                let mut call = pin!(call);
                let poll = std::future::poll_fn(|context| {
                    match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
                        Ok(outcome) => outcome.map(|answer| answer.map_err(Into::into)),
                        Err(_) => Poll::Ready(Err(PANICKED.into())),
                    }
                });
                poll.await
            }
            Err(_) => Err(PANICKED.into()),
        };
        match outcome {
            Ok(answer) => answer.map(Either::Left),
            Err(error) => failed(error),
        }
    }
}

/// Returns the answer to a request that the service failed to answer. Except for a refusal, the
/// text of the error is not sent to the caller, because it may contain secrets.
fn failed<B>(error: Box<dyn Error + Send + Sync>) -> Answer<B> {
    let text = match Refusal::among(&*error) {
        Some(refusal) => refusal.response(),
        None => {
            let message = "The service failed to answer this request.";
            refused(StatusCode::INTERNAL_SERVER_ERROR, message)
        }
    };
    text.map(|text| Either::Right(Full::new(text)))
}

//! The service beneath a layer.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::call_request::{CallFuture, CallRequest};
use super::call_response::CallResponse;
use super::refusal::{Failures, Panicked};

type BoxError = Box<dyn Error + Send + Sync>;

type LayerFuture = Pin<Box<dyn Future<Output = Result<CallResponse, BoxError>> + Send>>;

/// A layer around calls, for `with_layer` of [`Server`](crate::Server),
/// [`Endpoint`](crate::Endpoint) and [`Router`](crate::Router).
///
/// This trait is implemented for every [`tower_layer::Layer`] whose service takes a
/// [`CallRequest`], returns a [`CallResponse`], can be cloned and shared among threads, and has
/// errors that convert into boxed errors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layer around calls",
    note = "a layer of tower is one if it makes of a `CallService` a `Service<CallRequest, Response = CallResponse>` that is `Clone + Send + Sync + 'static`"
)]
pub trait CallLayer {
    /// Wraps a service in the layer.
    fn around(&self, inner: CallService) -> CallService;
}

impl<L, S> CallLayer for L
where
    L: Layer<CallService, Service = S>,
    S: Service<CallRequest, Response = CallResponse> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    fn around(&self, inner: CallService) -> CallService {
        CallService {
            layered: Some(Box::new(self.layer(inner))),
            readiness: Readiness::Unknown,
        }
    }
}

/// The service inside of a layer: further layers, and then the handler. It never fails: errors of
/// inner layers are already converted to answers.
///
/// `poll_ready` asks the inner layers. A call without it waits until they are ready.
pub struct CallService {
    /// `None` if there is no inner layer.
    layered: Option<Box<dyn Layered>>,
    readiness: Readiness,
}

#[derive(Default)]
enum Readiness {
    #[default]
    Unknown,
    Ready,
    Failed(BoxError),
}

/// The service of a layer, as a trait object.
trait Layered: Send + Sync {
    fn clone_boxed(&self) -> Box<dyn Layered>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>>;

    fn call(&mut self, request: CallRequest) -> LayerFuture;
}

impl<S> Layered for S
where
    S: Service<CallRequest, Response = CallResponse> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    fn clone_boxed(&self) -> Box<dyn Layered> {
        Box::new(self.clone())
    }

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Service::poll_ready(self, context).map_err(Into::into)
    }

    fn call(&mut self, request: CallRequest) -> LayerFuture {
        let answer = Service::call(self, request);
        Box::pin(async { answer.await.map_err(Into::into) })
    }
}

/// Returns the service beneath all layers.
pub(super) fn innermost() -> CallService {
    CallService {
        layered: None,
        readiness: Readiness::Unknown,
    }
}

/// Returns the result, or an error for a panic. A value that panicked is not used again.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, BoxError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked.into())
}

impl Service<CallRequest> for CallService {
    type Response = CallResponse;
    type Error = Infallible;
    type Future = CallFuture;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        if let (Some(layered), Readiness::Unknown) = (&mut self.layered, &self.readiness) {
            self.readiness = match caught(|| layered.poll_ready(context)) {
                Ok(Poll::Pending) => return Poll::Pending,
                Ok(Poll::Ready(Ok(()))) => Readiness::Ready,
                // The call returns the error.
                Ok(Poll::Ready(Err(error))) | Err(error) => Readiness::Failed(error),
            };
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: CallRequest) -> CallFuture {
        let Some(layered) = &mut self.layered else {
            return request.pass_on();
        };
        let failures = Failures::of(&request);
        let answer = match std::mem::take(&mut self.readiness) {
            Readiness::Ready => caught(|| layered.call(request)),
            Readiness::Failed(error) => Err(error),
            Readiness::Unknown => caught(|| layered.clone_boxed()).map(|mut layered| {
                Box::pin(async move {
                    std::future::poll_fn(|context| layered.poll_ready(context)).await?;
                    layered.call(request).await
                }) as LayerFuture
            }),
        };
        Box::pin(async move {
            let answer = match answer {
                Ok(mut answer) => {
                    let polled = std::future::poll_fn(|context| {
                        match caught(|| answer.as_mut().poll(context)) {
                            Ok(poll) => poll,
                            Err(panicked) => Poll::Ready(Err(panicked)),
                        }
                    });
                    let polled = polled.await;
                    // Dropping the rest may panic, too.
                    caught(|| drop(answer)).and(polled)
                }
                Err(error) => Err(error),
            };
            Ok(answer.unwrap_or_else(|error| failures.answer(error)))
        })
    }
}

impl Clone for CallService {
    fn clone(&self) -> Self {
        Self {
            layered: self.layered.as_ref().map(|layered| layered.clone_boxed()),
            readiness: Readiness::Unknown,
        }
    }
}

impl fmt::Debug for CallService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallService").finish_non_exhaustive()
    }
}

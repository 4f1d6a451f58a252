//! Conversions between transports and tower services.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::Full;
use tower_service::Service;

use super::send::Transport;
use crate::body::{self, BodyError};
use crate::maybe_send::{BoxFuture, MaybeSend, MaybeSync};
use crate::transport_error::{TransportError, TransportErrorKind};
use svcgen_wire::Limits;

/// A transport over a tower service: a stack of layers, or the client of another HTTP stack.
///
/// [`Client::with_layer`](crate::Client::with_layer) puts a layer around the transport of a client.
///
/// ```
/// use std::time::Duration;
/// use svcgen::transport::{Layered, TransportService};
///
/// # fn example(transport: svcgen::HttpTransport) {
/// let transport = Layered::new(
///     tower::ServiceBuilder::new()
///         .timeout(Duration::from_secs(5))
///         .concurrency_limit(16)
///         .service(TransportService::new(transport)),
/// );
/// # fn is_transport(_: impl svcgen::Transport) {}
/// # is_transport(transport);
/// # }
/// ```
///
/// An error of a layer becomes a [`TransportError`] of the kind
/// [`Layer`](TransportErrorKind::Layer), with the error as its source. An error of the inner
/// transport stays unchanged.
#[derive(Clone)]
pub struct Layered<S> {
    service: S,
    body_limit: usize,
    timeout: Option<Duration>,
}

impl<S> Layered<S> {
    /// Creates a transport that sends each request through a clone of `service`.
    pub fn new(service: S) -> Self {
        Self {
            service,
            body_limit: Limits::default().body,
            timeout: None,
        }
    }

    /// Sets the time limit of calls in the layers, which [`Transport::timeout`] returns.
    #[must_use]
    pub fn with_timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.timeout = time.into();
        self
    }

    /// Limits the body of a response, in bytes. By default, 4 MiB.
    #[must_use]
    pub fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }
}

impl<S, B> Transport for Layered<S>
where
    S: Service<Request<Bytes>, Response = Response<B>> + Clone + MaybeSend,
    S::Error: Into<Box<dyn Error + Send + Sync>> + MaybeSend,
    S::Future: MaybeSend,
    B: Body + MaybeSend,
    B::Data: MaybeSend,
    B::Error: Into<Box<dyn Error + Send + Sync>> + MaybeSend,
{
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        let (mut service, limit) = (self.service.clone(), self.body_limit);
        async move {
            let ready = poll_fn(|context| service.poll_ready(context)).await;
            ready.map_err(|error| failed(error.into()))?;
            let response = service.call(request).await;
            let (head, body) = response.map_err(|error| failed(error.into()))?.into_parts();
            let body = body::collect(body, limit, 0).await;
            let body = body.map_err(|error| match error {
                BodyError::TooLong => TransportError::too_long(limit),
                BodyError::Broken(error) => failed(error.into()),
            })?;
            Ok(Response::from_parts(head, body))
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }
}

impl<S> fmt::Debug for Layered<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered").finish_non_exhaustive()
    }
}

/// Converts the error of a layer or of the inner transport.
fn failed(error: Box<dyn Error + Send + Sync>) -> TransportError {
    match error.downcast::<TransportError>() {
        Ok(error) => *error,
        Err(error) => {
            let message = error.to_string();
            TransportError::new(TransportErrorKind::Layer, message).with_source(error)
        }
    }
}

/// A tower service that sends requests through a transport: the innermost service of a stack of
/// layers. Clones share the transport.
///
/// Layers find the operation of a request in its [extension](Request::extensions)
/// [`CalledOperation`](crate::transport::CalledOperation).
pub struct TransportService<T>(Arc<T>);

impl<T> TransportService<T> {
    /// Creates a service over a transport.
    pub fn new(transport: T) -> Self {
        Self(Arc::new(transport))
    }
}

impl<T: Transport + MaybeSend + MaybeSync + 'static> Service<Request<Bytes>>
    for TransportService<T>
{
    type Response = Response<Full<Bytes>>;
    type Error = TransportError;
    type Future = TransportFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> TransportFuture {
        let transport = Arc::clone(&self.0);
        TransportFuture(Box::pin(async move { transport.send(request).await }))
    }
}

impl<T> Clone for TransportService<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for TransportService<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransportService")
    }
}

/// The future of [`TransportService`].
pub struct TransportFuture(BoxFuture<'static, Result<Response<Bytes>, TransportError>>);

impl Future for TransportFuture {
    type Output = Result<Response<Full<Bytes>>, TransportError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let response = ready!(self.0.as_mut().poll(context));
        Poll::Ready(response.map(|response| response.map(Full::new)))
    }
}

impl fmt::Debug for TransportFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransportFuture")
    }
}

//! The transport trait, and transports from functions.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use crate::maybe_send::MaybeSend;
use crate::transport_error::TransportError;

/// Sends HTTP requests.
///
/// A transport follows redirects only if an option allows it, and never repeats a request that may
/// have run. The URI of a request is absolute; the transport adds the `Host` header.
///
/// Requests of clients have the extensions [`CalledOperation`](super::CalledOperation) and, if the
/// call has its own time limit, [`CallTimeout`](super::CallTimeout), which replaces the transport's
/// limit.
pub trait Transport {
    /// Sends a request and collects the whole response.
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend;

    /// Returns the time limit of calls without their own; `None` if it is unknown. A transport
    /// around another one returns the limit of the inner one: [`Retries`](super::Retries) limit all
    /// tries of a call together by it.
    fn timeout(&self) -> Option<Duration> {
        None
    }
}

impl<T: Transport + Sync> Transport for &T {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        (**self).send(request).await
    }

    fn timeout(&self) -> Option<Duration> {
        (**self).timeout()
    }
}

impl<T: Transport + Send + Sync> Transport for Arc<T> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        (**self).send(request).await
    }

    fn timeout(&self) -> Option<Duration> {
        (**self).timeout()
    }
}

/// Creates a transport from a function, to send requests through another HTTP stack or, in a test,
/// directly to a server.
///
/// ```
/// use bytes::Bytes;
///
/// let router = svcgen::Router::new();
/// let transport = svcgen::transport::transport_fn(move |request: http::Request<Bytes>| {
///     let router = router.clone();
///     async move { Ok(router.answer(request).await) }
/// });
/// # let _: &dyn Fn() = &|| drop(svcgen::Transport::send(&transport, http::Request::default()));
/// ```
pub fn transport_fn<F, A>(send: F) -> TransportFn<F>
where
    F: Fn(Request<Bytes>) -> A,
    A: Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend,
{
    TransportFn(send)
}

/// The transport of [`transport_fn`].
#[derive(Clone, Copy)]
pub struct TransportFn<F>(F);

impl<F, A> Transport for TransportFn<F>
where
    F: Fn(Request<Bytes>) -> A,
    A: Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend,
{
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        (self.0)(request)
    }
}

impl<F> fmt::Debug for TransportFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransportFn")
    }
}

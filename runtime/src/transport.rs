//! Transports of clients, and their errors.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};

use crate::error_text::printable;

/// Sends HTTP requests.
///
/// A transport never follows redirects and never repeats a request that may have reached the server. The URI of a request is absolute; the transport adds the `Host` header.
pub trait Transport {
    /// Sends a request and collects the whole response.
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + Send;
}

impl<T: Transport + Sync> Transport for &T {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        (**self).send(request).await
    }
}

impl<T: Transport + Send + Sync> Transport for Arc<T> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        (**self).send(request).await
    }
}

/// Makes a transport of a function, to send requests through another HTTP stack or, in a test, straight to a server.
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
    A: Future<Output = Result<Response<Bytes>, TransportError>> + Send,
{
    TransportFn(send)
}

/// What [`transport_fn`] returns.
#[derive(Clone, Copy)]
pub struct TransportFn<F>(F);

impl<F, A> Transport for TransportFn<F>
where
    F: Fn(Request<Bytes>) -> A,
    A: Future<Output = Result<Response<Bytes>, TransportError>> + Send,
{
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + Send {
        (self.0)(request)
    }
}

impl<F> fmt::Debug for TransportFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransportFn")
    }
}

/// Why a request has no response.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The kind of a [`TransportError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// No connection: the request has not reached the server.
    Connect,
    /// The time limit has passed. The server may have run the call.
    Timeout,
    /// The response is longer than the limit.
    TooLong,
    /// The transport does not support the scheme of the URL.
    Scheme,
    /// The connection broke or the response is not HTTP. The server may have run the call.
    Exchange,
}

impl TransportError {
    /// Creates an error without a source.
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// Sets the source of the error.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.message))
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

//! Calls without a socket: a transport that hands the request to a server and takes its answer.

use bytes::Bytes;
use svcgen::codegen::DispatchTo;
use svcgen::transport::TransportError;
use svcgen::{Router, Server, Transport};

/// Whatever turns a request into an answer.
pub trait Answers: Send + Sync {
    /// Answers one request.
    fn answer(
        &self,
        request: http::Request<Bytes>,
    ) -> impl Future<Output = http::Response<Bytes>> + Send;
}

impl Answers for Router {
    async fn answer(&self, request: http::Request<Bytes>) -> http::Response<Bytes> {
        Router::answer(self, request).await
    }
}

impl<S: DispatchTo<H>, H: Send + Sync + 'static> Answers for Server<S, H> {
    async fn answer(&self, request: http::Request<Bytes>) -> http::Response<Bytes> {
        Server::answer(self, request).await
    }
}

/// A transport to a server in the same process.
#[derive(Debug, Clone)]
pub struct InProcess<A>(pub A);

impl<A: Answers> Transport for InProcess<A> {
    async fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, TransportError> {
        // On the wire the path stands in the request line and the rest of the address in Host.
        let (mut parts, body) = request.into_parts();
        if let Some(target) = parts.uri.path_and_query() {
            parts.uri = http::Uri::from(target.clone());
        }
        Ok(self.0.answer(http::Request::from_parts(parts, body)).await)
    }
}

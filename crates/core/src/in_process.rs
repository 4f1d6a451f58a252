//! Servers as transports: calls in the same process, without a socket.

use bytes::Bytes;
use http::header::{HOST, HeaderValue};
use http::{Request, Response, Uri};

use crate::endpoint::Endpoint;
use crate::router::Router;
use crate::server::{DispatchTo, Server};
use crate::transport::{Transport, TransportError};

/// Calls the server in the same process:
/// `GreeterClient::new(GreeterServer::new(handler), "http://localhost")`.
impl<S: DispatchTo<H>, H: Send + Sync + 'static> Transport for Server<S, H> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        Ok(self.answer(received(request)).await)
    }
}

/// Calls the service in the same process.
impl Transport for Endpoint {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        Ok(self.answer(received(request)).await)
    }
}

/// Calls the services in the same process.
impl Transport for Router {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        Ok(self.answer(received(request)).await)
    }
}

/// Converts a request to the form in which a server gets it: its path in the request line, and its
/// host in a header.
fn received(mut request: Request<Bytes>) -> Request<Bytes> {
    let url = std::mem::take(request.uri_mut()).into_parts();
    if let Some(path) = url.path_and_query {
        *request.uri_mut() = Uri::from(path);
    }
    let host = url
        .authority
        .map(|host| HeaderValue::try_from(host.as_str()));
    if let Some(Ok(host)) = host {
        request.headers_mut().entry(HOST).or_insert(host);
    }
    request
}

//! Several services behind one address.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response, request};
use http_body_util::Full;

use crate::body::{self, BodyError};
use crate::response::{self, NoCall, Refusal};
use crate::routing::{Route, path_below};
use crate::server::{ResponseFuture, Server, collect, refuse};
use crate::service::{Service, ServiceDescription};

/// Serves several services by their paths; a path of none of them is a 404.
///
/// Like [`Server`] it is a [`tower_service::Service`] for requests with any body. Clones share the services.
///
/// ```
/// # fn example<A, B, H>(authenticator: svcgen::Server<A, H>, devices: svcgen::Server<B, H>) -> svcgen::Router
/// # where A: svcgen::Service<H>, B: svcgen::Service<H>, H: Send + Sync + 'static {
/// svcgen::Router::new().service(authenticator).service(devices)
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Router {
    services: Arc<Vec<Arc<dyn Mounted>>>,
}

/// A server with its types forgotten.
trait Mounted: Send + Sync {
    fn description(&self) -> &'static ServiceDescription;
    fn body_limit(&self) -> usize;
    fn route(&self, parts: &request::Parts) -> Result<Route, NoCall>;
    fn answer(
        &self,
        route: Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> BoxFuture<'_>;
}

type BoxFuture<'a> = Pin<Box<dyn Future<Output = Response<Bytes>> + Send + 'a>>;

impl<S: Service<H>, H: Send + Sync + 'static> Mounted for Server<S, H> {
    fn description(&self) -> &'static ServiceDescription {
        S::DESCRIPTION
    }

    fn body_limit(&self) -> usize {
        self.options().limits.body
    }

    fn route(&self, parts: &request::Parts) -> Result<Route, NoCall> {
        Self::route(self, parts)
    }

    fn answer(
        &self,
        route: Route,
        parts: Box<request::Parts>,
        body: Result<Bytes, BodyError>,
    ) -> BoxFuture<'_> {
        Box::pin(self.answer_routed(route, parts, body))
    }
}

impl Router {
    /// No service yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a service. Of two services with the same path the first one is served.
    #[must_use]
    pub fn service<S: Service<H>, H: Send + Sync + 'static>(
        mut self,
        server: Server<S, H>,
    ) -> Self {
        Arc::make_mut(&mut self.services).push(Arc::new(server));
        self
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (parts, body) = body::into_parts(request);
        match self.route(&parts) {
            Err(response) => *response,
            Ok((server, route)) => {
                server
                    .answer(route, parts, body::limited(body, server.body_limit()))
                    .await
            }
        }
    }

    fn route(&self, parts: &request::Parts) -> Result<(Arc<dyn Mounted>, Route), NoCall> {
        let server = self
            .services
            .iter()
            .find(|server| path_below(server.description(), parts.uri.path()).is_some())
            .ok_or_else(|| Box::new(response::refused(&Refusal::Path)))?;
        Ok((Arc::clone(server), server.route(parts)?))
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.services.iter().map(|server| server.description().path))
            .finish()
    }
}

impl<B> tower_service::Service<Request<B>> for Router
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let (parts, body) = body::into_parts(request);
        let route = self.route(&parts);
        Box::pin(async move {
            let answer = match route {
                Err(response) => refuse(&parts, body, response).await,
                Ok((server, route)) => {
                    let body = collect(route, body, server.body_limit()).await;
                    server.answer(route, parts, body).await
                }
            };
            Ok(answer.map(Full::new))
        })
    }
}

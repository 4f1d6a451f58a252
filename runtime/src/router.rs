//! Several services behind one address.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, request};
use http_body_util::Full;

use crate::body;
use crate::endpoint::{self, Endpoint, Routed, tower_service};
use crate::routing::{no_service, path_below};

/// Serves several services by their paths, and answers 404 to requests for other paths.
///
/// It is a [`tower_service::Service`] for requests with any body, as [`Server`](crate::Server) is. Clones share the services.
///
/// ```
/// # fn example<A, B, H>(authenticator: svcgen::Server<A, H>, devices: svcgen::Server<B, H>) -> svcgen::Router
/// # where A: svcgen::codegen::DispatchTo<H>, B: svcgen::codegen::DispatchTo<H>, H: Send + Sync + 'static {
/// svcgen::Router::new().with_service(authenticator).with_service(devices)
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Router {
    services: Arc<Vec<Endpoint>>,
}

impl Router {
    /// Creates a router without services.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a service. Of services with the same path, the first one is served.
    #[must_use]
    pub fn with_service(mut self, service: impl Into<Endpoint>) -> Self {
        Arc::make_mut(&mut self.services).push(service.into());
        self
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (parts, body) = body::into_parts(request);
        endpoint::answer(self.route(&parts), parts, Full::new(body)).await
    }

    fn route(&self, parts: &request::Parts) -> Routed {
        let path = parts.uri.path();
        let is_below = |service: &&Endpoint| path_below(&service.model().service(), path).is_some();
        match self.services.iter().find(is_below) {
            Some(service) => service.route(parts),
            None => Routed::Answered {
                response: no_service(parts),
                most_discarded: {
                    let services = self.services.iter().map(Endpoint::most_discarded);
                    services.max().unwrap_or_default()
                },
            },
        }
    }
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let services = self.services.iter();
        let paths = services.map(|service| service.model().service().path);
        f.debug_list().entries(paths).finish()
    }
}

tower_service!([] Router);

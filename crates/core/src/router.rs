//! Several services behind one address.

#[cfg(feature = "documents")]
mod index;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, request};
use http_body_util::Full;

use crate::authentication::Authentication;
#[cfg(feature = "documents")]
use crate::endpoint::EarlyAnswer;
use crate::endpoint::{self, Destination, Endpoint, Forward, Routed, Setting};
use crate::fallback::Fallback;
use crate::heads::into_heads;
use crate::host::asked_host;
use crate::layer::{CallLayer, Layers};
use crate::paths::{AskedPath, conflict};
use crate::response;
use crate::routing::{check_caller, no_service};
use crate::server_options::ServerOptions;

/// Serves several services by their paths, and answers 404 to requests for other paths.
///
/// Like a [`Server`](crate::Server), a router is a [`tower_service::Service`] for requests with any
/// body. Clones share the services.
///
/// ```
/// # fn example<A, B, H>(authenticator: svcgen::Server<A, H>, devices: svcgen::Server<B, H>) -> svcgen::Router
/// # where A: svcgen::codegen::DispatchTo<H>, B: svcgen::codegen::DispatchTo<H>, H: Send + Sync + 'static {
/// svcgen::Router::new().with_service(authenticator).with_service(devices)
/// # }
/// ```
///
/// At `/`, or where the router is nested, it serves an index page of the services that have
/// documents.
#[derive(Clone, Default)]
pub struct Router {
    services: Arc<Vec<Endpoint>>,
    #[cfg(feature = "documents")]
    has_no_index: bool,
    layers: Layers,
    authentication: Option<Authentication>,
    fallback: Option<Arc<Fallback>>,
}

impl Router {
    /// Creates a router without services.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a service at its paths
    /// ([`ServerOptions::with_paths`](crate::ServerOptions::with_paths)).
    ///
    /// # Panics
    ///
    /// A path of the service conflicts with a path of another service: they are equal except for
    /// letter case, or one is below the other. [`add_service`](Self::add_service) returns an error
    /// instead.
    #[must_use]
    pub fn with_service(mut self, service: impl Into<Endpoint>) -> Self {
        if let Err(conflict) = self.add_service(service) {
            panic!("{conflict}");
        }
        self
    }

    /// Adds a service whose paths are known only at run time.
    ///
    /// # Errors
    ///
    /// A path of the service conflicts with a path of another service: they are equal except for
    /// letter case, or one is below the other. The service is not added.
    pub fn add_service(&mut self, service: impl Into<Endpoint>) -> Result<(), PathConflict> {
        let service = service.into();
        let service = match &self.authentication {
            Some(authentication) => service.asking(authentication),
            None => service,
        };
        let service = match &self.fallback {
            Some(fallback) => service.falling_back(fallback),
            None => service,
        };
        let conflict = self.services.iter().find_map(|other| {
            let (path, taken) = conflict(service.paths(), other.paths())?;
            Some(PathConflict {
                service: service.model().service().name.to_owned(),
                path: path.to_owned(),
                other: other.model().service().name.to_owned(),
                taken: taken.to_owned(),
            })
        });
        match conflict {
            Some(conflict) => Err(conflict),
            None => {
                Arc::make_mut(&mut self.services).push(service);
                Ok(())
            }
        }
    }

    /// Adds a [layer](crate::layer) around calls of all services, outside of their own layers and
    /// of the layers added before. It also sees requests to paths of no service.
    #[must_use]
    pub fn with_layer(mut self, layer: impl CallLayer) -> Self {
        self.layers = self.layers.with(&layer);
        self
    }

    /// Requires callers to log in, for services without their own authentication, the index page,
    /// and paths of no service. See [`authentication`](crate::authentication).
    #[must_use]
    pub fn with_authentication(mut self, authentication: Authentication) -> Self {
        for service in Arc::make_mut(&mut self.services) {
            *service = service.asking(&authentication);
        }
        self.authentication = Some(authentication);
        self
    }

    /// Forwards to another server: requests to paths of no service, and requests that a service
    /// without its own fallback does not implement. See [`fallback`](crate::fallback). By default,
    /// there is none.
    ///
    /// If services allow only certain hosts or origins, one of them must allow requests to other
    /// paths. If services require a login but the router does not, requests to other paths need the
    /// login of the first such service.
    #[must_use]
    pub fn with_fallback(mut self, fallback: Fallback) -> Self {
        let fallback = Arc::new(fallback);
        for service in Arc::make_mut(&mut self.services) {
            *service = service.falling_back(&fallback);
        }
        self.fallback = Some(fallback);
        self
    }

    /// Answers one request. The whole answer is in memory, even if it has parts from files.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (heads, body) = into_heads(request);
        let routed = self.route(&heads.parts);
        endpoint::answer(routed, heads, Full::new(body), response::in_memory).await
    }

    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        let services = self.services.iter();
        let services = services.map(|service| (service, service.paths()));
        let path = AskedPath::of(parts);
        if let Some((service, found)) = path.find(services) {
            let destination = service.route_beneath(&self.layers, parts, &found);
            return service.guard(parts, destination);
        }
        let destination = self.route_elsewhere(path, parts);
        if let Some(authentication) = &self.authentication {
            let time = ServerOptions::default().deadline;
            return destination.guarded(authentication, parts, time);
        }
        let mut services = self.services.iter();
        let asking = services.find(|service| service.options().authentication.is_some());
        match (&destination, asking) {
            (Destination::Original(_), Some(service)) => service.guard(parts, destination),
            _ => destination.into(),
        }
    }

    /// Routes a request for the path of no service.
    fn route_elsewhere(&self, path: AskedPath<'_>, parts: &request::Parts) -> Destination {
        let limits = self.services.iter();
        let limit = limits.map(|service| service.options().limits.body).max();
        #[cfg(feature = "documents")]
        if let Some(response) = self.index(path, parts) {
            return EarlyAnswer::document(*response, limit.unwrap_or_default()).into();
        }
        if let Some(fallback) = self
            .fallback
            .as_ref()
            .filter(|_| self.forwards(path, parts))
        {
            let limit = limit.unwrap_or(ServerOptions::default().limits.body);
            let forward = Forward {
                fallback: Arc::clone(fallback),
                setting: Setting::of_no_service(&self.layers, limit),
                operation: None,
                undecided: None,
            };
            return forward.into();
        }
        let setting = Setting::of_no_service(&self.layers, limit.unwrap_or_default());
        setting.answered_by(*no_service(parts)).into()
    }

    /// Whether a request to the path of no service may go to the original: not if the original may
    /// read the path as one of a service, or if the request is not allowed.
    fn forwards(&self, path: AskedPath<'_>, parts: &request::Parts) -> bool {
        if path.is_alias(self.services.iter().flat_map(Endpoint::paths)) {
            return false;
        }
        let mut services = self.services.iter().map(Endpoint::options);
        let is_allowed = match services.len() {
            0 => asked_host(parts).is_ok(),
            _ => services.any(|options| check_caller(options, parts).is_ok()),
        };
        is_allowed && Fallback::takes(parts)
    }
}

/// The error for a service whose path conflicts with a path of another service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathConflict {
    service: String,
    path: String,
    other: String,
    taken: String,
}

impl fmt::Display for PathConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            service,
            path,
            other,
            taken,
        } = self;
        write!(
            f,
            "the paths `{taken}` of {other} and `{path}` of {service} meet: they are the same without regard to letter case, \
             or one is below the other; give one of the services another path with `with_paths`"
        )
    }
}

impl Error for PathConflict {}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let services = self.services.iter();
        let paths = services.map(|service| (service.model().service().name, service.paths()));
        f.debug_map().entries(paths).finish()
    }
}

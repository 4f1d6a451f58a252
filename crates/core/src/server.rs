//! Servers with the type of their handler.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, request};
use svcgen_model::Documentation;

use crate::authentication::Authentication;
use crate::binding::spoken::ServiceModule;
use crate::call::{Call, Reply};
use crate::described::Model;
#[cfg(feature = "documents")]
use crate::documents::Documents;
use crate::endpoint::{Dispatch, Dispatched, Endpoint, Routed};
use crate::failure::Failure;
use crate::fallback::Fallback;
use crate::layer::CallLayer;
use crate::paths::InvalidPath;
use crate::server_options::ServerOptions;
use svcgen_wire::Limits;

/// A service that calls a handler of type `H`. Generated code implements this trait.
pub trait DispatchTo<H>: Send + Sync + 'static {
    /// The service with its protocols.
    const SERVICE: &'static ServiceModule;

    /// The documentation of the service; without it, the server has no documents.
    const DOCUMENTATION: Option<&'static Documentation<'static>> = None;

    /// Returns whether the handler implements an operation; by default, it implements all.
    fn implements(_operation: usize) -> bool {
        true
    }

    /// Reads the parameters of an operation, calls the handler and writes the result.
    fn call(
        handler: &H,
        operation: usize,
        call: Call<'_>,
    ) -> impl Future<Output = Result<Reply, Failure>> + Send;
}

/// A handler as a [`Dispatch`].
struct Typed<S, H>(Arc<H>, PhantomData<fn() -> S>);

impl<S: DispatchTo<H>, H: Send + Sync + 'static> Dispatch for Typed<S, H> {
    fn dispatch<'a>(&'a self, operation: usize, call: Call<'a>) -> Dispatched<'a> {
        Box::pin(S::call(&self.0, operation, call))
    }

    fn implements(&self, operation: usize) -> bool {
        S::implements(operation)
    }
}

/// Serves a service with a handler. Generated code calls it `AuthenticatorServer<H>`.
///
/// A server is a [`tower_service::Service`] for requests with any body, so you can mount it in
/// axum, hyper, a [`Router`](crate::Router) and `serve`. Clones share the handler.
///
/// # In axum
///
/// With the feature `axum`, you can mount a server anywhere in an axum router. The addresses in its
/// documents then include the prefix that the router cuts off:
///
/// ```
/// # fn example<S: svcgen::codegen::DispatchTo<H>, H: Send + Sync + 'static>(server: svcgen::Server<S, H>) -> Result<axum::Router, svcgen::InvalidPath> {
/// let other = server.clone().with_paths(["/Other.asmx"])?;
/// let application: axum::Router = axum::Router::new()
///     // At /v1/Greeter.asmx: the prefix, and the path of the definition.
///     .nest_service("/v1", server.clone())
///     // At these paths, which end with those of the servers.
///     .nest_service("/Greeter.asmx", server.clone())
///     .nest_service("/v1/Other.asmx", other)
///     // At /Greeter.asmx as far as no route is more specific.
///     .fallback_service(server);
/// # Ok(application)
/// # }
/// ```
///
/// `route_service` needs two routes, `/Greeter.asmx` and `/Greeter.asmx/{operation}`, because HTTP
/// GET and POST have the name of the operation in the path.
///
/// Without the feature, and in other frameworks that cut off the start of a path, a server sees
/// only the rest of the path. Nest it at a prefix, not at its own path, and set the prefix with
/// [`Documents::with_public_url`](crate::Documents::with_public_url).
pub struct Server<S, H> {
    handler: Arc<H>,
    endpoint: Endpoint,
    service: PhantomData<fn() -> S>,
}

impl<S: DispatchTo<H>, H: Send + Sync + 'static> Server<S, H> {
    /// Creates a server with a handler and default options.
    ///
    /// # Panics
    ///
    /// `S` has no service, or lacks the protocol of an operation.
    pub fn new(handler: H) -> Self {
        Self::from_arc(Arc::new(handler))
    }

    /// Creates a server with a shared handler and default options.
    ///
    /// # Panics
    ///
    /// `S` has no service, or lacks the protocol of an operation.
    pub fn from_arc(handler: Arc<H>) -> Self {
        let dispatch = Typed::<S, H>(Arc::clone(&handler), PhantomData);
        let model = Model::new(S::SERVICE, S::DOCUMENTATION);
        Self {
            handler,
            endpoint: Endpoint::new(model, Arc::new(dispatch)),
            service: PhantomData,
        }
    }
}

impl<S, H> Server<S, H> {
    /// Sets the options.
    #[must_use]
    pub fn with_options(mut self, options: ServerOptions) -> Self {
        self.endpoint = self.endpoint.with_options(options);
        self
    }

    /// Sets the limits of requests.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let options = self.options().clone().with_limits(limits);
        self.with_options(options)
    }

    /// Serves at other paths: see [`ServerOptions::with_paths`].
    ///
    /// ```
    /// # fn example<S: svcgen::codegen::DispatchTo<H>, H: Send + Sync + 'static>(server: svcgen::Server<S, H>) -> Result<(), svcgen::InvalidPath> {
    /// let server = server.with_paths(["/Greeter.asmx", "/old/Greeter.asmx"])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`ServerOptions::with_paths`].
    pub fn with_paths<P: Into<String>>(
        self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, InvalidPath> {
        let options = self.options().clone().with_paths(paths)?;
        Ok(self.with_options(options))
    }

    /// Sets the documents.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        let options = self.options().clone().with_documents(documents);
        self.with_options(options)
    }

    /// Requires callers to log in: see [`authentication`](crate::authentication).
    #[must_use]
    pub fn with_authentication(self, authentication: Authentication) -> Self {
        let options = self.options().clone().with_authentication(authentication);
        self.with_options(options)
    }

    /// Forwards calls that the handler does not implement to another server: see
    /// [`fallback`](crate::fallback).
    #[must_use]
    pub fn with_fallback(self, fallback: Fallback) -> Self {
        let options = self.options().clone().with_fallback(fallback);
        self.with_options(options)
    }

    /// Adds a [layer](crate::layer) around calls, outside of the layers added before.
    #[must_use]
    pub fn with_layer(mut self, layer: impl CallLayer) -> Self {
        self.endpoint = self.endpoint.with_layer(layer);
        self
    }

    /// Replaces the endpoint by one made from it.
    pub fn change_endpoint(mut self, change: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        self.endpoint = change(self.endpoint.clone());
        self
    }

    /// Returns the handler.
    pub fn handler(&self) -> &Arc<H> {
        &self.handler
    }

    /// Returns the options.
    pub fn options(&self) -> &ServerOptions {
        self.endpoint.options()
    }

    /// Answers one request. The whole answer is in memory, even if it has parts from files.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        self.endpoint.answer(request).await
    }

    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        self.endpoint.route(parts)
    }
}

impl<S, H> Clone for Server<S, H> {
    fn clone(&self) -> Self {
        Self {
            handler: Arc::clone(&self.handler),
            endpoint: self.endpoint.clone(),
            service: PhantomData,
        }
    }
}

/// Erases the type of the handler.
impl<S, H> From<Server<S, H>> for Endpoint {
    fn from(server: Server<S, H>) -> Self {
        server.endpoint
    }
}

impl<S, H> fmt::Debug for Server<S, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.endpoint).finish()
    }
}

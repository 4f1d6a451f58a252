//! A server with the type of its handler erased, and the routing of its requests.

mod admission;
mod answer;
mod early;
mod forward;
mod handling;
mod identification;
mod one_way;
mod opening;
mod packed;
mod routed;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use http::{Request, Response, request};
use http_body_util::Full;

use crate::authentication::Authentication;
use crate::binding::Binding;
use crate::binding::operations::Operations;
use crate::binding::protocol::BindingRouter;
use crate::call::{Call, Reply};
use crate::described::Model;
use crate::failure::Failure;
#[cfg(feature = "documents")]
use crate::gzip::Coding;
use crate::heads::into_heads;
use crate::layer::{CallLayer, CallResponse, Layers, LayersOfCall};
use crate::paths::{AskedPath, Found, served};
use crate::response::{self, in_memory};
use crate::routing::{Route, no_service, route};
use crate::server_options::ServerOptions;
use crate::unknown_header::UnderstoodHeaders;
pub(crate) use answer::answer;
#[cfg(feature = "documents")]
pub(crate) use early::EarlyAnswer;
pub(crate) use early::Setting;
use routed::RoutedCall;
pub(crate) use routed::{Destination, Forward, Routed};
use svcgen_wire::internals::{Facets, TimeZone};

/// Answers calls: reads their parameters, calls a handler and writes the result.
///
/// Generated code implements [`DispatchTo`](crate::DispatchTo) instead. Implement this trait to
/// serve a [`Model`] without generated code.
pub trait Dispatch: Send + Sync + 'static {
    /// Answers a call of the operation with this index.
    fn dispatch<'a>(&'a self, operation: usize, call: Call<'a>) -> Dispatched<'a>;

    /// Returns whether the operation with this index is implemented; by default, all are. With a
    /// [`Fallback`](crate::fallback::Fallback), calls of other operations go to the original.
    fn implements(&self, _operation: usize) -> bool {
        true
    }
}

/// The future of an answer.
pub type Dispatched<'a> = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>>;

/// A server with the type of its handler erased: a [`Model`] and a [`Dispatch`].
///
/// An endpoint is a [`tower_service::Service`] for requests with any body. Clones share everything.
#[derive(Clone)]
pub struct Endpoint(Arc<Shared>);

struct Shared {
    model: Model,
    dispatch: Arc<dyn Dispatch>,
    options: ServerOptions,
    facets: Facets,
    operations: Operations,
    /// The number of bytes to reserve for the answer of each operation.
    capacities: Box<[AtomicUsize]>,
    /// Whether any operation is one-way.
    has_one_way: bool,
    layers: Layers,
    /// The SOAP headers that the options, or layers of this crate, understand.
    understood: Box<UnderstoodHeaders>,
    /// The SOAP headers that layers understand. They stay when the options change.
    understood_by_layers: Vec<(String, String)>,
    /// Whether each operation is implemented.
    implemented: Box<[bool]>,
}

impl Endpoint {
    /// Creates an endpoint that serves a model with default options.
    ///
    /// # Panics
    ///
    /// The time zone of the service is not known.
    pub fn new(model: Model, dispatch: Arc<dyn Dispatch>) -> Self {
        let (options, layers) = (ServerOptions::default(), Layers::default());
        Self::set_up(model, dispatch, options, layers, Vec::new())
    }

    /// Returns the same service with other options.
    #[must_use]
    pub fn with_options(&self, options: ServerOptions) -> Self {
        let understood = self.0.understood_by_layers.clone();
        self.set_up_again(options, self.0.layers.clone(), understood)
    }

    /// Returns the same service with a [layer](crate::layer) around calls, outside of the layers
    /// added before.
    #[must_use]
    pub fn with_layer(&self, layer: impl CallLayer) -> Self {
        self.with_header_layer(&[], layer)
    }

    /// Adds a layer that understands SOAP headers, given by namespace and name; `*` stands for all
    /// names of a namespace.
    pub fn with_header_layer(&self, headers: &[(&str, &str)], layer: impl CallLayer) -> Self {
        let mut understood = self.0.understood_by_layers.clone();
        let owned = |(namespace, name): &(&str, &str)| ((*namespace).into(), (*name).into());
        understood.extend(headers.iter().map(owned));
        let layers = self.0.layers.with(&layer);
        self.set_up_again(self.options().clone(), layers, understood)
    }

    fn set_up_again(
        &self,
        options: ServerOptions,
        layers: Layers,
        understood: Vec<(String, String)>,
    ) -> Self {
        let Shared {
            model, dispatch, ..
        } = &*self.0;
        let dispatch = Arc::clone(dispatch);
        Self::set_up(model.clone(), dispatch, options, layers, understood)
    }

    fn set_up(
        model: Model,
        dispatch: Arc<dyn Dispatch>,
        options: ServerOptions,
        layers: Layers,
        understood_by_layers: Vec<(String, String)>,
    ) -> Self {
        // Panics here rather than in a call.
        TimeZone::of(model.service().row());
        let paths = match &*options.paths {
            [] => vec![served(model.service().path)],
            paths => paths.iter().map(|path| served(path)).collect(),
        };
        let model = model.with_paths(paths);
        let rows = model.service().operations;
        let capacities = rows.iter().map(|_| AtomicUsize::new(512)).collect();
        let understood = [&*options.understood_headers, &*understood_by_layers].concat();
        let has_one_way = rows.iter().any(|operation| operation.one_way);
        let implemented = (0..rows.len()).map(|operation| dispatch.implements(operation));
        let implemented = implemented.collect();
        #[cfg(feature = "facets")]
        let facets = Facets::of(model.service(), options.facets);
        #[cfg(not(feature = "facets"))]
        let facets = Facets::default();
        let operations = Operations::of(model.service().row());
        Self(Arc::new(Shared {
            model,
            dispatch,
            options,
            facets,
            operations,
            capacities,
            has_one_way,
            layers,
            understood: understood.into(),
            understood_by_layers,
            implemented,
        }))
    }

    /// Returns the model of the service.
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// Returns the options.
    pub fn options(&self) -> &ServerOptions {
        &self.0.options
    }

    pub(crate) fn operations(&self) -> &Operations {
        &self.0.operations
    }

    /// Returns the paths of the service: those of the options, or that of the model.
    pub fn paths(&self) -> &[String] {
        self.0.model.paths()
    }

    /// Answers one request. The whole answer is in memory, even if it has parts from files.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (heads, body) = into_heads(request);
        let routed = self.route(&heads.parts);
        answer(routed, heads, Full::new(body), in_memory).await
    }

    /// Writes the response to a call of an operation over a binding, whose request has already been
    /// read, with `reply`. Layers do not run.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index, or does not have the binding.
    pub fn response(
        &self,
        binding: Binding,
        operation: usize,
        reply: impl FnOnce(Call<'_>) -> Result<Reply, Failure>,
    ) -> Response<Bytes> {
        let (model, options) = (self.model(), self.options());
        let protocol = model.answering(binding);
        let capacity = &self.0.capacities[operation];
        let call = Call::unread(model, protocol, operation, options, capacity);
        let body = reply(call).map(|reply| reply.body);
        let row = model.operation(operation);
        let mut answer = CallResponse::of_call(protocol, row, body);
        if row.cached {
            response::kept_by_server(answer.response_mut());
        }
        answer.into_response()
    }

    pub(crate) fn route(&self, parts: &request::Parts) -> Routed {
        self.guard(parts, self.route_unguarded(parts))
    }

    fn route_unguarded(&self, parts: &request::Parts) -> Destination {
        if let Some(((), found)) = AskedPath::of(parts).find(std::iter::once(((), self.paths()))) {
            return self.route_beneath(&Layers::default(), parts, &found);
        }
        if let Some(destination) = self.forward_elsewhere(parts) {
            return destination;
        }
        let setting = Setting::of_no_service(&self.0.layers, self.options().limits.body);
        setting.answered_by(*no_service(parts)).into()
    }

    /// Routes a request for a path of the service, beneath the layers of a router.
    pub(crate) fn route_beneath(
        &self,
        outer: &Layers,
        parts: &request::Parts,
        found: &Found<'_>,
    ) -> Destination {
        let options = self.options();
        let routed = route(self.model(), self.operations(), options, parts, found);
        if let (Some(fallback), Ok(route)) = (&options.fallback, &routed)
            && let Some(destination) = self.forward(fallback, route, outer, parts, found)
        {
            return destination;
        }
        let (protocol, answer) = match routed {
            Ok(Route::Call(route)) => {
                return Destination::Call(RoutedCall {
                    endpoint: self.clone(),
                    route,
                    layers: outer.around(&self.0.layers),
                });
            }
            #[cfg(feature = "documents")]
            Ok(Route::Document(document)) => {
                let service = self.model().service();
                let (limits, packaging) = (&options.limits, options.packaging.as_deref());
                let response =
                    (options.documents).answer(document, service, parts, found, limits, packaging);
                let (mut head, mut body) = response.into_parts();
                let coding = Coding::of(options.speaks_gzip(), &parts.headers);
                coding.apply(&mut head.headers, &mut body);
                let response = Response::from_parts(head, body);
                return EarlyAnswer::document(response, options.limits.body).into();
            }
            Ok(Route::Refused(router, failure)) => {
                (Some(router), CallResponse::refused(router, failure))
            }
            Ok(Route::NoCall { answer, .. }) | Err(answer) => {
                (None, CallResponse::no_call(*answer))
            }
        };
        self.refused(outer, protocol, answer)
    }

    fn refused(
        &self,
        outer: &Layers,
        protocol: Option<&'static dyn BindingRouter>,
        answer: CallResponse,
    ) -> Destination {
        let layers = outer.around(&self.0.layers);
        self.setting(protocol, layers).answered(answer).into()
    }

    /// Returns the setting of early answers to requests to this service.
    fn setting(
        &self,
        protocol: Option<&'static dyn BindingRouter>,
        layers: Option<Box<LayersOfCall>>,
    ) -> Setting {
        Setting {
            protocol,
            model: Some(self.model().clone()),
            layers,
            time: self.options().deadline,
            limit: self.options().limits.body,
        }
    }

    /// Routes a request to a destination, after authentication if the options require it.
    pub(crate) fn guard(&self, parts: &request::Parts, destination: Destination) -> Routed {
        let options = self.options();
        match &options.authentication {
            Some(authentication) => destination.guarded(authentication, parts, options.deadline),
            None => destination.into(),
        }
    }

    /// Returns the same service with this authentication, unless it has its own.
    pub(crate) fn asking(&self, authentication: &Authentication) -> Self {
        let mut options = self.options().clone();
        options
            .authentication
            .get_or_insert_with(|| authentication.clone());
        self.with_options(options)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("service", &self.model().service().name)
            .field("options", self.options())
            .finish_non_exhaustive()
    }
}

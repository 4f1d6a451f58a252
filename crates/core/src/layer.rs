//! Layers: code that runs around every call of a service, for authorisation by operation, timeouts,
//! measurements and the like.
//!
//! [`Server::with_layer`](crate::Server::with_layer) and
//! [`Router::with_layer`](crate::Router::with_layer) take [tower](https://docs.rs/tower) layers:
//! those of the crate tower, or your own by `layer_fn` and `service_fn`. A layer gets a
//! [`CallRequest`] and returns a [`CallResponse`]:
//!
//! - The request has its target ([`CallRequest::target`]), its binding, and the head and body of
//!   the HTTP request. A layer may change headers and extensions. The handler runs once the
//!   innermost layer has called its inner service.
//! - The response has the outcome of the call ([`CallResponse::outcome`]), the fault if there is
//!   one, and the HTTP response, whose headers a layer may change.
//!
//! The layer added last is outermost. Layers of a router are around those of its services.
//!
//! Layers see every request to the service, even if it is refused before its operation is known:
//! because of the HTTP method, the media type, a message that is too long or not well-formed, a
//! lack of room, or a forbidden host. Then the response of the innermost service is the refusal.
//! Layers of a [`Router`](crate::Router) also see requests to no service. No layer sees requests
//! for documents (WSDL, help page).
//!
//! A server is also a [`tower_service::Service`] of HTTP requests, so you can put HTTP layers, such
//! as those of [tower-http](https://docs.rs/tower-http), around the whole server. Use them for
//! tasks that do not depend on calls, such as CORS.
//!
//! # Errors
//!
//! An error of a layer becomes an answer. A [`Refusal`], anywhere in the chain of
//! [sources](std::error::Error::source), sets it: an HTTP status, or a [`Fault`](crate::Fault) over
//! the binding of the call. Any other error becomes a fault like [errors of
//! handlers](crate::Fault#errors-become-faults): its text is logged, but not sent to callers. If
//! the binding is unknown, a fault is sent as a line of text. Layers around the failed one see the
//! answer, not the error. A panic in a layer is handled like one in a handler.
//!
//! # Time
//!
//! [`ServerOptions::deadline`](crate::ServerOptions::deadline) limits the handler and also the time
//! that layers take before and after it. If a layer drops the future of its inner service, as a
//! timeout does, the handler is cancelled. Under `serve`, a one-way call over SOAP is answered once
//! its parameters are read; layers see its response when the handler is done, but the caller does
//! not. A call counts as running until its layers are done.
//!
//! # Examples
//!
//! Authorise by operation, with tower's `filter`. The handler finds the user in the
//! [extensions](crate::Context::extensions).
//!
//! ```
//! use svcgen::http::{HeaderValue, StatusCode, header};
//! use svcgen::layer::{CallRequest, Refusal, Target};
//! use tower::BoxError;
//!
//! #[derive(Clone)]
//! struct User(String);
//!
//! /// The user whose token a request has.
//! fn user(request: &CallRequest) -> Option<User> {
//!     let token = request.headers().get(header::AUTHORIZATION)?;
//!     (token == "Bearer 4711").then(|| User("ann".to_owned()))
//! }
//!
//! fn authenticate(mut request: CallRequest) -> Result<CallRequest, BoxError> {
//!     match request.target() {
//!         // For everybody.
//!         Target::Operation(operation) if operation.name == "Ping" => return Ok(request),
//!         // Whoever calls, nothing runs.
//!         Target::Refused => return Ok(request),
//!         Target::Operation(_) | Target::Forwarded => {}
//!     }
//!     let Some(user) = user(&request) else {
//!         let challenge = HeaderValue::from_static("Bearer");
//!         let refusal = Refusal::new(StatusCode::UNAUTHORIZED);
//!         return Err(refusal.with_header(header::WWW_AUTHENTICATE, challenge).into());
//!     };
//!     request.extensions_mut().insert(user);
//!     Ok(request)
//! }
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! server.with_layer(tower::ServiceBuilder::new().filter(authenticate))
//! # }
//! ```
//!
//! Limit the time and the number of concurrent calls. A [`Refusal`] sets the answers to their
//! errors.
//!
//! ```
//! use std::time::Duration;
//!
//! use svcgen::Fault;
//! use svcgen::layer::{CallResponse, Refusal};
//! use svcgen::http::StatusCode;
//! use tower::load_shed::error::Overloaded;
//! use tower::timeout::error::Elapsed;
//! use tower::BoxError;
//!
//! fn told(error: BoxError) -> BoxError {
//!     if error.is::<Elapsed>() {
//!         Refusal::from(Fault::server("The service takes too long.")).into()
//!     } else if error.is::<Overloaded>() {
//!         Refusal::new(StatusCode::TOO_MANY_REQUESTS).into()
//!     } else {
//!         error
//!     }
//! }
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! server.with_layer(
//!     tower::ServiceBuilder::new()
//!         .map_result(|result: Result<CallResponse, BoxError>| result.map_err(told))
//!         .load_shed()
//!         .concurrency_limit(100)
//!         .timeout(Duration::from_secs(5)),
//! )
//! # }
//! ```
//!
//! Print the time and outcome of each call, with `layer_fn` and `service_fn`. As the outermost
//! layer, it also sees refusals of other layers.
//!
//! ```
//! use std::time::Instant;
//!
//! use svcgen::layer::{CallRequest, CallService};
//! use tower::{Service, layer::layer_fn, service_fn};
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! server.with_layer(layer_fn(|inner: CallService| {
//!     service_fn(move |request: CallRequest| {
//!         let mut inner = inner.clone();
//!         async move {
//!             let operation = request.operation_name().map(str::to_owned);
//!             let began = Instant::now();
//!             let response = inner.call(request).await?;
//!             let operation = operation.as_deref().unwrap_or("no operation");
//!             println!("{operation}: {} in {:?}", response.outcome(), began.elapsed());
//!             Ok::<_, std::convert::Infallible>(response)
//!         }
//!     })
//! }))
//! # }
//! ```

mod call_request;
mod call_response;
mod call_service;
mod frame;
mod refusal;
pub(crate) mod report;
mod slot;
mod surroundings;
mod target;

pub use crate::outcome::Outcome;
pub use call_request::{CallFuture, CallRequest};
pub use call_response::CallResponse;
pub use call_service::{CallLayer, CallService};
pub(crate) use frame::{Layers, LayersOfCall, Patience};
pub use refusal::Refusal;
pub(crate) use report::report;
pub use surroundings::{Surroundings, Within};
pub use target::Target;

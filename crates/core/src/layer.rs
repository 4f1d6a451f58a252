//! Layers around calls: code that runs around every call of a service, for authentication by operation, timeouts, measuring and the like.
//!
//! A layer is one of [tower](https://docs.rs/tower): [`Server::with_layer`](crate::Server::with_layer) and
//! [`Router::with_layer`](crate::Router::with_layer) take those that tower has, and those made by its `layer_fn` and `service_fn`. It gets a
//! [`CallRequest`] and returns a [`CallResponse`]:
//!
//! - The request tells what it asks for ([`CallRequest::target`]) and its binding, and has the head and the body of the HTTP request. A layer may change headers and extensions.
//!   The handler runs once the last layer has passed the request on.
//! - The response tells what became of the call ([`CallResponse::outcome`]), the fault if there is one, and the HTTP response, whose headers a layer may
//!   change.
//!
//! Of several layers the one added last is outermost, and those of a router are around those of its services.
//!
//! Layers see each request to the service, also one that is refused before its operation is known: over a method or with a media type that the service does
//! not serve, with a message that is too long or not well-formed, for which the server has no room, or which names a host that is not allowed. The refusal
//! is the response of the innermost service then. The layers of a [`Router`](crate::Router) also see requests to no service. None see requests for
//! documents (WSDL, help page): around a whole server stand the layers of HTTP, such as those of
//! [tower-http](https://docs.rs/tower-http), as it is a [`tower_service::Service`] of HTTP requests itself. Use those for what does not depend on calls,
//! such as CORS, and those of calls for what does.
//!
//! # Errors
//!
//! An error of a layer becomes an answer: a [`Refusal`], found anywhere in the chain of [sources](std::error::Error::source), says which: an HTTP status, or a
//! [`Fault`](crate::Fault) over the binding of the call. Any other error becomes a fault as [errors of handlers](crate::Fault#errors-become-faults) do: callers are not told
//! its text, and logs have it. If the binding is not known, a fault is a line of text. Layers around the one that failed see the answer, not the error. A panic of a layer is answered as one of a handler is.
//!
//! # Time
//!
//! [`ServerOptions::deadline`](crate::ServerOptions::deadline) bounds the handler, and also what layers take before it and after it. If a layer drops the
//! future of the service beneath, as a timeout does, the handler is cancelled. A one-way call over SOAP is answered under `serve` when its
//! parameters are read; layers see its response when the handler is done, and no caller does. A call holds its place among the running calls until its layers are done.
//!
//! # Examples
//!
//! Authentication by operation, with `filter` of tower. The handler finds the user among the [extensions](crate::Context::extensions).
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
//! A shorter time for calls, and a bound of calls that run at once, beyond which they are refused. What callers are told of their errors, a [`Refusal`] says.
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
//! The time and the outcome of each call, with `layer_fn` and `service_fn`. As the outermost layer it sees also what other layers refuse.
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

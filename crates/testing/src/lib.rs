//! Tests for services: mocks, and replay of recorded exchanges.
//!
//! With the option `mocks` of the generator, the tests of a crate have a mock for each service: a
//! handler with a [`MockOperation`] for each operation.
//!
//! ```ignore
//! #[derive(svcgen::Service)]
//! #[service(definition = "../../examples/service-defs/greeter.yaml", mocks = true)]
//! struct Greeter;
//!
//! use greeter::{GreetRequest, Greeting, MockGreeter};
//! use svcgen::Fault;
//!
//! #[tokio::test]
//! async fn the_third_caller_finds_us_closed() {
//!     let mock = MockGreeter::new();
//!     mock.greet.returns(Greeting { text: Some("Hello!".to_owned()), length: 6 }).times(2);
//!     mock.greet.fails(Fault::exception("We are closed."));
//!
//!     // A client that calls the mock in this process. `GreeterServer::new(mock.clone())` serves it otherwise.
//!     let client = mock.client();
//!     let request = GreetRequest { name: Some("Ada".to_owned()) };
//!     assert_eq!(client.greet(&request).await.unwrap().length, 6);
//!     assert_eq!(client.greet(&request).await.unwrap().length, 6);
//!     assert!(client.greet(&request).await.is_err());
//!     assert_eq!(mock.greet.calls(), [request.clone(), request.clone(), request]);
//!     // When the mock is dropped, the test fails if an operation was called too often or too seldom.
//! }
//! ```
//!
//! [`replay`](fn@replay) sends recorded requests to a service, and checks that its answers are the
//! recorded ones.

mod difference;
mod error;
mod exchange;
mod mock;
mod replay;

#[doc(hidden)]
pub use difference::indented;
pub use error::ReplayError;
pub use exchange::RecordedExchange;
pub use mock::{Expected, Mock, MockOperation, in_process};
pub use replay::{IGNORED_HEADERS, Replay, replay};

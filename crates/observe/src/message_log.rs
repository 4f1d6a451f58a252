//! A log of messages, with their secrets masked.
//!
//! [`MessageLog`] passes each request with its answer to your function: on a server as a layer, on
//! a client around a transport. Messages are masked by [`Mask`](svcgen_core::mask::Mask), so they
//! contain neither values that the definition marks `secret` nor credentials. The function writes
//! them anywhere:
//!
//! ```
//! use svcgen_observe::message_log::MessageLog;
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>, transport: svcgen::HttpTransport) -> svcgen::Server<S, H> {
//! let log = MessageLog::new(|exchange| eprintln!("{exchange}")).with_failures_only();
//! let transport = log.around(transport); // For a client.
//! server.with_layer(log)
//! # }
//! ```
//!
//! ```text
//! Login/Login over SOAP 1.1: fault in 1.3ms
//! POST /Login.asmx
//! content-type: text/xml; charset=utf-8
//! authorization: [secret]
//!
//! <soap:Envelope …><soap:Body><Login xmlns="urn:login"><user>bob</user><password>[secret]</password></Login></soap:Body></soap:Envelope>
//!
//! 500 Internal Server Error
//! …
//! ```
//!
//! A logged call costs a copy of its headers, and reading both messages once more, up to the limit.
//! A call of an operation that is not logged costs an allocation. If only failures are logged, an
//! answered call costs the copy of its headers, too.

mod exchange;
mod layer;
mod log;
mod logged_call;

pub use exchange::LoggedExchange;
pub use layer::{Logged, LoggedCalls};
pub use log::MessageLog;

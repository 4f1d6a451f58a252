//! A log of messages, with their secrets masked.
//!
//! [`MessageLog`] gives a function of yours each request with its answer: on a server as a layer,
//! on a client around a transport. What it gives is made by [`Mask`](svcgen_core::mask::Mask), so
//! that neither values that the definition marks `secret` nor credentials are in it. The function
//! decides where it goes:
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
//! A call that is logged costs a copy of its headers, and reading both messages once more, up to
//! the limit. One that is not, as its operation is none of those to be logged, costs an allocation;
//! where only failures are logged, one that is answered costs the copy of its headers, too.

mod exchange;
mod layer;
mod log;
mod logged_call;

pub use exchange::LoggedExchange;
pub use layer::{Logged, LoggedCalls};
pub use log::MessageLog;

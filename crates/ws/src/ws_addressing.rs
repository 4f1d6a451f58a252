//! WS-Addressing: the SOAP headers `wsa:Action`, `wsa:MessageID`, `wsa:ReplyTo` and so on, of
//! servers and clients.
//!
//! A server with [`Server::with_ws_addressing`](ServerAddressing) understands the headers of
//! WS-Addressing 1.0 (2005/08) and of the submission of 2004/08, which WSE 2 and 3 send, and
//! answers in the version of the request. Requests without them are answered as before.
//!
//! ```
//! use svcgen_ws::ws_addressing::ServerAddressing;
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! server.with_ws_addressing()
//! # }
//! ```
//!
//! | header of a request | what it does |
//! |---|---|
//! | `Action` | needed if any other is there; it is the SOAP action of the operation that is called |
//! | `MessageID` | the answer has it as `RelatesTo` |
//! | `ReplyTo`, `FaultTo` | anonymous: the answer goes back in the HTTP response, with their reference parameters. `none`: it is not sent (202). Nothing is ever sent to another address |
//! | `To`, `From`, `RelatesTo` | understood, and not looked at |
//!
//! The answer has the `Action` of the request with `Response` at its end, as in WSE, a new
//! `MessageID`, and `To`. The action of a fault is that of the version.
//!
//! What is refused has these fault codes, of the namespace of the version. In SOAP 1.1 the last one
//! is the `faultcode`, in SOAP 1.2 they are subcodes of `Sender`. The text names the header; there
//! is no detail.
//!
//! | why | 2005/08 | 2004/08 |
//! |---|---|---|
//! | no `Action` | `MessageAddressingHeaderRequired` | `MessageInformationHeaderRequired` |
//! | an action that the service does not have | `ActionNotSupported` | `ActionNotSupported` |
//! | the action of another operation than is called | `InvalidAddressingHeader`, `ActionMismatch` | `InvalidMessageInformationHeader` |
//! | a header that is there twice | `InvalidAddressingHeader`, `InvalidCardinality` | `InvalidMessageInformationHeader` |
//! | a reply to another address | `InvalidAddressingHeader`, `OnlyAnonymousAddressSupported` | `InvalidMessageInformationHeader` |
//! | a reply to no address | `InvalidAddressingHeader`, `MissingAddressInEPR` | `InvalidMessageInformationHeader` |
//!
//! The WSDL does not say that the headers are understood.

mod client;
mod layer;
mod received;
mod reply;
mod version;

pub use client::ClientAddressing;
pub use layer::ServerAddressing;
pub use version::Version;

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
//! | header of a request | effect |
//! |---|---|
//! | `Action` | required if any other header is present: the SOAP action of the called operation |
//! | `MessageID` | the answer has it as `RelatesTo` |
//! | `ReplyTo`, `FaultTo` | anonymous: the answer goes back in the HTTP response, with their reference parameters. `none`: it is not sent (202). Nothing is ever sent to another address |
//! | `To`, `From`, `RelatesTo` | understood, but ignored |
//!
//! The answer has the `Action` of the request with `Response` at its end, as in WSE, a new
//! `MessageID`, and `To`. The action of a fault is the one that the version defines.
//!
//! Faults of refused requests have these codes, in the namespace of the version. In SOAP 1.1, the
//! last one is the `faultcode`; in SOAP 1.2, they are subcodes of `Sender`. The text names the
//! header; there is no detail.
//!
//! | reason | 2005/08 | 2004/08 |
//! |---|---|---|
//! | no `Action` | `MessageAddressingHeaderRequired` | `MessageInformationHeaderRequired` |
//! | an action that the service does not have | `ActionNotSupported` | `ActionNotSupported` |
//! | the action of another operation than the called one | `InvalidAddressingHeader`, `ActionMismatch` | `InvalidMessageInformationHeader` |
//! | a repeated header | `InvalidAddressingHeader`, `InvalidCardinality` | `InvalidMessageInformationHeader` |
//! | a reply to another address | `InvalidAddressingHeader`, `OnlyAnonymousAddressSupported` | `InvalidMessageInformationHeader` |
//! | a reply without an address | `InvalidAddressingHeader`, `MissingAddressInEPR` | `InvalidMessageInformationHeader` |
//! | a reply with two addresses | `InvalidAddressingHeader` | `InvalidMessageInformationHeader` |
//!
//! The WSDL does not declare that the headers are understood.

mod client;
mod layer;
mod received;
mod reply;
mod version;

pub use client::ClientAddressing;
pub use layer::ServerAddressing;
pub use version::Version;

//! WS-Security: `UsernameToken` and `Timestamp` in the SOAP header `wsse:Security`, of servers and
//! clients.
//!
//! A server checks the token of each call before its handler runs, which finds the user as
//! [`Context::user`](svcgen_core::Context::user):
//!
//! ```
//! use std::collections::HashMap;
//! use svcgen_ws::ws_security::{ReceivedToken, ServerSecurity, WsSecurity};
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! let passwords = HashMap::from([("ann", "s3cret")]);
//! let policy = WsSecurity::new(move |token: &ReceivedToken| {
//!     token.matches(passwords.get(token.user()).copied())
//! });
//! server.with_ws_security(policy)
//! # }
//! ```
//!
//! Accounts in a database implement [`VerifyToken`], and several instances of a server share what
//! they know of nonces by [`Nonces`]. A client sends a token and a timestamp, new ones for each
//! request:
//!
//! ```
//! use svcgen_ws::ws_security::{ClientSecurity, UsernameToken};
//!
//! # fn example<T: svcgen::Transport>(client: svcgen::codegen::Client<T>) -> svcgen::codegen::Client<impl svcgen::Transport> {
//! client.with_ws_security(UsernameToken::digest("ann", "s3cret"))
//! # }
//! ```
//!
//! # What a server accepts
//!
//! - `PasswordText` and `PasswordDigest` of the UsernameToken Profile 1.0 and 1.1. A digest needs
//!   `Nonce` and `Created`.
//! - A `Created` of the last five minutes, and five more either way, by which clocks may differ
//!   ([`WsSecurity::with_freshness`], [`WsSecurity::with_clock_skew`]). Times without a zone are
//!   UTC.
//! - Each nonce with its `Created` once. Remembered are those of calls whose password was right, so
//!   that nobody else fills the memory; when it is full, calls with a nonce are refused until the
//!   oldest ones have expired ([`MemoryNonces`]).
//! - A `Timestamp` that has not expired. If a request has one, so has its answer, as callers of WCF
//!   expect.
//! - Headers whose `actor` or `role` is another node are left alone.
//!
//! Calls over other bindings than SOAP have no such header, and are refused, unless the token is
//! [optional](WsSecurity::with_optional). Requests that a `Fallback` passes on are not checked
//! here: the original gets their headers, and checks them.
//!
//! # What is refused
//!
//! | fault code, of the namespace of `wsse` | why |
//! |---|---|
//! | `InvalidSecurity` | there is no token, a second header, token or timestamp, or a part that is no valid value; a nonce came twice |
//! | `InvalidSecurityToken` | a token lacks a part |
//! | `FailedAuthentication` | the user is not known or the password is wrong: one text for both, and the same work |
//! | `MessageExpired` | the token or the timestamp is too old, or from the future |
//! | `UnsupportedSecurityToken` | a token of another kind: X.509, Kerberos, SAML; a derived key; a plain password where digests alone are taken |
//! | `UnsupportedAlgorithm` | a signature or an encrypted part |
//!
//! In SOAP 1.1 this is the `faultcode`, in SOAP 1.2 the subcode of `Sender`.
//!
//! Signatures are the business of `svcgen-signatures`, which a server adds around this; encryption
//! is not implemented. A message that needs either is refused, never taken without it. Nothing but
//! TLS protects what is between the client and the
//! server: a digest hides the password alone, and from that somebody who listens can try passwords.
//! The WSDL does not say that a token is needed (WS-SecurityPolicy); callers configure it, as with
//! WSE.

mod client;
pub(crate) mod faults;
pub(crate) mod freshness;
pub(crate) mod header;
mod layer;
pub(crate) mod names;
mod nonces;
mod policy;
mod received_token;
pub(crate) mod time;
mod username_token;

pub use client::ClientSecurity;
pub use layer::ServerSecurity;
pub use nonces::{MemoryNonces, Nonces};
pub use policy::{VerifyToken, WsSecurity};
pub use received_token::ReceivedToken;
pub use username_token::UsernameToken;

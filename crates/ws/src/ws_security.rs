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
//! For accounts in a database, implement [`VerifyToken`]; for several instances of a server that
//! share their nonces, implement [`Nonces`]. A client sends a new token and a new timestamp with
//! each request:
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
//! - A `Created` of the last five minutes, plus five minutes in both directions for differing
//!   clocks ([`WsSecurity::with_freshness`], [`WsSecurity::with_clock_skew`]). Times without a zone
//!   are UTC.
//! - Each nonce with its `Created` once. Only nonces of calls with a right password are remembered,
//!   so that nobody else can fill the memory. When it is full, calls with a nonce are refused until
//!   the oldest ones have expired ([`MemoryNonces`]).
//! - A `Timestamp` that has not expired. If a request has a timestamp, its answer has one, too, as
//!   WCF clients expect.
//! - Headers whose `actor` or `role` is another node are ignored.
//!
//! Calls over bindings other than SOAP have no such header and are refused, unless the token is
//! [optional](WsSecurity::with_optional). Requests that a `Fallback` forwards are not checked here:
//! the original gets their headers, and checks them.
//!
//! # What is refused
//!
//! | fault code, in the namespace of `wsse` | reason |
//! |---|---|
//! | `InvalidSecurity` | there is no token, a second header, token or timestamp, or a part that is not a valid value; a nonce was used twice |
//! | `InvalidSecurityToken` | a token lacks a part |
//! | `FailedAuthentication` | the user is unknown or the password is wrong: the same text for both, and the same work |
//! | `MessageExpired` | the token or the timestamp is too old, or from the future |
//! | `UnsupportedSecurityToken` | a token of another kind: X.509, Kerberos, SAML; a derived key; a plain password where only digests are accepted |
//! | `UnsupportedAlgorithm` | a signature or an encrypted part |
//!
//! In SOAP 1.1, this is the `faultcode`; in SOAP 1.2, the subcode of `Sender`.
//!
//! The crate `svcgen-signatures` implements signatures; a server adds it around this. Encryption is
//! not implemented. A message that needs either is refused, never accepted without it. Only TLS
//! protects messages between the client and the server: a digest hides only the password, and an
//! eavesdropper can try passwords against it. The WSDL does not declare that a token is required
//! (WS-SecurityPolicy); callers configure it, as with WSE.

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

//! Users of servers by HTTP authentication: Basic, and schemes of own as Negotiate and NTLM.
//!
//! A server asks by 401 who calls, before it reads the body of a request. Layers and handlers find the user as [`Context::user`](crate::Context::user):
//!
//! ```
//! use std::collections::HashMap;
//! use svcgen::authentication::{Authentication, Basic, Login};
//!
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> svcgen::Server<S, H> {
//! let passwords = HashMap::from([("ann", "s3cret")]);
//! let basic = Basic::new("Orders", move |login: &Login| {
//!     login.matches(passwords.get(login.user()).copied())
//! });
//! server.with_authentication(Authentication::new(basic))
//! # }
//! ```
//!
//! Accounts in a database implement [`VerifyLogin`]; other schemes implement [`Authenticate`]. Several schemes are offered in the order in which they were added, as IIS
//! offers Negotiate before NTLM; the caller chooses.
//!
//! # Connections
//!
//! Negotiate and NTLM tell who calls on a connection: a handshake has up to three requests, and the user of it is that of later requests of its connection, which need no
//! header. `serve` knows connections over HTTP/1.1. Over HTTP/2, and in other servers, such schemes are not offered; if there is no other,
//! a request over HTTP/2 is reset with `HTTP_1_1_REQUIRED`, upon which clients use HTTP/1.1 (RFC 9113 §8.1).
//!
//! A connection that a proxy uses for several callers has no user. A request with the header `Via` is that of a proxy: its user is that of this request alone, as with
//! `authPersistNonNTLM` off in IIS. A proxy that names itself nowhere must authenticate callers itself, or use a connection for each.
//!
//! # What is asked
//!
//! All requests to the paths of a service: calls, documents, and what a [`Fallback`](crate::Fallback) passes on. What is refused for another reason is asked as well, so that
//! nobody else learns of it. A
//! [`Router`](crate::Router) asks for all of its services that ask for nothing themselves, and for paths of none. [`Authentication::with_open_documents`],
//! [`Authentication::with_open_requests`] and [`Authentication::with_optional`] let callers pass without credentials; wrong ones are refused there, too.
//!
//! The body of a request that is refused is discarded within the bounds of other requests that are no calls, and never held, so that the connection stays: handshakes need it. A caller that waits for
//! `100 Continue` is told 401 at once, and sends the body with the last request of a handshake.
//!
//! Requests are counted, traced and logged with the name of no user; add it in a [layer](crate::layer) that reads the extension [`User`](crate::User).
//!
//! # What is not here
//!
//! Tickets of forms authentication, encrypted and signed by the `machineKey` of ASP.NET: a login page belongs to the application around a service, and the key to
//! its servers. Such callers log in at an operation that begins a new session, by the feature `sessions`, or send the tickets to a [`Fallback`](crate::Fallback).

mod basic;
mod connection;
mod guard;
mod policy;
mod scheme;

pub use basic::{Basic, Login, VerifyLogin};
pub(crate) use connection::Identity;
pub(crate) use guard::Admission;
pub use guard::OnlyHttp1;
pub use policy::Authentication;
pub use scheme::{Authenticate, Verdict};

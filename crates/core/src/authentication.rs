//! HTTP authentication for servers: Basic, and other schemes such as Negotiate and NTLM.
//!
//! A server with authentication answers 401 to callers without credentials, before it reads the
//! body of a request. Layers and handlers find the user with
//! [`Context::user`](crate::Context::user):
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
//! For accounts in a database, implement [`VerifyLogin`]; for other schemes, implement
//! [`Authenticate`]. Several schemes are offered in the order in which you add them, as IIS offers
//! Negotiate before NTLM; the caller chooses.
//!
//! # Connections
//!
//! Negotiate and NTLM log in a connection: a handshake takes up to three requests, and later
//! requests on the connection have the same user without a header. `serve` supports this over
//! HTTP/1.1. Over HTTP/2, and in other servers, such schemes are not offered; if there is no other
//! scheme, a request over HTTP/2 is reset with `HTTP_1_1_REQUIRED`, so that clients switch to
//! HTTP/1.1 (RFC 9113 §8.1).
//!
//! A connection that a proxy shares between callers has no user. A request with the header `Via`
//! comes from a proxy, so its login applies only to this request, as with `authPersistNonNTLM` off
//! in IIS. A proxy that does not send `Via` must authenticate callers itself, or use a separate
//! connection for each caller.
//!
//! # Which requests need a login
//!
//! All requests to the paths of a service need a login: calls, documents, requests that a
//! [`Fallback`](crate::Fallback) forwards, and requests that are refused for another reason, so
//! that nobody else learns of it. The authentication of a [`Router`](crate::Router) applies to its
//! services without their own, and to paths of no service. [`Authentication::with_open_documents`],
//! [`Authentication::with_open_requests`] and [`Authentication::with_optional`] accept callers
//! without credentials; wrong credentials are still refused.
//!
//! The body of a refused request is discarded within the limits for requests that are not calls,
//! and never held in memory, so that the connection stays open for the handshake. A caller that
//! waits for `100 Continue` gets 401 at once, and sends the body with the last request of the
//! handshake.
//!
//! Metrics, traces and logs do not contain the name of the user; add it in a [layer](crate::layer)
//! that reads the extension [`User`](crate::User).
//!
//! # What is not supported
//!
//! Tickets of forms authentication, which ASP.NET encrypts and signs with its `machineKey`, are not
//! supported: the login page belongs to the application around the service, and the key to its
//! servers. Let such callers log in by an operation that starts a new session (feature `sessions`),
//! or send their tickets to a [`Fallback`](crate::Fallback).

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

//! Negotiate (RFC 4559) on the GSSAPI of the system: Kerberos, and NTLM if its mechanism is
//! installed (`gss-ntlmssp`).
//!
//! A server takes its keys from the keytab that `KRB5_KTNAME` names, or from `/etc/krb5.keytab`:
//!
//! ```no_run
//! # #[cfg(feature = "gssapi")]
//! # fn example<S, H>(server: svcgen::Server<S, H>) -> Result<svcgen::Server<S, H>, svcgen_negotiate::GssError> {
//! use svcgen::authentication::Authentication;
//! use svcgen_negotiate::Negotiate;
//!
//! let negotiate = Negotiate::new("HTTP@shop.example.com")?.with_report(|why| eprintln!("{why}"));
//! Ok(server.with_authentication(Authentication::new(negotiate)))
//! # }
//! ```
//!
//! A client uses the ticket of `kinit`:
//!
//! ```
//! # #[cfg(feature = "gssapi")]
//! let transport = svcgen::HttpTransport::new().with_handshake(svcgen_negotiate::ClientNegotiate::new);
//! ```
//!
//! Names of users are `ann@EXAMPLE.COM` with Kerberos, and `DOMAIN\ann` with NTLM.
//!
//! The whole crate needs the feature `gssapi`, which is built with libclang and the headers of
//! Kerberos (Debian: `libclang-dev`, `libkrb5-dev`).
//!
//! Over TLS, a client binds its tokens to the certificate that the server has presented
//! (`tls-server-end-point`, RFC 5929 §4), which "extended protection" of IIS requires. A server
//! accepts tokens with and without such a binding.
#![cfg(feature = "gssapi")]
#![forbid(unsafe_code)]

mod accept;
mod channel;
mod client;
mod ntlm;

use std::fmt;

pub use accept::{Accept, Negotiate, Ntlm};
pub use client::{ClientNegotiate, ClientNtlm};

/// The reason why GSSAPI provides no credentials, or refuses a token.
#[derive(Debug, Clone)]
pub struct GssError(String);

impl GssError {
    fn new(what: &str, error: libgssapi::error::Error) -> Self {
        Self(format!("{what}: {error}"))
    }
}

impl fmt::Display for GssError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GssError {}

//! Extensions about the caller of a request, from its connection.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::Extensions;

/// The address of the caller, an extension of the request that `serve` adds, or with the feature
/// `axum` the `ConnectInfo<SocketAddr>` of axum (`into_make_service_with_connect_info`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteAddress(pub SocketAddr);

/// Copies the address of the caller from axum, unless the request has it already.
#[cfg(feature = "axum")]
pub(crate) fn take_connect_info(extensions: &mut Extensions) {
    let known = extensions.get::<RemoteAddress>();
    let address = extensions.get::<axum::extract::ConnectInfo<SocketAddr>>();
    if let (None, Some(address)) = (known, address) {
        let address = RemoteAddress(address.0);
        extensions.insert(address);
    }
}

impl RemoteAddress {
    /// Returns the address in the extensions of a request.
    pub fn of(extensions: &Extensions) -> Option<SocketAddr> {
        extensions.get::<Self>().map(|address| address.0)
    }
}

/// The certificates that the caller has presented in the TLS handshake, in DER, its own first: an
/// extension of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeerCertificates(pub Arc<[Bytes]>);

impl PeerCertificates {
    /// Returns the certificates in the extensions of a request.
    pub fn of(extensions: &Extensions) -> &[Bytes] {
        extensions
            .get::<Self>()
            .map_or(&[], |certificates| &certificates.0)
    }
}

/// The verified user who calls: an extension of the request that
/// [authentication](crate::authentication), `svcgen-ws` or a [layer](crate::layer) adds, and that
/// handlers read with [`Context::user`](crate::Context::user).
///
/// ```
/// fn authenticated(mut request: svcgen::layer::CallRequest) -> svcgen::layer::CallRequest {
///     request.extensions_mut().insert(svcgen::User::new("ann"));
///     request
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User(Arc<str>);

impl User {
    /// Creates a user with a name.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Returns the name in the extensions of a request.
    pub fn of(extensions: &Extensions) -> Option<&str> {
        extensions.get::<Self>().map(Self::name)
    }
}

/// Marks a request that came over TLS: an extension of the request.
#[derive(Clone, Debug)]
pub struct Encrypted;

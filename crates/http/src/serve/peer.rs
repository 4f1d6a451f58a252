//! The other end of a connection.

use std::net::SocketAddr;

use http::Extensions;

use svcgen_core::{PeerCertificates, RemoteAddress, internals::Encrypted};

/// The information about a caller.
pub(super) struct Peer {
    pub(super) address: Option<SocketAddr>,
    pub(super) is_encrypted: bool,
    pub(super) certificates: Option<PeerCertificates>,
}

impl Peer {
    pub(super) fn new(address: Option<SocketAddr>) -> Self {
        Self {
            address,
            is_encrypted: false,
            certificates: None,
        }
    }

    /// Adds the information to the extensions of a request.
    pub(super) fn describe(&self, extensions: &mut Extensions) {
        if let Some(address) = self.address {
            extensions.insert(RemoteAddress(address));
        }
        if self.is_encrypted {
            extensions.insert(Encrypted);
        }
        if let Some(certificates) = &self.certificates {
            extensions.insert(certificates.clone());
        }
    }
}

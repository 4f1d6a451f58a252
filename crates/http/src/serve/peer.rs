//! Who is at the other end of a connection.

use std::net::SocketAddr;

use http::Extensions;

use svcgen_core::PeerCertificates;
use svcgen_core::RemoteAddress;
#[cfg(feature = "tls")]
use svcgen_core::internals::Encrypted;

/// What is known of a caller.
pub(super) struct Peer {
    pub(super) address: Option<SocketAddr>,
    /// What the handshake told; `None` without TLS.
    #[cfg(feature = "tls")]
    pub(super) tls: Option<TlsPeer>,
}

/// What is known of a caller over TLS.
#[cfg(feature = "tls")]
pub(super) struct TlsPeer {
    pub(super) certificates: Option<PeerCertificates>,
}

impl Peer {
    pub(super) fn new(address: Option<SocketAddr>) -> Self {
        Self {
            address,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// Says in a request who sent it.
    pub(super) fn describe(&self, extensions: &mut Extensions) {
        if let Some(address) = self.address {
            extensions.insert(RemoteAddress(address));
        }
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            extensions.insert(Encrypted);
            if let Some(certificates) = &tls.certificates {
                extensions.insert(certificates.clone());
            }
        }
    }
}

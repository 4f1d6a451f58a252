//! Certificates for tests, and listeners that use them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair,
};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use svcgen::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// An authority that issues certificates.
pub(crate) struct Issuer(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub(crate) struct Issued {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Issuer {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        // Two issuers with the same name would count as the same issuer.
        static ISSUERS: AtomicUsize = AtomicUsize::new(0);
        let name = format!("issuer {}", ISSUERS.fetch_add(1, Ordering::Relaxed));
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self(CertifiedIssuer::self_signed(params, key).expect("a root"))
    }

    /// Returns the root certificate, in PEM.
    pub(crate) fn root(&self) -> String {
        self.0.pem()
    }

    /// Returns the root certificate in the form of a server certificate.
    pub(crate) fn itself(&self) -> Issued {
        Issued {
            certificate: self.root(),
            key: self.0.key().serialize_pem(),
        }
    }

    /// Issues a certificate for servers and clients with these names.
    pub(crate) fn issue(&self, names: &[&str]) -> Issued {
        self.issue_with(names, |_| ())
    }

    /// Issues a certificate after `change`.
    pub(crate) fn issue_with(
        &self,
        names: &[&str],
        change: impl FnOnce(&mut CertificateParams),
    ) -> Issued {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names");
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        change(&mut params);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Issued {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }
}

impl Issued {
    /// Returns the TLS settings of a server with this certificate. With a root, callers need a
    /// certificate that it issued.
    pub(crate) fn acceptor(&self, client_root: Option<&str>) -> TlsAcceptor {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("versions");
        let config = match client_root {
            None => config.with_no_client_auth(),
            Some(root) => {
                let mut roots = rustls::RootCertStore::empty();
                roots.add(certificate(root)).expect("a root");
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                config.with_client_cert_verifier(verifier.build().expect("a verifier"))
            }
        };
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("a key");
        let config = config.with_single_cert(vec![certificate(&self.certificate)], key);
        TlsAcceptor::from(Arc::new(config.expect("a certificate")))
    }
}

fn certificate(pem: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate")
}

/// Accepts connections after successful handshakes.
pub(crate) struct TlsListener {
    pub(crate) listener: TcpListener,
    pub(crate) acceptor: TlsAcceptor,
}

impl Listener for TlsListener {
    type Stream = TlsStream<TcpStream>;

    async fn accept(&mut self) -> (Self::Stream, Option<SocketAddr>) {
        loop {
            let (stream, address) = self.listener.accept().await.expect("a connection");
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, Some(address));
            }
        }
    }
}

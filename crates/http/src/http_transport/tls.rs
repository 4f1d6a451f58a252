//! TLS of a client: trusted servers and its own certificate.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustls::pki_types::CertificateDer;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, RootCertStore};

use crate::tls::{Pem, TlsError, certified, provider};

/// The root certificates that a client trusts over https, and its own certificate. TLS 1.2 and 1.3
/// are supported.
///
/// By default, the client trusts the roots of the system, or those of `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` if they are set. The name of the server is always checked; no check can be turned
/// off.
///
/// ```no_run
/// use svcgen::http_transport::Tls;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tls = Tls::new()
///     .with_roots_file("corporate-root.pem")?
///     .with_client_certificate_files("client.pem", "client.key")?;
/// let transport = svcgen::HttpTransport::new().with_tls(tls);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tls {
    trusts_system: bool,
    roots: Vec<CertificateDer<'static>>,
    identity: Option<CertifiedKey>,
    made: Arc<Made>,
}

/// Configurations that are created for the first connection, because reading the roots of the
/// system takes milliseconds.
#[derive(Default)]
struct Made {
    /// With the client's certificate.
    identified: OnceLock<Result<Arc<ClientConfig>, String>>,
    anonymous: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Default for Tls {
    fn default() -> Self {
        Self {
            trusts_system: true,
            roots: Vec::new(),
            identity: None,
            made: Arc::default(),
        }
    }
}

impl Tls {
    /// Creates a configuration that trusts the roots of the system.
    pub fn new() -> Self {
        Self::default()
    }

    /// Also trusts these roots, given as certificates in PEM.
    ///
    /// # Errors
    ///
    /// The text is not PEM, contains no certificate, or a certificate cannot be a root.
    pub fn with_roots(self, pem: impl AsRef<[u8]>) -> Result<Self, TlsError> {
        self.with_roots_of(&Pem::given(pem.as_ref(), "the roots"))
    }

    /// Also trusts the roots in a PEM file.
    ///
    /// # Errors
    ///
    /// The file cannot be read; otherwise the same as for [`with_roots`](Self::with_roots).
    pub fn with_roots_file(self, path: impl AsRef<Path>) -> Result<Self, TlsError> {
        self.with_roots_of(&Pem::read(path.as_ref())?)
    }

    fn with_roots_of(mut self, pem: &Pem) -> Result<Self, TlsError> {
        let roots = pem.certificates()?;
        let mut store = RootCertStore::empty();
        for (at, root) in roots.iter().enumerate() {
            store.add(root.clone()).map_err(|error| {
                pem.wrong(format_args!(
                    "its certificate {} is not a root: {error}",
                    at + 1
                ))
            })?;
        }
        self.roots.extend(roots);
        self.made = Arc::default();
        Ok(self)
    }

    /// Trusts only your own roots, not those of the system.
    #[must_use]
    pub fn without_system_roots(mut self) -> Self {
        self.trusts_system = false;
        self.made = Arc::default();
        self
    }

    /// Sets the certificate for servers that ask for one: its chain, the client's own certificate
    /// first, and its private key, both in PEM.
    ///
    /// # Errors
    ///
    /// There is no certificate or no key, or the key is encrypted or does not belong to the
    /// certificate.
    pub fn with_client_certificate(
        self,
        chain: impl AsRef<[u8]>,
        key: impl AsRef<[u8]>,
    ) -> Result<Self, TlsError> {
        self.with_identity(
            &Pem::given(chain.as_ref(), "the client's certificate"),
            &Pem::given(key.as_ref(), "the client's key"),
        )
    }

    /// Sets the certificate for servers that ask for one, from PEM files; both may be the same
    /// file.
    ///
    /// # Errors
    ///
    /// A file cannot be read; otherwise the same as for
    /// [`with_client_certificate`](Self::with_client_certificate).
    pub fn with_client_certificate_files(
        self,
        chain: impl AsRef<Path>,
        key: impl AsRef<Path>,
    ) -> Result<Self, TlsError> {
        self.with_identity(&Pem::read(chain.as_ref())?, &Pem::read(key.as_ref())?)
    }

    fn with_identity(mut self, chain: &Pem, key: &Pem) -> Result<Self, TlsError> {
        self.identity = Some(certified(chain, key)?);
        self.made = Arc::default();
        Ok(self)
    }

    /// Returns the configuration of rustls with the client's certificate, for HTTP/1.1 connections
    /// that do not use [`HttpTransport`](super::HttpTransport).
    ///
    /// # Errors
    ///
    /// There are no roots to trust.
    ///
    /// ```no_run
    /// use svcgen::http_transport::Tls;
    ///
    /// let config = Tls::new().with_roots_file("corporate-root.pem")?.client_config()?;
    /// assert_eq!(config.alpn_protocols, [b"http/1.1"]);
    /// # Ok::<(), svcgen::tls::TlsError>(())
    /// ```
    pub fn client_config(&self) -> Result<Arc<ClientConfig>, TlsError> {
        self.config(true).map_err(TlsError::new)
    }

    /// Returns the configuration for connections, with the client's certificate or without it.
    pub(super) fn config(&self, identified: bool) -> Result<Arc<ClientConfig>, String> {
        let identity = self.identity.as_ref().filter(|_| identified);
        let made = match identity {
            Some(_) => &self.made.identified,
            None => &self.made.anonymous,
        };
        made.get_or_init(|| self.make(identity)).clone()
    }

    fn make(&self, identity: Option<&CertifiedKey>) -> Result<Arc<ClientConfig>, String> {
        let mut roots = RootCertStore::empty();
        for root in &self.roots {
            roots.add(root.clone()).map_err(|error| error.to_string())?;
        }
        let mut why = "and Tls::with_roots gave none".to_owned();
        if self.trusts_system {
            let loaded = rustls_native_certs::load_native_certs();
            // Systems may have roots that rustls cannot read.
            roots.add_parsable_certificates(loaded.certs);
            if let Some(error) = loaded.errors.first() {
                why = format!("{why}; the system: {error}");
            }
        }
        if roots.is_empty() {
            return Err(format!("there are no roots to trust, {why}"));
        }
        let config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots);
        let mut config = match identity {
            Some(identity) => {
                let identity = SingleCertAndKey::from(identity.clone());
                config.with_client_cert_resolver(Arc::new(identity))
            }
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls")
            .field("trusts_system", &self.trusts_system)
            .field("roots", &self.roots.len())
            .field("has_client_certificate", &self.identity.is_some())
            .finish_non_exhaustive()
    }
}

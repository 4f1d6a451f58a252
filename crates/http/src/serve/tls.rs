//! TLS of a server: its certificate, and the client certificates that it accepts.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{RootCertStore, ServerConfig};

use crate::tls::{Pem, TlsError, certified, provider};

/// The shortest interval of checks for changed files, which run at handshakes.
const LOOKS: Duration = Duration::from_secs(2);

/// The certificate of a server, and the client certificates it accepts, for
/// [`Serve::with_tls`](super::Serve::with_tls). Clones share their state: to renew the certificate
/// of a running server, [`reload`](Self::reload) a clone.
///
/// TLS 1.2 and 1.3 are supported. Callers on .NET Framework before 4.6, or on Windows without TLS
/// 1.2, need a proxy that supports older versions.
///
/// ```no_run
/// use svcgen::serve::{ClientCertificates, Tls};
///
/// # async fn example(router: svcgen::Router) -> Result<(), Box<dyn std::error::Error>> {
/// let tls = Tls::from_pem_files("server.pem", "server.key")?
///     .with_client_roots(std::fs::read("partners.pem")?, ClientCertificates::Required)?;
/// let listener = tokio::net::TcpListener::bind("0.0.0.0:443").await?;
/// svcgen::serve(listener, router).with_tls(tls).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tls {
    source: Arc<Source>,
    verifier: Option<Arc<dyn ClientCertVerifier>>,
    loaded: Arc<Mutex<Loaded>>,
}

/// Whether callers must present a certificate that chains to a root of [`Tls::with_client_roots`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientCertificates {
    /// The handshake fails without a certificate.
    Required,
    /// Callers without a certificate are served; a certificate of another root still fails the
    /// handshake.
    Optional,
}

enum Source {
    Files { certificates: PathBuf, key: PathBuf },
    Given(CertifiedKey),
    Own(Arc<ServerConfig>),
}

struct Loaded {
    configs: Configs,
    /// The modification times of the configuration's files.
    changed: Option<[SystemTime; 2]>,
    looked: Instant,
    error: Option<Arc<TlsError>>,
}

/// The configuration for each set of protocols that a server supports.
#[derive(Clone)]
struct Configs {
    http1: Arc<ServerConfig>,
    http2: Arc<ServerConfig>,
}

impl Configs {
    /// Creates the configurations. Sets ALPN (RFC 7301), unless the configuration has its own. A
    /// caller that names no protocol uses HTTP/1.1.
    fn new(config: Arc<ServerConfig>) -> Self {
        if !config.alpn_protocols.is_empty() {
            let http1 = Arc::clone(&config);
            return Self {
                http1,
                http2: config,
            };
        }
        let with = |protocols: &[&str]| {
            let mut config = ServerConfig::clone(&config);
            config.alpn_protocols = protocols
                .iter()
                .map(|name| name.as_bytes().into())
                .collect();
            Arc::new(config)
        };
        Self {
            http1: with(&["http/1.1", "http/1.0"]),
            http2: with(&["h2", "http/1.1", "http/1.0"]),
        }
    }
}

impl Tls {
    /// Reads the certificates, the server's own first, and its private key from files in PEM.
    ///
    /// When the files change, they are read again: a server checks them at handshakes, at most
    /// every two seconds. If the new files cannot be used, it keeps the previous certificate, and
    /// [`reload_error`](Self::reload_error) returns the reason. Open connections keep the
    /// certificate that they started with.
    ///
    /// # Errors
    ///
    /// A file cannot be read, contains no certificate or key, or the key does not belong to the
    /// first certificate.
    pub fn from_pem_files(
        certificates: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Result<Self, TlsError> {
        Self::of(Source::Files {
            certificates: certificates.into(),
            key: key.into(),
        })
    }

    /// Takes the certificates, the server's own first, and its private key as text in PEM.
    ///
    /// # Errors
    ///
    /// The same as for [`from_pem_files`](Self::from_pem_files).
    pub fn from_pem(
        certificates: impl AsRef<[u8]>,
        key: impl AsRef<[u8]>,
    ) -> Result<Self, TlsError> {
        let certificates = Pem::given(certificates.as_ref(), "the certificates");
        let key = Pem::given(key.as_ref(), "the private key");
        Self::of(Source::Given(certified(&certificates, &key)?))
    }

    /// Uses a configuration of rustls, for example to choose the certificate by the name of the
    /// server. If it has no ALPN protocols, they are set.
    pub fn from_config(config: ServerConfig) -> Self {
        let config = Arc::new(config);
        let loaded = Loaded::new(Arc::clone(&config), None);
        Self {
            source: Arc::new(Source::Own(config)),
            verifier: None,
            loaded,
        }
    }

    fn of(source: Source) -> Result<Self, TlsError> {
        let source = Arc::new(source);
        let verifier = None;
        let changed = source.changed();
        let config = source.config(&verifier)?;
        Ok(Self {
            loaded: Loaded::new(config, changed),
            source,
            verifier,
        })
    }

    /// Accepts client certificates that chain to one of these roots, which are certificates in PEM.
    /// The handler finds the certificates of a caller in the extension
    /// [`PeerCertificates`](svcgen_core::PeerCertificates) of the request.
    ///
    /// # Errors
    ///
    /// The text contains no certificate, or one that cannot be a root; or this is a configuration
    /// of rustls, which has its own rule.
    pub fn with_client_roots(
        mut self,
        pem: impl AsRef<[u8]>,
        certificates: ClientCertificates,
    ) -> Result<Self, TlsError> {
        if matches!(*self.source, Source::Own(_)) {
            let message = "an own configuration of rustls decides itself which callers it accepts: set its verifier of client certificates";
            return Err(TlsError::new(message));
        }
        let pem = Pem::given(pem.as_ref(), "the roots of callers");
        let mut roots = RootCertStore::empty();
        for root in pem.certificates()? {
            roots.add(root).map_err(|error| pem.wrong(error))?;
        }
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        let verifier = match certificates {
            ClientCertificates::Required => verifier,
            ClientCertificates::Optional => verifier.allow_unauthenticated(),
        };
        self.verifier = Some(verifier.build().map_err(|error| pem.wrong(error))?);
        let changed = self.source.changed();
        self.loaded = Loaded::new(self.source.config(&self.verifier)?, changed);
        Ok(self)
    }

    /// Reads the files again, if there are any. New connections use their new content.
    ///
    /// # Errors
    ///
    /// The same as for [`from_pem_files`](Self::from_pem_files); the server then keeps the previous
    /// certificate.
    pub fn reload(&self) -> Result<(), Arc<TlsError>> {
        let mut loaded = self.loaded();
        self.load(&mut loaded);
        loaded.error.clone().map_or(Ok(()), Err)
    }

    /// Returns the error of the last reading of the files; `None` if they could be used.
    pub fn reload_error(&self) -> Option<Arc<TlsError>> {
        self.loaded().error.clone()
    }

    /// Returns the current configuration of rustls, for HTTP/1.1 servers other than
    /// [`serve`](crate::serve()).
    pub fn server_config(&self) -> Arc<ServerConfig> {
        self.config(false)
    }

    /// Returns the configuration for the next handshake.
    pub(super) fn config(&self, has_http2: bool) -> Arc<ServerConfig> {
        let mut loaded = self.loaded();
        if loaded.looked.elapsed() >= LOOKS {
            loaded.looked = Instant::now();
            // Missing files have no modification time, so they are read: the error then contains
            // the reason.
            let changed = self.source.changed();
            let is_of_files = matches!(*self.source, Source::Files { .. });
            if is_of_files && (changed.is_none() || changed != loaded.changed) {
                self.load(&mut loaded);
            }
        }
        let Configs { http1, http2 } = &loaded.configs;
        Arc::clone(if has_http2 { http2 } else { http1 })
    }

    fn load(&self, loaded: &mut Loaded) {
        // The times from before reading: if the files change meanwhile, they are read once more.
        let changed = self.source.changed();
        match self.source.config(&self.verifier) {
            Ok(config) => {
                loaded.configs = Configs::new(config);
                loaded.changed = changed;
                loaded.error = None;
            }
            Err(error) => loaded.error = Some(Arc::new(error)),
        }
    }

    fn loaded(&self) -> MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loaded {
    fn new(config: Arc<ServerConfig>, changed: Option<[SystemTime; 2]>) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            configs: Configs::new(config),
            changed,
            looked: Instant::now(),
            error: None,
        }))
    }
}

impl Source {
    fn config(
        &self,
        verifier: &Option<Arc<dyn ClientCertVerifier>>,
    ) -> Result<Arc<ServerConfig>, TlsError> {
        let certified = match self {
            Self::Own(config) => return Ok(Arc::clone(config)),
            Self::Given(certified) => certified.clone(),
            Self::Files { certificates, key } => {
                certified(&Pem::read(certificates)?, &Pem::read(key)?)?
            }
        };
        let resolver = SingleCertAndKey::from(certified);
        let config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| TlsError::new(error.to_string()))?;
        let config = match verifier {
            Some(verifier) => config.with_client_cert_verifier(Arc::clone(verifier)),
            None => config.with_no_client_auth(),
        };
        Ok(Arc::new(config.with_cert_resolver(Arc::new(resolver))))
    }

    /// Returns the modification times of the files, if there are files and the system provides the
    /// times.
    fn changed(&self) -> Option<[SystemTime; 2]> {
        let Self::Files { certificates, key } = self else {
            return None;
        };
        let changed = |file: &PathBuf| std::fs::metadata(file)?.modified();
        let read = [certificates, key].map(changed);
        let [Ok(certificates), Ok(key)] = read else {
            return None;
        };
        Some([certificates, key])
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

impl From<TlsError> for io::Error {
    fn from(error: TlsError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

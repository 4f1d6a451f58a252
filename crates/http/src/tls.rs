//! Certificates and keys in PEM, for servers and clients.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use svcgen_core::internals::printable;

/// The reason why certificates or keys cannot be used.
#[derive(Debug)]
pub struct TlsError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl TlsError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        let source = None;
        Self { message, source }
    }

    fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.message))
    }
}

impl Error for TlsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Returns the cryptography provider of every connection, independent of the provider that the
/// process has installed.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Text in PEM, and its name in errors: the file, or the purpose.
pub(crate) struct Pem {
    text: Vec<u8>,
    name: String,
}

impl Pem {
    pub(crate) fn given(text: &[u8], name: &str) -> Self {
        Self {
            text: text.to_vec(),
            name: name.to_owned(),
        }
    }

    pub(crate) fn read(path: &Path) -> Result<Self, TlsError> {
        let name = path.display().to_string();
        match fs::read(path) {
            Ok(text) => Ok(Self { text, name }),
            Err(error) => {
                Err(TlsError::new(format!("cannot read {name}: {error}")).with_source(error))
            }
        }
    }

    /// Returns the certificates, at least one.
    pub(crate) fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, TlsError> {
        let certificates = CertificateDer::pem_slice_iter(&self.text);
        let certificates: Vec<_> = certificates
            .collect::<Result<_, _>>()
            .map_err(|error| self.ill_formed(error))?;
        if certificates.is_empty() {
            return Err(self.lacks("certificate", "CERTIFICATE"));
        }
        Ok(certificates)
    }

    /// Returns the first private key.
    pub(crate) fn private_key(&self) -> Result<PrivateKeyDer<'static>, TlsError> {
        match PrivateKeyDer::from_pem_slice(&self.text) {
            Ok(key) => Ok(key),
            Err(pem::Error::NoItemsFound)
                if self.has("-----BEGIN ENCRYPTED PRIVATE KEY") || self.has("Proc-Type: 4,ENC") =>
            {
                let message =
                    "the private key is encrypted: decrypt it first, as with `openssl pkey`";
                Err(self.wrong(message))
            }
            Err(pem::Error::NoItemsFound) => Err(self.lacks("private key", "PRIVATE KEY")),
            Err(error) => Err(self.ill_formed(error)),
        }
    }

    /// Returns an error about this text.
    pub(crate) fn wrong(&self, why: impl fmt::Display) -> TlsError {
        TlsError::new(format!("{}: {why}", self.name))
    }

    fn has(&self, text: &str) -> bool {
        let text = text.as_bytes();
        self.text.windows(text.len()).any(|part| part == text)
    }

    fn ill_formed(&self, error: pem::Error) -> TlsError {
        self.wrong(format_args!("it is ill-formed PEM: {error}"))
            .with_source(error)
    }

    fn lacks(&self, what: &str, label: &str) -> TlsError {
        if self.has("-----BEGIN ") {
            self.wrong(format_args!("there is no {what} in it"))
        } else {
            self.wrong(format_args!(
                "it is not PEM, which begins with `-----BEGIN {label}-----`: convert it, as with `openssl`"
            ))
        }
    }
}

/// Returns a chain of certificates with the private key of the first one.
pub(crate) fn certified(certificates: &Pem, key: &Pem) -> Result<CertifiedKey, TlsError> {
    let chain = certificates.certificates()?;
    CertifiedKey::from_der(chain, key.private_key()?, &provider()).map_err(|error| {
        let why = match &error {
            rustls::Error::InconsistentKeys(_) => format!(
                "the private key is not that of the first certificate in {}",
                certificates.name
            ),
            rustls::Error::InvalidCertificate(_) => {
                return certificates
                    .wrong("its first certificate is ill-formed")
                    .with_source(error);
            }
            _ => format!("the private key cannot be used: {error}"),
        };
        key.wrong(why).with_source(error)
    })
}

//! TLS to callers, and to the server.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};

/// The name that a certificate is for: of a host, with or without its port.
pub(crate) fn name(host: &str) -> Result<ServerName<'static>, String> {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => host,
    };
    let bare = bare.trim_start_matches('[').trim_end_matches(']');
    ServerName::try_from(bare.to_owned()).map_err(|_| format!("{host} is no name of a host"))
}

/// Shows the certificates of a file, with the key of another one.
pub(crate) fn server(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, String> {
    let chain = certificates(certificate)?;
    let private = PrivateKeyDer::from_pem_file(key);
    let private = private
        .map_err(|error| format!("{} holds no private key in PEM: {error}", key.display()))?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    let config = builder
        .with_no_client_auth()
        .with_single_cert(chain, private);
    let mut config = config.map_err(|error| {
        let (certificate, key) = (certificate.display(), key.display());
        format!("{certificate} and {key} cannot be used together: {error}")
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let told = |error| format!("{} holds no certificates in PEM: {error}", file.display());
    let certificates = CertificateDer::pem_file_iter(file).map_err(told)?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(told)?;
    if certificates.is_empty() {
        return Err(format!("{} holds no certificates in PEM", file.display()));
    }
    Ok(certificates)
}

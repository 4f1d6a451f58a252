//! TLS handshakes, and descriptions of their errors.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{
    AlertDescription, CertificateError, ClientConfig, Error as TlsError, InvalidMessage,
    PeerIncompatible,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::unconnected::Unconnected;

/// Starts TLS on a stream, and verifies that the server has this name.
///
/// # Errors
///
/// Returns a description of the problem and of a possible solution.
pub(super) async fn secured<S>(
    stream: S,
    name: &str,
    config: Arc<ClientConfig>,
) -> Result<TlsStream<S>, Unconnected>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let server = ServerName::try_from(name.to_owned())
        .map_err(|_| "the host of the URL is not a name that certificates have".to_owned())?;
    let stream = TlsConnector::from(config).connect(server, stream).await;
    stream.map_err(|error| match tls_error(&error) {
        Some(error) => Unconnected {
            why: explained(error),
            source: Some(error.clone().into()),
        },
        None if error.kind() == ErrorKind::UnexpectedEof => {
            "the server closed the connection in the handshake of TLS: perhaps it speaks no TLS, or knows no service of this name".to_owned().into()
        }
        None => format!("the handshake of TLS broke: {error}").into(),
    })
}

/// Returns the error of TLS that caused this one.
pub(super) fn tls_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e TlsError> {
    let mut error = Some(error);
    while let Some(cause) = error {
        // The source of an `io::Error` is the source of its inner error.
        if let Some(cause) = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            return cause.downcast_ref();
        }
        error = cause.source();
    }
    None
}

/// Describes the error and a possible solution.
pub(super) fn explained(error: &TlsError) -> String {
    match error {
        TlsError::InvalidCertificate(error) => {
            let error = certificate(error);
            format!("the certificate of the server {error}")
        }
        TlsError::InvalidMessage(
            InvalidMessage::InvalidContentType | InvalidMessage::UnknownProtocolVersion,
        ) => "the server speaks no TLS on this port: is its URL http, or the port another one?"
            .to_owned(),
        TlsError::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        )
        | TlsError::AlertReceived(AlertDescription::ProtocolVersion) => {
            "the server speaks neither TLS 1.2 nor 1.3: let it, or a proxy in front of it"
                .to_owned()
        }
        TlsError::AlertReceived(alert) => {
            let hint = match alert {
                AlertDescription::CertificateRequired => {
                    ": it wants a certificate of the client, see Tls::with_client_certificate"
                }
                AlertDescription::BadCertificate
                | AlertDescription::CertificateUnknown
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateRevoked
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::UnknownCA
                | AlertDescription::AccessDenied => {
                    ": it does not accept the certificate of the client, or wants one"
                }
                AlertDescription::HandshakeFailure => {
                    ": it has no cipher suite in common with rustls, or wants a certificate of the client"
                }
                AlertDescription::UnrecognisedName => ": it has no service of this name",
                _ => "",
            };
            format!("the server ended TLS with the alert {alert:?}{hint}")
        }
        TlsError::PeerIncompatible(why) => {
            format!("the server's TLS has nothing in common with rustls ({why:?})")
        }
        error => format!("the handshake of TLS failed: {error}"),
    }
}

/// Describes the error of a certificate.
fn certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => {
            "is of an issuer that is not trusted: add its root by Tls::with_roots, and let the server send all certificates between"
                .to_owned()
        }
        CertificateError::Expired => "has expired: the server needs a new one".to_owned(),
        CertificateError::ExpiredContext { time, not_after } => {
            let days = time.as_secs().saturating_sub(not_after.as_secs()) / 86400;
            format!(
                "has expired {days} days ago: the server needs a new one, unless the clock of this machine is wrong"
            )
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet: is the clock of this machine right?".to_owned()
        }
        CertificateError::NotValidForName => "is for another name".to_owned(),
        CertificateError::NotValidForNameContext {
            expected,
            presented,
        } => {
            let expected = expected.to_str();
            let presented = presented.join(", ");
            format!(
                "is not for {expected} but for {presented}: connect by such a name, or let the server have a certificate for {expected}"
            )
        }
        CertificateError::BadSignature => {
            "is signed by another key than that of the root with its issuer's name: is the root that Tls::with_roots gave the current one?".to_owned()
        }
        CertificateError::Revoked => "is revoked".to_owned(),
        CertificateError::Other(_) => {
            format!("cannot be used: {error}; is it that of a CA itself, signed by itself?")
        }
        error => format!("cannot be used: {error}"),
    }
}

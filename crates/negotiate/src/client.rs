//! Handshakes for clients.

use std::error::Error;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libgssapi::context::{ClientCtx, CtxFlags};
use libgssapi::credential::{Cred, CredUsage};
use libgssapi::name::Name;
use libgssapi::oid::{GSS_MECH_SPNEGO, GSS_NT_HOSTBASED_SERVICE, GSS_NT_USER_NAME, Oid, OidSet};
use svcgen::Secret;
use svcgen::http_transport::Handshake;

use crate::{GssError, channel};

/// The mechanism NTLMSSP, 1.3.6.1.4.1.311.2.2.10.
const NTLMSSP: Oid<'static> = Oid::from_slice(b"\x2b\x06\x01\x04\x01\x82\x37\x02\x02\x0a");

type Answer = Result<Option<Secret<String>>, Box<dyn Error + Send + Sync>>;

/// A handshake of one mechanism, with the name of its scheme.
struct Initiator {
    scheme: &'static str,
    mechanism: Oid<'static>,
    host: String,
    login: Option<(String, Secret<String>)>,
    /// The channel bindings of tokens, if the connection uses TLS.
    channel: Option<Vec<u8>>,
    context: Option<ClientCtx>,
}

impl Initiator {
    fn answer(&mut self, challenges: &[&str]) -> Answer {
        let mut ours = challenges.iter().filter_map(|challenge| {
            let (name, token) = challenge.split_once(' ').unwrap_or((challenge, ""));
            name.eq_ignore_ascii_case(self.scheme).then(|| token.trim())
        });
        let Some(token) = ours.next() else {
            return Ok(None);
        };
        let token = STANDARD
            .decode(token)
            .map_err(|error| format!("the challenge of {} is no base64: {error}", self.scheme))?;
        if token.is_empty() && self.context.is_some() {
            // The token was refused.
            return Ok(None);
        }
        let context = match &mut self.context {
            Some(context) => context,
            None => {
                let context = self.begin()?;
                self.context.insert(context)
            }
        };
        let token = (!token.is_empty()).then_some(&*token);
        let what = format!("no token of {} for HTTP@{}", self.scheme, self.host);
        let answer = context.step(token, self.channel.as_deref());
        let answer = answer.map_err(|error| GssError::new(&what, error))?;
        Ok(answer.map(|token| format!("{} {}", self.scheme, STANDARD.encode(&*token)).into()))
    }

    fn begin(&self) -> Result<ClientCtx, GssError> {
        let service = format!("HTTP@{}", self.host);
        let failed = |error| GssError::new(&format!("{service} cannot be asked for"), error);
        let target =
            Name::new(service.as_bytes(), Some(GSS_NT_HOSTBASED_SERVICE)).map_err(failed)?;
        let credentials = match &self.login {
            None => None,
            Some((user, password)) => {
                let name = Name::new(user.as_bytes(), Some(GSS_NT_USER_NAME)).map_err(failed)?;
                let mechanisms = OidSet::singleton(self.mechanism).map_err(failed)?;
                let usage = CredUsage::Initiate;
                let credentials = Cred::acquire_with_password(
                    Some(&name),
                    password,
                    None,
                    usage,
                    Some(&mechanisms),
                );
                Some(credentials.map_err(failed)?)
            }
        };
        let flags = CtxFlags::GSS_C_MUTUAL_FLAG;
        Ok(ClientCtx::new(
            credentials,
            target,
            flags,
            Some(self.mechanism),
        ))
    }
}

/// The scheme `Negotiate` of a client, for
/// [`HttpTransport::with_handshake`](svcgen::HttpTransport::with_handshake), with the ticket of
/// `kinit`.
pub struct ClientNegotiate(Initiator);

impl ClientNegotiate {
    /// Creates a handshake that logs in at a host.
    pub fn new(host: &str) -> Self {
        Self(Initiator {
            scheme: "Negotiate",
            mechanism: GSS_MECH_SPNEGO,
            host: host.to_owned(),
            login: None,
            channel: None,
            context: None,
        })
    }
}

impl Handshake for ClientNegotiate {
    fn set_server_certificate(&mut self, certificate: &[u8]) {
        self.0.channel = channel::bindings(certificate);
    }

    fn answer(&mut self, challenges: &[&str]) -> Answer {
        self.0.answer(challenges)
    }
}

impl fmt::Debug for ClientNegotiate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientNegotiate")
            .field(&self.0.host)
            .finish()
    }
}

/// The scheme `NTLM` of a client, with the mechanism `gss-ntlmssp`.
///
/// ```
/// use svcgen_negotiate::ClientNtlm;
///
/// let transport = svcgen::HttpTransport::new()
///     .with_handshake(|host| ClientNtlm::new(host, "SHOP\\ann", "s3cret"));
/// ```
pub struct ClientNtlm(Initiator);

impl ClientNtlm {
    /// Creates a handshake that logs in at a host with a user, `DOMAIN\user`, and a password.
    pub fn new(host: &str, user: &str, password: impl Into<Secret<String>>) -> Self {
        Self(Initiator {
            scheme: "NTLM",
            mechanism: NTLMSSP,
            host: host.to_owned(),
            login: Some((user.to_owned(), password.into())),
            channel: None,
            context: None,
        })
    }
}

impl Handshake for ClientNtlm {
    fn set_server_certificate(&mut self, certificate: &[u8]) {
        self.0.channel = channel::bindings(certificate);
    }

    fn answer(&mut self, challenges: &[&str]) -> Answer {
        self.0.answer(challenges)
    }
}

impl fmt::Debug for ClientNtlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClientNtlm").field(&self.0.host).finish()
    }
}

#[cfg(test)]
mod tests {
    use libgssapi::context::{SecurityContext, ServerCtx};

    use super::*;

    /// Whether a server that is bound to a channel accepts the token of a client for a certificate.
    fn is_taken(certificate: &[u8], channel: Option<&[u8]>) -> bool {
        let mut client = ClientNegotiate::new("localhost");
        client.set_server_certificate(certificate);
        let answer = client.answer(&["Negotiate"]).unwrap().unwrap();
        let token = answer.as_str().strip_prefix("Negotiate ").unwrap();
        let token = STANDARD.decode(token).unwrap();
        let credentials = Cred::acquire(None, None, CredUsage::Accept, None).unwrap();
        let mut server = ServerCtx::new(Some(credentials));
        server.step(&token, channel).is_ok() && server.is_complete()
    }

    #[test]
    #[ignore = "it needs a realm, a ticket and a keytab: `crates/negotiate/check` makes them"]
    fn a_token_is_bound_to_the_certificate_of_the_server() {
        // The smallest value that has a signatureAlgorithm.
        let certificate = b"\x30\x04\x30\x00\x30\x00";
        let bound = channel::bindings(certificate).unwrap();
        assert!(is_taken(certificate, Some(&bound)));
        assert!(is_taken(certificate, None));
        assert!(!is_taken(certificate, Some(b"tls-server-end-point:other")));
    }
}

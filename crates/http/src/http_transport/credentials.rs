//! Credentials of a client, and login handshakes.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;

use super::invalid_option::InvalidOption;
use svcgen_wire::Secret;

/// A login handshake on a connection: Negotiate (RFC 4559) or NTLM.
///
/// Set it with [`HttpTransport::with_handshake`](super::HttpTransport::with_handshake). The
/// transport starts a handshake when a server answers 401, on a new connection if the server closed
/// the old one. It sends the request again on this connection with each `Authorization` that the
/// handshake returns, until the server answers with another status. So the request reaches the
/// server several times, but a server that answers 401 has not run it. Later requests on the
/// connection need no credentials unless the server asks again.
///
/// ```
/// use std::error::Error;
/// use svcgen::Secret;
/// use svcgen::http_transport::Handshake;
///
/// # struct SecurityContext;
/// # impl SecurityContext {
/// #     fn new(_service: &str) -> Self { Self }
/// #     fn step(&mut self, _token: &str) -> Result<String, Box<dyn Error + Send + Sync>> { Ok(String::new()) }
/// # }
/// /// Negotiate by a library for GSSAPI or SSPI, such as `cross-krb5` or `sspi`.
/// struct Negotiate(SecurityContext);
///
/// impl Handshake for Negotiate {
///     fn answer(&mut self, challenges: &[&str]) -> Result<Option<Secret<String>>, Box<dyn Error + Send + Sync>> {
///         // `Negotiate` at first, then `Negotiate TOKEN`; ignore other schemes.
///         let Some(token) = challenges.iter().find_map(|challenge| challenge.strip_prefix("Negotiate")) else {
///             return Ok(None);
///         };
///         let token = self.0.step(token.trim())?;
///         Ok(Some(format!("Negotiate {token}").into()))
///     }
/// }
///
/// let transport = svcgen::HttpTransport::new()
///     .with_handshake(|host| Negotiate(SecurityContext::new(&format!("HTTP@{host}"))));
/// ```
pub trait Handshake: Send + 'static {
    /// Receives the certificate of the server in DER, before the first answer, and only over TLS.
    ///
    /// A handshake with channel binding hashes it (`tls-server-end-point`, RFC 5929 §4), so that
    /// nobody in between can relay the handshake ("extended protection" of IIS). By default, it is
    /// ignored.
    fn set_server_certificate(&mut self, certificate: &[u8]) {
        let _ = certificate;
    }

    /// Returns the next `Authorization` for the challenges in the `WWW-Authenticate` headers of
    /// a 401. `None` gives up: the call then fails with the 401.
    ///
    /// This method runs on a thread where it may block.
    ///
    /// # Errors
    ///
    /// There is no `Authorization`, for this reason; the call fails with it.
    fn answer(
        &mut self,
        challenges: &[&str],
    ) -> Result<Option<Secret<String>>, Box<dyn Error + Send + Sync>>;
}

/// Starts handshakes with hosts.
#[derive(Clone)]
pub(super) struct Handshakes(Arc<Begin>);

type Begin = dyn Fn(&str) -> Box<dyn Handshake> + Send + Sync;

impl Handshakes {
    pub(super) fn new<H: Handshake>(begin: impl Fn(&str) -> H + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |host| Box::new(begin(host))))
    }

    pub(super) fn begin(&self, host: &str) -> Box<dyn Handshake> {
        (self.0)(host)
    }
}

impl fmt::Debug for Handshakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handshakes")
    }
}

/// Returns the challenges of a `WWW-Authenticate` (RFC 9110 §11.6.1). Commas separate both
/// challenges and their parameters.
pub(super) fn challenges(header: &str) -> Vec<String> {
    let mut challenges: Vec<String> = Vec::new();
    let (mut is_quoted, mut is_escaped) = (false, false);
    let parts = header.split(|character| {
        let is_end = character == ',' && !is_quoted;
        is_quoted ^= character == '"' && !is_escaped;
        is_escaped = character == '\\' && is_quoted && !is_escaped;
        is_end
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let name_end = part.find([' ', '\t', '=']).unwrap_or(part.len());
        let is_parameter = part[name_end..].trim_start().starts_with('=');
        match challenges.last_mut().filter(|_| is_parameter) {
            Some(challenge) => *challenge += &format!(", {part}"),
            None => challenges.push(part.to_owned()),
        }
    }
    challenges
}

/// Returns the credentials of `Basic` (RFC 7617), in UTF-8.
pub(super) fn basic(user: &str, password: &Secret<String>) -> Result<HeaderValue, InvalidOption> {
    if user.contains(':') {
        let message = "a user of Basic has no colon in the name (RFC 7617 §2)";
        return Err(InvalidOption(message.to_owned()));
    }
    let both = STANDARD.encode(format!("{user}:{}", password.as_str()));
    sensitive(&format!("Basic {both}"))
}

/// Returns the header of a bearer token (RFC 6750 §2.1).
pub(super) fn bearer(token: &Secret<String>) -> Result<HeaderValue, InvalidOption> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if token.is_empty() || !token.bytes().all(is_token) {
        let message = "the bearer token is empty, or has a character that tokens do not have (RFC 6750 §2.1): perhaps the end of a line";
        return Err(InvalidOption(message.to_owned()));
    }
    sensitive(&format!("Bearer {}", token.as_str()))
}

/// Returns a header value that `Debug` does not show.
pub(super) fn sensitive(text: &str) -> Result<HeaderValue, InvalidOption> {
    let message = "the credentials cannot stand in a header";
    let mut header = HeaderValue::try_from(text).map_err(|_| InvalidOption(message.to_owned()))?;
    header.set_sensitive(true);
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_of_one_header_are_separated() {
        for (header, expected) in [
            ("Negotiate", &["Negotiate"][..]),
            ("Negotiate,NTLM", &["Negotiate", "NTLM"]),
            (
                "Negotiate YII=, NTLM TlR=",
                &["Negotiate YII=", "NTLM TlR="],
            ),
            (
                r#"Digest realm="a, \"b", qop = "auth" , nonce=x, , Negotiate"#,
                &[
                    r#"Digest realm="a, \"b", qop = "auth", nonce=x"#,
                    "Negotiate",
                ],
            ),
            (
                r#"Basic realm="NTLM, Negotiate""#,
                &[r#"Basic realm="NTLM, Negotiate""#],
            ),
            ("realm=x", &["realm=x"]),
            (" , ", &[]),
        ] {
            assert_eq!(challenges(header), expected, "{header}");
        }
    }
}

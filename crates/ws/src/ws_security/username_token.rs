//! The token of a client.

use std::fmt;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::names::{BASE64, PROFILE, WSSE, WSU};
use super::received_token::digest_of;
use super::time;
use svcgen_wire::{Content, Secret, WriteError, types::XmlFragment};

/// The token that a client sends with each request, with a new nonce and the time.
///
/// ```
/// use svcgen_ws::ws_security::UsernameToken;
///
/// let token = UsernameToken::text("ann", "s3cret").with_timestamp(None);
/// assert_eq!(format!("{token:?}"), r#"UsernameToken { user: "ann", .. }"#);
/// ```
#[derive(Clone)]
pub struct UsernameToken {
    user: String,
    password: Secret<String>,
    is_digest: bool,
    /// The validity of a message.
    validity: Option<Duration>,
}

impl UsernameToken {
    fn new(user: &str, password: &str, is_digest: bool) -> Self {
        Self {
            user: user.to_owned(),
            password: password.into(),
            is_digest,
            validity: Some(Duration::from_secs(300)),
        }
    }

    /// Creates a token with the password as text (`PasswordText`), which only TLS protects.
    pub fn text(user: &str, password: &str) -> Self {
        Self::new(user, password, false)
    }

    /// Creates a token with a digest of the password (`PasswordDigest`), which is valid for one
    /// message.
    pub fn digest(user: &str, password: &str) -> Self {
        Self::new(user, password, true)
    }

    /// Sets the validity of a message in its `Timestamp`. By default, five minutes; `None` for no
    /// `Timestamp`.
    #[must_use]
    pub fn with_timestamp(mut self, validity: impl Into<Option<Duration>>) -> Self {
        self.validity = validity.into();
        self
    }

    /// Returns the header for a message that is sent now. `mustUnderstand` has the prefix of the
    /// envelopes that this crate writes.
    ///
    /// # Errors
    ///
    /// The name or the password contains a character that XML cannot represent.
    ///
    /// # Panics
    ///
    /// The system provides no random bytes.
    pub(super) fn header(&self, now: SystemTime) -> Result<XmlFragment, WriteError> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).expect("the system gives random bytes");
        let mut markup = Vec::new();
        let mut out = Content::compact(&mut markup);
        let attributes = [("xmlns:wsse", WSSE), ("soap:mustUnderstand", "1")];
        out.start("wsse:Security", &attributes);
        if let Some(validity) = self.validity {
            let expires = now.checked_add(validity).unwrap_or(now);
            out.raw(&timestamp(now, expires));
        }
        out.start("wsse:UsernameToken", &[]);
        out.text("wsse:Username", &self.user);
        let created = time::write(now);
        let kind = if self.is_digest {
            "PasswordDigest"
        } else {
            "PasswordText"
        };
        out.start("wsse:Password", &[("Type", &format!("{PROFILE}#{kind}"))]);
        if self.is_digest {
            let digest = digest_of(&nonce, &created, self.password.as_bytes());
            out.escaped(&STANDARD.encode(digest));
        } else {
            out.escaped(&self.password);
        }
        out.end("wsse:Password");
        out.start("wsse:Nonce", &[("EncodingType", BASE64)]);
        out.escaped(&STANDARD.encode(nonce));
        out.end("wsse:Nonce");
        out.start("wsu:Created", &[("xmlns:wsu", WSU)]);
        out.escaped(&created);
        out.end("wsu:Created");
        out.end("wsse:UsernameToken");
        out.end("wsse:Security");
        out.finish()?;
        let markup = String::from_utf8_lossy(&markup).into_owned();
        Ok(XmlFragment::trusted(markup))
    }
}

/// Returns the markup of a timestamp.
pub(super) fn timestamp(created: SystemTime, expires: SystemTime) -> String {
    let [created, expires] = [created, expires].map(time::write);
    format!(
        "<wsu:Timestamp xmlns:wsu=\"{WSU}\"><wsu:Created>{created}</wsu:Created><wsu:Expires>{expires}</wsu:Expires></wsu:Timestamp>"
    )
}

/// Omits the password.
impl fmt::Debug for UsernameToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsernameToken")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

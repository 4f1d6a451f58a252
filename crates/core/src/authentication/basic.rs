//! Basic: a user and a password in each request (RFC 7617).

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::{HeaderValue, request};
use subtle::ConstantTimeEq;

use super::scheme::{Authenticate, Verdict};
use crate::fault::Fault;
use crate::peer::User;
use crate::secret::Secret;

/// Some callers leave out the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Basic authentication (RFC 7617): see [the module](super). Use it only over TLS, because anybody
/// on the way can read the passwords.
///
/// Credentials are read as UTF-8, and otherwise as windows-1252, which `HttpWebRequest` of .NET on
/// Windows writes.
#[derive(Clone)]
pub struct Basic {
    challenge: HeaderValue,
    verify: Arc<dyn Check>,
}

impl Basic {
    /// Asks for a user and a password. Browsers show the realm; IIS uses the host name.
    ///
    /// # Panics
    ///
    /// The realm contains a control character.
    pub fn new(realm: &str, verify: impl VerifyLogin) -> Self {
        let realm = realm.replace('\\', "\\\\").replace('"', "\\\"");
        let challenge = format!("Basic realm=\"{realm}\", charset=\"UTF-8\"");
        Self {
            challenge: HeaderValue::try_from(challenge)
                .expect("a realm without control characters"),
            verify: Arc::new(verify),
        }
    }
}

impl Authenticate for Basic {
    const SCHEME: &'static str = "Basic";
    type Handshake = ();

    fn challenge(&self) -> HeaderValue {
        self.challenge.clone()
    }

    async fn authenticate(
        &self,
        credentials: &str,
        (): &mut (),
        _: &request::Parts,
    ) -> Result<Verdict, Fault> {
        let Some(login) = Login::read(credentials) else {
            return Ok(Verdict::Refused);
        };
        if self.verify.check(&login).await? {
            return Ok(User::new(&login.user).into());
        }
        Ok(Verdict::Refused)
    }
}

impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Basic").field(&self.challenge).finish()
    }
}

/// Verifies logins: a closure `|login: &Login| -> bool`, or a type that looks up accounts
/// elsewhere.
///
/// ```
/// use svcgen::Fault;
/// use svcgen::authentication::{Login, VerifyLogin};
///
/// struct Accounts;
///
/// impl Accounts {
///     async fn hash_of(&self, user: &str) -> Result<Option<String>, std::io::Error> {
///         // From a database.
///         # Ok((user == "ann").then(|| "s3cret".to_owned()))
///     }
/// }
/// # fn verify_hash(password: &str, hash: &str) -> bool { password == hash }
///
/// impl VerifyLogin for Accounts {
///     async fn verify(&self, login: &Login) -> Result<bool, Fault> {
///         let hash = self.hash_of(login.user()).await?;
///         // The same work for users that do not exist.
///         let checked = verify_hash(login.password(), hash.as_deref().unwrap_or("of nobody"));
///         Ok(checked & hash.is_some())
///     }
/// }
/// ```
pub trait VerifyLogin: Send + Sync + 'static {
    /// Returns whether the login is valid. `false` does not contain the reason.
    ///
    /// # Errors
    ///
    /// The login cannot be verified: the caller gets 500 with the text of the fault.
    fn verify(&self, login: &Login) -> impl Future<Output = Result<bool, Fault>> + Send;
}

impl<F: Fn(&Login) -> bool + Send + Sync + 'static> VerifyLogin for F {
    async fn verify(&self, login: &Login) -> Result<bool, Fault> {
        Ok(self(login))
    }
}

/// [`VerifyLogin`] as a trait object.
trait Check: Send + Sync {
    fn check<'a>(
        &'a self,
        login: &'a Login,
    ) -> Pin<Box<dyn Future<Output = Result<bool, Fault>> + Send + 'a>>;
}

impl<V: VerifyLogin> Check for V {
    fn check<'a>(
        &'a self,
        login: &'a Login,
    ) -> Pin<Box<dyn Future<Output = Result<bool, Fault>> + Send + 'a>> {
        Box::pin(self.verify(login))
    }
}

/// The user and the password of a request, for [`VerifyLogin`].
pub struct Login {
    user: String,
    password: Secret<String>,
}

impl Login {
    /// Reads credentials. Returns `None` if they are not credentials of Basic, or contain a control
    /// character (RFC 7617 §2).
    fn read(credentials: &str) -> Option<Self> {
        let bytes = BASE64.decode(credentials.trim()).ok()?;
        let text = match str::from_utf8(&bytes) {
            Ok(text) => text.into(),
            Err(_) => {
                encoding_rs::WINDOWS_1252
                    .decode_without_bom_handling(&bytes)
                    .0
            }
        };
        let (user, password) = text.split_once(':')?;
        let is_text = !text.chars().any(char::is_control);
        is_text.then(|| Self {
            user: user.to_owned(),
            password: password.into(),
        })
    }

    /// Returns the name of the user, which is not verified yet.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the password, for accounts with password hashes.
    pub fn password(&self) -> &Secret<String> {
        &self.password
    }

    /// Returns whether the password matches. `None`, for a user that does not exist, never matches.
    ///
    /// This takes the same time for known and unknown users, and for all wrong passwords of the
    /// same length.
    pub fn matches(&self, password: Option<&str>) -> bool {
        let known = password.unwrap_or("nobody has this password").as_bytes();
        let given = self.password.as_bytes();
        // As long as the given password, so that the time does not reveal the length of the right
        // one.
        let of_length: Vec<_> = (0..given.len())
            .map(|at| known.get(at % known.len().max(1)).copied().unwrap_or(0))
            .collect();
        let is_equal = given.ct_eq(&of_length) & given.len().ct_eq(&known.len());
        bool::from(is_equal) & password.is_some()
    }
}

/// Omits the password.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn login(bytes: &[u8]) -> Option<Login> {
        Login::read(&STANDARD.encode(bytes))
    }

    #[test]
    fn credentials_are_read_in_utf8_and_windows_1252() {
        for (bytes, user, password) in [
            (&b"ann:s3cret"[..], "ann", "s3cret"),
            (b"ann:a:b", "ann", "a:b"),
            (b":", "", ""),
            ("\u{e9}:\u{20ac}".as_bytes(), "\u{e9}", "\u{20ac}"),
            (b"\xe9:\x80", "\u{e9}", "\u{20ac}"),
            (b"SHOP\\ann:x", "SHOP\\ann", "x"),
        ] {
            let login = login(bytes).unwrap();
            assert_eq!((login.user(), login.password().as_str()), (user, password));
            assert!(!format!("{login:?}").contains(password) || password.len() < 2);
        }
        assert_eq!(Login::read("YW5uOng").unwrap().user(), "ann");
        for bytes in [&b"ann"[..], b"", b"a\nnn:x", b"ann:x\0"] {
            assert!(login(bytes).is_none(), "{bytes:?}");
        }
        assert!(Login::read("%%%").is_none());
    }

    #[test]
    fn passwords_match_whole() {
        let matches = |given: &str, known| {
            login(format!("ann:{given}").as_bytes())
                .unwrap()
                .matches(known)
        };
        assert!(matches("s3cret", Some("s3cret")));
        assert!(matches("", Some("")));
        for (given, known) in [
            ("s3cret", None),
            ("nobody has this password", None),
            ("s3crets", Some("s3cret")),
            ("s3cre", Some("s3cret")),
            ("abab", Some("ab")),
            ("", Some("x")),
            ("x", Some("")),
            ("\u{100}", Some("")),
        ] {
            assert!(!matches(given, known), "{given} {known:?}");
        }
    }

    #[test]
    fn realms_are_quoted() {
        let basic = Basic::new("a \"b\" \\ c", |_: &Login| false);
        let expected = r#"Basic realm="a \"b\" \\ c", charset="UTF-8""#;
        assert_eq!(Authenticate::challenge(&basic), expected);
    }
}

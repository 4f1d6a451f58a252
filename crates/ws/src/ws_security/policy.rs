//! The security policy of a server.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::faults::{failed_authentication, invalid_security, unsupported_token};
use super::freshness::{Freshness, read_time};
use super::header::Header;
use super::nonces::Nonces;
use super::received_token::{Password, ReceivedToken, digest_of};
use svcgen_core::{Fault, User};

/// Verifies tokens: a closure `|token: &ReceivedToken| -> bool`, or a type that looks up accounts
/// elsewhere.
///
/// ```
/// use svcgen::Fault;
/// use svcgen_ws::ws_security::{ReceivedToken, VerifyToken};
///
/// struct Accounts;
///
/// impl Accounts {
///     async fn password(&self, user: &str) -> Result<Option<String>, std::io::Error> {
///         // From a database.
///         # Ok((user == "ann").then(|| "s3cret".to_owned()))
///     }
/// }
///
/// impl VerifyToken for Accounts {
///     async fn verify(&self, token: &ReceivedToken) -> Result<bool, Fault> {
///         let password = self.password(token.user()).await?;
///         Ok(token.matches(password.as_deref()))
///     }
/// }
/// ```
pub trait VerifyToken: Send + Sync + 'static {
    /// Returns whether the token is valid. `false` leads to the same fault for every reason.
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if the token cannot be verified.
    fn verify(&self, token: &ReceivedToken) -> impl Future<Output = Result<bool, Fault>> + Send;
}

impl<F: Fn(&ReceivedToken) -> bool + Send + Sync + 'static> VerifyToken for F {
    async fn verify(&self, token: &ReceivedToken) -> Result<bool, Fault> {
        Ok(self(token))
    }
}

type Decision<'a> = Pin<Box<dyn Future<Output = Result<bool, Fault>> + Send + 'a>>;

/// [`VerifyToken`] as a trait object.
trait Check: Send + Sync {
    fn check<'a>(&'a self, token: &'a ReceivedToken) -> Decision<'a>;
}

impl<V: VerifyToken> Check for V {
    fn check<'a>(&'a self, token: &'a ReceivedToken) -> Decision<'a> {
        Box::pin(self.verify(token))
    }
}

/// The tokens and timestamps that a server requires: see [the module](super). Clones share the
/// nonces.
#[derive(Clone)]
pub struct WsSecurity {
    verify: Arc<dyn Check>,
    freshness: Freshness,
    pub(super) is_optional: bool,
    needs_timestamp: bool,
    needs_digest: bool,
}

impl WsSecurity {
    /// Requires a token in each call, with any kind of password.
    pub fn new(verify: impl VerifyToken) -> Self {
        Self {
            verify: Arc::new(verify),
            freshness: Freshness::default(),
            is_optional: false,
            needs_timestamp: false,
            needs_digest: false,
        }
    }

    /// Sets whether calls without a token pass, also over bindings without SOAP headers. Then their
    /// [`Context::user`](svcgen_core::Context::user) is `None`, and the handler or another layer
    /// decides. Existing tokens are still checked.
    #[must_use]
    pub fn with_optional(mut self, optional: bool) -> Self {
        self.is_optional = optional;
        self
    }

    /// Sets whether each call needs a `Timestamp` besides its token.
    #[must_use]
    pub fn with_required_timestamp(mut self, required: bool) -> Self {
        self.needs_timestamp = required;
        self
    }

    /// Sets whether passwords as text are refused.
    #[must_use]
    pub fn with_digest_only(mut self, digest_only: bool) -> Self {
        self.needs_digest = digest_only;
        self
    }

    /// Limits the age of a token, and of a timestamp without `Expires`. By default, five minutes.
    #[must_use]
    pub fn with_freshness(mut self, time: Duration) -> Self {
        self.freshness.age = time;
        self
    }

    /// Sets the largest accepted difference of callers' clocks. By default, five minutes.
    #[must_use]
    pub fn with_clock_skew(mut self, time: Duration) -> Self {
        self.freshness.skew = time;
        self
    }

    /// Sets the store of nonces. By default, [`MemoryNonces`](super::MemoryNonces).
    #[must_use]
    pub fn with_nonces(mut self, nonces: impl Nonces) -> Self {
        self.freshness.set_nonces(nonces);
        self
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.freshness.set_clock(clock);
        self
    }

    /// Returns the age limits and the clock.
    pub(super) fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Checks the content of a call's header, if it has one. Returns the user, if there is a token.
    pub(super) async fn admit(&self, header: Option<&Header>) -> Result<Option<User>, Fault> {
        let now = self.freshness.now();
        let timestamp = header.and_then(|header| header.timestamp.as_ref());
        match timestamp {
            Some(timestamp) => self.freshness.check_timestamp(timestamp, now)?,
            None if self.needs_timestamp && !self.is_optional => {
                return Err(invalid_security(
                    "it has no wsu:Timestamp, which this service asks for.",
                ));
            }
            None => {}
        }
        let Some(token) = header.and_then(|header| header.token.as_ref()) else {
            if self.is_optional {
                return Ok(None);
            }
            return Err(invalid_security(
                "it has no wsse:UsernameToken, which this service asks for.",
            ));
        };
        self.check_token(token, now).await?;
        Ok(Some(User::new(token.user())))
    }

    async fn check_token(&self, token: &ReceivedToken, now: SystemTime) -> Result<(), Fault> {
        if self.needs_digest && matches!(token.password, Password::Text(_)) {
            return Err(unsupported_token(
                "this service takes passwords of the Type #PasswordDigest alone.",
            ));
        }
        let created = match &*token.created {
            "" => None,
            text => Some(read_time("wsu:Created of the wsse:UsernameToken", text)?),
        };
        if let Some(created) = created {
            self.freshness
                .check_age("wsse:UsernameToken", created, now)?;
        }
        if !self.verify.check(token).await? {
            return Err(failed_authentication());
        }
        // Stored only for callers with a right password: others could fill the memory.
        let Some(created) = created.filter(|_| !token.nonce.is_empty()) else {
            return Ok(());
        };
        let nonce = digest_of(&token.nonce, &token.created, &[]);
        if self.freshness.remember(nonce, created, now).await? {
            return Ok(());
        }
        Err(invalid_security(
            "its wsse:Nonce came before; make a new one for each message.",
        ))
    }
}

impl fmt::Debug for WsSecurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WsSecurity")
            .field("freshness", &self.freshness.age)
            .field("clock_skew", &self.freshness.skew)
            .field("optional", &self.is_optional)
            .finish_non_exhaustive()
    }
}

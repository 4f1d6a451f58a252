//! What a server asks of its callers.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::faults::{expired, failed_authentication, invalid_security, unsupported_token};
use super::header::{Header, Timestamp};
use super::nonces::{MemoryNonces, Nonces};
use super::received_token::{Password, ReceivedToken, digest_of};
use super::time;
use svcgen_core::{Fault, User};

/// Decides whether a token is one of a user: a closure `|token: &ReceivedToken| -> bool`, or a type
/// that looks up accounts elsewhere.
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
    /// Whether the token is one of a user. `false` is one fault, whatever is wrong.
    ///
    /// # Errors
    ///
    /// The fault for the caller: it cannot be decided.
    fn verify(&self, token: &ReceivedToken) -> impl Future<Output = Result<bool, Fault>> + Send;
}

impl<F: Fn(&ReceivedToken) -> bool + Send + Sync + 'static> VerifyToken for F {
    async fn verify(&self, token: &ReceivedToken) -> Result<bool, Fault> {
        Ok(self(token))
    }
}

type Decision<'a> = Pin<Box<dyn Future<Output = Result<bool, Fault>> + Send + 'a>>;

/// Both traits without their types.
trait Check: Send + Sync {
    fn check<'a>(&'a self, token: &'a ReceivedToken) -> Decision<'a>;
}

impl<V: VerifyToken> Check for V {
    fn check<'a>(&'a self, token: &'a ReceivedToken) -> Decision<'a> {
        Box::pin(self.verify(token))
    }
}

trait Remember: Send + Sync {
    fn remember_boxed(&self, nonce: [u8; 20], until: SystemTime, now: SystemTime) -> Decision<'_>;
}

impl<N: Nonces> Remember for N {
    fn remember_boxed(&self, nonce: [u8; 20], until: SystemTime, now: SystemTime) -> Decision<'_> {
        Box::pin(self.remember(nonce, until, now))
    }
}

/// What a server asks of its callers: see [the module](super). Clones share the nonces.
#[derive(Clone)]
pub struct WsSecurity {
    verify: Arc<dyn Check>,
    nonces: Arc<dyn Remember>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    freshness: Duration,
    skew: Duration,
    pub(super) is_optional: bool,
    needs_timestamp: bool,
    needs_digest: bool,
}

impl WsSecurity {
    /// Asks for a token in each call, of any kind of password.
    pub fn new(verify: impl VerifyToken) -> Self {
        Self {
            verify: Arc::new(verify),
            nonces: Arc::new(MemoryNonces::default()),
            clock: Arc::new(SystemTime::now),
            freshness: Duration::from_secs(300),
            skew: Duration::from_secs(300),
            is_optional: false,
            needs_timestamp: false,
            needs_digest: false,
        }
    }

    /// Sets whether calls without a token pass, also over bindings without SOAP headers: then
    /// [`Context::user`](svcgen_core::Context::user) is `None`, and the handler or a further layer
    /// decides. A token that is there is checked.
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

    /// Sets how old a token may be, and a timestamp without `Expires`: five minutes by default.
    #[must_use]
    pub fn with_freshness(mut self, time: Duration) -> Self {
        self.freshness = time;
        self
    }

    /// Sets by how much clocks of callers may differ: five minutes by default.
    #[must_use]
    pub fn with_clock_skew(mut self, time: Duration) -> Self {
        self.skew = time;
        self
    }

    /// Sets where nonces are remembered: by default [`MemoryNonces`].
    #[must_use]
    pub fn with_nonces(mut self, nonces: impl Nonces) -> Self {
        self.nonces = Arc::new(nonces);
        self
    }

    /// Sets the clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    pub(super) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Until when an answer of now is valid.
    pub(super) fn expiry(&self, now: SystemTime) -> SystemTime {
        now.checked_add(self.freshness).unwrap_or(now)
    }

    /// Checks what the header of a call holds, if it has one. Returns the user, if it has a token.
    pub(super) async fn admit(&self, header: Option<&Header>) -> Result<Option<User>, Fault> {
        let now = self.now();
        let timestamp = header.and_then(|header| header.timestamp.as_ref());
        match timestamp {
            Some(timestamp) => self.check_timestamp(timestamp, now)?,
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
            self.check_age("wsse:UsernameToken", created, now)?;
        }
        if !self.verify.check(token).await? {
            return Err(failed_authentication());
        }
        // Remembered for callers with a right password alone: others could fill the memory.
        let Some(created) = created.filter(|_| !token.nonce.is_empty()) else {
            return Ok(());
        };
        let nonce = digest_of(&token.nonce, &token.created, &[]);
        let until = later(later(created, self.freshness), self.skew);
        if self.nonces.remember_boxed(nonce, until, now).await? {
            return Ok(());
        }
        Err(invalid_security(
            "its wsse:Nonce came before; make a new one for each message.",
        ))
    }

    fn check_timestamp(&self, timestamp: &Timestamp, now: SystemTime) -> Result<(), Fault> {
        let read = |name, text: &Option<String>| {
            let text = text.as_ref();
            text.map(|text| read_time(name, text)).transpose()
        };
        let created = read("wsu:Created of the wsu:Timestamp", &timestamp.created)?;
        let expires = read("wsu:Expires of the wsu:Timestamp", &timestamp.expires)?;
        match (created, expires) {
            (Some(created), None) => self.check_age("wsu:Timestamp", created, now),
            (Some(created), _) if created > later(now, self.skew) => {
                Err(from_the_future("wsu:Timestamp", created, now))
            }
            (_, Some(expires)) if later(expires, self.skew) < now => {
                let (expires, now) = (time::write(expires), time::write(now));
                Err(expired(format_args!(
                    "its wsu:Timestamp expired at {expires}, and here it is {now}."
                )))
            }
            _ => Ok(()),
        }
    }

    fn check_age(&self, of: &str, created: SystemTime, now: SystemTime) -> Result<(), Fault> {
        if created > later(now, self.skew) {
            return Err(from_the_future(of, created, now));
        }
        if later(later(created, self.freshness), self.skew) < now {
            let (created, now) = (time::write(created), time::write(now));
            return Err(expired(format_args!(
                "its {of} was created at {created}, and here it is {now}."
            )));
        }
        Ok(())
    }
}

fn later(time: SystemTime, by: Duration) -> SystemTime {
    time.checked_add(by).unwrap_or(time)
}

fn from_the_future(of: &str, created: SystemTime, now: SystemTime) -> Fault {
    let (created, now) = (time::write(created), time::write(now));
    expired(format_args!(
        "its {of} will be created at {created}, and here it is {now}."
    ))
}

fn read_time(name: &str, text: &str) -> Result<SystemTime, Fault> {
    let invalid = || {
        invalid_security(format_args!(
            "{name} is no time such as 2026-01-31T09:30:00Z."
        ))
    };
    time::parse(text).ok_or_else(invalid)
}

impl fmt::Debug for WsSecurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WsSecurity")
            .field("freshness", &self.freshness)
            .field("clock_skew", &self.skew)
            .field("optional", &self.is_optional)
            .finish_non_exhaustive()
    }
}

//! The age limit of messages, and the nonces of previous ones.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::faults::{expired, invalid_security};
use super::header::Timestamp;
use super::nonces::{MemoryNonces, Nonces};
use super::time;
use svcgen_core::Fault;

/// [`Nonces`] as a trait object.
trait Remember: Send + Sync {
    fn remember_boxed(&self, nonce: [u8; 20], until: SystemTime, now: SystemTime) -> IsNew<'_>;
}

type IsNew<'a> = Pin<Box<dyn Future<Output = Result<bool, Fault>> + Send + 'a>>;

impl<N: Nonces> Remember for N {
    fn remember_boxed(&self, nonce: [u8; 20], until: SystemTime, now: SystemTime) -> IsNew<'_> {
        Box::pin(self.remember(nonce, until, now))
    }
}

/// The age limit of messages, and the nonces of previous ones. Clones share the nonces.
#[derive(Clone)]
pub struct Freshness {
    nonces: Arc<dyn Remember>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// The age limit of a message.
    pub age: Duration,
    /// The largest accepted difference of clocks.
    pub skew: Duration,
}

impl Default for Freshness {
    fn default() -> Self {
        Self {
            nonces: Arc::new(MemoryNonces::default()),
            clock: Arc::new(SystemTime::now),
            age: Duration::from_secs(300),
            skew: Duration::from_secs(300),
        }
    }
}

impl Freshness {
    /// Sets the store of nonces.
    pub fn set_nonces(&mut self, nonces: impl Nonces) {
        self.nonces = Arc::new(nonces);
    }

    /// Sets the clock.
    pub fn set_clock(&mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) {
        self.clock = Arc::new(clock);
    }

    /// Returns the current time.
    pub fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Returns the expiry of an answer that is sent now.
    pub fn expiry(&self, now: SystemTime) -> SystemTime {
        later(now, self.age)
    }

    /// Stores a nonce as long as [`check_age`](Self::check_age) accepts its time. Returns whether
    /// it is new.
    ///
    /// # Errors
    ///
    /// The nonce cannot be stored.
    pub async fn remember(
        &self,
        nonce: [u8; 20],
        created: SystemTime,
        now: SystemTime,
    ) -> Result<bool, Fault> {
        let until = later(later(created, self.age), self.skew);
        self.nonces.remember_boxed(nonce, until, now).await
    }

    /// Checks the times of a `Timestamp`.
    ///
    /// # Errors
    ///
    /// The timestamp has expired, is from the future, or has an invalid time.
    pub fn check_timestamp(&self, timestamp: &Timestamp, now: SystemTime) -> Result<(), Fault> {
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

    /// Checks the age of a part of a message.
    ///
    /// # Errors
    ///
    /// The part is too old, or from the future.
    pub fn check_age(&self, of: &str, created: SystemTime, now: SystemTime) -> Result<(), Fault> {
        if created > later(now, self.skew) {
            return Err(from_the_future(of, created, now));
        }
        if later(later(created, self.age), self.skew) < now {
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

/// Reads the time of a part of a message.
///
/// # Errors
///
/// The text is not a valid time.
pub fn read_time(name: &str, text: &str) -> Result<SystemTime, Fault> {
    let invalid = || {
        invalid_security(format_args!(
            "{name} is not a time such as 2026-01-31T09:30:00Z."
        ))
    };
    time::parse(text).ok_or_else(invalid)
}

impl fmt::Debug for Freshness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Freshness")
            .field("age", &self.age)
            .field("skew", &self.skew)
            .finish_non_exhaustive()
    }
}

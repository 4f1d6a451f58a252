//! The nonces that were used.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use svcgen_core::Fault;

/// The nonces of tokens that were accepted. Implement it for a store that several instances of a
/// server share.
pub trait Nonces: Send + Sync + 'static {
    /// Remembers a nonce until a time, after which its token is too old. Returns whether it is new:
    /// of several calls at once with the same, one alone may get `true`.
    ///
    /// `nonce` is a hash of the nonce with its time, and `now` the time of the server.
    ///
    /// # Errors
    ///
    /// The fault for the caller: it cannot be remembered.
    fn remember(
        &self,
        nonce: [u8; 20],
        until: SystemTime,
        now: SystemTime,
    ) -> impl Future<Output = Result<bool, Fault>> + Send;
}

/// Nonces in memory, of one instance of a server.
///
/// It holds 200,000 by default, which is 330 calls a second for the ten minutes that a token may be
/// used, in 12 MiB at most. What is more is refused with a fault of the server, never forgotten.
pub struct MemoryNonces {
    /// The oldest first. The time of a nonce depends on the nonce alone, so that the same is found.
    known: Mutex<BTreeSet<(u64, [u8; 20])>>,
    capacity: usize,
}

impl MemoryNonces {
    /// Remembers so many nonces at most.
    pub fn new(capacity: usize) -> Self {
        Self {
            known: Mutex::default(),
            capacity,
        }
    }
}

impl Default for MemoryNonces {
    fn default() -> Self {
        Self::new(200_000)
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

impl Nonces for MemoryNonces {
    async fn remember(
        &self,
        nonce: [u8; 20],
        until: SystemTime,
        now: SystemTime,
    ) -> Result<bool, Fault> {
        // Nothing panics while it is locked.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = seconds(now);
        while known.first().is_some_and(|(until, _)| *until < now) {
            known.pop_first();
        }
        let entry = (seconds(until), nonce);
        if known.contains(&entry) {
            return Ok(false);
        }
        if known.len() >= self.capacity {
            return Err(Fault::exception(
                "The service is busy: it has no room for another nonce. Send the request again later.",
            ));
        }
        Ok(known.insert(entry))
    }
}

impl fmt::Debug for MemoryNonces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryNonces")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

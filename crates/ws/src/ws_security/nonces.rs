//! Stores of used nonces.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use svcgen_core::Fault;

/// A store for the nonces of accepted tokens. Implement it for a store that several instances of a
/// server share.
pub trait Nonces: Send + Sync + 'static {
    /// Stores a nonce until a time, after which its token is too old. Returns whether it is new:
    /// among several concurrent calls with the same nonce, only one may get `true`.
    ///
    /// `nonce` is a hash of the nonce with its time, and `now` the time of the server.
    ///
    /// # Errors
    ///
    /// Returns the fault for the caller if the nonce cannot be stored.
    fn remember(
        &self,
        nonce: [u8; 20],
        until: SystemTime,
        now: SystemTime,
    ) -> impl Future<Output = Result<bool, Fault>> + Send;
}

/// A store in memory, for one instance of a server.
///
/// By default, it holds 200,000 nonces, enough for 330 calls a second during the ten minutes in
/// which a token is accepted, in at most 12 MiB. Further nonces are refused with a fault of the
/// server; no nonce is removed early.
pub struct MemoryNonces {
    /// The nonces, the oldest first. The time of a nonce depends only on the nonce, so that the
    /// same one is found.
    known: Mutex<BTreeSet<(u64, [u8; 20])>>,
    capacity: usize,
}

impl MemoryNonces {
    /// Creates a store for at most this number of nonces.
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

//! The resources that a server grants to a call.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::authentication::Identity;
use crate::maybe_send::BoxFuture;
use crate::quota::Quota;

/// Runs a future to its end, even if its connection is closed before.
pub type Detach = dyn Fn(BoxFuture<'static, ()>) + Send + Sync;

/// The resources that `serve` grants to the calls of a connection over HTTP/1.1, of which one runs
/// at a time: an extension of its requests, as an `Arc`.
pub struct ConnectionGrants {
    /// The quota of running calls.
    pub(crate) calls: Arc<Quota>,
    /// The quota of bytes for bodies.
    pub(crate) bodies: Arc<Quota>,
    pub(crate) detach: Arc<Detach>,
    abandoned: AtomicBool,
    /// The identity of the caller on the connection.
    pub(crate) identity: Identity,
}

impl ConnectionGrants {
    /// Creates the grants of a connection.
    pub fn new(calls: Arc<Quota>, bodies: Arc<Quota>, detach: Arc<Detach>) -> Self {
        Self {
            calls,
            bodies,
            detach,
            abandoned: AtomicBool::new(false),
            identity: Identity::default(),
        }
    }

    /// Returns the grants of another call that runs at the same time.
    pub fn another(&self) -> Self {
        let (calls, bodies) = (Arc::clone(&self.calls), Arc::clone(&self.bodies));
        Self::new(calls, bodies, Arc::clone(&self.detach))
    }

    /// Marks the caller as gone. The running call must be polled afterwards, because this does not
    /// wake it.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether the caller is gone.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for ConnectionGrants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionGrants")
            .field("abandoned", &self.abandoned)
            .finish_non_exhaustive()
    }
}

/// The resources that a call holds until its handler is done: its place among the running calls,
/// and memory for its body.
pub(crate) struct Grant {
    grants: Arc<ConnectionGrants>,
    bytes: usize,
}

impl Grant {
    /// Returns a place for another call, without memory, unless too many calls are running.
    pub(crate) fn of_call(grants: Arc<ConnectionGrants>) -> Option<Self> {
        let is_taken = grants.calls.take(1);
        is_taken.then(|| Self { grants, bytes: 0 })
    }

    /// Returns the limit of memory for all calls, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.grants.bodies.all()
    }

    /// Takes memory. Returns `false` if too little is left.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let is_taken = self.grants.bodies.take(bytes);
        if is_taken {
            self.bytes += bytes;
        }
        is_taken
    }

    /// Takes or gives back memory, so that the call holds this number of bytes. Returns `false` if
    /// too little is left.
    pub(crate) fn hold(&mut self, bytes: usize) -> bool {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.take(more),
            None => {
                self.grants.bodies.give_back(self.bytes - bytes);
                self.bytes = bytes;
                true
            }
        }
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.grants.calls.give_back(1);
        self.grants.bodies.give_back(self.bytes);
    }
}

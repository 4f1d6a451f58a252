//! What the server that carries a call grants it.
#![cfg_attr(
    not(feature = "serve"),
    allow(dead_code, reason = "only `serve` makes a carrier")
)]

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::quota::Quota;

/// Runs a future to its end, whatever becomes of the connection that it came from.
pub(crate) type Detach = dyn Fn(Pin<Box<dyn Future<Output = ()> + Send>>) + Send + Sync;

/// What `serve` grants the calls of one connection: an extension of its requests, as an `Arc`.
pub(crate) struct Carrier {
    /// How many calls may run.
    pub(crate) calls: Arc<Quota>,
    /// How many bytes of bodies may be held.
    pub(crate) bodies: Arc<Quota>,
    pub(crate) detach: Arc<Detach>,
    abandoned: AtomicBool,
}

impl Carrier {
    pub(crate) fn new(calls: Arc<Quota>, bodies: Arc<Quota>, detach: Arc<Detach>) -> Self {
        Self {
            calls,
            bodies,
            detach,
            abandoned: AtomicBool::new(false),
        }
    }

    /// Says that the caller is gone. The call that runs has to be polled afterwards: nothing wakes it.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether the caller is gone.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

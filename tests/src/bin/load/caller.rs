//! The common parts of callers: the server, the end, the seed, and counters.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use svcgen_tests::numbers::Numbers;

/// The number of times that each kind of call was made.
pub type Counts = BTreeMap<&'static str, u64>;

/// A thread that calls the server until the end of the load.
pub struct Caller<'a> {
    pub address: SocketAddr,
    pub numbers: Numbers,
    pub counts: Counts,
    index: u64,
    calls: u64,
    is_over: &'a AtomicBool,
}

impl<'a> Caller<'a> {
    pub fn new(address: SocketAddr, seed: u64, index: u64, is_over: &'a AtomicBool) -> Self {
        Self {
            address,
            numbers: Numbers::of_seed(seed ^ ((index + 1) << 32)),
            counts: Counts::new(),
            index,
            calls: 0,
            is_over,
        }
    }

    pub fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    /// Returns the name of the next call.
    pub fn next_name(&mut self) -> String {
        self.calls += 1;
        format!("{}-{}", self.index, self.calls)
    }

    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }
}

//! Numbers of things that all connections share: running calls, bytes of bodies.
#![cfg_attr(
    not(feature = "serve"),
    allow(dead_code, reason = "only `serve` makes a quota")
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of things, of which shares are taken and given back.
#[derive(Debug)]
pub(crate) struct Quota {
    all: usize,
    left: AtomicUsize,
}

impl Quota {
    pub(crate) fn new(all: usize) -> Arc<Self> {
        let left = AtomicUsize::new(all);
        Arc::new(Self { all, left })
    }

    /// How many there are, taken ones included.
    pub(crate) fn all(&self) -> usize {
        self.all
    }

    /// A share that holds nothing yet.
    pub(crate) fn share(self: &Arc<Self>) -> Share {
        Share {
            quota: Arc::clone(self),
            taken: 0,
        }
    }
}

/// A share of a [`Quota`], given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    quota: Arc<Quota>,
    taken: usize,
}

impl Share {
    /// Takes more, unless there are too few left.
    pub(crate) fn take(&mut self, more: usize) -> bool {
        let left = &self.quota.left;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(more)
        });
        if taken.is_ok() {
            self.taken += more;
        }
        taken.is_ok()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.quota.left.fetch_add(self.taken, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_end_at_the_number_and_are_given_back() {
        let quota = Quota::new(10);
        let (mut first, mut second) = (quota.share(), quota.share());
        assert!(first.take(6) && second.take(4));
        assert!(!first.take(1) && !second.take(usize::MAX));
        drop(first);
        assert!(!second.take(7) && second.take(6));
        drop(second);
        assert!(quota.share().take(10));
    }
}

//! Quotas that all connections share: for running calls, and for bytes of bodies.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of units that are taken and given back.
#[derive(Debug)]
pub struct Quota {
    all: usize,
    left: AtomicUsize,
}

impl Quota {
    /// Creates a quota of this size.
    pub fn new(all: usize) -> Self {
        let left = AtomicUsize::new(all);
        Self { all, left }
    }

    /// Returns the size of the quota, including the units that are taken.
    pub fn all(&self) -> usize {
        self.all
    }

    /// Takes units. Returns `false` if too few are left.
    pub fn take(&self, some: usize) -> bool {
        let left = &self.left;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(some)
        });
        taken.is_ok()
    }

    /// Gives back taken units.
    pub fn give_back(&self, some: usize) {
        self.left.fetch_add(some, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_were_not_taken() {
        let quota = Quota::new(10);
        assert!(quota.take(6) && quota.take(4));
        assert!(!quota.take(1) && !quota.take(usize::MAX));
        quota.give_back(6);
        assert!(!quota.take(7) && quota.take(6));
        quota.give_back(10);
        assert!(quota.take(10));
    }
}

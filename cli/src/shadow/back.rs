//! When callers are moved back.

use std::collections::VecDeque;

use svcgen_relay::Share;

/// How many of the latest outcomes count, and how many are taken for granted before there are as many.
const LATEST: usize = 1000;
const FEWEST: usize = 100;

/// The latest outcomes.
#[derive(Debug, Default)]
pub(super) struct Latest {
    outcomes: VecDeque<bool>,
    failed: usize,
}

impl Latest {
    /// Adds an outcome.
    pub fn add(&mut self, failed: bool) {
        if self.outcomes.len() == LATEST && self.outcomes.pop_front() == Some(true) {
            self.failed -= 1;
        }
        self.outcomes.push_back(failed);
        self.failed += usize::from(failed);
    }

    /// How many of how many failed, if these are more than a share. Of fewer than a hundred, the others are taken as if they had not failed:
    /// the first failure of all is no reason.
    pub fn over(&self, share: Share) -> Option<(usize, usize)> {
        let all = self.outcomes.len();
        let most = share.fraction() * all.max(FEWEST) as f64;
        (self.failed as f64 > most).then_some((self.failed, all))
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

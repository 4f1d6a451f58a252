//! The conditions for moving callers back.

use std::collections::VecDeque;

use svcgen_relay::{Message, NoShare, Share};

/// The number of latest outcomes that count, the minimum number of outcomes that a share is taken
/// of (missing ones count as successes), and the minimum number of failures.
const LATEST: usize = 1000;
const FEWEST: usize = 100;
const FEWEST_FAILED: usize = 2;

/// Parses the share of failures above which callers are moved back.
pub(super) fn rollback_at(text: &str) -> Result<Share, String> {
    let share = text.parse().map_err(|error: NoShare| error.to_string())?;
    if share == Share::ALL {
        let why = "more than 100% never fails, so that nobody would be moved back; write less, such as 1%";
        return Err(why.to_owned());
    }
    Ok(share)
}

/// Whether the candidate has answered a caller. A gateway status (502 to 504) is not an answer, as
/// it stands for a candidate that is down.
pub(super) fn is_answered(answer: &Message) -> bool {
    answer.is_whole && !matches!(answer.status(), Some(502..=504))
}

/// The latest outcomes: for each, whether it has failed.
#[derive(Debug, Default)]
pub(super) struct LatestOutcomes {
    outcomes: VecDeque<bool>,
    failed: usize,
}

impl LatestOutcomes {
    /// Adds an outcome, and drops the oldest one if there are too many.
    pub fn add(&mut self, failed: bool) {
        if self.outcomes.len() == LATEST && self.outcomes.pop_front() == Some(true) {
            self.failed -= 1;
        }
        self.outcomes.push_back(failed);
        self.failed += usize::from(failed);
    }

    /// Returns the number of failures and of all outcomes, if more than a share has failed. Fewer
    /// than a hundred outcomes are filled up with successes, and the first failure alone never
    /// exceeds a share.
    pub fn over(&self, share: Share) -> Option<(usize, usize)> {
        let all = self.outcomes.len();
        let most = share.fraction() * all.max(FEWEST) as f64;
        let is_over = self.failed >= FEWEST_FAILED && self.failed as f64 > most;
        is_over.then_some((self.failed, all))
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of outcomes, of which each `nth` has failed, after which a share is
    /// exceeded.
    fn over_after(share: &str, nth: usize) -> Option<usize> {
        let (share, mut latest) = (rollback_at(share).unwrap(), LatestOutcomes::default());
        (1..=10_000).find(|number| {
            latest.add(number % nth == 0);
            latest.over(share).is_some()
        })
    }

    #[test]
    fn chance_moves_nobody_back_and_failure_everybody() {
        // A small share is exceeded by the second failure, a greater one by more failures than its
        // part of a hundred.
        for (share, expected) in [("0%", 2), ("0.05%", 2), ("1%", 2), ("5%", 6), ("50%", 51)] {
            assert_eq!(over_after(share, 1), Some(expected), "{share}");
        }
        // One of a hundred is not more than 1%, and one of fifty is: at the second failure.
        assert_eq!(over_after("1%", 100), None);
        assert_eq!(over_after("1%", 50), Some(100));
        // A single failure never exceeds a share until it is dropped.
        assert_eq!(over_after("0%", 1001), None);
        assert_eq!(over_after("0%", 900), Some(1800));
        // Failures of long ago do not count.
        let (share, mut latest) = ("20%".parse().unwrap(), LatestOutcomes::default());
        for number in 0..3000 {
            latest.add(number < 20);
            assert_eq!(latest.over(share), None);
        }
        assert_eq!(latest.failed, 0);
        assert!(rollback_at("100%").unwrap_err().contains("nobody"));
    }
}

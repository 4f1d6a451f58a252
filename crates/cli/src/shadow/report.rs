//! The counts of a shadow run.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus::IntCounter;
use svcgen_relay::{Exchange, Share, Split};
use svcgen_replay::Likeness;

use super::finding::{Finding, Outcome};
use super::metrics::{Metrics, Skipped};
use super::rollback::LatestOutcomes;
use crate::queue::Queue;

/// The counts of samples and of moved callers, for summaries and metrics.
pub(super) struct Report {
    accepted: Likeness,
    split: Option<Arc<Split>>,
    rollback_at: Option<Share>,
    samples: Arc<Queue<Box<Exchange>>>,
    counts: Mutex<Counts>,
    metrics: Metrics,
}

#[derive(Default)]
struct Counts {
    operations: BTreeMap<&'static str, OperationCounts>,
    latest_samples: LatestOutcomes,
    latest_moved: LatestOutcomes,
    /// The reason why callers were moved back, until it is printed.
    moved_back: Option<String>,
}

#[derive(Default, Clone, Copy)]
struct OperationCounts {
    by_likeness: [u64; Likeness::ALL.len()],
    unanswered: u64,
    original: Duration,
    candidate: Duration,
}

impl OperationCounts {
    fn answered(&self) -> u64 {
        self.by_likeness.iter().sum()
    }

    fn add(&mut self, other: &Self) {
        for (count, more) in self.by_likeness.iter_mut().zip(other.by_likeness) {
            *count += more;
        }
        self.unanswered += other.unanswered;
        self.original += other.original;
        self.candidate += other.candidate;
    }

    /// `3 identical, 1 differs, 2 unanswered; 1.2 ms, candidate 0.8 ms`.
    fn line(&self) -> String {
        let likenesses = Likeness::ALL.iter().zip(self.by_likeness);
        let likenesses = likenesses.map(|(likeness, count)| (likeness.name(), count));
        let counts = likenesses.chain([("unanswered", self.unanswered)]);
        let counts = counts.filter(|(_, count)| *count > 0);
        let counts: Vec<_> = counts
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let all = self.answered();
        if all == 0 {
            return counts.join(", ");
        }
        let mean = |time: Duration| time.as_secs_f64() * 1000.0 / all as f64;
        format!(
            "{}; {:.1} ms, candidate {:.1} ms",
            counts.join(", "),
            mean(self.original),
            mean(self.candidate)
        )
    }
}

impl Report {
    pub fn new(
        accepted: Likeness,
        split: Option<Arc<Split>>,
        rollback_at: Option<Share>,
        samples: Arc<Queue<Box<Exchange>>>,
    ) -> Result<Self, String> {
        let metrics = Metrics::new(split.is_some())
            .map_err(|error| format!("metrics cannot be counted: {error}"))?;
        Ok(Self {
            accepted,
            split,
            rollback_at,
            samples,
            counts: Mutex::default(),
            metrics,
        })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the least likeness that is not a difference.
    pub fn accepted(&self) -> Likeness {
        self.accepted
    }

    /// Whether an outcome is a finding.
    pub fn is_finding(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Compared(comparison) => comparison.likeness > self.accepted,
            Outcome::Unanswered(_) => true,
        }
    }

    /// Counts a request that was not compared.
    pub fn skipped(&self, why: Skipped) {
        self.metrics.skipped[why as usize].inc();
    }

    /// Counts a sample sent to the candidate, which took this time.
    pub fn sampled(&self, finding: &Finding, took: Duration) {
        let operation = finding.operation;
        let outcome = match &finding.outcome {
            Outcome::Compared(comparison) => comparison.likeness.name(),
            Outcome::Unanswered(_) => "unanswered",
        };
        let samples = self
            .metrics
            .samples
            .with_label_values(&[operation, outcome]);
        samples.inc();
        let mut counts = self.counts();
        let one = counts.operations.entry(operation).or_default();
        match &finding.outcome {
            Outcome::Unanswered(_) => one.unanswered += 1,
            Outcome::Compared(comparison) => {
                one.by_likeness[comparison.likeness as usize] += 1;
                one.original += finding.exchange.time;
                one.candidate += took;
                let original = finding.exchange.time;
                self.metrics.took(operation, "original", original);
                self.metrics.took(operation, "candidate", took);
            }
        }
        counts.latest_samples.add(self.is_finding(&finding.outcome));
        self.judge(&mut counts);
    }

    /// Counts a call of a caller that was moved to the candidate.
    pub fn moved(&self, is_answered: bool) {
        self.metrics.moved[usize::from(is_answered)].inc();
        self.moved_caller(!is_answered);
    }

    /// Counts a failed connection to the candidate for a caller that was to be moved to it.
    pub fn candidate_unreachable(&self) {
        self.metrics.candidate_unreachable.inc();
        self.moved_caller(true);
    }

    fn moved_caller(&self, failed: bool) {
        let mut counts = self.counts();
        counts.latest_moved.add(failed);
        self.judge(&mut counts);
    }

    /// Counts a connection that was closed: its address has too many, or a request names another
    /// host.
    pub fn refused(&self) {
        self.metrics.refused.inc();
    }

    /// Moves all callers back if too many outcomes have failed.
    fn judge(&self, counts: &mut Counts) {
        let (Some(split), Some(most)) = (&self.split, self.rollback_at) else {
            return;
        };
        if split.share() == Share::NONE {
            return;
        }
        let samples = counts.latest_samples.over(most);
        let samples = samples.map(|over| (over, "samples differ or are unanswered"));
        let moved = counts.latest_moved.over(most);
        let moved = moved.map(|over| (over, "calls to the candidate failed"));
        if let Some(((failed, all), what)) = samples.or(moved) {
            split.set_share(Share::NONE);
            counts.moved_back = Some(format!(
                "all callers are moved back: {failed} of the latest {all} {what}, more than {most}"
            ));
            counts.latest_samples.clear();
            counts.latest_moved.clear();
        }
    }

    /// Returns the reason why callers were moved back, if it was not printed yet.
    pub fn take_moved_back(&self) -> Option<String> {
        self.counts().moved_back.take()
    }

    /// Changes the share. Earlier failures no longer count.
    pub fn set_share(&self, split: &Split, share: Share) {
        let mut counts = self.counts();
        counts.latest_samples.clear();
        counts.latest_moved.clear();
        split.set_share(share);
    }

    /// Returns the counts in the format of Prometheus.
    pub fn metrics(&self) -> Result<String, String> {
        let share = self.split.as_ref().map(|split| split.share());
        let text = self.metrics.text(self.samples.lost(), share);
        text.map_err(|error| format!("metrics cannot be written: {error}"))
    }

    /// Returns all counts as lines of text.
    pub fn summary(&self, left_out: u64) -> String {
        let counts = self.counts();
        let mut all = OperationCounts::default();
        for one in counts.operations.values() {
            all.add(one);
        }
        let asked = all.answered() + all.unanswered;
        let mut text = format!("{asked} samples");
        if asked > 0 {
            let _ = write!(text, ": {}", all.line());
        }
        let skipped = self.metrics.skipped.each_ref().map(IntCounter::get);
        let skipped = Skipped::ALL.into_iter().zip(skipped);
        let skipped = skipped.chain([("dropped", self.samples.lost())]);
        let skipped: Vec<_> = skipped
            .filter(|(_, count)| *count > 0)
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        if !skipped.is_empty() {
            let _ = write!(text, "; not asked: {}", skipped.join(", "));
        }
        text.push('\n');
        for (name, one) in &counts.operations {
            if !name.is_empty() {
                let asked = one.answered() + one.unanswered;
                let _ = writeln!(text, "  {name} {asked}: {}", one.line());
            }
        }
        if let Some(split) = &self.split {
            let [failed, answered] = self.metrics.moved.each_ref().map(IntCounter::get);
            let (share, moved) = (split.share(), failed + answered);
            let unreachable = self.metrics.candidate_unreachable.get();
            let _ = writeln!(
                text,
                "  split {share}: {moved} calls moved, {failed} failed; candidate unreachable for {unreachable} connections"
            );
        }
        let refused = self.metrics.refused.get();
        if refused > 0 {
            let _ = writeln!(
                text,
                "  {refused} connections refused: too many of one address, or for a host that is not allowed"
            );
        }
        if left_out > 0 {
            let _ = writeln!(text, "  {left_out} lines are left out");
        }
        text
    }
}

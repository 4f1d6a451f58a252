//! What is counted.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svcgen_relay::{Exchange, Share, Split};
use svcgen_replay::Likeness;

use super::finding::{Finding, Outcome};
use super::metrics::Metrics;
use super::rollback::Latest;
use crate::relaying::Queue;

/// Why a request was not compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Skipped {
    /// It is no call: it asks for a document, or for what another service has.
    NotACall,
    /// Its operation may change something.
    MayWrite,
    /// A body is longer than what is kept of it.
    TooLong,
    /// The exchange broke off, or could not be read.
    Broken,
    /// The request may be read in several ways.
    Ambiguous,
}

impl Skipped {
    /// The label of metrics, and the words of the summary.
    const ALL: [&str; 5] = ["not-a-call", "may-write", "too-long", "broken", "ambiguous"];
}

/// Counts of samples and of callers that were moved, for summaries and metrics.
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
    operations: BTreeMap<&'static str, Operation>,
    skipped: [u64; Skipped::ALL.len()],
    moved: u64,
    moved_failed: u64,
    candidate_unreachable: u64,
    refused: u64,
    latest_samples: Latest,
    latest_moved: Latest,
    /// Why callers were moved back, until it is told.
    moved_back: Option<String>,
}

#[derive(Default, Clone, Copy)]
struct Operation {
    by_likeness: [u64; Likeness::ALL.len()],
    unanswered: u64,
    original: Duration,
    candidate: Duration,
}

impl Operation {
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

    /// The least likeness that is no difference.
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

    /// A request was not compared.
    pub fn skipped(&self, why: Skipped) {
        self.counts().skipped[why as usize] += 1;
        self.metrics.skipped(Skipped::ALL[why as usize]);
    }

    /// The candidate was asked, which took this time.
    pub fn sampled(&self, finding: &Finding, took: Duration) {
        let operation = finding.operation;
        let outcome = match &finding.outcome {
            Outcome::Compared(comparison) => comparison.likeness.name(),
            Outcome::Unanswered(_) => "unanswered",
        };
        self.metrics.sampled(operation, outcome);
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

    /// The candidate was to answer a caller that was moved to it.
    pub fn moved(&self, is_answered: bool) {
        let outcome = ["failed", "answered"][usize::from(is_answered)];
        self.metrics.moved(outcome);
        let mut counts = self.counts();
        counts.moved += 1;
        counts.moved_failed += u64::from(!is_answered);
        counts.latest_moved.add(!is_answered);
        self.judge(&mut counts);
    }

    /// A connection was closed: its address has too many, or a request names another host.
    pub fn refused(&self) {
        self.metrics.refused();
        self.counts().refused += 1;
    }

    /// The candidate could not be connected to for a caller that is to be moved to it.
    pub fn candidate_unreachable(&self) {
        self.metrics.candidate_unreachable();
        let mut counts = self.counts();
        counts.candidate_unreachable += 1;
        counts.latest_moved.add(true);
        self.judge(&mut counts);
    }

    /// Moves all callers back if too much has failed.
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

    /// Why callers were moved back, if that was not told yet.
    pub fn take_moved_back(&self) -> Option<String> {
        self.counts().moved_back.take()
    }

    /// Changes the share. What has failed before does not count any more.
    pub fn set_share(&self, split: &Split, share: Share) {
        let mut counts = self.counts();
        counts.latest_samples.clear();
        counts.latest_moved.clear();
        split.set_share(share);
    }

    /// The counts as Prometheus reads them.
    pub fn metrics(&self) -> Result<String, String> {
        let share = self.split.as_ref().map(|split| split.share());
        let text = self.metrics.text(self.samples.lost(), share);
        text.map_err(|error| format!("metrics cannot be written: {error}"))
    }

    /// All counts, in lines.
    pub fn summary(&self, left_out: u64) -> String {
        let counts = self.counts();
        let mut all = Operation::default();
        for one in counts.operations.values() {
            all.add(one);
        }
        let asked = all.answered() + all.unanswered;
        let mut text = format!("{asked} samples");
        if asked > 0 {
            let _ = write!(text, ": {}", all.line());
        }
        let skipped = Skipped::ALL.into_iter().zip(counts.skipped);
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
            let (share, moved, failed) = (split.share(), counts.moved, counts.moved_failed);
            let unreachable = counts.candidate_unreachable;
            let _ = writeln!(
                text,
                "  split {share}: {moved} calls moved, {failed} failed; candidate unreachable for {unreachable} connections"
            );
        }
        if counts.refused > 0 {
            let refused = counts.refused;
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

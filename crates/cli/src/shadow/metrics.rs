//! Counts for Prometheus.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus::{
    Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry, TextEncoder,
};
use svcgen_relay::Share;

/// The bounds of the buckets of times, in seconds.
const BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

pub(super) struct Metrics {
    registry: Registry,
    samples: IntCounterVec,
    seconds: HistogramVec,
    skipped: IntCounterVec,
    /// Locked while it is brought up to date: two who ask at once must not both add what is new.
    dropped: Mutex<IntCounter>,
    moved: IntCounterVec,
    candidate_unreachable: IntCounter,
    refused: IntCounter,
    split_ratio: Option<Gauge>,
}

impl Metrics {
    /// All of them, with that of the share if there is one.
    pub fn new(is_split: bool) -> prometheus::Result<Self> {
        let counters = |name, help, labels: &[&str]| {
            IntCounterVec::new(Opts::new(name, help).namespace("svcgen_shadow"), labels)
        };
        let counter =
            |name, help| IntCounter::with_opts(Opts::new(name, help).namespace("svcgen_shadow"));
        let seconds = HistogramOpts::new("seconds", "Time until the answer.");
        let seconds = seconds.namespace("svcgen_shadow").buckets(BUCKETS.to_vec());
        let ratio = || Gauge::new("svcgen_shadow_split_ratio", "Share of callers moved.");
        let metrics = Self {
            registry: Registry::new(),
            samples: counters(
                "samples_total",
                "Calls that the candidate was asked, too.",
                &["operation", "outcome"],
            )?,
            seconds: HistogramVec::new(seconds, &["operation", "server"])?,
            skipped: counters("skipped_total", "Requests not compared.", &["reason"])?,
            dropped: Mutex::new(counter(
                "dropped_total",
                "Samples dropped, as too many waited.",
            )?),
            moved: counters(
                "moved_total",
                "Calls of callers that were moved.",
                &["outcome"],
            )?,
            candidate_unreachable: counter(
                "candidate_unreachable_total",
                "Connections of moved callers that went to the original.",
            )?,
            refused: counter(
                "refused_total",
                "Connections refused: too many of one address, or for a host that is not allowed.",
            )?,
            split_ratio: is_split.then(ratio).transpose()?,
        };
        let registry = &metrics.registry;
        registry.register(Box::new(metrics.samples.clone()))?;
        registry.register(Box::new(metrics.seconds.clone()))?;
        registry.register(Box::new(metrics.skipped.clone()))?;
        let counted = metrics.dropped.lock();
        let counted = counted.unwrap_or_else(PoisonError::into_inner).clone();
        registry.register(Box::new(counted))?;
        registry.register(Box::new(metrics.moved.clone()))?;
        registry.register(Box::new(metrics.candidate_unreachable.clone()))?;
        registry.register(Box::new(metrics.refused.clone()))?;
        if let Some(ratio) = &metrics.split_ratio {
            registry.register(Box::new(ratio.clone()))?;
        }
        Ok(metrics)
    }

    pub fn sampled(&self, operation: &str, outcome: &str) {
        self.samples.with_label_values(&[operation, outcome]).inc();
    }

    pub fn took(&self, operation: &str, server: &str, time: Duration) {
        let seconds = self.seconds.with_label_values(&[operation, server]);
        seconds.observe(time.as_secs_f64());
    }

    pub fn skipped(&self, reason: &str) {
        self.skipped.with_label_values(&[reason]).inc();
    }

    pub fn moved(&self, outcome: &str) {
        self.moved.with_label_values(&[outcome]).inc();
    }

    pub fn candidate_unreachable(&self) {
        self.candidate_unreachable.inc();
    }

    pub fn refused(&self) {
        self.refused.inc();
    }

    /// All of them in text, with what is not counted by events.
    pub fn text(&self, dropped: u64, share: Option<Share>) -> prometheus::Result<String> {
        let counted = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        counted.inc_by(dropped.saturating_sub(counted.get()));
        drop(counted);
        if let (Some(ratio), Some(share)) = (&self.split_ratio, share) {
            ratio.set(share.fraction());
        }
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

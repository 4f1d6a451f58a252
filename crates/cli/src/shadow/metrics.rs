//! Counts for Prometheus.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus::{
    Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry, TextEncoder,
    register_gauge_with_registry, register_histogram_vec_with_registry,
    register_int_counter_vec_with_registry, register_int_counter_with_registry,
};
use svcgen_relay::Share;

/// The bounds of the buckets for times, in seconds.
const BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

/// The reason why a request was not compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Skipped {
    /// It is not a call: it is for a document or another service.
    NotACall,
    /// Its operation may change something.
    MayWrite,
    /// A body is longer than the bytes that are kept.
    TooLong,
    /// The exchange broke off, or could not be read.
    Broken,
    /// The request can be interpreted in several ways.
    Ambiguous,
}

impl Skipped {
    /// The labels of metrics, and the names in the summary.
    pub const ALL: [&str; 5] = ["not-a-call", "may-write", "too-long", "broken", "ambiguous"];
}

pub(super) struct Metrics {
    registry: Registry,
    pub samples: IntCounterVec,
    seconds: HistogramVec,
    /// In the order of [`Skipped`].
    pub skipped: [IntCounter; Skipped::ALL.len()],
    /// Locked during updates, so that two concurrent requests do not both add the difference.
    dropped: Mutex<IntCounter>,
    /// The calls of moved callers that failed, and those that were answered.
    pub moved: [IntCounter; 2],
    pub candidate_unreachable: IntCounter,
    pub refused: IntCounter,
    split_ratio: Option<Gauge>,
}

impl Metrics {
    /// Creates all metrics, including the share's if there is a split.
    pub fn new(is_split: bool) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let options = |name, help| Opts::new(name, help).namespace("svcgen_shadow");
        let counters = |name, help, labels: &[&str]| {
            register_int_counter_vec_with_registry!(options(name, help), labels, registry)
        };
        let counter =
            |name, help| register_int_counter_with_registry!(options(name, help), registry);
        let seconds = HistogramOpts::from(options("seconds", "Time until the answer."));
        let seconds = seconds.buckets(BUCKETS.to_vec());
        let ratio = || {
            let options = options("split_ratio", "Share of callers moved.");
            register_gauge_with_registry!(options, registry)
        };
        let skipped = counters("skipped_total", "Requests not compared.", &["reason"])?;
        let help = "Calls of callers that were moved.";
        let moved = counters("moved_total", help, &["outcome"])?;
        Ok(Self {
            samples: counters(
                "samples_total",
                "Calls that the candidate was asked, too.",
                &["operation", "outcome"],
            )?,
            seconds: register_histogram_vec_with_registry!(
                seconds,
                &["operation", "server"],
                registry
            )?,
            skipped: Skipped::ALL.map(|reason| skipped.with_label_values(&[reason])),
            dropped: Mutex::new(counter(
                "dropped_total",
                "Samples dropped, as too many waited.",
            )?),
            moved: ["failed", "answered"].map(|outcome| moved.with_label_values(&[outcome])),
            candidate_unreachable: counter(
                "candidate_unreachable_total",
                "Connections of moved callers that went to the original.",
            )?,
            refused: counter(
                "refused_total",
                "Connections refused: too many of one address, or for a host that is not allowed.",
            )?,
            split_ratio: is_split.then(ratio).transpose()?,
            registry,
        })
    }

    pub fn took(&self, operation: &str, server: &str, time: Duration) {
        let seconds = self.seconds.with_label_values(&[operation, server]);
        seconds.observe(time.as_secs_f64());
    }

    /// Writes all metrics as text, after updating those that are not counted by events.
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

//! Sends samples to the candidate, and compares the answers.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use http::Method;
use svcgen_messages::Service;
use svcgen_relay::{Asker, Exchange, Upstream};
use svcgen_replay::{Comparer, Rules};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::Arguments;
use super::finding::{Finding, Outcome};
use super::metrics::Skipped;
use super::report::Report;
use crate::queue::{Next, Queue};
use crate::relaying::run_behind;

/// Sends samples to the candidate, on a separate thread that the relay does not wait for.
pub(super) struct Worker {
    candidate: Asker,
    comparer: Comparer,
    includes_writes: bool,
    time: Duration,
    most_bytes: usize,
    runtime: Runtime,
    report: Arc<Report>,
    findings: Arc<Queue<Finding>>,
}

impl Worker {
    pub fn new(
        candidate: Upstream,
        service: Option<Service>,
        rules: Rules,
        arguments: &Arguments,
        report: Arc<Report>,
        findings: Arc<Queue<Finding>>,
    ) -> Result<Self, String> {
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            candidate: Asker::new(candidate),
            comparer: Comparer::new(service, rules),
            includes_writes: arguments.include_writes,
            time: Duration::from_secs(arguments.timeout),
            most_bytes: arguments.max_bytes,
            runtime: runtime.map_err(|error| format!("a thread cannot be started: {error}"))?,
            report,
            findings,
        })
    }

    /// Sends samples on a separate thread until there are no more.
    pub fn start(self, samples: &Arc<Queue<Box<Exchange>>>) -> JoinHandle<()> {
        let samples = Arc::clone(samples);
        thread::spawn(move || {
            run_behind();
            self.run(&samples);
        })
    }

    fn run(mut self, samples: &Queue<Box<Exchange>>) {
        loop {
            match samples.next(self.candidate.idle_until()) {
                Next::Item(exchange) => self.sample(*exchange),
                Next::Nothing => self.candidate.close_idle(),
                Next::Closed => return,
            }
        }
    }

    fn sample(&mut self, exchange: Exchange) {
        let Some(request) = exchange.request.to_request() else {
            return self.report.skipped(Skipped::Broken);
        };
        let called = self.comparer.asked(&request).called();
        // Without a definition, only calls by GET count as read-only.
        let is_read_only = match (called, self.comparer.service()) {
            (Some((operation, _)), _) => operation.row().row().read_only,
            (None, None) => request.method() == Method::GET,
            (None, Some(_)) => false,
        };
        if !is_read_only && !self.includes_writes {
            return self.report.skipped(Skipped::MayWrite);
        }
        // The candidate must interpret the request in the same way as this decision did.
        let Some(anew) = exchange.request.anew() else {
            return self.report.skipped(Skipped::Ambiguous);
        };
        let begun = Instant::now();
        let asking = async {
            let (request, most) = (&anew, self.most_bytes);
            let asked = async {
                // A call that may write must never run twice.
                if is_read_only {
                    self.candidate.ask(request, most).await
                } else {
                    self.candidate.ask_once(request, most).await
                }
            };
            timeout(self.time, asked).await
        };
        let answered = self.runtime.block_on(asking);
        let took = begun.elapsed();
        let (answer, outcome) = match answered {
            Ok(Ok(answer)) => {
                let original = exchange.answer.to_response();
                let candidate = answer.to_response();
                let comparison = self.comparer.compare(&request, &original, &candidate);
                (answer, Outcome::Compared(comparison))
            }
            Ok(Err(error)) => (Default::default(), Outcome::Unanswered(error.to_string())),
            Err(_) => {
                let why = format!("no answer within {} s", self.time.as_secs());
                (Default::default(), Outcome::Unanswered(why))
            }
        };
        let finding = Finding {
            operation: called.map_or("", |(operation, _)| operation.name()),
            binding: called.map(|(_, binding)| binding),
            exchange,
            answer,
            outcome,
        };
        self.report.sampled(&finding, took);
        if self.report.is_finding(&finding.outcome) {
            self.findings.push(finding.size(), finding);
        }
    }
}

//! Findings in samples: printed, and kept.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde_json::json;
use svcgen::Binding;
use svcgen::mask::{Mask, Masked};
use svcgen_messages::Service;
use svcgen_relay::{Exchange, Message};
use svcgen_replay::{Comparison, Likeness};

use crate::console::{Console, excerpt};
use crate::exit::Exit;
use crate::queue::Queue;
use crate::record::folder::{Folder, parts};
use crate::record::kept::{KeptExchange, masked_answer};
use crate::record::values;

/// A sample whose answers differ, or that the candidate did not answer.
pub(crate) struct Finding {
    pub operation: &'static str,
    pub binding: Option<Binding>,
    pub exchange: Exchange,
    /// The answer of the candidate.
    pub answer: Message,
    pub outcome: Outcome,
}

pub(crate) enum Outcome {
    Compared(Comparison),
    /// There is no answer, for this reason.
    Unanswered(String),
}

impl Finding {
    /// Returns the approximate size of the finding in bytes.
    pub fn size(&self) -> usize {
        let differences = match &self.outcome {
            Outcome::Compared(comparison) => &*comparison.differences,
            Outcome::Unanswered(_) => &[],
        };
        let texts = differences
            .iter()
            .map(|one| one.place.len() + one.expected.len() + one.found.len() + 100);
        let answer = self.answer.head.len() + self.answer.sent.len();
        self.exchange.size() + answer + texts.sum::<usize>()
    }

    /// Writes the exchange with both answers. Returns the name of the folder.
    pub fn keep(
        &self,
        folder: &mut Folder,
        kept: &KeptExchange<'_>,
        service: Option<Service>,
        mask: Option<&Mask<'_>>,
        console: &Console,
    ) -> (Option<String>, Exit) {
        let exchange = &self.exchange;
        let values = service.and_then(|service| values::of(service, exchange));
        let (mut about, mut files) = parts(kept, values.as_ref());
        match &self.outcome {
            Outcome::Unanswered(why) => about["candidate"] = json!({ "unanswered": why }),
            Outcome::Compared(comparison) => {
                let answer = Masked::by(mask, Cow::Borrowed(&self.answer), |mask| {
                    masked_answer(&exchange.request, &self.answer, mask).map(Cow::Owned)
                });
                files.push(("candidate.http", answer.map(|answer| answer.bytes())));
                about["candidate"] = json!({
                    "likeness": comparison.likeness,
                    "differences": comparison.differences,
                });
            }
        }
        folder.keep(about, files, console)
    }

    /// Returns the operation and its binding, or else the method and path of the request, without
    /// the query, which may contain anything.
    fn called(&self, kept: &KeptExchange<'_>) -> String {
        match self.binding {
            Some(binding) => format!("{} {}", self.operation, binding.key()),
            None => {
                let line = kept.request.request_line();
                let (method, target) = line.unwrap_or(("?", "?"));
                let path = target.split('?').next().unwrap_or_default();
                format!("{method} {path}")
            }
        }
    }
}

/// The maximum number of lines printed per second, and for one sample.
const MOST_LINES: usize = 20;
const MOST_OF_ONE: usize = 5;

/// Prints and keeps findings.
pub(crate) struct FindingsLog {
    service: Option<Service>,
    mask: Option<Mask<'static>>,
    folder: Option<Folder>,
    accepted: Likeness,
    second: Instant,
    lines: usize,
    /// The number of lines not printed since the last summary.
    left_out: u64,
}

impl FindingsLog {
    pub fn new(
        service: Option<Service>,
        mask: Option<Mask<'static>>,
        folder: Option<Folder>,
        accepted: Likeness,
    ) -> Self {
        Self {
            service,
            mask,
            folder,
            accepted,
            second: Instant::now(),
            lines: 0,
            left_out: 0,
        }
    }

    /// Prints a finding, and keeps it if there is a folder.
    pub fn tell(&mut self, finding: &Finding, console: &Console) -> Exit {
        let kept = KeptExchange::of(&finding.exchange, self.mask.as_ref());
        // Callers are not affected if keeping fails.
        let (name, mut exit) = match &mut self.folder {
            Some(folder) => finding.keep(folder, &kept, self.service, self.mask.as_ref(), console),
            None => (None, Exit::Done),
        };
        let name = name.map_or_else(String::new, |name| format!("{name} "));
        let (called, accepted) = (finding.called(&kept), self.accepted);
        match &finding.outcome {
            Outcome::Unanswered(why) => {
                let line = format!("{name}unanswered {called}: {why}");
                exit = exit.max(self.line(&line, console));
            }
            Outcome::Compared(comparison) => {
                let likeness = comparison.likeness;
                let differences = comparison.differences.iter();
                let mut differences = differences.filter(|one| one.likeness > accepted);
                let shown: Vec<_> = differences.by_ref().take(MOST_OF_ONE).collect();
                for one in shown {
                    exit =
                        exit.max(self.line(&format!("{name}{likeness} {called}: {one}"), console));
                }
                match differences.count() {
                    0 => {}
                    more => {
                        let line = format!("{name}{likeness} {called}: {more} more differences");
                        exit = exit.max(self.line(&line, console));
                    }
                }
            }
        }
        exit
    }

    /// Returns the number of exchanges that could not be written.
    pub fn unwritten(&self) -> u64 {
        self.folder.as_ref().map_or(0, Folder::unwritten)
    }

    fn line(&mut self, line: &str, console: &Console) -> Exit {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.second = Instant::now();
            self.lines = 0;
        }
        if self.lines == MOST_LINES {
            self.left_out += 1;
            return Exit::Done;
        }
        self.lines += 1;
        console.print(format!("{}\n", excerpt(line)))
    }

    /// Returns the number of lines and findings left out since the last call.
    pub fn left_out(&mut self, findings: &Queue<Finding>) -> u64 {
        std::mem::take(&mut self.left_out) + findings.take_lost()
    }
}

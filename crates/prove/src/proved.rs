//! The result of a proof.

use std::fmt;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::mask::{Mask, Masked, Secrets};
use svcgen_replay::{Likeness, Outcome, Replayed, Report};

use crate::asked::{Answered, Asked};
use crate::call::Call;
use crate::coverage::Coverage;

/// The result of a [`Proof`](crate::Proof).
#[derive(Debug)]
#[non_exhaustive]
pub struct Proved {
    pub(crate) accepted: Likeness,
    /// The seed of the calls.
    pub seed: u64,
    /// The calls in their order, without their differences. Calls that made a difference smaller
    /// are not included.
    pub calls: Vec<Replayed>,
    /// The distinct differences, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// The parts of the definition that have been seen.
    pub coverage: Coverage,
    pub(crate) notes: Vec<String>,
    /// The reason why it ended early, if it did.
    pub stopped: Option<Masked<String>>,
}

/// A call whose answers differ: the smallest that was found.
#[derive(Clone)]
#[non_exhaustive]
pub struct Finding {
    /// The entry in the report: named by the number of the call that showed it first, and without
    /// secrets. Further information can be added to its notes.
    pub exchange: Replayed,
    /// The request. It may contain given secrets.
    pub request: Request<Bytes>,
    /// The answer of the original, without given secrets.
    pub original: Option<Response<Bytes>>,
    /// The answer of the candidate, without given secrets.
    pub candidate: Option<Response<Bytes>>,
    /// The number of other calls that show it.
    pub others: usize,
    /// The changes of the first of these calls.
    examples: Vec<Masked<String>>,
    last: usize,
}

/// The number of other calls whose changes are listed.
const EXAMPLES: usize = 5;

/// If neither server answers, it is unknown whether the call differs; if only the candidate
/// answers, it does.
const NEITHER: &str = "neither server answers";
const NOT_THE_ORIGINAL: &str = "the original does not answer";

/// Describes a call and its answers for the report.
pub(crate) fn replayed(asked: &Asked, number: usize) -> Replayed {
    let call = &asked.call;
    let mut replayed = Replayed::new(&format!("{number:08}"));
    let shown = Mask::new(call.operation.service().row()).request(&asked.request);
    replayed.call = shown.map(|shown| format!("{} {}", shown.method(), shown.uri().path()));
    replayed.operation = Some(call.operation.name().to_owned());
    replayed.binding = Some(call.binding);
    replayed.asks = Some(call.words());
    replayed.milliseconds = asked.candidate.took.as_secs_f64() * 1000.0;
    let unanswered = |why: &str| Outcome::Unanswered(call.secrets.text(why).map(str::to_owned));
    let answers = [&asked.original, &asked.candidate].map(|one| one.answer.as_ref().err());
    replayed.outcome = match (&asked.comparison, answers) {
        (Some(comparison), _) => Outcome::Compared(comparison.clone()),
        (None, [Some(why), Some(_)]) => unanswered(&format!("{NEITHER}: {why}")),
        (None, [Some(why), None]) => unanswered(&format!("{NOT_THE_ORIGINAL}: {why}")),
        (None, [None, why]) => unanswered(why.map_or("", String::as_str)),
    };
    replayed
}

/// Returns an answer without secrets. A body that is not text is left unchanged.
fn hidden(answered: &Answered, secrets: &Secrets) -> Option<Response<Bytes>> {
    let mut response = answered.answer.as_ref().ok()?.clone();
    if let Ok(text) = str::from_utf8(response.body()) {
        let text = secrets.hidden(text).into_inner().into_owned();
        *response.body_mut() = text.into();
    }
    Some(response)
}

impl Finding {
    pub(crate) fn of(asked: &Asked, number: usize, note: Option<String>) -> Self {
        let mut exchange = replayed(asked, number);
        exchange.notes.extend(note);
        Self {
            exchange,
            request: asked.request.clone(),
            original: hidden(&asked.original, &asked.call.secrets),
            candidate: hidden(&asked.candidate, &asked.call.secrets),
            others: 0,
            examples: Vec::new(),
            last: number,
        }
    }

    /// Describes the call, without secrets.
    pub fn asks(&self) -> &str {
        self.exchange.asks.as_ref().map_or("", |asks| asks.as_str())
    }

    /// Counts another call that shows the finding.
    pub(crate) fn see(&mut self, call: &Call, number: usize) {
        if std::mem::replace(&mut self.last, number) == number {
            return;
        }
        self.others += 1;
        let changes = call.changes_in_words();
        if self.examples.len() < EXAMPLES && !self.examples.contains(&changes) {
            self.examples.push(changes);
        }
    }

    fn with_others(&self) -> Replayed {
        let mut exchange = self.exchange.clone();
        if self.others > 0 {
            let examples: Vec<_> = self.examples.iter().map(|one| one.as_str()).collect();
            let (others, examples) = (self.others, examples.join(" | "));
            exchange
                .notes
                .push(format!("and {others} more: {examples}"));
        }
        exchange
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Finding").field(&self.exchange).finish()
    }
}

impl Proved {
    /// Returns the report: the calls whose answers are as similar as required, the smallest call
    /// for each difference, and the parts of the definition that have been seen.
    pub fn report(&self) -> Report {
        let is_unanswered = |one: &Replayed, by: &str| matches!(&one.outcome, Outcome::Unanswered(why) if why.starts_with(by));
        let is_told = |one: &&Replayed| match &one.outcome {
            Outcome::Compared(comparison) => comparison.likeness <= self.accepted,
            _ => is_unanswered(one, NOT_THE_ORIGINAL),
        };
        let mut exchanges: Vec<_> = self.calls.iter().filter(is_told).cloned().collect();
        let neither = self
            .calls
            .iter()
            .filter(|one| is_unanswered(one, NEITHER))
            .count();
        let (differing, findings) = (
            self.calls.len() - exchanges.len() - neither,
            self.findings.len(),
        );
        exchanges.extend(self.findings.iter().map(Finding::with_others));
        let mut lines = vec![format!("{} calls, seed {}", self.calls.len(), self.seed)];
        if differing > 0 {
            lines.push(format!(
                "{differing} calls differ; the smallest that show how: {findings}"
            ));
        }
        if neither > 0 {
            lines.push(format!("{neither} calls: {NEITHER}"));
        }
        let stopped = self
            .stopped
            .iter()
            .map(|why| format!("ended early: {}", why.as_str()));
        lines.extend(stopped.chain(self.notes.iter().cloned()));
        let report = Report::new(exchanges).with_section("Calls", lines);
        report.with_section("Seen of the definition", self.coverage.lines())
    }
}

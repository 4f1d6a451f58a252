//! What came of a proof.

use std::fmt;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::mask::{Mask, Masked, Secrets};
use svcgen_replay::{Likeness, Outcome, Replayed, Report};

use crate::asked::{Answered, Asked};
use crate::call::Call;
use crate::coverage::Coverage;

/// What came of a [`Proof`](crate::Proof).
#[derive(Debug)]
#[non_exhaustive]
pub struct Proved {
    pub(crate) accepted: Likeness,
    /// The seed of the calls.
    pub seed: u64,
    /// The calls, in their order, without what they differ in; those that made a difference smaller
    /// are not among them.
    pub calls: Vec<Replayed>,
    /// What differs, each once, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// What has been seen of the definition.
    pub coverage: Coverage,
    pub(crate) notes: Vec<String>,
    /// Why it ended early, if it did.
    pub stopped: Option<Masked<String>>,
}

/// A call whose answers differ, as small as it was found.
#[derive(Clone)]
#[non_exhaustive]
pub struct Finding {
    /// How it stands in the report: named by the number of the call that showed it first, and
    /// without secrets. What is to be known of it can be added to its notes.
    pub exchange: Replayed,
    /// The request. It may hold secrets that were given.
    pub request: Request<Bytes>,
    /// The answer of the original, without secrets that were given.
    pub original: Option<Response<Bytes>>,
    /// The answer of the candidate, without secrets that were given.
    pub candidate: Option<Response<Bytes>>,
    /// How many other calls show it.
    pub others: usize,
    /// What the first of them change.
    examples: Vec<Masked<String>>,
    last: usize,
}

/// How many other calls are named.
const EXAMPLES: usize = 5;

/// Whether a call that neither server answers differs, nobody can tell; if the candidate alone
/// answers, it does.
const NEITHER: &str = "neither server answers";
const NOT_THE_ORIGINAL: &str = "the original does not answer";

/// What is known of a call and its answers.
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

/// An answer without secrets. One that is not text is left as it is.
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

    /// What the call asks, without secrets.
    pub fn asks(&self) -> &str {
        self.exchange.asks.as_ref().map_or("", |asks| asks.as_str())
    }

    /// Counts another call that shows it.
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
    /// The report: the calls whose answers are as alike as accepted, what differs as the smallest
    /// call that shows it, and what has been seen of the definition.
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

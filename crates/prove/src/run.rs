//! Sends calls, and reduces those whose answers differ to smaller ones.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::Transport;
use svcgen::mask::Masked;
use svcgen_messages::Operation;
use svcgen_replay::{
    Comparer, Comparison, Difference, DifferenceKind, Likeness, Outcome, Replayed,
};
use tokio::time::{Instant, sleep_until};

use crate::asked::{Answered, Asked};
use crate::call::Call;
use crate::change::is_of_message;
use crate::coverage::Coverage;
use crate::failed::ProofFailed;
use crate::health::Health;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::proved::{Finding, Proved, replayed};
use crate::recorded;

/// The maximum number of smaller calls that are tried for a call.
const SMALLER: usize = 100;

/// A difference, or the fact that the candidate does not answer.
struct Symptom {
    operation: usize,
    difference: Option<Difference>,
}

impl Symptom {
    /// Whether another symptom is of the same kind at the same place.
    fn is_alike(&self, other: &Self) -> bool {
        let place = |one: &Difference| (one.kind, one.place_of_all_items());
        let [this, other_place] = [self, other].map(|one| one.difference.as_ref().map(place));
        this == other_place
    }

    /// Whether the same values differ in the same way, which suggests one cause. Refused calls are
    /// excluded, as a call may be refused for many reasons.
    fn is_equal(&self, other: &Self) -> bool {
        use DifferenceKind as Kind;
        let refused = [
            Kind::Status,
            Kind::MissingBody,
            Kind::ExtraBody,
            Kind::FaultForResult,
            Kind::ResultForFault,
            Kind::Malformed,
        ];
        let is_refused = |one: &Difference| refused.contains(&one.kind);
        self.difference == other.difference
            && self.difference.as_ref().is_some_and(|one| !is_refused(one))
    }
}

impl Proof {
    /// Sends the calls to both servers, the original first, and compares their answers.
    ///
    /// It stops early when a server is in trouble: the original answers with 502, 503 or 504, or
    /// with 500 and no fault to an unchanged request; a server leaves three calls in a row
    /// unanswered; or the median of the original's last 20 response times is over five times the
    /// median of the first 20, and over half a second longer.
    ///
    /// # Errors
    ///
    /// Returns an error if no operation is to be called, no call can be made, given values do not
    /// fit, or a recording cannot be read.
    pub async fn run<A: Transport, B: Transport>(
        &self,
        original: A,
        candidate: B,
    ) -> Result<Proved, ProofFailed> {
        if self.operations.is_empty() {
            let names: Vec<_> = self.service.operations().map(Operation::name).collect();
            return Err(ProofFailed(format!(
                "no operation is `read_only` by the definition: name those that may be called, of {}",
                names.join(", ")
            )));
        }
        let is_called = |operation: &Operation| self.operations.contains(operation);
        if let Some((operation, _)) = self.given.iter().find(|(one, _)| !is_called(one)) {
            let name = operation.name();
            return Err(ProofFailed(format!(
                "values are given for {name}, which is not called: it is not `read_only`, so it has to be named"
            )));
        }
        let comparer = Comparer::new(Some(self.service), self.rules.clone());
        let given = self.given.iter().cloned();
        let given = given.map(|(operation, parameters)| self.values(operation, parameters));
        let (mut given, mut notes) = (given.collect(), Vec::new());
        for folder in &self.recorded {
            let left_out = recorded::read(folder, &comparer, &self.secrets, &mut given)?;
            notes.extend(left_out);
        }
        let known = given.len();
        given.retain(|one| is_called(&one.operation));
        if given.len() < known {
            let left_out = known - given.len();
            notes.push(format!("the values of {left_out} recorded calls are not used, as their operations are not called"));
        }
        let plan = Plan::new(self, &given, &mut notes)?;
        let run = Run {
            proof: self,
            comparer,
            original,
            candidate,
            coverage: Coverage::new(&self.operations),
            health: Health::default(),
            started: Instant::now(),
            sent: 0,
            stopped: None,
            findings: Vec::new(),
            known: Vec::new(),
        };
        Ok(run.all(plan, notes).await)
    }
}

struct Run<'p, A, B> {
    proof: &'p Proof,
    comparer: Comparer,
    original: A,
    candidate: B,
    coverage: Coverage,
    health: Health,
    started: Instant,
    sent: u32,
    stopped: Option<Masked<String>>,
    findings: Vec<Finding>,
    /// The symptoms of calls with these kinds of changes, and the index of the finding that they
    /// belong to.
    known: Vec<(Symptom, BTreeSet<String>, usize)>,
}

impl<A: Transport, B: Transport> Run<'_, A, B> {
    /// Sends the calls of a plan until the run has ended.
    async fn all(mut self, mut plan: Plan, mut notes: Vec<String>) -> Proved {
        let mut calls = Vec::new();
        while !self.is_over() && self.findings.len() < self.proof.most_findings {
            let left = self.proof.calls - calls.len();
            let at_once = self.proof.at_once.get().min(left);
            let next: Vec<_> = plan.by_ref().take(at_once).collect();
            if next.is_empty() {
                break;
            }
            let numbers = self.sent..;
            self.sent += u32::try_from(next.len()).unwrap_or(u32::MAX);
            let asking = next.into_iter().zip(numbers);
            let asking =
                asking.map(|((call, request), number)| Box::pin(self.ask(call, request, number)));
            for asked in all(asking.collect()).await {
                self.look_after(&asked);
                calls.push(self.judged(asked, calls.len() + 1).await);
            }
        }
        if self.findings.len() >= self.proof.most_findings {
            let count = self.findings.len();
            notes.push(format!("ended early: there are {count} findings"));
        }
        Proved {
            accepted: self.proof.accepted,
            seed: self.proof.seed,
            calls,
            findings: self.findings,
            coverage: self.coverage,
            notes,
            stopped: self.stopped,
        }
    }

    /// Whether the run has ended: no further call is to be sent.
    fn is_over(&self) -> bool {
        let is_late = |time| self.started.elapsed() >= time;
        self.stopped.is_some() || self.proof.time.is_some_and(is_late)
    }

    fn look_after(&mut self, asked: &Asked) {
        if self.stopped.is_none() {
            self.stopped = self.health.complaint(asked);
        }
    }

    /// Sends a call to both servers.
    async fn ask(&self, call: Call, request: Request<Bytes>, number: u32) -> Asked {
        if let Some(rate) = self.proof.rate {
            let after = Duration::try_from_secs_f64(f64::from(number) / rate);
            sleep_until(self.started + after.unwrap_or_default()).await;
        }
        let original = answered(&self.original, &request).await;
        let candidate = answered(&self.candidate, &request).await;
        let comparison = match (&original.answer, &candidate.answer) {
            (Ok(expected), Ok(found)) => Some(self.compared(&call, expected, found)),
            _ => None,
        };
        Asked {
            call,
            request,
            original,
            candidate,
            comparison,
        }
    }

    /// Compares two answers, except for differences that rules accept for such calls.
    fn compared(
        &self,
        call: &Call,
        expected: &Response<Bytes>,
        found: &Response<Bytes>,
    ) -> Comparison {
        let mut comparison = self.comparer.compare(&call.usual, expected, found);
        if !comparison.differences.is_empty() {
            let (asks, secrets, rules) = (call.words(), &call.secrets, &self.proof.rules);
            let differences = &mut comparison.differences;
            differences.retain(|one| !rules.departs(&asks, one.kind));
            for one in differences.iter_mut() {
                for told in [&mut one.expected, &mut one.found] {
                    *told = secrets.hidden(told).map(Cow::into_owned);
                }
            }
            let likeness = differences.iter().map(|one| one.likeness).max();
            comparison.likeness = likeness.unwrap_or(Likeness::Identical);
        }
        comparison
    }

    /// Judges a call and its answers. A call that shows a new symptom is made smaller.
    async fn judged(&mut self, asked: Asked, number: usize) -> Replayed {
        let operation = asked.call.operation;
        if let Ok(response) = &asked.original.answer {
            let read = operation.service().read_request(asked.request.clone()).ok();
            let read = read.filter(|read| read.operation == operation);
            let parameters = read.as_ref().map(|read| &read.parameters);
            self.coverage
                .add(operation, asked.call.binding, parameters, response);
        }
        let kinds = asked.call.kinds();
        for symptom in self.symptoms(&asked) {
            if let Some(finding) = self.finding_of(&symptom, &kinds) {
                self.findings[finding].see(&asked.call, number);
                continue;
            }
            let (smallest, note) = self.smallest(&asked, &symptom).await;
            let smallest = smallest.as_ref().unwrap_or(&asked);
            let index = self.findings.len();
            for shown in self.symptoms(smallest) {
                self.known.push((shown, smallest.call.kinds(), index));
            }
            // The symptom stays known even if the smaller call does not show it.
            self.known.push((symptom, kinds.clone(), index));
            self.findings.push(Finding::of(smallest, number, note));
        }
        let mut replayed = replayed(&asked, number);
        if let Outcome::Compared(comparison) = &mut replayed.outcome
            && comparison.likeness > self.proof.accepted
        {
            // The findings contain the differences.
            comparison.differences.clear();
        }
        replayed
    }

    /// Returns the symptoms of a call.
    fn symptoms(&self, asked: &Asked) -> Vec<Symptom> {
        let operation = asked.call.operation.index();
        let symptom = |difference| Symptom {
            operation,
            difference,
        };
        match (&asked.comparison, &asked.original.answer) {
            (Some(comparison), _) => {
                let differences = comparison.differences.iter();
                let beyond = differences.filter(|one| one.likeness > self.proof.accepted);
                beyond.cloned().map(Some).map(symptom).collect()
            }
            // A call that the original does not answer either is no difference.
            (None, Ok(_)) => vec![symptom(None)],
            (None, Err(_)) => Vec::new(),
        }
    }

    /// Returns the finding that a call with this symptom belongs to: one with the same differing
    /// values in any operation, or one at the same place whose kinds of changes the call has, too.
    fn finding_of(&self, symptom: &Symptom, kinds: &BTreeSet<String>) -> Option<usize> {
        let found = self.known.iter().find(|(known, changed, _)| {
            let is_of_message =
                !changed.is_empty() && changed.iter().all(|kind| is_of_message(kind));
            let is_same = known.operation == symptom.operation || is_of_message;
            known.is_equal(symptom)
                || is_same && known.is_alike(symptom) && changed.is_subset(kinds)
        });
        found.map(|(.., finding)| *finding)
    }

    /// Returns the smallest call found that shows the same symptom, and a note about it.
    async fn smallest(
        &mut self,
        asked: &Asked,
        symptom: &Symptom,
    ) -> (Option<Asked>, Option<String>) {
        if self.is_over() {
            return (None, None);
        }
        let Some(again) = self.again(asked.call.clone()).await else {
            return (None, None);
        };
        if !self.shows(&again, symptom, asked) {
            let note = "it was seen once, and not when the same was asked again";
            return (None, Some(note.to_owned()));
        }
        let note = self.changing(asked, &again, symptom);
        let mut smallest = again;
        let mut smaller = smallest.call.smaller().into_iter();
        let mut left = SMALLER;
        while left > 0
            && !self.is_over()
            && let Some(call) = smaller.next()
        {
            left -= 1;
            if let Some(again) = self.again(call).await
                && self.shows(&again, symptom, asked)
            {
                smaller = again.call.smaller().into_iter();
                smallest = again;
            }
        }
        (Some(smallest), note)
    }

    /// Whether a call shows the same symptom and has answers with the same statuses; otherwise the
    /// cause is a different one.
    fn shows(&self, asked: &Asked, symptom: &Symptom, first: &Asked) -> bool {
        let statuses = |asked: &Asked| {
            [&asked.original, &asked.candidate]
                .map(|one| one.answer.as_ref().ok().map(Response::status))
        };
        statuses(asked) == statuses(first)
            && self.symptoms(asked).iter().any(|one| one.is_alike(symptom))
    }

    /// Sends a call that is not part of the plan.
    async fn again(&mut self, call: Call) -> Option<Asked> {
        let request = call.request()?;
        self.sent += 1;
        let asked = self.ask(call, request, self.sent - 1).await;
        self.look_after(&asked);
        Some(asked)
    }

    /// Returns a note if the original itself answers differently each time.
    fn changing(&self, asked: &Asked, again: &Asked, symptom: &Symptom) -> Option<String> {
        let (Ok(one), Ok(other)) = (&asked.original.answer, &again.original.answer) else {
            return None;
        };
        let comparison = self.comparer.compare(&asked.call.usual, one, other);
        let place = symptom.difference.as_ref()?.place_of_all_items();
        let mut differences = comparison.differences.iter();
        differences.any(|one| one.place_of_all_items() == place).then(|| {
            format!("the original itself answers otherwise each time: the rule `ignore: ['{place}']` accepts that")
        })
    }
}

async fn answered<T: Transport>(server: &T, request: &Request<Bytes>) -> Answered {
    let began = Instant::now();
    let answer = server.send(request.clone()).await;
    Answered {
        answer: answer.map_err(|error| error.to_string()),
        took: began.elapsed(),
    }
}

/// Polls all futures concurrently and returns their outputs in order.
async fn all<F: Future>(futures: Vec<Pin<Box<F>>>) -> Vec<F::Output> {
    let mut waiting: Vec<Result<F::Output, _>> = futures.into_iter().map(Err).collect();
    poll_fn(|context| {
        for one in &mut waiting {
            if let Err(future) = one
                && let Poll::Ready(output) = future.as_mut().poll(context)
            {
                *one = Ok(output);
            }
        }
        if waiting.iter().all(Result::is_ok) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    waiting.into_iter().filter_map(Result::ok).collect()
}

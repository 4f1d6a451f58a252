//! The comparison of the values that a definition reads from two answers.

use bytes::Bytes;
use http::Response;
use serde_json::Value as Json;
use svcgen::mask::OMITTED;
use svcgen::{Binding, CallError, Fault};
use svcgen_messages::{Answer, Operation};

use crate::content::{Content, words};
use crate::description::Description;
use crate::findings::{Finding, Findings};
use crate::kind::DifferenceKind as Kind;
use crate::likeness::Likeness;
use crate::rules::Rules;
use crate::value_path::ValuePath;

/// Decides for each difference whether values differ there, and adds differing values that the
/// documents did not show.
pub(crate) fn refine(
    operation: Operation,
    binding: Binding,
    responses: [&Response<Bytes>; 2],
    is_masked: bool,
    findings: &mut Findings<'_>,
) {
    let [expected, found] = responses.map(|response| operation.read_answer(response, binding));
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            let differing = differing(operation, [&expected, &found], findings.content);
            of_values(differing, findings);
        }
        (Err(CallError::Fault(expected)), Err(CallError::Fault(found))) => {
            of_faults(operation, &expected, &found, findings);
        }
        (Ok(_), Err(CallError::Fault(_))) => failed(Kind::FaultForResult, findings),
        (Err(CallError::Fault(_)), Ok(_)) => failed(Kind::ResultForFault, findings),
        (expected, found) => {
            let told = |read: &Result<Answer, CallError>| match read {
                Ok(_) => words("a result"),
                Err(CallError::Fault(_)) => words("a fault"),
                Err(error) => findings.content.error(error),
            };
            // A difference in an element's name explains this better.
            let is_named = findings.found.iter().any(|one| {
                let kind = one.difference.kind;
                matches!(
                    kind,
                    Kind::NameCase | Kind::ElementName | Kind::Namespace | Kind::SoapVersion
                )
            });
            let is_hidden = is_named || is_masked && expected.is_err();
            let (expected, found) = (told(&expected), told(&found));
            if expected != found && !is_hidden {
                findings.add(Kind::Unreadable, "body", [expected, found]);
            }
        }
    }
}

fn failed(kind: Kind, findings: &mut Findings<'_>) {
    if findings.found.iter().all(|one| one.difference.kind != kind) {
        let told = ["a result", "a fault"].map(words);
        let told = match kind {
            Kind::FaultForResult => told,
            _ => [told[1].clone(), told[0].clone()],
        };
        findings.add(kind, "body", told);
    }
}

/// Returns the differences between two answers that were read.
fn differing(operation: Operation, answers: [&Answer; 2], content: &Content<'_>) -> Vec<Finding> {
    let masked = answers.map(|answer| {
        let mut masked = operation.mask_answer(answer).into_inner();
        put_back(&mut masked.value, &answer.value);
        put_back(&mut masked.headers, &answer.headers);
        masked
    });
    let rules = Rules::new();
    let mut findings = Findings::new(&rules, content);
    let row = operation.row();
    let (known, place) = match row.result() {
        Some(result) if !row.has_results() => {
            (Description::Element(result), ValuePath::of(result.name))
        }
        _ => (Description::Results(operation), ValuePath::default()),
    };
    let [mut expected, mut found] = masked.map(|answer| (answer.value, answer.headers));
    let headers = (Description::Headers(operation), ValuePath::of("Header"));
    crate::json::walk(&mut expected.0, &mut found.0, known, &place, &mut findings);
    crate::json::walk(
        &mut expected.1,
        &mut found.1,
        headers.0,
        &headers.1,
        &mut findings,
    );
    findings.found
}

/// Restores the values that masking left out: they count as well, and no finding shows them.
fn put_back(masked: &mut Json, given: &Json) {
    match (masked, given) {
        (Json::Object(masked), Json::Object(given)) => {
            let both = masked.values_mut().zip(given.values());
            both.for_each(|(masked, given)| put_back(masked, given));
        }
        (Json::Array(masked), Json::Array(given)) => {
            let both = masked.iter_mut().zip(given);
            both.for_each(|(masked, given)| put_back(masked, given));
        }
        (masked, given) if masked == OMITTED => masked.clone_from(given),
        _ => {}
    }
}

/// Lowers differences at places with equal values to differences of form, and adds differing values
/// that have no finding yet.
fn of_values(differing: Vec<Finding>, findings: &mut Findings<'_>) {
    let mut differing = differing;
    differing.retain(|one| {
        let place = one.place.as_ref();
        one.difference.likeness == Likeness::Differs
            && place
                .is_none_or(|place| !findings.is_settled(place) && !is_near(findings, one, place))
    });
    let mut is_told = vec![false; differing.len()];
    for finding in &mut findings.found {
        let Some(place) = &finding.place else {
            continue;
        };
        let mut is_real = false;
        for (index, one) in differing.iter().enumerate() {
            if one
                .place
                .as_ref()
                .is_some_and(|other| other.is_about(place))
            {
                is_real = true;
                is_told[index] = true;
            }
        }
        let difference = &mut finding.difference;
        let stands = matches!(difference.kind, Kind::SoapVersion | Kind::SoapHeader);
        if difference.likeness != Likeness::Differs || is_real || stands {
            continue;
        }
        difference.likeness = Likeness::SameValues;
        if difference.kind == Kind::Value {
            difference.kind = Kind::LexicalForm;
        }
    }
    let untold = differing.into_iter().zip(is_told).filter(|(_, told)| !told);
    for (finding, _) in untold {
        let Some(place) = finding.place else {
            continue;
        };
        let difference = finding.difference;
        let told = [difference.expected, difference.found];
        findings.add_at(difference.kind, &place, told);
    }
}

/// Whether a rule treats differing values as equal.
fn is_near(findings: &mut Findings<'_>, finding: &Finding, place: &ValuePath) -> bool {
    let Finding { difference, .. } = finding;
    findings.rules.ignores(place)
        || findings.rules.learns(place)
        || findings.rules.distance(place).is_some_and(|most| {
            crate::findings::is_near(&difference.expected, &difference.found, most)
        })
}

/// Lowers differences in parts of faults that are read as equal to differences of form.
fn of_faults(operation: Operation, expected: &Fault, found: &Fault, findings: &mut Findings<'_>) {
    let detail = |fault: &Fault| match operation.read_detail(fault) {
        Ok(Json::Object(map)) if !map.is_empty() => Json::Object(map),
        _ => Json::from(fault.detail()),
    };
    let same = |kind: Kind| match kind {
        Kind::FaultCode => {
            expected.code() == found.code() && expected.subcodes() == found.subcodes()
        }
        Kind::FaultText => expected.text() == found.text(),
        Kind::FaultActor => expected.actor() == found.actor() && expected.role() == found.role(),
        Kind::SoapVersion | Kind::SoapHeader => false,
        _ => detail(expected) == detail(found),
    };
    for finding in &mut findings.found {
        let difference = &mut finding.difference;
        let is_in_body = finding.place.is_some() && difference.likeness == Likeness::Differs;
        if is_in_body && same(difference.kind) {
            difference.likeness = Likeness::SameValues;
            if difference.kind == Kind::Value {
                difference.kind = Kind::LexicalForm;
            }
        }
    }
}

//! The parts of a definition that calls and answers have covered.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Response;
use serde_json::Value as Json;
use svcgen::{Binding, CallError};
use svcgen_messages::{Operation, Place};

/// The maximum depth of places; an object within an object of the same type is counted once.
const DEEPEST: usize = 12;

/// The number of times that calls and the answers of the original had each binding, member, list,
/// enumeration value, alternative and fault that the definition allows.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    seen: BTreeMap<(usize, String), u64>,
    operations: Vec<Operation>,
}

impl Coverage {
    /// Creates a coverage of these operations in which nothing has been seen yet.
    pub(crate) fn new(operations: &[Operation]) -> Self {
        let mut coverage = Self {
            seen: BTreeMap::new(),
            operations: operations.to_vec(),
        };
        for operation in operations {
            let name = operation.name();
            let mut add = |what| {
                coverage.seen.insert((operation.index(), what), 0);
            };
            let bindings = operation.row().row().bindings.iter();
            bindings.for_each(|binding| add(format!("{name} over {}", binding.key())));
            walk(operation.parameter_place(), name, None, &mut add);
            walk(operation.answer_place(), &result(name), None, &mut add);
            add(format!("{name} with a fault"));
            let faults = operation.row().faults();
            faults.for_each(|fault| add(format!("{name} with the fault {}", fault.name)));
        }
        coverage
    }

    /// Adds a call, its parameters if the definition reads them, and the answer of the original.
    pub(crate) fn add(
        &mut self,
        operation: Operation,
        binding: Binding,
        parameters: Option<&Json>,
        response: &Response<Bytes>,
    ) {
        let name = operation.name();
        let mut see = |what| {
            // Things that the definition does not have may be differences; they are not counted
            // here.
            if let Some(count) = self.seen.get_mut(&(operation.index(), what)) {
                *count += 1;
            }
        };
        see(format!("{name} over {}", binding.key()));
        if parameters.is_some() {
            walk(operation.parameter_place(), name, parameters, &mut see);
        }
        match operation.read_answer(response, binding) {
            Ok(answer) => walk(
                operation.answer_place(),
                &result(name),
                Some(&answer.value),
                &mut see,
            ),
            Err(CallError::Fault(fault)) => {
                see(format!("{name} with a fault"));
                let detail = operation.read_detail(&fault).unwrap_or_default();
                let details = detail.as_object().into_iter().flat_map(|map| map.keys());
                details.for_each(|fault| see(format!("{name} with the fault {fault}")));
            }
            Err(_) => {}
        }
    }

    /// Returns everything that has never been seen, such as `Find over soap12`, `Find.number`,
    /// `no Find.number`, `Find result.State = Sent`, `Find result.Lines: none` or
    /// `Find with a fault`.
    pub fn never_seen(&self) -> Vec<&str> {
        let never = self.seen.iter().filter(|(_, count)| **count == 0);
        let mut never: Vec<_> = never.map(|((_, what), _)| what.as_str()).collect();
        never.sort_unstable();
        never
    }

    /// Returns report lines: how much has been seen of each operation, and what has not.
    pub(crate) fn lines(&self) -> Vec<String> {
        let each = self.operations.iter().map(|operation| {
            let all = self
                .seen
                .iter()
                .filter(|((index, _), _)| *index == operation.index());
            let counts: Vec<_> = all.map(|(_, count)| *count).collect();
            let seen = counts.iter().filter(|count| **count > 0).count();
            format!("{}: {seen} of {}", operation.name(), counts.len())
        });
        let never = self.never_seen();
        let is_within = |one: &str| {
            let ends = one.char_indices().filter(|(_, c)| ".[:= ".contains(*c));
            ends.map(|(end, _)| one[..end].trim_end())
                .any(|around| never.binary_search(&around).is_ok())
        };
        // Parts of a thing that was never seen are not listed; the values of a place share a line.
        let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for one in never.iter().filter(|one| !is_within(one)) {
            let (place, value) = one
                .split_once(" = ")
                .map_or((*one, None), |(place, value)| (place, Some(value)));
            told.entry(place).or_default().extend(value);
        }
        let told = told
            .into_iter()
            .map(|(place, values)| match values.join(", ") {
                values if values.is_empty() => format!("never: {place}"),
                values => format!("never: {place} = {values}"),
            });
        each.chain(told).collect()
    }
}

fn result(operation: &str) -> String {
    format!("{operation} result")
}

/// Names the contents of a place; without a value, all possible contents.
fn walk(place: Place, name: &str, json: Option<&Json>, add: &mut dyn FnMut(String)) {
    within(place, name, json, &mut Vec::new(), add);
}

/// Does the same within values of the types `around`.
fn within(
    place: Place,
    name: &str,
    json: Option<&Json>,
    around: &mut Vec<String>,
    add: &mut dyn FnMut(String),
) {
    let is_list = place.item().is_some();
    if json == Some(&Json::Null) || json.is_none() && place.may_be_missing() && !is_list {
        add(format!("no {name}"));
    }
    if json == Some(&Json::Null) {
        return;
    }
    add(name.to_owned());
    let text = json.map(|json| {
        json.as_str()
            .map_or_else(|| json.to_string(), str::to_owned)
    });
    let is_there = |value: &str| {
        text.as_ref()
            .is_none_or(|text| text.split(' ').any(|one| one == value))
    };
    let values = place.values().into_iter().filter(|value| is_there(value));
    values.for_each(|value| add(format!("{name} = {value}")));
    let type_name = place.type_name().trim_end_matches('?').to_owned();
    let is_within = !is_list && !place.is_simple() && around.contains(&type_name);
    if around.len() >= DEEPEST || json.is_none() && is_within {
        return;
    }
    around.push(type_name);
    let inner = format!("{name}[]");
    match (place.item(), json) {
        (Some(item), None) => {
            COUNTS
                .iter()
                .for_each(|count| add(format!("{name}: {count}")));
            within(item, &inner, None, around, add);
        }
        (Some(item), Some(Json::Array(items))) => {
            add(format!("{name}: {}", COUNTS[items.len().min(2)]));
            items
                .iter()
                .for_each(|json| within(item, &inner, Some(json), around, add));
        }
        _ => {
            for member in place.members() {
                let inner = format!("{name}.{member}");
                let found = json.map(|json| json.get(member));
                match (place.member(member), found) {
                    (Some(of), None) => within(of, &inner, None, around, add),
                    (Some(of), Some(Some(json))) => within(of, &inner, Some(json), around, add),
                    (Some(_), Some(None)) if !place.is_choice() => add(format!("no {inner}")),
                    _ => {}
                }
            }
        }
    }
    around.pop();
}

/// The numbers of items in a list that are distinguished.
const COUNTS: [&str; 3] = ["none", "one", "several"];

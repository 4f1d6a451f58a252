//! Whether the values of rules are of the types of their operations.

use serde_json::{Map, Value as Json};
use svcgen::{CallError, Fault};
use svcgen_codegen::yaml::Node;
use svcgen_messages::{Answer, Operation};
use svcgen_model::Binding;

use super::condition::{Condition, conditions, matcher};
use super::reader::{Reader, json, key_of, node_at, value};
use super::{Given, Step};
use crate::mock::template::is_template;

/// The binding that shows best what values are: SOAP, if the operation has it.
fn binding_of(operation: Operation) -> Option<Binding> {
    let bindings = operation.row().bindings;
    let mut soap = bindings.iter().filter(|binding| binding.is_soap());
    soap.next().or(bindings.iter().next())
}

/// The conditions that parameters in a rule mean.
pub(super) fn check_conditions(
    reader: &mut Reader<'_>,
    operation: Operation,
    node: &Node,
) -> Vec<Condition> {
    let given = value(node, Some(operation.parameter_place()));
    if !given.is_object() {
        reader.complain(node, "a map is expected, of parameters and their values");
        return Vec::new();
    }
    let known = match known_parameters(operation, &given) {
        Ok(known) => known,
        Err(why) => {
            reader.complain_at(node, &why);
            return Vec::new();
        }
    };
    match conditions(&given, &known) {
        Ok(conditions) => conditions,
        Err(why) => {
            reader.complain(node, why);
            Vec::new()
        }
    }
}

/// The parameters of a call with the given ones, as the service reads them.
fn known_parameters(operation: Operation, given: &Json) -> Result<Json, String> {
    let is_open = |json: &Json| matcher(json).is_some();
    let filled = operation.fill_parameters(given, &is_open);
    let Some(binding) = binding_of(operation) else {
        return Ok(filled);
    };
    let request = match operation.request(&filled, binding) {
        Ok(request) => request,
        // The binding has no place for some parameters at all: nothing is known of the others.
        Err(_)
            if operation
                .request(&operation.sample_parameters(), binding)
                .is_err() =>
        {
            return Ok(filled);
        }
        Err(CallError::Write(error)) => return Err(error.to_string()),
        Err(error) => return Err(error.to_string()),
    };
    let read = operation.service().read_request(request);
    Ok(read.map_or(filled, |read| read.parameters))
}

/// Notes what is wrong with the answer of a step, and with its headers.
pub(super) fn check_answer<'n>(
    reader: &mut Reader<'_>,
    operation: Operation,
    step: &Step,
    node_of: impl Fn(&str) -> Option<&'n Node>,
) {
    let Some(binding) = binding_of(operation) else {
        return;
    };
    let row = operation.row();
    if row.result().is_none() && !row.has_results() {
        if let (
            Given::Answer {
                value: Some(value), ..
            },
            Some(node),
        ) = (&step.given, node_of("answer"))
            && !value.is_null()
        {
            let name = operation.name();
            reader.complain(
                node,
                format_args!("{name} has no result; leave `answer` out"),
            );
        }
        return;
    }
    let sample = operation.sample_answer();
    let mut checked = Vec::new();
    if let (
        Given::Answer {
            value: Some(value),
            fills,
        },
        Some(node),
    ) = (&step.given, node_of("answer"))
    {
        let answer = Answer::from(value.clone());
        let answer = if *fills || has_template(value) {
            operation.fill_answer(&answer, &is_template)
        } else {
            answer
        };
        checked.push((answer.with_headers(sample.headers.clone()), node));
    }
    if let (Some(headers), Some(node)) = (&step.headers, node_of("headers")) {
        let answer = sample.clone().with_headers(headers.clone());
        let answer = if has_template(headers) {
            operation.fill_answer(&answer, &is_template)
        } else {
            answer
        };
        checked.push((answer, node));
    }
    for (answer, node) in checked {
        let response = operation.answer(&answer, binding);
        if let Err(CallError::Fault(fault)) = operation.read_answer(&response, binding) {
            // What stands before is what every failure to write is called.
            let why = fault.text().rsplit(" ---> ").next().unwrap_or_default();
            reader.complain_at(node, why);
        }
    }
}

/// The details of a fault, by the names of faults.
pub(super) fn check_detail(
    reader: &mut Reader<'_>,
    operation: Operation,
    node: &Node,
) -> Map<String, Json> {
    let Json::Object(mut details) = json(node) else {
        reader.complain(node, "a map is expected, with names of faults");
        return Map::new();
    };
    for (name, detail) in &mut details {
        let place = match operation.detail_place(name) {
            Ok(place) => place,
            Err(error) => {
                reader.complain(key_of(node, name).unwrap_or(node), error);
                continue;
            }
        };
        let node = node_at(node, &format!(".{name}"));
        *detail = value(node, Some(place));
        let known = if has_template(detail) {
            operation.fill_detail(name, detail, &is_template)
        } else {
            Ok(detail.clone())
        };
        let untouched = Fault::server("");
        let checked = known.and_then(|known| operation.with_detail(untouched, name, &known));
        if let Ok(fault) = checked
            && !fault.text().is_empty()
        {
            let why = fault.text().rsplit(" ---> ").next().unwrap_or_default();
            reader.complain_at(node, why);
        }
    }
    details
}

fn has_template(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().any(has_template),
        Json::Object(map) => map.values().any(has_template),
        json => is_template(json),
    }
}

impl Reader<'_> {
    /// Notes what a message that begins with a place in the value of a node says.
    fn complain_at(&mut self, node: &Node, message: &str) {
        let place = message.split(": ").next().unwrap_or_default();
        let node = node_at(node, place);
        let unknown = message
            .split('\'')
            .nth(1)
            .and_then(|name| key_of(node, name));
        self.complain(unknown.unwrap_or(node), message);
    }
}

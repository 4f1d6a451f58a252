//! Checks that the values of rules are of the types of their operations.

use serde_json::{Map, Value as Json};
use svcgen::{CallError, Fault};
use svcgen_language::yaml::Node;
use svcgen_messages::{Answer, Operation, Request};
use svcgen_model::{Binding, Bindings};

use super::condition::{BINDING, Condition, HEADERS, When, conditions, matcher};
use super::reader::{Reader, entry_of, json, key_of, node_at, text, value};
use super::{GivenAnswer, RuleStep};
use crate::mock::template::is_template;

/// Returns the binding by which values are checked best: SOAP, if the operation has it.
fn binding_of(operation: Operation) -> Option<Binding> {
    let bindings = operation.row().bindings;
    let mut soap = bindings.iter().filter(|binding| binding.is_soap());
    soap.next().or(bindings.iter().next())
}

/// Reads the conditions of `when`.
pub(super) fn check_conditions(reader: &mut Reader<'_>, operation: Operation, node: &Node) -> When {
    let mut when = When::default();
    let Json::Object(mut given) = value(node, Some(operation.parameter_place())) else {
        reader.complain(node, "a map is expected, of parameters and their values");
        return when;
    };
    // No XML name begins with `$`.
    given.retain(|name, _| !matches!(&**name, HEADERS | BINDING));
    let given = Json::Object(given);
    let filled = operation.parameter_place().fill(&given, &is_open);
    let known = as_read(operation, &Json::Null, &filled);
    let known = known.map(|read| read.map_or(filled, |read| read.parameters));
    when.parameters = checked(reader, node, &given, known);
    if let Some(node) = entry_of(node, HEADERS) {
        when.headers = header_conditions(reader, operation, node);
    }
    if let Some(node) = entry_of(node, BINDING) {
        when.bindings = Some(bindings(reader, operation, node));
    }
    when
}

/// Whether a value is a matcher, and not a value itself.
fn is_open(json: &Json) -> bool {
    matcher(json).is_some()
}

/// Converts values to conditions, with the values as the service reads them.
fn checked(
    reader: &mut Reader<'_>,
    node: &Node,
    given: &Json,
    known: Result<Json, String>,
) -> Vec<Condition> {
    match known.map(|known| conditions(given, &known)) {
        Ok(Ok(conditions)) => return conditions,
        Ok(Err(why)) => reader.complain(node, why),
        Err(why) => reader.complain_at(node, &why),
    }
    Vec::new()
}

fn header_conditions(reader: &mut Reader<'_>, operation: Operation, node: &Node) -> Vec<Condition> {
    let name = operation.name();
    if operation.header_place().members().is_empty() {
        reader.complain(node, format_args!("{name} has no SOAP headers"));
        return Vec::new();
    }
    let given = value(node, Some(operation.header_place()));
    if !given.is_object() {
        reader.complain(node, "a map is expected, of SOAP headers and their values");
        return Vec::new();
    }
    let filled = operation.header_place().fill(&given, &is_open);
    let known = as_read(operation, &filled, &operation.parameter_place().sample());
    let known = known.map(|read| read.map_or(filled, |read| read.headers));
    checked(reader, node, &given, known)
}

fn bindings(reader: &mut Reader<'_>, operation: Operation, node: &Node) -> Bindings {
    let offered = operation.row().bindings;
    let nodes = match text(node) {
        Some(_) => vec![node],
        None => reader.items(node, "bindings"),
    };
    let mut wanted = Bindings::NONE;
    for node in nodes {
        let key = text(node).unwrap_or_default();
        match Binding::of_key(key).filter(|binding| offered.contains(*binding)) {
            Some(binding) => wanted = wanted.with(binding),
            None => {
                let name = operation.name();
                let known: Vec<_> = offered.iter().map(Binding::key).collect();
                let known = known.join(", ");
                reader.complain(
                    node,
                    format_args!("`{key}` is not a binding of {name}; it has {known}"),
                );
            }
        }
    }
    wanted
}

/// Returns a call as the service reads it; `None` if the binding cannot carry calls of the
/// operation, so that values cannot be checked.
fn as_read(
    operation: Operation,
    headers: &Json,
    parameters: &Json,
) -> Result<Option<Request>, String> {
    let Some(binding) = binding_of(operation) else {
        return Ok(None);
    };
    let client = operation.service().client((), "http://localhost");
    let client = client.map_err(|error| error.to_string())?;
    let client = client.with_binding(binding);
    let request = operation.request_by(&client, headers, parameters);
    match request {
        Ok(request) => Ok(operation.service().read_request(request).ok()),
        Err(_)
            if operation
                .request(&operation.parameter_place().sample(), binding)
                .is_err() =>
        {
            Ok(None)
        }
        Err(CallError::Write(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Notes mistakes in the answer of a step, and in its headers.
pub(super) fn check_answer<'n>(
    reader: &mut Reader<'_>,
    operation: Operation,
    step: &RuleStep,
    node_of: impl Fn(&str) -> Option<&'n Node>,
) {
    let Some(binding) = binding_of(operation) else {
        return;
    };
    let row = operation.row();
    if row.result().is_none() && !row.has_results() {
        if let (
            GivenAnswer::Answer {
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
    let filled = |answer: Answer, has_gaps: bool| {
        if has_gaps {
            operation.fill_answer(&answer, &is_template)
        } else {
            answer
        }
    };
    let mut checked = Vec::new();
    if let (
        GivenAnswer::Answer {
            value: Some(value),
            fills,
        },
        Some(node),
    ) = (&step.given, node_of("answer"))
    {
        let answer = filled(Answer::from(value.clone()), *fills || has_template(value));
        checked.push((answer.with_headers(sample.headers.clone()), node));
    }
    if let (Some(headers), Some(node)) = (&step.headers, node_of("headers")) {
        let answer = sample.clone().with_headers(headers.clone());
        checked.push((filled(answer, has_template(headers)), node));
    }
    for (answer, node) in checked {
        let response = operation.answer(&answer, binding);
        if let Err(CallError::Fault(fault)) = operation.read_answer(&response, binding) {
            reader.complain_of(node, &fault);
        }
    }
}

/// Reads and checks the details of a fault, by the names of faults.
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
            place.fill(detail, &is_template)
        } else {
            detail.clone()
        };
        let untouched = Fault::exception("");
        let checked = operation.with_detail(untouched, name, &known);
        if let Ok(fault) = checked
            && !fault.text().is_empty()
        {
            reader.complain_of(node, &fault);
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
    /// Notes the reason why the value of a node cannot be written.
    fn complain_of(&mut self, node: &Node, fault: &Fault) {
        // The text before it is the same for every failure to write.
        let why = fault.text().rsplit(" ---> ").next().unwrap_or_default();
        self.complain_at(node, why);
    }

    /// Notes a message that begins with a place in the value of a node, at the node of that place.
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

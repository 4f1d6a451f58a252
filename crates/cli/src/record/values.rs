//! The values of the messages of an exchange, by the definition.

use serde_json::{Map, Value as Json};
use svcgen::CallError;
use svcgen::mask::{Mask, Masked, OMITTED, SECRET, Secrets};
use svcgen_messages::{Request, Service};
use svcgen_relay::{Exchange, Message};

use super::kept::{readable, readable_answer};
use crate::json::yaml;

/// The values of an exchange, as far as masked messages show them.
pub(crate) struct CallValues {
    pub(crate) operation: &'static str,
    pub(crate) binding: &'static str,
    /// The places of the parameters that are masked.
    pub(crate) masked: Vec<String>,
    /// All values, as YAML.
    pub(crate) yaml: Masked<String>,
}

/// Reads the values of an exchange; `None` unless its request is a call that can be read.
pub(crate) fn of(service: Service, exchange: &Exchange) -> Option<CallValues> {
    let asked = &exchange.request;
    if !asked.is_whole || !asked.is_kept() {
        return None;
    }
    let asked = readable(asked)?;
    // The error is dropped, as it may quote the request.
    let request = service.read_request(asked.clone()).ok()?;
    let (operation, binding) = (request.operation, request.binding.key());
    let parameters = operation.parameter_place().mask(&request.parameters);
    let mut masked = Vec::new();
    list_masked(&request.parameters, &parameters, "", &mut masked);
    let fixed = |text| Masked::fixed(text).map(Json::from);
    let mut values = vec![
        named("operation", fixed(operation.name())),
        named("binding", fixed(binding)),
    ];
    values.extend(if_any(
        "headers",
        operation.header_place().mask(&request.headers),
    ));
    values.push(named("parameters", parameters));
    let secrets = || Mask::new(service.row()).secrets(&asked);
    values.extend(answer(&request, &exchange.answer, secrets));
    let values: Masked<Map<_, _>> = values.into_iter().collect();
    Some(CallValues {
        operation: operation.name(),
        binding,
        masked,
        yaml: values.map(|values| yaml(&Json::Object(values))),
    })
}

type Named = Masked<(String, Json)>;

fn named(name: &'static str, value: Masked<Json>) -> Named {
    Masked::fixed(name).map(str::to_owned).and(value)
}

/// Names an object, if it has members.
fn if_any(name: &'static str, values: Masked<Json>) -> Option<Named> {
    let has_some = values.as_object().is_some_and(|values| !values.is_empty());
    has_some.then(|| named(name, values))
}

/// Reads the values of an answer; empty if it cannot be read.
fn answer(request: &Request, answered: &Message, secrets: impl Fn() -> Secrets) -> Vec<Named> {
    let operation = request.operation;
    if !answered.is_whole || !answered.is_kept() {
        return Vec::new();
    }
    match operation.read_answer(&readable_answer(answered), request.binding) {
        Ok(answer) => {
            let masked = operation.mask_answer(&answer);
            let all = masked.by_ref().map(|answer| answer.headers.clone());
            let mut values = Vec::from_iter(if_any("response_headers", all));
            values.push(named("result", masked.map(|answer| answer.value)));
            values
        }
        Err(CallError::Fault(fault)) => {
            let secrets = secrets();
            let text = |text: &str| secrets.text(text).map(Json::from);
            let mut shown = vec![
                named("code", text(&fault.code().to_string())),
                named("text", text(fault.text())),
            ];
            let detail = operation.read_detail(&fault).unwrap_or_default();
            shown.extend(if_any("detail", operation.mask_detail(&detail)));
            let shown: Masked<Map<_, _>> = shown.into_iter().collect();
            vec![named("fault", shown.map(Json::Object))]
        }
        Err(_) => Vec::new(),
    }
}

/// Lists the places of masked values: `password`, `logins[0].pin`.
fn list_masked(given: &Json, shown: &Json, place: &str, masked: &mut Vec<String>) {
    match (given, shown) {
        (Json::Object(given), Json::Object(shown)) => {
            for (name, shown) in shown {
                let dot = if place.is_empty() { "" } else { "." };
                let given = given.get(name).unwrap_or_default();
                list_masked(given, shown, &format!("{place}{dot}{name}"), masked);
            }
        }
        (Json::Array(given), Json::Array(shown)) => {
            for (index, (given, shown)) in given.iter().zip(shown).enumerate() {
                list_masked(given, shown, &format!("{place}[{index}]"), masked);
            }
        }
        // A value that happens to equal such a mask is listed, too.
        (_, shown) if [SECRET, OMITTED].iter().any(|mask| shown == mask) => {
            masked.push(place.to_owned())
        }
        _ => {}
    }
}

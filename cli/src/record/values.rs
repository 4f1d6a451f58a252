//! What the messages of an exchange say, by the definition.

use serde_json::{Map, Value, json};
use svcgen::CallError;
use svcgen::mask::{OMITTED, SECRET};
use svcgen_messages::{Operation, Request, Service};

use super::kept::{Kept, http_request, http_response};
use crate::json::yaml;

/// The values of an exchange, as far as masked messages show them.
pub(crate) struct Values {
    pub(crate) operation: &'static str,
    pub(crate) binding: &'static str,
    /// The places of the parameters that are masked.
    pub(crate) masked: Vec<String>,
    /// All of it, as YAML.
    pub(crate) yaml: String,
}

/// The values of an exchange; `None` unless its request is a call that can be read.
pub(crate) fn of(service: Service, kept: &Kept<'_>) -> Option<Values> {
    let asked = &kept.exchange.request;
    if !asked.is_whole || !asked.is_kept() {
        return None;
    }
    // Why a request cannot be read may quote it.
    let request = service.read_request(http_request(asked)?).ok()?;
    let (operation, binding) = (request.operation, request.binding.key());
    let parameters = operation.mask(&request.parameters);
    let mut masked = Vec::new();
    list_masked(&request.parameters, &parameters, "", &mut masked);
    let mut values = Map::new();
    values.insert("operation".to_owned(), operation.name().into());
    values.insert("binding".to_owned(), binding.into());
    let headers = operation.mask_headers(&request.headers);
    insert_headers("headers", headers, &mut values);
    values.insert("parameters".to_owned(), parameters);
    answer(&request, kept, &mut values);
    let yaml = yaml(&Value::Object(values));
    Some(Values {
        operation: operation.name(),
        binding,
        masked,
        yaml,
    })
}

fn insert_headers(name: &str, headers: Value, values: &mut Map<String, Value>) {
    if headers
        .as_object()
        .is_some_and(|headers| !headers.is_empty())
    {
        values.insert(name.to_owned(), headers);
    }
}

/// Adds what was answered, unless it cannot be read.
fn answer(request: &Request, kept: &Kept<'_>, values: &mut Map<String, Value>) {
    let (operation, answered) = (request.operation, &kept.exchange.answer);
    if !answered.is_whole || !answered.is_kept() {
        return;
    }
    match operation.read_answer(&http_response(answered), request.binding) {
        Ok(answer) => {
            let answer = operation.mask_answer(&answer);
            insert_headers("response_headers", answer.headers, values);
            values.insert("result".to_owned(), answer.value);
        }
        Err(CallError::Fault(fault)) => {
            let mut shown = json!({ "code": fault.code().to_string() });
            if let Some(text) = text_of_fault(request, kept) {
                shown["text"] = text.into();
            }
            let detail = operation.read_detail(&fault).unwrap_or_default();
            if detail.as_object().is_some_and(|detail| !detail.is_empty()) {
                shown["detail"] = operation.mask_detail(&detail);
            }
            values.insert("fault".to_owned(), shown);
        }
        Err(_) => {}
    }
}

/// The text of a fault as masked messages show it: it may quote a secret.
fn text_of_fault(request: &Request, kept: &Kept<'_>) -> Option<String> {
    let operation: Operation = request.operation;
    match operation.read_answer(&http_response(&kept.answer), request.binding) {
        Err(CallError::Fault(fault)) => Some(fault.text().to_owned()),
        _ => None,
    }
}

/// Lists where a value is masked: `password`, `logins[0].pin`.
fn list_masked(given: &Value, shown: &Value, place: &str, masked: &mut Vec<String>) {
    match (given, shown) {
        (Value::Object(given), Value::Object(shown)) => {
            for (name, shown) in shown {
                let dot = if place.is_empty() { "" } else { "." };
                let given = given.get(name).unwrap_or_default();
                list_masked(given, shown, &format!("{place}{dot}{name}"), masked);
            }
        }
        (Value::Array(given), Value::Array(shown)) => {
            for (index, (given, shown)) in given.iter().zip(shown).enumerate() {
                list_masked(given, shown, &format!("{place}[{index}]"), masked);
            }
        }
        // A value that happens to be such a text is masked as well as not.
        (_, shown) if [SECRET, OMITTED].iter().any(|mask| shown == mask) => {
            masked.push(place.to_owned())
        }
        _ => {}
    }
}

//! JSON, as ASMX uses it with page scripts (`[ScriptService]`): each operation has its own path;
//! parameters and results are JSON.
//!
//! Every server routes and refuses such requests; reading and writing calls needs the feature
//! `json`.

mod error;
#[cfg(feature = "json")]
mod protocol;

use ::http::{Method, Response, StatusCode};
use bytes::Bytes;
use svcgen_model::{Binding, Bindings, Operation, Service};

use super::protocol::{BindingRouter, CallHead, Head};
use crate::failure::Failure;

pub(super) static JSON: Json = Json;

#[derive(Debug)]
pub(super) struct Json;

/// The media type of requests and answers.
const MEDIA_TYPE: &str = "application/json";

const CONTENT_TYPE: &str = "application/json; charset=utf-8";

impl BindingRouter for Json {
    fn binding(&self) -> Binding {
        Binding::Json
    }

    /// Takes every request for an operation whose `Content-Type` is JSON, with any method, and also
    /// for services without the binding.
    fn route(&self, head: &Head<'_>) -> Option<Result<CallHead, Failure>> {
        let operation = head.operation.filter(|name| !name.is_empty())?;
        if !says_json(&head.content_type) {
            return None;
        }
        Some(called(head, operation).map(|index| CallHead {
            charset: None,
            operation: Some(index),
        }))
    }

    fn refuse(&self, failure: &Failure) -> Response<Bytes> {
        error::response(failure)
    }
}

/// The exception of .NET for a request that is not allowed.
const INVALID_OPERATION: &str = "System.InvalidOperationException";

/// Whether the `Content-Type` of a request is the one of calls, optionally followed by a `;`.
fn says_json(content_type: &str) -> bool {
    let start = content_type.get(..MEDIA_TYPE.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(MEDIA_TYPE))
        && matches!(
            content_type.as_bytes().get(MEDIA_TYPE.len()),
            None | Some(b';')
        )
}

/// Whether two names are equal without regard to case, as .NET compares them.
fn is_same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || !one.is_ascii() && !other.is_ascii() && one.to_uppercase() == other.to_uppercase()
}

/// Returns the index of the operation that a request calls.
fn called(head: &Head<'_>, name: &str) -> Result<usize, Failure> {
    let service = head.service;
    let is_named = |known: &Operation<'_>| is_same_name(known.name, name);
    // In .NET, a later method replaces an earlier one of the same name.
    let mut operations = service.operations.iter();
    let found =
        operations.rposition(|known| known.bindings.contains(Binding::Json) && is_named(known));
    let Some(index) = found else {
        return Err(uncalled(service, name, is_named));
    };
    let operation = &service.operations[index];
    let is_get = operation.script.use_http_get;
    if *head.method == if is_get { Method::GET } else { Method::POST } {
        return Ok(index);
    }
    // ASMX reports this for any other method.
    let method = if is_get { "POST" } else { "GET" };
    let message = format!(
        "An attempt was made to call the method '{}' using a {method} request, which is not allowed.",
        operation.name
    );
    Err(error::refused(message, INVALID_OPERATION))
}

/// Returns the failure of a request whose name does not call an operation.
fn uncalled(
    service: &Service<'_>,
    name: &str,
    is_named: impl Fn(&Operation<'_>) -> bool,
) -> Failure {
    let with_json = |bindings: Bindings| {
        let bindings = bindings.with(Binding::Json).iter();
        let keys: Vec<_> = bindings.map(Binding::key).collect();
        keys.join(", ")
    };
    let bindings = service.bindings();
    if !bindings.contains(Binding::Json) {
        let wanted = with_json(bindings);
        let message = format!(
            "Only Web services with a [ScriptService] attribute on the class definition can be called from script. {} is not called over JSON: its definition has to say `bindings: [{wanted}]`.",
            service.name
        );
        return error::refused(message, INVALID_OPERATION);
    }
    let mut operations = service.operations.iter();
    if let Some(operation) = operations.find(|known| is_named(known)) {
        let wanted = with_json(operation.bindings);
        let message = format!(
            "{} is not called over JSON: its definition has to say `bindings: [{wanted}]`.",
            operation.name
        );
        return error::refused(message, INVALID_OPERATION);
    }
    let message = format!("Unknown web method {name}.\nParameter name: methodName");
    Failure {
        status: StatusCode::NOT_FOUND,
        ..error::refused(message, "System.ArgumentException")
    }
}

#[cfg(test)]
mod tests {
    use super::is_same_name;

    #[test]
    fn names_are_compared_without_regard_to_case() {
        assert!(is_same_name("Echo", "eCHO") && is_same_name("Größe", "GRÖßE"));
        assert!(is_same_name("日é", "日É"));
        for other in ["Ech", "Echo ", "Échо", "Echo1"] {
            assert!(!is_same_name("Echo", other), "{other}");
        }
        // No ASCII letter equals one of these in another case.
        assert!(!is_same_name("Kilo", "\u{212A}ilo"));
    }
}

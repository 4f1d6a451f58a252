//! JSON, as ASMX speaks it to page scripts (`[ScriptService]`): each operation has its own path, parameters and results are JSON.

mod client;
mod convert;
mod decode;
mod document;
mod error;
mod escape;
mod mask;
mod members;
mod parse;
// What .NET makes of numbers and dates takes the types of these features.
#[cfg(all(test, feature = "decimal", feature = "time"))]
mod reading;
mod request;
mod rows;
mod simple;
mod text;
mod types;
mod values;
mod writer;
mod xml_result;

use std::borrow::Cow;

use ::http::{Method, Request, Response, StatusCode};
use bytes::Bytes;
use svcgen_model::{Binding, Bindings, Operation, ResponseFormat, Service};

use super::protocol::{
    Answer, Head, Message, Opened, Outgoing, Protocol, ReadHeader, ReadValue, Route, Unopened,
};
use super::received::Received;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::mask::notation::MaskedNotation;
use crate::response;
use decode::is_longer;
use error::NULL_REFERENCE;
use svcgen_wire::Content;
use svcgen_wire::internals::Charset;
use svcgen_wire::internals::{Checks, Part};
use writer::write_result;
use xml_result::write_xml;

pub(super) static JSON: Json = Json;

pub(super) struct Json;

/// The media type of requests and answers.
const MEDIA_TYPE: &str = "application/json";

/// The levels of values that .NET reads and writes, the innermost one counted: its `recursionLimit`.
const MOST_DEPTH: usize = 100;

const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// What comes before a result, before `}`.
const START: &[u8] = b"{\"d\":";

/// The answer without a result.
const NOTHING: &[u8] = b"{\"d\":null}";

/// The `Content-Type` of results in XML.
const XML_CONTENT_TYPE: &str = "text/xml; charset=utf-8";

impl Protocol for Json {
    fn binding(&self) -> Binding {
        Binding::Json
    }

    /// Takes every request for an operation that says to be JSON, whatever its method, and also those of services without the binding.
    fn route(&'static self, head: &Head<'_>) -> Option<Result<Route, Failure>> {
        let operation = head.operation.filter(|name| !name.is_empty())?;
        if !says_json(&head.content_type) {
            return None;
        }
        Some(called(head, operation).map(|index| Route {
            protocol: self,
            charset: None,
            operation: Some(index),
        }))
    }

    fn decode<'b>(&self, _: Option<Charset>, body: &'b [u8]) -> Result<Cow<'b, str>, Failure> {
        Ok(decode::decode(body))
    }

    fn open<'m>(
        &'static self,
        route: Route,
        message: &Message<'_, 'm>,
    ) -> Result<Opened<'m>, Unopened> {
        // Another operation than the one that the path names must never run.
        let index = route.operation.expect("the path names the operation");
        let service = message.service;
        let operation = service.beside(&service.row().operations[index]);
        let mut checks = Checks::new(message.facets);
        checks.expect(operation, Part::Parameters);
        let parameters = request::Parameters::of(message, operation, checks);
        Ok(Opened {
            protocol: self,
            operation: index,
            parameters: Box::new(parameters),
            understood: Vec::new(),
        })
    }

    fn write_answer(
        &self,
        answer: &Answer<'_>,
        result: &mut dyn FnMut(&str, &mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let operation = answer.operation;
        let Some(row) = operation.result() else {
            return Ok(());
        };
        if operation.script.response_format != ResponseFormat::Json {
            return match write_xml(body, answer, row.row(), result) {
                Ok(true) => Ok(()),
                Ok(false) => Err(error::unwritten(NULL_REFERENCE)),
                Err(error) => Err(error::unwritten(error.to_string())),
            };
        }
        body.extend_from_slice(START);
        write_result(body, answer, row, result)
            .map_err(|error| error::unwritten(error.to_string()))?;
        let (limit, text) = (answer.limits.json_length, &body[START.len()..]);
        if text.len() > limit && is_longer(&String::from_utf8_lossy(text), limit) {
            return Err(error::unwritten(error::too_long(limit)));
        }
        body.push(b'}');
        Ok(())
    }

    fn respond(
        &self,
        operation: &Operation<'_>,
        outcome: Result<Vec<u8>, &Failure>,
    ) -> Response<Bytes> {
        let (body, content_type) = match outcome {
            // One-way operations are answered as others without a result are.
            Ok(_) if operation.one_way || operation.result.is_none() => {
                (NOTHING.to_vec(), CONTENT_TYPE)
            }
            Ok(body) => match operation.script.response_format {
                ResponseFormat::Json => (body, CONTENT_TYPE),
                ResponseFormat::Xml | ResponseFormat::XmlString => (body, XML_CONTENT_TYPE),
            },
            Err(failure) => return error::response(failure),
        };
        response::called(StatusCode::OK, Some(content_type), body)
    }

    fn clears_head(&self) -> bool {
        true
    }

    fn masked(&self) -> Option<&dyn MaskedNotation> {
        Some(self)
    }

    fn refuse(&self, failure: &Failure) -> Response<Bytes> {
        error::response(failure)
    }

    fn request(
        &self,
        call: &Outgoing<'_>,
        parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        client::request(call, parameters)
    }

    fn read_response(
        &self,
        received: &Received<'_>,
        result: &mut ReadValue<'_>,
        _: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError> {
        client::read_response(received, result)
    }
}

/// Whether the `Content-Type` of a request is that of calls, with nothing before a `;`.
fn says_json(content_type: &str) -> bool {
    let start = content_type.get(..MEDIA_TYPE.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(MEDIA_TYPE))
        && matches!(
            content_type.as_bytes().get(MEDIA_TYPE.len()),
            None | Some(b';')
        )
}

/// Whether two names are the same without regard to case, as .NET compares them.
fn is_same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || !one.is_ascii() && !other.is_ascii() && one.to_uppercase() == other.to_uppercase()
}

/// The index of the operation that a request calls.
fn called(head: &Head<'_>, name: &str) -> Result<usize, Failure> {
    let service = head.service;
    let is_named = |known: &Operation<'_>| is_same_name(known.name, name);
    // A later method takes the place of an earlier one in .NET.
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
    // What ASMX says of any other method.
    let method = if is_get { "POST" } else { "GET" };
    Err(error::refused(format!(
        "An attempt was made to call the method '{}' using a {method} request, which is not allowed.",
        operation.name
    )))
}

/// Why no operation of a name is called.
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
        return error::refused(format!(
            "Only Web services with a [ScriptService] attribute on the class definition can be called from script. {} is not called over JSON: its definition has to say `bindings: [{wanted}]`.",
            service.name
        ));
    }
    let mut operations = service.operations.iter();
    if let Some(operation) = operations.find(|known| is_named(known)) {
        let wanted = with_json(operation.bindings);
        return error::refused(format!(
            "{} is not called over JSON: its definition has to say `bindings: [{wanted}]`.",
            operation.name
        ));
    }
    Failure {
        status: StatusCode::NOT_FOUND,
        ..error::refused(format!(
            "Unknown web method {name}.\nParameter name: methodName"
        ))
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
        // No letter of ASCII is one of these in another case.
        assert!(!is_same_name("Kilo", "\u{212A}ilo"));
    }
}

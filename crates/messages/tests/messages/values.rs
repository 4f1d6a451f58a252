//! The values of the samples of a service's messages.

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value as Json, json};
use svcgen::Binding;
use svcgen_documents::samples::{Piece, Samples, Template};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_model::TypeAt;

/// The messages of a sample, or the reason why they cannot be read.
pub struct Sample {
    pub operation: Operation,
    pub request: Result<svcgen_messages::Request, String>,
    pub answer: Result<Answer, String>,
}

/// Returns the samples over SOAP, or over another binding for operations without SOAP.
pub fn samples(service: Service) -> Vec<Sample> {
    let samples = Samples::new(service.row());
    let each = service.operations().flat_map(|operation| {
        let mut all = samples.of(operation.row(), "localhost");
        let has_soap = all.iter().any(|sample| sample.binding.is_soap());
        all.retain(|sample| sample.binding.is_soap() || !has_soap);
        all.into_iter().map(move |sample| {
            let request = service.read_request(request(&filled(service, &sample.request)));
            let response = response(&filled(service, &sample.response));
            let answer = operation.read_answer(&response, sample.binding);
            Sample {
                operation,
                request: request.map_err(|fault| format!("request {fault}")),
                answer: answer.map_err(|error| format!("answer {error}")),
            }
        })
    });
    each.collect()
}

/// Returns a value for the placeholder of a type.
fn value_for(placeholder: &str) -> &str {
    match placeholder {
        "boolean" => "true",
        "int" | "long" | "byte" | "short" | "unsignedByte" | "unsignedShort" | "unsignedInt"
        | "unsignedLong" | "integer" | "float" | "double" | "decimal" | "nonNegativeInteger"
        | "positiveInteger" => "1",
        "nonPositiveInteger" | "negativeInteger" => "-1",
        "char" => "65",
        "base64Binary" => "AQE=",
        "hexBinary" => "0101",
        "guid" => "00112233-4455-6677-8899-aabbccddeeff",
        "dateTime" => "2024-01-31T12:30:00Z",
        "date" => "2024-01-31",
        "time" => "12:30:00.0000000-02:00",
        "duration" => "P1D",
        "QName" => "name",
        "milliseconds" => "0",
        "xml" => "<x xmlns=\"urn:x\" />",
        other => other,
    }
}

/// Returns the first value of the enumeration of this name.
fn enumeration(service: Service, name: &str, is_form: bool) -> Option<&'static str> {
    let types = svcgen_model::Types::of(service.row());
    types.definitions().find_map(|one| match one {
        TypeAt::Enumeration(one) if one.name == name => {
            let value = one.row().values.first()?;
            Some(if is_form {
                value.field_name()
            } else {
                value.name
            })
        }
        _ => None,
    })
}

/// Returns the text with values for its placeholders; of several values of an enumeration, the
/// first.
fn filled(service: Service, template: &Template) -> String {
    let is_form = !template.as_str().contains("<?xml");
    let (mut text, mut or) = (String::new(), false);
    for piece in template.pieces() {
        match piece {
            Piece::Text(" or ") => or = true,
            Piece::Placeholder(_) if or => or = false,
            Piece::Text(part) => text.push_str(part),
            // Forms have the character itself, XML its number.
            Piece::Placeholder("char") if is_form => text.push('A'),
            Piece::Placeholder(name) => {
                let known = enumeration(service, name, is_form);
                text.push_str(known.unwrap_or_else(|| value_for(name)));
            }
        }
    }
    text
}

fn request(text: &str) -> Request<Bytes> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let start: Vec<_> = lines.next().unwrap().split(' ').collect();
    let request = Request::builder().method(start[0]).uri(start[1]);
    let lines = lines.filter_map(|line| line.split_once(": "));
    lines
        .filter(|(name, _)| *name != "Content-Length")
        .fold(request, |request, (name, value)| {
            request.header(name, value)
        })
        .body(Bytes::from(body.to_owned()))
        .unwrap()
}

fn response(text: &str) -> Response<Bytes> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status: Vec<_> = lines.next().unwrap().split(' ').collect();
    let response = Response::builder().status(status[1]);
    let lines = lines.filter_map(|line| line.split_once(": "));
    lines
        .filter(|(name, _)| *name != "Content-Length")
        .fold(response, |response, (name, value)| {
            response.header(name, value)
        })
        .body(Bytes::from(body.to_owned()))
        .unwrap()
}

#[test]
fn elements_of_several_namespaces_may_share_a_name() {
    let definition = "
service: S
namespace: urn:s
path: /s
bindings: [soap11]
namespaces: { o: \"urn:o\" }
operations:
  A:
    parameters: { N: { type: string, namespace: o }, N1: { name: N, type: int }, t: T, w: W }
types:
  Base: { namespace: o, elements: { Z: optional int } }
  T:
    extends: Base
    attributes: { lang: { type: string, namespace: xml }, lang1: { name: lang, type: int } }
    elements: { Z1: { name: Z, type: string } }
  W: { elements: { C: { choice: { Y: { type: int, namespace: o }, Y1: { name: Y, type: string } } } } }
";
    let service = Service::of_definition("s.yaml", definition).unwrap();
    let operation = service.operation("A").unwrap();
    let written = |given: &Json| {
        let request = operation.request(given, Binding::Soap11).unwrap();
        let text = String::from_utf8(request.body().to_vec()).unwrap();
        let read = service.read_request(request).unwrap();
        assert_eq!(read.parameters, *given);
        text
    };
    let mut given = json!({
        "{urn:o}N": "n",
        "N": 1,
        "t": {
            "{urn:o}Z": 2,
            "Z": "z",
            "@{http://www.w3.org/XML/1998/namespace}lang": "en",
            "lang": 3,
        },
        "w": { "C": { "Y": "y" } },
    });
    let text = written(&given);
    let body = "<A xmlns=\"urn:s\"><N xmlns=\"urn:o\">n</N><N>1</N>\
                <t xml:lang=\"en\" lang=\"3\"><Z xmlns=\"urn:o\">2</Z><Z>z</Z></t><w><Y>y</Y></w></A>";
    assert!(text.contains(body), "{text}");

    given["t"].as_object_mut().unwrap().remove("{urn:o}Z");
    let text = written(&given);
    assert!(
        text.contains("lang=\"3\"><Z>z</Z></t>"),
        "the other one is absent: {text}"
    );
}

#[test]
fn types_of_several_namespaces_may_share_a_name() {
    let definition = "
service: S
namespace: urn:s
path: /s
bindings: [soap11]
namespaces: { o: \"urn:o\" }
operations:
  A: { parameters: { base: Base, any: anyType } }
types:
  Base: { abstract: true }
  One: { extends: Base, elements: { N: int } }
  Other: { name: One, namespace: o, extends: Base, elements: { N: string } }
  Third: { namespace: o, extends: Base }
";
    let service = Service::of_definition("s.yaml", definition).unwrap();
    let operation = service.operation("A").unwrap();
    for base in [
        json!({ "One": { "N": 1 } }),
        json!({ "{urn:o}One": { "N": "n" } }),
        json!({ "Third": {} }),
    ] {
        let given = json!({ "base": base, "any": { "Own": base } });
        let request = operation.request(&given, Binding::Soap11).unwrap();
        assert_eq!(service.read_request(request).unwrap().parameters, given);
    }
}

//! Samples are valid messages: a strict server reads them, and its answers are the samples of
//! answers.

use bytes::Bytes;
use http::Request;
use svcgen::codegen::DispatchTo;
use svcgen::{Server, ServerOptions, Transport};
use svcgen_codegen::Config;
use svcgen_documents::samples::{Piece, Samples, Template};
use svcgen_model::{self as model, At};

use super::*;

/// Returns a value for the placeholder of a type.
fn value_for(placeholder: &str) -> &str {
    match placeholder {
        "boolean" => "true",
        "int" | "long" | "byte" | "short" | "unsignedByte" | "unsignedShort" | "unsignedInt"
        | "unsignedLong" | "integer" | "float" | "double" | "decimal" => "1",
        "char" => "65",
        "base64Binary" => "AQE=",
        "hexBinary" => "0101",
        "guid" => "00112233-4455-6677-8899-aabbccddeeff",
        "dateTime" => "2024-01-31T12:30:00Z",
        "date" => "2024-01-31",
        "time" => "12:30:00.0000000-02:00",
        "duration" => "P1D",
        "QName" => "name",
        // In forms, the placeholder is the name of the enumeration.
        "Colour" => "Red",
        "Country" => "Scotland",
        "Currency" => "EUR",
        "xml" => "<x xmlns=\"urn:x\" />",
        other => other,
    }
}

/// Returns the text with values for its placeholders; of several values of an enumeration, the
/// first.
fn filled(template: &Template) -> String {
    let mut text = String::new();
    let mut or = false;
    for piece in template.pieces() {
        match piece {
            Piece::Text(" or ") => or = true,
            Piece::Placeholder(_) if or => or = false,
            Piece::Text(part) => text.push_str(part),
            // Forms have the character itself, XML its number.
            Piece::Placeholder("char") if !template.as_str().contains("<?xml") => text.push('A'),
            Piece::Placeholder(name) => text.push_str(value_for(name)),
        }
    }
    text
}

/// Returns a message without the line ends of samples.
fn compact(body: &str) -> String {
    body.lines().map(str::trim_start).collect()
}

fn request(text: &str) -> Request<Bytes> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let start: Vec<_> = lines.next().unwrap().split(' ').collect();
    let request = Request::builder().method(start[0]).uri(start[1]);
    lines
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| *name != "Content-Length")
        .fold(request, |request, (name, value)| {
            request.header(name, value)
        })
        .body(Bytes::from(body.to_owned()))
        .unwrap()
}

/// Calls a strict server with every sample of a definition. The answers of `echoes` are the samples
/// of answers, byte for byte.
pub(crate) fn hold<S: DispatchTo<H>, H: Send + Sync + 'static>(
    definition: &str,
    server: Server<S, H>,
    echoes: &[&str],
) {
    let server = server.with_options(ServerOptions::new().with_strict(true));
    let file = format!("{}/definitions/{definition}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap();
    let described = Config::new().describe(definition, &text).unwrap();
    described.with(|service| hold_described(service, &server, echoes));
}

fn hold_described(service: At<'_, model::Service<'_>>, server: &impl Transport, echoes: &[&str]) {
    let samples = Samples::new(service);
    for operation in service.operations() {
        for sample in samples.of(operation, "localhost") {
            let what = format!("{} over {:?}", operation.name, sample.binding);
            let response = wait(server.send(request(&filled(&sample.request)))).unwrap();
            let body = String::from_utf8(response.body().to_vec()).unwrap();
            // A name without a prefix in the sample is written with one.
            let prefix = format!(" xmlns:q1=\"{}\">q1:name", service.namespace);
            let body = body.replace(&prefix, ">name");
            let expected = filled(&sample.response);
            let (head, expected_body) = expected.split_once("\n\n").unwrap_or((&expected, ""));
            let status = format!("HTTP/1.1 {}", response.status());
            assert_eq!(head.lines().next().unwrap(), status, "{what}: {body}");
            for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
                if value != "length" {
                    assert_eq!(response.headers()[name], value, "{what}");
                }
            }
            if echoes.contains(&operation.name) {
                let is_soap = expected_body.contains("<soap:");
                let expected = if is_soap {
                    compact(expected_body)
                } else {
                    expected_body.to_owned()
                };
                assert_eq!(body, expected, "{what}");
            }
        }
    }
}

#[test]
fn samples_of_simple_types_are_what_goes_over_the_wire() {
    let server = SimpleTypesServer::new(Echo::default());
    let echoes = [
        "Echo",
        "EchoMaybe",
        "EchoLists",
        "Flat",
        "FlatLists",
        "Guids",
        "Dates",
        "Amounts",
        "Integers",
    ];
    hold("valid/simple_types.yaml", server, &echoes);
}

#[test]
fn samples_of_objects_are_what_goes_over_the_wire() {
    let server = ObjectsServer::new(Echo::default());
    let echoes = ["Attributes", "Texts", "Texts2", "Vehicles", "Empties"];
    hold("valid/objects.yaml", server, &echoes);
}

#[test]
fn samples_of_elements_in_no_namespace_are_what_goes_over_the_wire() {
    let server = UnqualifiedServer::new(Echo::default());
    hold("valid/unqualified.yaml", server, &["Move"]);
}

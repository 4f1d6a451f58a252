//! Recorded exchanges with rows: requests and answers are read and forwarded as by generated code.

#[path = "../../src/recorded/file.rs"]
#[allow(dead_code, reason = "no folders are written here")]
mod file;
mod passing;

use std::path::Path;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use passing::{Counts, Exchange, Passing};
use svcgen::{Fault, Limits};
use svcgen_messages::Service;
use svcgen_messages_tests::SERVERS;

/// Exchanges with equal values but different bytes: a value of an unknown type is read as
/// standalone XML with its own prefixes, as by generated code with serde.
const OTHER_BYTES: [&str; 2] = ["anytype/in-08", "anytype/getbag"];

/// Returns the first line, the headers and the body of a message.
fn parts(message: &[u8]) -> Option<(Vec<String>, HeaderMap, Bytes)> {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&message[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let line = lines.next()?.split(' ').map(str::to_owned).collect();
    let mut headers = HeaderMap::new();
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let name: HeaderName = name.parse().ok()?;
        headers.append(name, HeaderValue::from_str(value.trim()).ok()?);
    }
    Some((line, headers, Bytes::copy_from_slice(&message[end + 4..])))
}

fn exchange(recorded: &file::Exchange) -> Option<Exchange> {
    let (line, headers, body) = parts(&recorded.request)?;
    let mut request = Request::builder()
        .method(&*line[0])
        .uri(&*line[1])
        .body(body)
        .ok()?;
    *request.headers_mut() = headers;
    let (line, headers, body) = parts(&recorded.response)?;
    let mut response = Response::builder().status(&*line[1]).body(body).ok()?;
    *response.headers_mut() = headers;
    Some(Exchange {
        name: recorded.name.clone(),
        request,
        response,
        is_exact: !OTHER_BYTES.contains(&&*recorded.name),
    })
}

/// Returns all recorded exchanges.
fn exchanges(tests: &Path) -> Vec<Exchange> {
    let folders = ["recorded/lab", "recorded/login"].map(|folder| tests.join(folder));
    let recorded = folders.iter().flat_map(file::exchanges);
    recorded
        .filter_map(|recorded| exchange(&recorded))
        .collect()
}

#[tokio::test]
async fn recorded_exchanges_pass_as_through_generated_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let exchanges = exchanges(&root.join("tests"));
    assert!(exchanges.len() > 450, "{}", exchanges.len());
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for (definition, pass_on) in SERVERS {
        let passing = Passing::of(definition, *pass_on, Limits::default());
        let service = passing.service;
        let path = service.row().path.to_lowercase();
        for exchange in &exchanges {
            if !exchange
                .request
                .uri()
                .path()
                .to_lowercase()
                .starts_with(&path)
            {
                continue;
            }
            if let Err(why) = passing.difference(exchange, &mut counts).await {
                wrong.push(format!("{} by {definition} {why}", exchange.name));
            }
        }
    }
    println!("{counts:?}");
    let count = wrong.len();
    wrong.truncate(30);
    assert!(count == 0, "{count} differ:\n{}", wrong.join("\n\n"));
    // The numbers guard against a test that checks less.
    assert!(counts.passed >= 200 && counts.refused >= 100, "{counts:?}");
    assert!(counts.results >= 100 && counts.faults >= 10, "{counts:?}");
}

/// Sends each fault of each service, with a sample of its detail.
#[test]
fn details_of_faults_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for (definition, _) in SERVERS {
        let service = Service::open(root.join(definition)).unwrap();
        for operation in service.operations() {
            for fault in operation.row().faults() {
                let detail = operation.detail_place(fault.name).unwrap().sample();
                let given = operation.with_detail(Fault::client("no"), fault.name, &detail);
                let given = given.unwrap();
                for binding in operation.row().bindings.iter().filter(|one| one.is_soap()) {
                    let response = operation.refuse(given.clone(), binding);
                    let error = operation.read_answer(&response, binding).unwrap_err();
                    let read = operation.read_detail(error.fault().unwrap()).unwrap();
                    assert_eq!(
                        read[fault.name], detail,
                        "{definition} {operation:?} {binding}"
                    );
                    count += 1;
                }
            }
        }
    }
    assert!(count > 3, "{count}");
}

/// The WSDL of a service reads a recorded request as the same values as the definition, and writes
/// it again with these values.
#[test]
fn a_wsdl_reads_what_its_definition_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let exchanges = exchanges(&root.join("tests"));
    let (mut counts, mut wrong) = (Vec::new(), Vec::new());
    for (wsdl, definition) in [
        ("GRpcHead", "rpc_head"),
        ("GUrn", "urn"),
        ("GTempuri", "tempuri"),
    ] {
        let by_wsdl =
            Service::open(root.join(format!("tests/recorded/lab/wsdl/{wsdl}.wsdl"))).unwrap();
        let path = format!("tests/definitions/lab/{definition}.yaml");
        let by_definition = Service::open(root.join(path)).unwrap();
        let mut count = 0;
        for exchange in &exchanges {
            let Ok(expected) = by_definition.read_request(exchange.request.clone()) else {
                continue;
            };
            let read = by_wsdl.read_request(exchange.request.clone());
            let Ok(read) = read else {
                wrong.push(format!("{} is refused by the WSDL", exchange.name));
                continue;
            };
            let client = by_wsdl.client((), "http://localhost").unwrap();
            let client = client.with_binding(read.binding);
            let again = (read.operation).request_by(&client, &read.headers, &read.parameters);
            let again = by_wsdl.read_request(again.unwrap()).unwrap();
            for found in [&read, &again] {
                let same = found.operation.name() == expected.operation.name()
                    && found.parameters == expected.parameters
                    && found.headers == expected.headers;
                if !same {
                    wrong.push(format!("{}: {found:?}, not {expected:?}", exchange.name));
                }
            }
            count += 1;
        }
        counts.push((wsdl, count));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
}

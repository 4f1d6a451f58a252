//! The ends of failing calls, with rows as with generated code: faults with details and SOAP
//! headers, truncated messages, and limits.

mod changes;
mod passing;

use bytes::Bytes;
use changes::{Random, change};
use http::uri::PathAndQuery;
use http::{Request, Response, Uri};
use passing::{Counts, Exchange, Passing};
use roxmltree::Document;
use serde_json::Value as Json;
use svcgen::{Binding, Fault, FaultCode, Limits};
use svcgen_messages::{Operation, Service};
use svcgen_messages_tests::SERVERS;

/// Returns a call with samples over a binding, if the operation is offered over it, with a
/// response.
fn exchange(operation: Operation, binding: Binding, response: Response<Bytes>) -> Option<Exchange> {
    let client = operation.service().client((), "http://localhost");
    let client = client.unwrap().with_binding(binding);
    let headers = if binding.is_soap() {
        operation.header_place().sample()
    } else {
        Json::Null
    };
    let request = operation.request_by(&client, &headers, &operation.parameter_place().sample());
    Some(Exchange {
        name: format!("{operation:?} over {binding}"),
        request: request.ok()?,
        response,
        is_exact: true,
    })
}

/// Operations whose sample is an absent table. Over HTTP GET and POST, generated code reads it as a
/// table without a name, which it refuses to write; rows read it as absent.
const ABSENT_TABLES: [&str; 3] = ["GetShelfTable", "GetTable", "GetTableNs"];

/// Returns calls with samples whose answers are samples.
fn exchanges(service: Service) -> impl Iterator<Item = Exchange> {
    let operations = service.operations();
    let operations = operations.filter(|operation| !ABSENT_TABLES.contains(&operation.name()));
    operations.flat_map(|operation| {
        let bindings: Vec<Binding> = operation.row().bindings.iter().collect();
        bindings.into_iter().filter_map(move |binding| {
            exchange(
                operation,
                binding,
                operation.answer(&operation.sample_answer(), binding),
            )
        })
    })
}

/// Returns the step between the cases that are tried: 1 if the variable `ALL_CASES` is set.
fn one_of(few: usize) -> usize {
    std::env::var_os("ALL_CASES").map_or(few, |_| 1)
}

fn fails(counts: &Counts, mut wrong: Vec<String>) {
    println!("{counts:?}");
    let count = wrong.len();
    wrong.truncate(20);
    assert!(
        count == 0,
        "{count} differ of {counts:?}:\n{}",
        wrong.join("\n\n")
    );
}

#[tokio::test]
async fn faults_are_those_of_generated_code() {
    const CODES: [FaultCode; 3] = [
        FaultCode::Client,
        FaultCode::Server,
        FaultCode::MustUnderstand,
    ];
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    let (mut with_detail, mut with_headers) = (0, 0);
    let rounds = 6 / one_of(3);
    for (number, (definition, pass_on)) in SERVERS.iter().enumerate() {
        let passing = Passing::of(definition, *pass_on, Limits::default());
        let mut random = Random(0x2545_F491_4F6C_DD1D ^ (number as u64 + 1));
        for operation in passing.service.operations() {
            let names = operation.row().faults().map(|fault| fault.row().name);
            let names: Vec<Option<&str>> = names.map(Some).chain([None]).collect();
            for (name, binding) in names.iter().flat_map(|name| {
                let bindings = operation.row().bindings.iter();
                bindings.map(move |binding| (*name, binding))
            }) {
                let mut headers = operation.fault_header_place().sample();
                let mut detail = name.map(|name| operation.detail_place(name).unwrap().sample());
                for round in 0..rounds {
                    let mut fault = Fault::new(CODES[round % 3].clone(), "It is refused.");
                    if let (Some(name), Some(detail)) = (name, &detail) {
                        fault = operation.with_detail(fault, name, detail).unwrap();
                        with_detail += 1;
                    }
                    if operation.row().fault_headers().is_some() && round % 4 < 3 {
                        fault = operation.with_fault_headers(fault, &headers, binding);
                        with_headers += 1;
                    }
                    let Some(exchange) =
                        exchange(operation, binding, operation.refuse(fault, binding))
                    else {
                        continue;
                    };
                    if let Err(why) = passing.difference(&exchange, &mut counts).await {
                        wrong.push(format!(
                            "{} by {definition} {why}\n{headers} {detail:?}",
                            exchange.name
                        ));
                    }
                    change(&mut headers, &mut random);
                    if let Some(detail) = &mut detail {
                        change(detail, &mut random);
                    }
                }
            }
        }
    }
    fails(&counts, wrong);
    assert!(
        6 * with_detail >= 100 * rounds && 6 * with_headers >= 40 * rounds,
        "{with_detail}, {with_headers}"
    );
}

/// The headers of faults are unchanged, without secrets if they are masked.
#[test]
fn headers_of_faults_come_back() {
    let mut count = 0;
    for (definition, pass_on) in SERVERS {
        let service = Passing::of(definition, *pass_on, Limits::default()).service;
        for operation in service
            .operations()
            .filter(|one| one.row().fault_headers().is_some())
        {
            let headers = operation.fault_header_place().sample();
            for binding in operation.row().bindings.iter().filter(|one| one.is_soap()) {
                let fault = operation.with_fault_headers(Fault::client("no"), &headers, binding);
                let response = operation.refuse(fault, binding);
                let error = operation.read_answer(&response, binding).unwrap_err();
                let read = operation
                    .read_fault_headers(error.fault().unwrap())
                    .unwrap();
                assert_eq!(read, headers, "{definition} {operation:?} {binding}");
                let without = operation.refuse(Fault::client("no"), binding);
                let error = operation.read_answer(&without, binding).unwrap_err();
                let read = operation
                    .read_fault_headers(error.fault().unwrap())
                    .unwrap();
                assert_eq!(
                    read,
                    serde_json::json!({}),
                    "{definition} {operation:?} {binding}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count}");
}

/// Returns the request with the first bytes of its message, or of its query.
fn cut_request(request: &Request<Bytes>, end: usize) -> Option<Request<Bytes>> {
    let mut cut = request.clone();
    if request.body().is_empty() {
        let target = request.uri().path_and_query()?.as_str();
        let target: PathAndQuery = target.get(..end)?.parse().ok()?;
        let mut parts = request.uri().clone().into_parts();
        parts.path_and_query = Some(target);
        *cut.uri_mut() = Uri::from_parts(parts).ok()?;
    } else {
        *cut.body_mut() = request.body().slice(..end);
    }
    Some(cut)
}

#[tokio::test]
async fn cut_messages_are_refused_as_by_generated_code() {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    let step = one_of(23);
    for (definition, pass_on) in SERVERS {
        let passing = Passing::of(definition, *pass_on, Limits::default());
        // The shortest exchange of each binding, as it is sent once for each byte.
        let mut all: Vec<Exchange> = exchanges(passing.service).collect();
        all.sort_by_key(|one| one.request.body().len() + one.response.body().len());
        let mut seen = Vec::new();
        for whole in all {
            let binding = whole.name.rsplit(' ').next().unwrap().to_owned();
            if seen.contains(&binding) {
                continue;
            }
            seen.push(binding);
            let (path, query) = (
                whole.request.uri().path().len(),
                whole.request.uri().query(),
            );
            let ends = match whole.request.body().len() {
                0 => path..path + query.map_or(0, str::len) + 1,
                length => 0..length,
            };
            let requests = ends.filter_map(|end| {
                let request = cut_request(&whole.request, end)?;
                Some((
                    end,
                    Exchange {
                        request,
                        ..whole.clone()
                    },
                ))
            });
            let responses = (0..whole.response.body().len()).map(|end| {
                let mut cut = whole.clone();
                *cut.response.body_mut() = whole.response.body().slice(..end);
                (end, cut)
            });
            // Different cuts for each exchange.
            let cuts = requests.chain(responses);
            let cuts = cuts.skip(seen.len() % step).step_by(step);
            for (end, cut) in cuts {
                if let Err(why) = passing.difference(&cut, &mut counts).await {
                    wrong.push(format!("{} by {definition}, cut at {end}, {why}", cut.name));
                }
            }
        }
    }
    fails(&counts, wrong);
    let least = 5000 / step;
    assert!(
        counts.refused > least && counts.misread > least,
        "{counts:?}"
    );
}

/// Returns the texts of a message with one element of its Body changed: empty, nil, removed,
/// repeated, and nil or empty before or after itself.
fn changed_elements(body: &Bytes) -> Vec<String> {
    let text = std::str::from_utf8(body).unwrap();
    let Ok(document) = Document::parse(text) else {
        return Vec::new();
    };
    let elements = document.descendants().filter(|node| node.is_element());
    // Skips the envelope, the Body and the element of the message.
    let within = elements.filter(|node| node.ancestors().count() > 4);
    let changed = within.flat_map(|node| {
        let range = node.range();
        let whole = &text[range.clone()];
        let tag = &whole[1..whole.find([' ', '>', '/']).unwrap()];
        let start = whole[1 + tag.len()..].split('>').next().unwrap();
        let attributes = start.trim_end_matches('/').trim_end();
        let empty = format!("<{tag}{attributes} />");
        let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
        let nil = format!("<{tag} {xsi} xsi:nil=\"true\" />");
        let changes = [
            empty.clone(),
            nil.clone(),
            String::new(),
            format!("{whole}{whole}"),
            format!("{whole}{nil}"),
            format!("{nil}{whole}"),
            format!("{whole}{empty}"),
            format!("{empty}{whole}"),
        ];
        changes.map(|change| format!("{}{change}{}", &text[..range.start], &text[range.end..]))
    });
    changed.collect()
}

/// Operations that generated code reads differently: a decimal that is a `String` in Rust, and a
/// table without a name, which is read but not forwarded.
const OTHERWISE: [&str; 2] = ["Check", "ShowTable"];

#[tokio::test]
async fn changed_elements_are_read_as_by_generated_code() {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    let step = one_of(41);
    let mut number = 0;
    for (definition, pass_on) in SERVERS {
        let passing = Passing::of(definition, *pass_on, Limits::default());
        let exchanges = exchanges(passing.service).filter(|one| {
            let names = OTHERWISE.map(|name| format!("Operation({name:?}) "));
            !names.iter().any(|name| one.name.starts_with(name))
        });
        for exchange in exchanges {
            let requests = changed_elements(exchange.request.body()).into_iter();
            let responses = changed_elements(exchange.response.body()).into_iter();
            let requests = requests.map(|text| (true, text));
            for (is_request, text) in requests.chain(responses.map(|text| (false, text))) {
                number += 1;
                if number % step != 0 {
                    continue;
                }
                let mut changed = exchange.clone();
                if is_request {
                    *changed.request.body_mut() = text.clone().into();
                } else {
                    *changed.response.body_mut() = text.clone().into();
                }
                if let Err(why) = passing.difference(&changed, &mut counts).await {
                    wrong.push(format!("{} by {definition} {why}\n{text}", exchange.name));
                }
            }
        }
    }
    fails(&counts, wrong);
    let least = 50_000 / step;
    assert!(
        counts.passed > least && counts.refused > least / 20,
        "{counts:?}"
    );
}

#[tokio::test]
async fn limits_are_those_of_generated_code() {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    let step = one_of(15);
    let limits = || Limits::default();
    let all = [2, 4, 5, 6, 8]
        .map(|depth| limits().with_depth(depth))
        .into_iter();
    let all = all.chain([3, 9].map(|count| limits().with_elements(count)));
    let all = all.chain([1, 3].map(|count| limits().with_attributes(count)));
    let all = all.chain([3].map(|count| limits().with_namespaces(count)));
    let all = all.chain([9].map(|length| limits().with_name(length)));
    let all = all.chain([4].map(|length| limits().with_attribute_value(length)));
    let all = all.chain([1, 5].map(|length| limits().with_text(length)));
    let all = all.chain([80, 350].map(|length| limits().with_body(length)));
    let all = all.chain([0, 2].map(|count| limits().with_parameters(count)));
    let all: Vec<Limits> = all
        .chain([40].map(|length| limits().with_json_length(length)))
        .collect();
    for (definition, pass_on) in SERVERS {
        let service = Passing::of(definition, *pass_on, limits()).service;
        let exchanges: Vec<Exchange> = exchanges(service).collect();
        for (number, limits) in all.iter().enumerate() {
            let passing = Passing::of(definition, *pass_on, *limits);
            for exchange in exchanges.iter().skip(number % step).step_by(step) {
                if let Err(why) = passing.difference(exchange, &mut counts).await {
                    wrong.push(format!(
                        "{} by {definition} {why}\n{limits:?}",
                        exchange.name
                    ));
                }
            }
        }
    }
    fails(&counts, wrong);
    let least = 1000 / step;
    assert!(
        counts.refused > least && counts.misread > least,
        "{counts:?}"
    );
}

//! The speed of reading, writing and answering messages, as ratios to other ways to do the same
//! work, in one run. See README.md.

use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use svcgen::Limits;

#[path = "shared/answering.rs"]
mod answering;
#[path = "shared/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the bench of serving uses the rest")]
#[path = "shared/goals.rs"]
mod goals;
#[path = "shared/gsoap.rs"]
mod gsoap;
#[path = "shared/instructions.rs"]
mod instructions;
#[path = "shared/json.rs"]
mod json;
#[path = "shared/measure.rs"]
mod measure;
#[path = "shared/others.rs"]
mod others;

use answering::{Answering, DeviceLoginServiceServer};
use documents::{Document, Kind};
use goals::Goals;
use gsoap::Gsoap;
use measure::{Work, medians, print, ratio, timed};

/// The name of a contender, and its work on a document.
type Contender<'w> = (&'static str, Work<'w>);

fn main() {
    // `cargo test --benches` only checks that the bench runs.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let arguments: Vec<String> = std::env::args().collect();
    let documents = documents::documents();
    if let Some(at) = arguments.iter().position(|argument| argument == "--work") {
        let times = arguments[at + 2].parse().expect("a number");
        let limits = Limits::default();
        let server = server();
        let mut works = own_works(&documents, &limits, &server).into_iter();
        let work = works.find(|(name, _)| *name == arguments[at + 1]);
        work.expect("a piece of work").1(times);
        return;
    }
    json();
    if arguments.iter().any(|argument| argument == "json") {
        return;
    }
    let mut goals = Goals::default();
    let gsoap = Gsoap::start(&documents);
    reading(&documents, gsoap.as_ref(), &mut goals);
    writing(&documents, gsoap.as_ref(), &mut goals);
    calls(&mut goals);
    count(&documents);
    goals.print();
}

/// Returns our work, by name.
fn own_works<'w>(
    documents: &'w [Document],
    limits: &'w Limits,
    server: &'w DeviceLoginServiceServer<Answering>,
) -> Vec<(String, Work<'w>)> {
    let mut works = Vec::new();
    for document in documents {
        let ours = readers(document, limits, None).swap_remove(0).1;
        works.push((format!("reading, {}", document.name), ours));
    }
    for document in written(documents) {
        let ours = writers(document, None).swap_remove(0).1;
        works.push((format!("writing, {}", document.name), ours));
    }
    let calls = call_works(server).into_iter();
    works.extend(calls.map(|(name, work)| (format!("call, {name}"), work)));
    works
}

/// Counts the instructions of our work, which do not depend on the load of the machine.
fn count(documents: &[Document]) {
    let limits = Limits::default();
    let server = server();
    let works = own_works(documents, &limits, &server).into_iter();
    let rows = works.map_while(|(name, _)| {
        let times = if name.contains("10,000") { 1 } else { 10 };
        let count = instructions::of(&name, times)?;
        Some((name, vec![format!("{count:.0}")]))
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        println!("Instructions are not counted: valgrind is not installed.");
        return;
    }
    print("Instructions of svcgen", &["instructions"], &rows);
}

/// Measures the answer of `Login` in JSON, from and to bytes.
fn json() {
    let client = json::Json::new();
    let mut columns = Vec::new();
    let mut rows = [
        "bytes",
        "reading, µs",
        "reading, serde_json",
        "writing, µs",
        "writing, serde_json",
    ]
    .map(|name| (name.to_owned(), Vec::new()));
    for (name, record) in [
        ("response", documents::response()),
        ("10,000 items", documents::many(10_000)),
    ] {
        let record = json::Record(record);
        let sent = client.write(&record);
        let text = String::from_utf8(sent.to_vec()).expect("UTF-8");
        let text = text.replacen("{\"record\":", "{\"d\":", 1);
        let response = json::response(text.clone());
        assert_eq!(client.read(&response), record.0);
        let same: json::Answered<json::DeviceLoginResponse> =
            serde_json::from_str(&text).expect("JSON");
        let times = measured(vec![
            ("reading", timed(|| client.read(&response))),
            (
                "serde_json, reading",
                timed(|| {
                    serde_json::from_slice::<json::Answered<json::DeviceLoginResponse>>(
                        response.body(),
                    )
                    .expect("JSON")
                }),
            ),
            ("writing", timed(|| client.write(&record))),
            (
                "serde_json, writing",
                timed(|| json::request(&json::Sent { record: &same.d })),
            ),
        ]);
        let times: Vec<f64> = times.into_iter().map(|(_, time)| time).collect();
        columns.push(name);
        let cells = [
            text.len().to_string(),
            format!("{:.2}", times[0] / 1000.0),
            ratio(times[0] / times[1]),
            format!("{:.2}", times[2] / 1000.0),
            ratio(times[2] / times[3]),
        ];
        rows.iter_mut()
            .zip(cells)
            .for_each(|((_, row), cell)| row.push(cell));
    }
    print(
        "JSON: µs of svcgen, and its time as a ratio to that of",
        &columns,
        &rows,
    );
}

fn reading(documents: &[Document], gsoap: Option<&Gsoap>, goals: &mut Goals) {
    let documents: Vec<&Document> = documents.iter().collect();
    let limits = Limits::default();
    let table: Vec<Vec<(&str, f64)>> = documents
        .iter()
        .map(|document| measured(readers(document, &limits, gsoap)))
        .collect();
    report(
        "Reading: µs of svcgen, and its time as a ratio to that of",
        &documents,
        &table,
    );
    for (document, other, most) in [
        ("response", "gSOAP", 0.10),
        ("request", "gSOAP", 0.07),
        ("indented", "gSOAP", 0.10),
        ("10,000 items", "gSOAP", 0.13),
        ("response", "quick-xml, tokens", 0.30),
        ("attributes", "quick-xml, pull reader", 0.55),
    ] {
        let ours = ratio_to(&documents, &table, document, other);
        goals.at_most(&format!("reading {document} / {other}"), most, ours);
    }
}

fn readers<'w>(
    document: &'w Document,
    limits: &'w Limits,
    gsoap: Option<&'w Gsoap>,
) -> Vec<Contender<'w>> {
    let text = &*document.text;
    let mut copy = Vec::with_capacity(text.len());
    let mut contenders: Vec<Contender<'w>> = match document.kind {
        Kind::Request => vec![
            (
                "svcgen",
                timed(|| documents::read_request(text.as_bytes(), limits).expect("a request")),
            ),
            ("quick-xml + serde", timed(|| others::serde_request(text))),
        ],
        Kind::Response => vec![
            (
                "svcgen",
                timed(|| documents::read_response(text.as_bytes(), limits).expect("a response")),
            ),
            ("quick-xml + serde", timed(|| others::serde_response(text))),
            ("quick-xml, pull reader", timed(|| others::pull(text))),
        ],
    };
    contenders.push(("quick-xml, tokens", timed(|| others::tokens(text))));
    contenders.push((
        "quick-xml, namespaces",
        timed(|| others::resolved_tokens(text)),
    ));
    contenders.push(("roxmltree", timed(|| others::tree(text))));
    contenders.push((
        "memcpy",
        timed(move || {
            copy.clear();
            copy.extend_from_slice(std::hint::black_box(text.as_bytes()));
            copy.len()
        }),
    ));
    if let Some(gsoap) = gsoap {
        contenders.push((gsoap.name(), gsoap.reading(document)));
    }
    contenders
}

/// Returns the ratio of our time to that of another contender.
fn ratio_to(
    documents: &[&Document],
    table: &[Vec<(&str, f64)>],
    document: &str,
    other: &str,
) -> f64 {
    let mut rows = documents.iter().zip(table);
    let times = rows.find(|(known, _)| known.name == document);
    let (_, times) = times.expect("a document");
    let time = times.iter().find(|(name, _)| *name == other);
    time.map_or(f64::NAN, |(_, time)| times[0].1 / time)
}

/// Returns the documents that are also written.
fn written(documents: &[Document]) -> Vec<&Document> {
    documents
        .iter()
        .filter(|document| ["request", "response", "10,000 items"].contains(&document.name))
        .collect()
}

fn writing(documents: &[Document], gsoap: Option<&Gsoap>, goals: &mut Goals) {
    let written = written(documents);
    let table: Vec<Vec<(&str, f64)>> = written
        .iter()
        .map(|document| measured(writers(document, gsoap)))
        .collect();
    report(
        "Writing: µs of svcgen, and its time as a ratio to that of",
        &written,
        &table,
    );
    for (document, most) in [("response", 0.10), ("10,000 items", 0.08)] {
        let ours = ratio_to(&written, &table, document, "gSOAP");
        goals.at_most(&format!("writing {document} / gSOAP"), most, ours);
    }
}

fn writers<'w>(document: &'w Document, gsoap: Option<&'w Gsoap>) -> Vec<Contender<'w>> {
    let text = &*document.text;
    let limits = Limits::default();
    let mut copy = Vec::with_capacity(text.len());
    let mut bytes = Vec::with_capacity(text.len());
    let mut out = String::with_capacity(text.len());
    let mut contenders: Vec<Contender<'w>> = match document.kind {
        Kind::Request => {
            let value = documents::read_request(text.as_bytes(), &limits).expect("a request");
            let same = others::serde_request(text);
            vec![
                (
                    "svcgen",
                    timed(move || {
                        refilled(&mut bytes, |bytes| {
                            documents::write_request_into(&value, bytes)
                        })
                    }),
                ),
                (
                    "quick-xml + serde",
                    timed(move || rewritten(&mut out, |out| others::serde_write(&same, out))),
                ),
            ]
        }
        Kind::Response => {
            let value = documents::read_response(text.as_bytes(), &limits).expect("a response");
            let same = others::serde_response(text);
            vec![
                (
                    "svcgen",
                    timed(move || {
                        refilled(&mut bytes, |bytes| {
                            documents::write_response_into(&value, bytes)
                        })
                    }),
                ),
                (
                    "quick-xml + serde",
                    timed(move || rewritten(&mut out, |out| others::serde_write(&same, out))),
                ),
            ]
        }
    };
    contenders.push((
        "memcpy",
        timed(move || {
            copy.clear();
            copy.extend_from_slice(std::hint::black_box(text.as_bytes()));
            copy.len()
        }),
    ));
    if let Some(gsoap) = gsoap {
        contenders.push((gsoap.name(), gsoap.writing(document)));
    }
    contenders
}

fn refilled(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) -> usize {
    bytes.clear();
    write(bytes);
    bytes.len()
}

fn rewritten(out: &mut String, write: impl FnOnce(&mut String)) -> usize {
    out.clear();
    write(out);
    out.len()
}

fn measured<'w>(mut contenders: Vec<Contender<'w>>) -> Vec<(&'static str, f64)> {
    let times = medians(&mut contenders);
    contenders
        .iter()
        .zip(times)
        .map(|((name, _), time)| (*name, time))
        .collect()
}

/// Prints a table. The first contender is ours; the rows of the others have the ratio of our time
/// to theirs.
fn report(title: &str, documents: &[&Document], table: &[Vec<(&str, f64)>]) {
    let columns: Vec<&str> = documents.iter().map(|document| document.name).collect();
    let mut rows = vec![(
        "bytes".to_owned(),
        documents
            .iter()
            .map(|document| document.text.len().to_string())
            .collect(),
    )];
    rows.push((
        "svcgen, µs".to_owned(),
        table
            .iter()
            .map(|times| format!("{:.2}", times[0].1 / 1000.0))
            .collect(),
    ));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in table.iter().flat_map(|times| &times[1..]) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    for name in names {
        let cell = |times: &Vec<(&str, f64)>| {
            let other = times
                .iter()
                .find(|(other, _)| *other == name)
                .map_or(f64::NAN, |(_, time)| *time);
            ratio(times[0].1 / other)
        };
        rows.push((name.to_owned(), table.iter().map(cell).collect()));
    }
    print(title, &columns, &rows);
}

fn server() -> DeviceLoginServiceServer<Answering> {
    DeviceLoginServiceServer::new(Answering(documents::response().into()))
}

/// Returns the work of `Login` over each binding, from the bytes of a request to those of its
/// answer.
fn call_works(server: &DeviceLoginServiceServer<Answering>) -> Vec<(&'static str, Work<'_>)> {
    const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
    const FORM: &str = "username=alice%40example.com&password=correct+horse&devicePin=2A-77-10-C4";
    const JSON: &str =
        r#"{"username":"alice@example.com","password":"correct horse","devicePin":"2A-77-10-C4"}"#;
    let soap12 = documents::write_request(&documents::request()).replace(
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    );
    let soap12 = Bytes::from(soap12);
    let post_soap12 = move || {
        http::Request::post(PATH)
            .header(
                "Content-Type",
                "application/soap+xml; charset=utf-8; action=\"http://example.com/svc/device/Login\"",
            )
            .body(soap12.clone())
            .expect("a request")
    };
    let get = || {
        http::Request::get(format!("{PATH}/Login?{FORM}"))
            .body(Bytes::new())
            .expect("a request")
    };
    let post_form = || {
        let request = http::Request::post(format!("{PATH}/Login"))
            .header("Content-Type", "application/x-www-form-urlencoded");
        request
            .body(Bytes::from_static(FORM.as_bytes()))
            .expect("a request")
    };
    let post_json = || {
        let request = http::Request::post(format!("{PATH}/Login"))
            .header("Content-Type", "application/json; charset=utf-8");
        request
            .body(Bytes::from_static(JSON.as_bytes()))
            .expect("a request")
    };
    vec![
        ("SOAP 1.1", call(server, with_action())),
        ("SOAP 1.2", call(server, post_soap12)),
        ("HTTP GET", call(server, get)),
        ("HTTP POST", call(server, post_form)),
        ("JSON", call(server, post_json)),
    ]
}

/// Returns a function that creates requests over SOAP 1.1.
fn with_action() -> impl Fn() -> http::Request<Bytes> {
    const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
    let body = Bytes::from(documents::write_request(&documents::request()));
    move || {
        http::Request::post(PATH)
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"http://example.com/svc/device/Login\"")
            .body(body.clone())
            .expect("a request")
    }
}

fn calls(goals: &mut Goals) {
    let server = server();
    let limits = Limits::default();
    let soap11 = Bytes::from(documents::write_request(&documents::request()));
    let record = documents::response();
    let mut bytes = Vec::new();
    let mut contenders = call_works(&server);
    contenders.extend([
        (
            "reading the request",
            timed(|| documents::read_request(&soap11, &limits).expect("a request")),
        ),
        (
            "writing the answer",
            timed(|| {
                refilled(&mut bytes, |bytes| {
                    documents::write_response_into(&record, bytes)
                })
            }),
        ),
        ("making the request", timed(with_action())),
    ]);
    let times = medians(&mut contenders);
    let mut rows: Vec<(String, Vec<String>)> = contenders
        .iter()
        .zip(&times)
        .map(|((name, _), time)| ((*name).to_owned(), vec![format!("{:.2}", time / 1000.0)]))
        .collect();
    let rest = times[0] - times[5..].iter().sum::<f64>();
    rows.push((
        "SOAP 1.1 without the three above".to_owned(),
        vec![format!("{:.2}", rest / 1000.0)],
    ));
    print(
        "Calls of Login in process, full record as the answer",
        &["µs"],
        &rows,
    );
    goals.at_most(
        "call over SOAP 1.1 without reading and writing, µs",
        0.7,
        rest / 1000.0,
    );
    goals.at_most("call over HTTP GET, µs", 2.3, times[2] / 1000.0);
    goals.at_most("call over HTTP POST, µs", 2.3, times[3] / 1000.0);
}

fn call<'w>(
    server: &'w DeviceLoginServiceServer<Answering>,
    request: impl Fn() -> http::Request<Bytes> + 'w,
) -> Work<'w> {
    timed(move || {
        let mut answer = std::pin::pin!(server.answer(request()));
        match answer
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(response) => assert_eq!(response.status(), 200),
            Poll::Pending => panic!("nothing waits here"),
        }
    })
}

//! How fast messages are read, written and answered, as ratios to other ways to do the same work, in one run. See README.md.

use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use svcgen::Limits;
use svcgen_tests::device_login_service as ours;

#[path = "shared/answering.rs"]
mod answering;
#[path = "shared/documents.rs"]
mod documents;
#[path = "shared/gsoap.rs"]
mod gsoap;
#[path = "shared/json.rs"]
mod json;
#[path = "shared/measure.rs"]
mod measure;
#[path = "shared/others.rs"]
mod others;

use answering::Answering;
use documents::{Document, Kind};
use gsoap::Gsoap;
use measure::{Work, medians, print, ratio, timed};

/// A contender, by what it is called, and how it does its work on a document, if it can.
type Contender<'w> = (&'static str, Work<'w>);

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    json();
    if std::env::args().any(|argument| argument == "json") {
        return;
    }
    let documents = documents::documents();
    let gsoap = Gsoap::start(&documents);
    reading(&documents, gsoap.as_ref());
    writing(&documents, gsoap.as_ref());
    calls();
}

/// The answer of `Login` in JSON, from and to bytes.
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

fn reading(documents: &[Document], gsoap: Option<&Gsoap>) {
    let limits = Limits::default();
    let table: Vec<Vec<(&str, f64)>> = documents
        .iter()
        .map(|document| measured(readers(document, &limits, gsoap)))
        .collect();
    report(
        "Reading: µs of svcgen, and its time as a ratio to that of",
        documents,
        &table,
    );
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

fn writing(documents: &[Document], gsoap: Option<&Gsoap>) {
    let written: Vec<&Document> = documents
        .iter()
        .filter(|document| ["request", "response", "10,000 items"].contains(&document.name))
        .collect();
    let table: Vec<Vec<(&str, f64)>> = written
        .iter()
        .map(|document| measured(writers(document, gsoap)))
        .collect();
    let written: Vec<Document> = written
        .iter()
        .map(|document| Document {
            name: document.name,
            text: document.text.clone(),
            kind: document.kind,
        })
        .collect();
    report(
        "Writing: µs of svcgen, and its time as a ratio to that of",
        &written,
        &table,
    );
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

/// The first contender is ours; every row after it says what our time is as a part of another's.
fn report(title: &str, documents: &[Document], table: &[Vec<(&str, f64)>]) {
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

/// `Login` over each binding, from the bytes of a request to those of its answer.
fn calls() {
    const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
    let record = documents::response();
    let server = ours::DeviceLoginServiceServer::new(Answering(record.clone()));
    let soap11 = Bytes::from(documents::write_request(&documents::request()));
    let soap12 = Bytes::from(String::from_utf8(soap11.to_vec()).expect("UTF-8").replace(
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    ));
    let form = "username=alice%40example.com&password=correct+horse&devicePin=2A-77-10-C4";
    let post = |media_type: &'static str, body: Bytes| {
        move || {
            http::Request::post(PATH)
                .header("Content-Type", media_type)
                .body(body.clone())
                .expect("a request")
        }
    };
    let with_action = {
        let body = soap11.clone();
        move || {
            let request =
                http::Request::post(PATH).header("Content-Type", "text/xml; charset=utf-8");
            request
                .header("SOAPAction", "\"http://example.com/svc/device/Login\"")
                .body(body.clone())
                .expect("a request")
        }
    };
    let get = move || {
        http::Request::get(format!("{PATH}/Login?{form}"))
            .body(Bytes::new())
            .expect("a request")
    };
    let post_form = move || {
        let request = http::Request::post(format!("{PATH}/Login"))
            .header("Content-Type", "application/x-www-form-urlencoded");
        request
            .body(Bytes::from_static(form.as_bytes()))
            .expect("a request")
    };
    let limits = Limits::default();
    let mut bytes = Vec::new();
    let copied = record.clone();
    let mut contenders: Vec<Contender<'_>> = vec![
        ("SOAP 1.1", call(&server, with_action.clone())),
        (
            "SOAP 1.2",
            call(
                &server,
                post(
                    "application/soap+xml; charset=utf-8; action=\"http://example.com/svc/device/Login\"",
                    soap12,
                ),
            ),
        ),
        ("HTTP GET", call(&server, get)),
        ("HTTP POST", call(&server, post_form)),
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
        ("making the request", timed(with_action.clone())),
        ("copying the record", timed(move || copied.clone())),
    ];
    let times = medians(&mut contenders);
    let mut rows: Vec<(String, Vec<String>)> = contenders
        .iter()
        .zip(&times)
        .map(|((name, _), time)| ((*name).to_owned(), vec![format!("{:.2}", time / 1000.0)]))
        .collect();
    let rest = times[0] - times[4..].iter().sum::<f64>();
    rows.push((
        "SOAP 1.1 without the four above".to_owned(),
        vec![format!("{:.2}", rest / 1000.0)],
    ));
    print(
        "Calls of Login in process, full record as the answer",
        &["µs"],
        &rows,
    );
}

fn call<'w>(
    server: &'w ours::DeviceLoginServiceServer<Answering>,
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

//! The peak memory for JSON messages with the values that are read from them: the worst known
//! shapes, for servers and clients.

use bytes::Bytes;
use http::Request;
use stats_alloc::INSTRUMENTED_SYSTEM;
use svcgen::{Fault, Limits};
use svcgen_tests::few_or_all;
use svcgen_tests::kept::{Everything, KeepRequest, KeptClient, KeptHandler, KeptServer};

use crate::cost::{Allocator, Canned, block_on, cost};
use crate::lengths;
use crate::messages::is_bounded;

/// The members of an `Everything`: the start, the repeated part, and the end.
type Shape = (&'static str, &'static str, &'static str);

const SHAPES: [Shape; 44] = [
    ("\"Wide\":[", "{},", "{}]"),
    ("\"Wide\":[", "{\"Column07\":\"x\"},", "{}]"),
    ("\"Large\":[", "{},", "{}]"),
    ("\"LargeOrAbsent\":[", "{},", "{}]"),
    ("\"LargeOrAbsent\":[", "null,", "{}]"),
    ("", "\"One\":{},", "\"One\":{}"),
    ("\"Many\":[", "{},", "{}]"),
    ("\"Many\":[", "{\"A\":{\"A\":{}}},", "{}]"),
    ("\"Node\":{\"Children\":[", "{},", "{}]}"),
    ("\"Node\":{\"Children\":[", "null,", "{}]}"),
    (
        "\"Node\":{\"Children\":[",
        "{\"Next\":{\"Next\":{}}},",
        "{}]}",
    ),
    ("\"Node\":{\"Children\":[", "{\"Children\":[{}]},", "{}]}"),
    ("\"Texts\":[", "[],", "[]]"),
    ("\"Texts\":[", "[\"\"],", "[]]"),
    ("\"Texts\":[[", "\"\",", "\"\"]]"),
    ("\"Texts\":[[", "0,", "\"\"]]"),
    ("\"Texts\":[[\"", "\\u00e9", "\"]]"),
    ("\"Texts\":[[\"", "\\n", "\"]]"),
    ("\"Texts\":[[\"", "[", "\"]]"),
    ("\"Objects\":[", "{},", "{}]"),
    ("\"Objects\":[", "1,", "1]"),
    ("\"Objects\":[", "\"\",", "1]"),
    ("\"Objects\":[", "[],", "1]"),
    ("\"Objects\":[", "[1],", "1]"),
    ("\"Objects\":[", "{\"__type\":\"Relative\"},", "1]"),
    ("\"Binary\":[", "[],", "[]]"),
    ("\"Binary\":[", "[1],", "[]]"),
    ("\"Binary\":[", "\"\",", "[]]"),
    ("\"Bytes\":[", "1,", "1]"),
    ("\"Bytes\":\"", "AAAA", "\""),
    ("\"Families\":[", "{\"__type\":\"Relative\"},", "{}]"),
    ("\"Tones\":[", "7,", "1]"),
    ("\"Optional\":[", "\"\",", "1]"),
    ("\"Optional\":[", "77,", "1]"),
    ("\"Numbers\":[", "1,", "1]"),
    ("\"Numbers\":[", "{},", "1]"),
    ("\"Doubles\":[", "1,", "1]"),
    ("\"Doubles\":[", "\"\",", "1]"),
    ("\"Moments\":[", "{},", "{}]"),
    ("\"Days\":[", "\"\",", "\"\"]"),
    ("\"Words\":[", "1,", "1]"),
    ("", "a:1,", "\"Left\":1"),
    ("\"x\":", "[[],[]],[[],[", "1]"),
    ("\"Numbers\":[", "1,", "\"x\""),
];

struct Keeps;

impl KeptHandler for Keeps {
    async fn keep(
        &self,
        _: &svcgen::Context,
        request: KeepRequest,
    ) -> Result<Option<Everything>, Fault> {
        std::hint::black_box(&request);
        Ok(None)
    }
}

pub fn is_bounded_whatever_it_holds(allocator: &Allocator) {
    let limits = Limits::default().with_json_length(usize::MAX);
    let mut read = 0;
    for shape in SHAPES {
        for &size in lengths() {
            let (before, item, after) = shape;
            let items = item.repeat((size - before.len()) / item.len());
            let body = format!("{{\"all\":{{{before}{items}{after}}}}}");
            let length = body.len();
            let server = KeptServer::new(Keeps).with_limits(limits);
            let request = Request::post("/Kept.asmx/Keep");
            let request = request.header("Content-Type", "application/json");
            let request = request.body(Bytes::from(body.clone())).expect("a request");
            let answer = || block_on(server.answer(request)).status();
            let (status, taken) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, answer);
            assert!([200, 500].contains(&status.as_u16()), "{shape:?}");
            is_bounded(&(shape, size, status), length, taken.memory);
            read += usize::from(status == 200);

            let body = body.replacen("all", "d", 1);
            let client = KeptClient::new(
                Canned("application/json", Bytes::from(body)),
                "http://localhost/Kept.asmx",
            );
            let client = client.expect("a client");
            let call = || block_on(client.keep(&KeepRequest::default())).is_ok();
            let (_, taken) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, call);
            is_bounded(&(shape, "client", size), length, taken.memory);
        }
    }
    // Most shapes are valid.
    assert!(
        3 * read > 2 * lengths().len() * SHAPES.len(),
        "{read} are read"
    );
}

/// Reads realistic messages: numbers, bytes and records as long as ASMX accepts them, and, with all
/// cases, far longer.
pub fn long_lists_are_read(allocator: &Allocator) {
    let limits = Limits::default().with_json_length(usize::MAX);
    for (before, item, count) in [
        ("\"Numbers\":[", "1,", 500_000),
        ("\"Bytes\":[", "7,", 500_000),
        ("\"Doubles\":[", "1.5,", 300_000),
        ("\"Texts\":[[", "\"ab\",", 200_000),
        ("\"Moments\":[", "\"\\/Date(1709210096789)\\/\",", 40_000),
        (
            "\"Node\":{\"Children\":[",
            "{\"Text\":\"some words that stand in it\"},",
            25_000,
        ),
    ] {
        let items = item.repeat(few_or_all(count / 10, count));
        let end = match before.matches('[').count() {
            2 => "]]",
            _ if before.contains("Node") => "]}",
            _ => "]",
        };
        let body = format!(
            "{{\"all\":{{{before}{}{end}}}}}",
            items.trim_end_matches(',')
        );
        let length = body.len();
        let server = KeptServer::new(Keeps).with_limits(limits);
        let request = Request::post("/Kept.asmx/Keep").header("Content-Type", "application/json");
        let request = request.body(Bytes::from(body)).expect("a request");
        let answer = || block_on(server.answer(request));
        let (response, taken) = cost(allocator, &INSTRUMENTED_SYSTEM, 0, answer);
        assert_eq!(response.status(), 200, "{before}: {:?}", response.body());
        is_bounded(&before, length, taken.memory);
    }
}

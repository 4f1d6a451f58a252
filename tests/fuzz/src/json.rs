//! Values in JSON: a value that is read is returned, and the answer is read as the same value.

use std::sync::LazyLock;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::{Fault, Limits};
use svcgen_tests::kept::{Everything, KeepRequest, KeptHandler, KeptServer};

use super::source::{Source, now};

/// Returns its parameter.
pub struct Keeps;

impl KeptHandler for Keeps {
    async fn keep(
        &self,
        _: &svcgen::Context,
        request: KeepRequest,
    ) -> Result<Option<Everything>, Fault> {
        Ok(request.all)
    }
}

static SERVER: LazyLock<KeptServer<Keeps>> = LazyLock::new(|| {
    let limits = Limits::default().with_json_length(usize::MAX);
    KeptServer::new(Keeps).with_limits(limits)
});

/// Pieces of messages, valid or nearly valid.
const PIECES: [&str; 64] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\u00e9",
    "\\ud83d",
    "\\/",
    "true",
    "false",
    "null",
    "NaN",
    "-Infinity",
    "1",
    "-0",
    "1.50",
    "1e2",
    "1e400",
    "0x10",
    "\"7\"",
    "\"\"",
    "{}",
    "[]",
    "[[\"a\"]]",
    "all",
    "Wide",
    "Large",
    "One",
    "Many",
    "Node",
    "Next",
    "Children",
    "Text",
    "Texts",
    "Objects",
    "Binary",
    "Bytes",
    "Families",
    "\"__type\":\"Relative\",",
    "Tones",
    "Numbers",
    "Doubles",
    "Moments",
    "Days",
    "Words",
    "Spot",
    "Rights",
    "Left",
    "LeftSpecified",
    "\"\\/Date(0)\\/\"",
    "\"/Date(-1+0200)/\"",
    "\"2024-02-29T12:34:56Z\"",
    "\"read, Write\"",
    "77",
    " ",
    "\u{2028}",
    "\u{e9}",
    "\u{1f600}",
    "\"AAH/\"",
    "Column07",
];

/// Checks an input whose first byte selects between any bytes as a message, and pieces of messages.
pub fn check(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else {
        return;
    };
    if choice & 1 == 0 {
        return keeps(rest.to_vec());
    }
    let mut source = Source(rest);
    let mut text = "{\"all\":".to_owned();
    while !source.0.is_empty() {
        text.push_str(PIECES[source.below(PIECES.len())]);
    }
    if choice & 2 == 0 {
        text.push('}');
    }
    keeps(text.into_bytes());
}

fn keeps(body: Vec<u8>) {
    let (status, first) = call(body);
    if status != 200 {
        return;
    }
    let result = first
        .strip_prefix("{\"d\":")
        .and_then(|text| text.strip_suffix('}'));
    let result = result.expect("a result");
    let (status, second) = call(format!("{{\"all\":{result}}}").into_bytes());
    // A result is one level deeper when it is a parameter.
    if status != 200 && second.contains("RecursionLimit exceeded.") {
        return;
    }
    assert_eq!((status, &*second), (200, &*first));
}

/// Returns the answer, which is JSON except for numbers that JSON cannot express.
fn call(body: Vec<u8>) -> (u16, String) {
    let request = Request::post("/Kept.asmx/Keep").header("Content-Type", "application/json");
    let request = request.body(Bytes::from(body)).expect("a request");
    let response: Response<Bytes> = now(SERVER.answer(request));
    let status = response.status().as_u16();
    let text = String::from_utf8(response.body().to_vec()).expect("UTF-8");
    assert_eq!(
        response.headers()["content-type"],
        "application/json; charset=utf-8"
    );
    match status {
        200 => assert!(!response.headers().contains_key("jsonerror"), "{text}"),
        500 => {
            let failure: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let message = failure["Message"].as_str().expect("a message");
            assert!(!message.is_empty() && failure["StackTrace"] == "", "{text}");
        }
        _ => panic!("{status}: {text}"),
    }
    (status, text)
}

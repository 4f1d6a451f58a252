//! Sends the requests of the laboratory, under `recorded/lab/`, again, and compares the answers.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::raw_http::{Answer, Running};
use crate::recorded::{self, Filled};

const FILLED: [Filled; 12] = [
    ("enum/get-00", &["two words", "Lab.G.Odd"]),
    ("flags/get-01", &["Read Delete", "Lab.G.Access"]),
    ("gform/date-07", &["29/02/2024", "System.DateTime"]),
    ("gform/date-15", &["", "System.DateTime"]),
    ("gform/double-06", &["INF", "System.Double"]),
    ("gform/int-00", &["1,000", "System.Int32"]),
    ("json-ct/form-json-body", &["s"]),
    ("json-ct/none", &[""]),
    (
        "json-ct/space-semicolon",
        &["application/json ; charset=utf-8"],
    ),
    ("json-ct/text-json", &["text/json"]),
    ("rpc-head/not-understood", &["Pass"]),
    (
        "route/unknown-element",
        &["Nope", "http://lab.example/g/route/"],
    ),
];

/// The placeholder for the stack trace of the original, which svcgen never sends.
const STACK: &str = "\"StackTrace\":\"STACK\"";
const NO_STACK: &str = "\"StackTrace\":\"\"";

/// An exchange whose answer differs from the recording on purpose.
#[derive(Debug, Clone, Copy)]
pub struct Departure {
    /// Folder and name, for example `any/bare`.
    pub name: &'static str,
    /// The reason.
    pub why: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// The texts that the body of the answer contains.
    pub holds: &'static [&'static str],
}

/// Sends each recorded request of these folders to the server and compares the answers: status,
/// headers and body.
///
/// # Panics
///
/// An answer differs from the recorded one and from its departure, a departure is not needed, or a
/// departure names no exchange.
pub fn replay(server: &Running, folders: &[&str], departures: &[Departure]) {
    let mut report = String::new();
    let mut unused: BTreeSet<_> = departures.iter().map(|departure| departure.name).collect();
    for exchange in recorded::lab(folders) {
        let name = exchange.name.as_str();
        let answer = server.exchange(&exchange.request);
        let mut got = recorded::seen(&answer);
        // The recorded texts have LF as line ends.
        got.body.retain(|byte| *byte != b'\r');
        let mut expected = recorded::recorded_answer(&exchange, &FILLED);
        expected.body = recorded::replaced(&expected.body, STACK, NO_STACK);
        let difference = recorded::compare(&expected, &got);
        let difference = (!difference.is_empty()).then(|| difference.join("; "));
        let departure = departures.iter().find(|departure| departure.name == name);
        unused.remove(name);
        let difference = match (departure, difference) {
            (None, difference) => difference,
            (Some(_), None) => Some("the departure is not needed".to_owned()),
            (Some(departure), Some(_)) => mistake(departure, &answer),
        };
        if let Some(difference) = difference {
            writeln!(report, "{name}: {difference}").expect("text");
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(
        unused.is_empty(),
        "departures without an exchange: {unused:?}"
    );
}

fn mistake(departure: &Departure, answer: &Answer) -> Option<String> {
    let text = answer.text();
    let missing = departure.holds.iter().find(|words| !text.contains(**words));
    let is_right = answer.status == departure.status && missing.is_none();
    (!is_right).then(|| {
        format!(
            "expected {} with {missing:?} ({}), got {} {text:?}",
            departure.status, departure.why, answer.status
        )
    })
}

//! Answers the exchanges under `wider/` again, and compares.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::raw_http::{Answer, Running, parse_answer};
use crate::recorded;

/// An exchange that is answered otherwise than it was recorded, on purpose.
#[derive(Debug, Clone, Copy)]
pub struct Departure {
    /// Folder and name, for example `any/bare`.
    pub name: &'static str,
    /// Why.
    pub why: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// What the body of the answer holds, each of them.
    pub holds: &'static [&'static str],
}

/// Sends each recorded request of these folders to the server and compares the answers: status, media type, caching and body. `{0}` in a recorded body stands for any text.
///
/// # Panics
///
/// An answer differs from the recorded one and from its departure, a departure is not needed, or one names no exchange.
pub fn replay(server: &Running, folders: &[&str], departures: &[Departure]) {
    let mut report = String::new();
    let mut unused: BTreeSet<_> = departures.iter().map(|departure| departure.name).collect();
    for exchange in recorded::wider(folders) {
        let name = exchange.name.as_str();
        let answer = server.exchange(&exchange.request);
        let expected = parse_answer(&exchange.response);
        let departure = departures.iter().find(|departure| departure.name == name);
        unused.remove(name);
        let difference = difference(&expected, &answer);
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

fn difference(expected: &Answer, got: &Answer) -> Option<String> {
    let seen = |answer: &Answer| {
        let headers = ["content-type", "cache-control"];
        let headers = headers.map(|name| answer.header(name).map(str::to_owned));
        (answer.status, headers)
    };
    if seen(expected) != seen(got) {
        return Some(format!(
            "expected {:?}, got {:?} {:?}",
            seen(expected),
            seen(got),
            got.text()
        ));
    }
    let matches = matches(expected.text(), got.text());
    (!matches).then(|| {
        format!(
            "\n  expected {:?}\n  got      {:?}",
            expected.text(),
            got.text()
        )
    })
}

/// Whether a text is the recorded one, in which `{0}` and `{1}` stand for any text, and LF for CR LF.
fn matches(recorded: &str, text: &str) -> bool {
    let recorded = recorded.replace("{1}", "{0}");
    let text = text.replace("\r\n", "\n");
    let mut pieces = recorded.split("{0}");
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut is_whole = rest.is_empty();
    for piece in pieces {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
        is_whole = piece.is_empty() || rest.is_empty();
    }
    is_whole
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

//! The exchanges under `recorded/`.

pub mod file;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use file::{Exchange, write_folders};

use crate::raw_http::{Answer, parse_answer};

/// The exchange whose request is built here, because its body has five million characters.
const BIG: &str = "post/big-5MB";

/// Returns every exchange of these groups of the login services, in the order of their names.
///
/// # Panics
///
/// A file cannot be read.
pub fn exchanges(groups: &[&str]) -> Vec<Exchange> {
    let mut all = read("login", groups);
    if let Some(big) = all.iter_mut().find(|exchange| exchange.name == BIG) {
        big.request = big_request();
    }
    all
}

/// Returns the exchange of this name with the login services, for example `ok/auth-Login-soap11`.
///
/// # Panics
///
/// There is no such exchange.
pub fn exchange(name: &str) -> Exchange {
    let group = name.split('/').next().unwrap_or_default();
    let mut all = exchanges(&[group]).into_iter();
    all.find(|exchange| exchange.name == name).expect(name)
}

/// Returns every exchange of these groups of the laboratory, or a single one such as `any/node`, in
/// the order of their names.
///
/// # Panics
///
/// A file cannot be read, or there is no such exchange.
pub fn lab(names: &[&str]) -> Vec<Exchange> {
    let named = names.iter().flat_map(|name| {
        let Some((group, _)) = name.split_once('/') else {
            return read("lab", &[name]);
        };
        let mut found = read("lab", &[group]);
        found.retain(|exchange| exchange.name == *name);
        assert_eq!(found.len(), 1, "{name}");
        found
    });
    named.collect()
}

/// Returns every exchange with the service of every shape.
///
/// # Panics
///
/// The file cannot be read.
pub fn shapes() -> Vec<Exchange> {
    read("shapes", &["exchanges"])
}

/// Returns the folder with the recordings of these services.
pub fn folder(services: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.join("recorded").join(services)
}

fn read(services: &str, groups: &[&str]) -> Vec<Exchange> {
    let folder = folder(services);
    let files = groups
        .iter()
        .map(|group| folder.join(format!("{group}.txt")));
    files.flat_map(file::exchanges).collect()
}

/// An exchange that was recorded without some values of the original, and the values for `{0}` and
/// `{1}`.
pub type Filled = (&'static str, &'static [&'static str]);

/// The compared parts of an answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    /// The status.
    pub status: u16,
    /// The names in lower case, and the values, of the headers that are compared.
    pub headers: BTreeSet<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Headers that depend on the time, the machine or the connection.
const MEANINGLESS: [&str; 5] = [
    "host",
    "date",
    "connection",
    "x-aspnet-version",
    "content-length",
];

/// A header of every answer with a body, so that no browser renders a result as HTML, whatever it
/// contains. The original never sends it.
pub const ADDED: (&str, &str) = ("x-content-type-options", "nosniff");

/// Returns the compared parts of an answer.
pub fn seen(answer: &Answer) -> Seen {
    let headers = answer
        .headers
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let headers = headers
        .filter(|(name, _)| !MEANINGLESS.contains(&name.as_str()) && name != ADDED.0)
        .collect();
    Seen {
        status: answer.status,
        headers,
        body: answer.body.clone(),
    }
}

/// Returns the recorded answer with values for its placeholders.
///
/// # Panics
///
/// The answer is not UTF-8.
pub fn recorded_answer(exchange: &Exchange, filled: &[Filled]) -> Seen {
    let mut answer = seen(&parse_answer(&exchange.response));
    if let Some((_, values)) = filled.iter().find(|(name, _)| *name == exchange.name) {
        for (index, value) in values.iter().enumerate() {
            answer.body = replaced(&answer.body, &format!("{{{index}}}"), value);
        }
    }
    answer
}

/// Returns the body with a text replaced.
///
/// # Panics
///
/// The body is not UTF-8.
pub fn replaced(body: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8(body.to_vec())
        .expect("a recorded answer in UTF-8")
        .replace(from, to)
        .into_bytes()
}

/// Returns the differences between two answers.
pub fn compare(expected: &Seen, got: &Seen) -> Vec<String> {
    let mut differences = Vec::new();
    if expected.status != got.status {
        differences.push(format!(
            "status: expected {}, got {}",
            expected.status, got.status
        ));
    }
    if expected.headers != got.headers {
        differences.push(format!(
            "headers: expected {:?}, got {:?}",
            expected.headers, got.headers
        ));
    }
    if expected.body != got.body {
        let [expected, got] = [&expected.body, &got.body].map(|body| String::from_utf8_lossy(body));
        differences.push(format!(
            "body:\n    expected {expected:?}\n    got      {got:?}"
        ));
    }
    differences
}

/// Returns every group of exchanges with the login services.
///
/// # Panics
///
/// The folder cannot be read.
pub fn groups() -> BTreeSet<String> {
    let all = file::exchanges(folder("login")).into_iter();
    let groups = all.filter_map(|exchange| Some(exchange.name.split_once('/')?.0.to_owned()));
    groups.collect()
}

fn big_request() -> Vec<u8> {
    let body = format!("username={}&password=s", "x".repeat(5_000_000));
    let head = "POST /SvcDotNet/Authenticator.asmx/Login HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n";
    format!(
        "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

//! The exchanges under `recorded/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::raw_http::{Answer, parse_answer};

/// One request and its answer, as raw bytes.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Folder and name, for example `ok/auth-Login-soap11`.
    pub name: String,
    /// Request line, headers, an empty line and the body.
    pub request: Vec<u8>,
    /// Status line, headers, an empty line and the body.
    pub response: Vec<u8>,
}

/// The exchange whose request is built here, because its body has five million characters.
const BIG: &str = "post/big-5MB";

/// Every exchange of these folders, in order of their names.
///
/// # Panics
///
/// When a folder or one of its files cannot be read.
pub fn exchanges(folders: &[&str]) -> Vec<Exchange> {
    let mut names: Vec<String> = folders.iter().flat_map(|folder| names_in(folder)).collect();
    names.sort();
    names.iter().map(|name| exchange(name)).collect()
}

/// The exchange of this name, for example `ok/auth-Login-soap11`.
///
/// # Panics
///
/// When it cannot be read.
pub fn exchange(name: &str) -> Exchange {
    let request = if name == BIG {
        big_request()
    } else {
        read(&folder(name).join("request.http"))
    };
    Exchange {
        name: name.to_owned(),
        request,
        response: read(&folder(name).join("response.http")),
    }
}

/// Every exchange of these folders under `recorded/lab/`, or a single one such as `any/node`, in order of their names.
///
/// # Panics
///
/// When a folder or one of its files cannot be read.
pub fn lab(folders: &[&str]) -> Vec<Exchange> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/lab");
    let names = folders.iter().flat_map(|folder| {
        if folder.contains('/') {
            return vec![(*folder).to_owned()];
        }
        let mut cases = listing(&root.join(folder));
        cases.sort();
        let names = cases.into_iter().map(|case| format!("{folder}/{case}"));
        names.collect()
    });
    let exchange = |name: String| Exchange {
        request: read(&root.join(&name).join("request.http")),
        response: read(&root.join(&name).join("response.http")),
        name,
    };
    names.map(exchange).collect()
}

/// Recorded without the values that the original prints there: the exchange and what stands for `{0}` and `{1}`.
pub type Filled = (&'static str, &'static [&'static str]);

/// What an answer is compared by.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    /// The status.
    pub status: u16,
    /// Names in lower case, and values, of the headers that mean something.
    pub headers: BTreeSet<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Headers that depend on the moment, the machine or the connection.
const MEANINGLESS: [&str; 5] = [
    "host",
    "date",
    "connection",
    "x-aspnet-version",
    "content-length",
];

/// Added to every answer with a body: no browser may take a result for HTML, whatever somebody stored in it. The original sends it nowhere.
pub const ADDED: (&str, &str) = ("x-content-type-options", "nosniff");

/// What an answer is compared by.
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

/// The recorded answer with its placeholders filled.
///
/// # Panics
///
/// When the answer is not UTF-8.
pub fn recorded_answer(exchange: &Exchange, filled: &[Filled]) -> Seen {
    let mut answer = seen(&parse_answer(&exchange.response));
    if let Some((_, values)) = filled.iter().find(|(name, _)| *name == exchange.name) {
        for (index, value) in values.iter().enumerate() {
            answer.body = replaced(&answer.body, &format!("{{{index}}}"), value);
        }
    }
    answer
}

/// The body with another text for each of these.
///
/// # Panics
///
/// When the body is not UTF-8.
pub fn replaced(body: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8(body.to_vec())
        .expect("a recorded answer in UTF-8")
        .replace(from, to)
        .into_bytes()
}

/// What differs between two answers.
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

/// Every folder of exchanges under `recorded/login/`.
///
/// # Panics
///
/// When the folder cannot be read.
pub fn folders() -> Vec<String> {
    let mut names = listing(&folder("."));
    names.retain(|name| folder(name).is_dir());
    names.sort();
    names
}

fn names_in(name: &str) -> Vec<String> {
    listing(&folder(name))
        .iter()
        .map(|entry| format!("{name}/{entry}"))
        .collect()
}

fn listing(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries
        .map(|entry| {
            entry
                .expect("a folder entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("recorded/login")
        .join(name)
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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

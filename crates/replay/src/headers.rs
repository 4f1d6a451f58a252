//! Status and headers.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, SET_COOKIE};
use http::{HeaderMap, Response};
use svcgen::mask::{Masked, SECRET};
use svcgen_testing::IGNORED_HEADERS;

use crate::comparison::Learned;
use crate::content::{quoted, words};
use crate::findings::{Findings, NOTHING, is_placeholder};
use crate::kind::DifferenceKind as Kind;

/// A media type and its charset, in lower case.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct MediaType {
    pub(crate) essence: String,
    pub(crate) charset: Option<String>,
    others: Vec<String>,
}

impl MediaType {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = headers.get(CONTENT_TYPE).map(|value| value.as_bytes());
        let text = String::from_utf8_lossy(text.unwrap_or_default()).to_ascii_lowercase();
        let mut parts = text.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default().to_owned();
        let (mut charset, mut others) = (None, Vec::new());
        for part in parts.filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some((name, value)) if name.trim() == "charset" => {
                    charset = Some(value.trim().trim_matches('"').to_owned());
                }
                _ => others.push(part.replace('"', "")),
            }
        }
        others.sort();
        Self {
            essence,
            charset,
            others,
        }
    }

    pub(crate) fn is_package(&self) -> bool {
        self.essence == "multipart/related"
    }

    pub(crate) fn is_json(&self) -> bool {
        self.essence == "application/json" || self.essence.ends_with("+json")
    }
}

/// Compares status and headers.
pub(crate) fn compare(
    expected: &Response<Bytes>,
    found: &Response<Bytes>,
    findings: &mut Findings<'_>,
) {
    if expected.status() != found.status() {
        let texts = [expected, found].map(|response| response.status().to_string());
        let told = texts.map(|text| findings.content.text(&text));
        findings.add(Kind::Status, "status", told);
    }
    let (headers, others) = (expected.headers(), found.headers());
    learn_cookies(headers, others, findings);
    let added = others.keys().filter(|name| !headers.contains_key(*name));
    for name in headers.keys().chain(added) {
        if IGNORED_HEADERS.contains(name)
            || findings.rules.ignores_header(name)
            || *name == http::header::CONTENT_ENCODING
        {
            continue;
        }
        let values = [headers, others].map(|headers| {
            let values = headers.get_all(name).iter();
            let values = values.map(|value| String::from_utf8_lossy(value.as_bytes()));
            values.collect::<Vec<_>>()
        });
        if values[0] == values[1] || values[0].iter().any(|value| is_placeholder(value)) {
            continue;
        }
        let [shown, other] = [headers, others].map(|headers| shown(headers, name));
        let kind = match (&values[0][..], &values[1][..]) {
            (_, []) => Kind::MissingHeader,
            ([], _) => Kind::ExtraHeader,
            _ if *name == CONTENT_TYPE => content_type(headers, others),
            _ => Kind::Header,
        };
        let place = format!("header {}", canonical(name));
        findings.add(kind, place, [shown, other]);
    }
}

/// Returns the values of a header as they are shown.
pub(crate) fn shown(headers: &HeaderMap, name: &HeaderName) -> Masked<String> {
    let values = headers.get_all(name).iter();
    let values: Masked<Vec<_>> = values
        .map(|value| {
            let header = Masked::header(name.as_str().as_bytes(), value.as_bytes());
            header.map(|(_, value)| String::from_utf8_lossy(value))
        })
        .collect();
    match values.len() {
        0 => words(NOTHING),
        1 => values.map(|values| quoted(values.concat())),
        // Either all values are secrets, or none is.
        _ if values.iter().all(|value| value == SECRET) => words(SECRET),
        _ => values.map(|values| values.join(", ")),
    }
}

fn content_type(expected: &HeaderMap, found: &HeaderMap) -> Kind {
    let (expected, found) = (MediaType::of(expected), MediaType::of(found));
    if expected == found {
        Kind::ContentTypeForm
    } else if expected.essence == found.essence && expected.others == found.others {
        Kind::Charset
    } else {
        Kind::MediaType
    }
}

/// Learns the cookies that replace recorded ones, if a rule learns them or the recorded ones are
/// masked.
fn learn_cookies(expected: &HeaderMap, found: &HeaderMap, findings: &mut Findings<'_>) {
    let mut recorded = expected.get_all(SET_COOKIE).iter();
    let is_masked = recorded.any(|cookie| cookie.as_bytes() == SECRET.as_bytes());
    if !is_masked && !findings.rules.learns_header(&SET_COOKIE) {
        return;
    }
    for (name, now) in cookies(found) {
        let recorded = cookies(expected).find(|(other, _)| *other == name);
        findings.learned.push(Learned {
            recorded: recorded.map_or_else(|| SECRET.to_owned(), |(_, value)| value),
            name,
            now,
            is_cookie: true,
        });
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (String, String)> {
    let each = headers.get_all(SET_COOKIE).iter();
    each.filter_map(|cookie| {
        let cookie = cookie.to_str().ok()?;
        let (name, value) = cookie.split(';').next()?.split_once('=')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    })
}

/// Returns a header name as it is usually written: `Content-Type`.
fn canonical(name: &HeaderName) -> String {
    let words = name.as_str().split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect::<Vec<_>>().join("-")
}

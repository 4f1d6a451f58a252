//! Describes the differences between a recorded response and an answer.

use std::fmt::Write;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, HeaderName, HeaderValue};
use http::{HeaderMap, Response};
use svcgen_model::is_hidden;

/// The number of characters to show before the first difference of a line, and from there on.
const SHOWN: (usize, usize) = (60, 100);

/// Describes the differences, one per line; empty if there are none.
pub(super) fn differences(
    recorded: &Response<Bytes>,
    answered: &Response<Bytes>,
    ignored: &[HeaderName],
) -> String {
    let mut told = String::new();
    let (status, other) = (recorded.status(), answered.status());
    if status != other {
        // Writing to a string cannot fail.
        let _ = writeln!(
            told,
            "  status: {status} was recorded, the answer has {other}"
        );
    }
    let (headers, others) = (recorded.headers(), answered.headers());
    let added = others.keys().filter(|name| !headers.contains_key(*name));
    for name in headers.keys().chain(added) {
        let values = [headers, others].map(|headers| values(headers, name));
        if values[0] != values[1] && !ignored.contains(name) {
            let [value, other] = values.map(|values| match values.as_slice() {
                [] => "none".to_owned(),
                values => format!("{values:?}"),
            });
            let _ = writeln!(
                told,
                "  {name}: {value} was recorded, the answer has {other}"
            );
        }
    }
    if let Some(coding) = headers.get(CONTENT_ENCODING)
        && recorded.body() != answered.body()
    {
        let _ = writeln!(
            told,
            "  body: the recorded one is compressed ({coding:?}); record without Accept-Encoding in the request"
        );
    } else {
        bodies(recorded.body(), answered.body(), &mut told);
    }
    told
}

fn values<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h HeaderValue> {
    headers.get_all(name).iter().collect()
}

fn bodies(recorded: &[u8], answered: &[u8], told: &mut String) {
    if recorded == answered {
        return;
    }
    let same = recorded
        .iter()
        .zip(answered)
        .take_while(|(one, other)| one == other);
    let at = same.count();
    let _ = writeln!(
        told,
        "  body: {} bytes were recorded, the answer has {}; the first difference is at byte {at}",
        recorded.len(),
        answered.len(),
    );
    let mut texts = [recorded, answered].map(|body| indented(&String::from_utf8_lossy(body)));
    if texts[0] == texts[1] {
        // They differ in white space between tags, or in bytes that are not UTF-8.
        texts =
            [recorded, answered].map(|body| body.escape_ascii().to_string().replace("\\\"", "\""));
    }
    let [recorded, answered] = texts
        .each_ref()
        .map(|text| text.split('\n').collect::<Vec<_>>());
    let same = recorded
        .iter()
        .zip(&answered)
        .take_while(|(one, other)| one == other);
    let line = same.count();
    let [one, other] = [&recorded, &answered].map(|lines| lines.get(line).copied());
    let column = match (one, other) {
        (Some(one), Some(other)) => {
            let same = one.chars().zip(other.chars());
            same.take_while(|(one, other)| one == other).count()
        }
        _ => 0,
    };
    if let Some(before) = line.checked_sub(1) {
        let _ = writeln!(told, "             | {}", excerpt(recorded[before], 0));
    }
    let show =
        |line: Option<&str>| line.map_or("(nothing more)".to_owned(), |line| excerpt(line, column));
    let _ = writeln!(told, "    recorded | {}", show(one));
    let _ = writeln!(told, "    answered | {}", show(other));
}

/// Returns the part of a line around a column, with escapes for invisible characters.
fn excerpt(line: &str, column: usize) -> String {
    let (before, after) = SHOWN;
    let start = column.saturating_sub(before);
    let mut shown = String::from(if start > 0 { "…" } else { "" });
    let mut rest = line.chars().skip(start);
    for c in rest.by_ref().take(column - start + after) {
        if is_hidden(c) || matches!(c, '\r' | '\u{feff}') {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Indents XML: starts a line at each tag that follows another one. Returns other text unchanged.
/// Text in the document stays unchanged, so that the lines of two documents differ where the
/// documents do.
pub fn indented(text: &str) -> String {
    if !text.trim_start_matches('\u{feff}').starts_with('<') {
        return text.to_owned();
    }
    let mut lines = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(end) = rest.find('>') {
        let (part, after) = rest.split_at(end + 1);
        let tag = part.rfind('<').map_or("", |start| &part[start..]);
        let is_end = tag.starts_with("</");
        let is_leaf = tag.ends_with("/>") || tag.starts_with("<?") || tag.starts_with("<!");
        depth = depth.saturating_sub(usize::from(is_end));
        if part.starts_with('<') && !lines.is_empty() {
            lines.push('\n');
            // The depth of hostile documents would make the length of the text quadratic.
            lines.extend(std::iter::repeat_n("  ", depth.min(20)));
        }
        lines += part;
        depth += usize::from(!is_end && !is_leaf);
        rest = after;
    }
    lines + rest
}

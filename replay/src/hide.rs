//! Texts of others without the secrets that they quote.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use svcgen::mask::SECRET;

/// A text of another side, without the secrets that it quotes: written as they are, escaped as in XML or JSON, percent-encoded, or in base64.
///
/// Secrets are looked for at once, so that none is found in what stands for another. One of less than four characters is found everywhere, and tells itself by where something
/// stands in its place: of a text that holds it nothing is shown.
pub fn hide_secrets<'t, 's>(
    text: &'t str,
    secrets: impl IntoIterator<Item = &'s str>,
) -> Cow<'t, str> {
    const SHORTEST: usize = 4;
    let mut found = Vec::new();
    for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
        let before = found.len();
        for form in forms(secret) {
            let starts = memchr::memmem::find_iter(text.as_bytes(), &form);
            found.extend(starts.map(|start| start..start + form.len()));
        }
        if secret.chars().count() < SHORTEST && found.len() > before {
            return SECRET.into();
        }
    }
    if found.is_empty() {
        return text.into();
    }
    // What stands for a secret already is none, whatever secrets there are.
    let marks = text.match_indices(SECRET);
    found.extend(marks.map(|(start, mark)| start..start + mark.len()));
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for range in joined(found) {
        shown.push_str(&text[end..range.start]);
        shown.push_str(SECRET);
        end = range.end;
    }
    shown.push_str(&text[end..]);
    shown.into()
}

/// Ranges in their order, each that begins in another one joined with it.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// In which forms a server may repeat a secret.
fn forms(secret: &str) -> [String; 6] {
    let json = serde_json::Value::from(secret).to_string();
    let xml = secret.replace('&', "&amp;").replace('<', "&lt;");
    let base64 = BASE64_STANDARD.encode(secret);
    [
        secret.to_owned(),
        json[1..json.len() - 1].to_owned(),
        utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        xml.replace('>', "&gt;"),
        xml,
        base64.trim_end_matches('=').to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::hide_secrets;

    #[test]
    fn secrets_are_hidden_at_once() {
        for (text, secrets, shown) in [
            ("No user hunter2.", &["hunter2"][..], "No user [secret]."),
            ("hunter2hunter2", &["hunter2"], "[secret][secret]"),
            ("a&amp;b&lt;c d", &["a&b<c"], "[secret] d"),
            ("a%26b%3Cc d", &["a&b<c"], "[secret] d"),
            ("YSZiPGM= d", &["a&b<c"], "[secret]= d"),
            // One in another, or over its end.
            ("hunter2!", &["hunt", "hunter2"], "[secret]!"),
            ("hunter2x!", &["hunter2", "ter2x"], "[secret]!"),
            // What stands for one is none.
            ("a secret: [secret]", &["secret"], "a [secret]: [secret]"),
            (
                "hunter2 [secret]",
                &["hunter2", "cret"],
                "[secret] [secret]",
            ),
            // Short ones tell themselves by what is missing.
            ("type", &["p"], "[secret]"),
            ("the secret", &["e", "secret"], "[secret]"),
            ("no", &["e", "hunter2", ""], "no"),
        ] {
            let secrets = secrets.iter().copied();
            assert_eq!(hide_secrets(text, secrets), shown, "{text}");
        }
    }
}

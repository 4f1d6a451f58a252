//! The `Content-Type` header, read as tolerantly as its senders write it.

use std::borrow::Cow;

use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

use svcgen_wire::internals::{Charset, decode_message};

/// A media type with its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaType<'h> {
    /// The type itself, as written.
    pub essence: &'h str,
    parameters: &'h str,
}

impl<'h> MediaType<'h> {
    /// Reads the value of a `Content-Type` header; `""` if the header is absent.
    pub fn read(header: &'h str) -> Self {
        let (essence, parameters) = header.split_once(';').unwrap_or((header, ""));
        Self {
            essence: essence.trim(),
            parameters,
        }
    }

    /// Whether this is `essence` (`text/xml`), in any letter case.
    pub fn is(&self, essence: &str) -> bool {
        self.essence.eq_ignore_ascii_case(essence)
    }

    /// Returns the value of a parameter without its quotes. The name may have any letter case.
    pub fn parameter(&self, name: &str) -> Option<Cow<'h, str>> {
        let mut rest = self.parameters;
        while !rest.is_empty() {
            let (parameter, after) = split_parameter(rest);
            rest = after;
            match parameter.split_once('=') {
                Some((key, value)) if key.trim().eq_ignore_ascii_case(name) => {
                    return Some(unquote(value.trim()));
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the encoding that the `charset` parameter names, if it is known.
    pub(crate) fn charset(&self) -> Option<Charset> {
        // Most senders write it like this.
        if self.parameters == " charset=utf-8" {
            return Some(Charset::UTF_8);
        }
        Charset::named(&self.parameter("charset")?)
    }
}

/// Returns the text of a header; empty if the header is absent.
pub fn header_text(header: Option<&HeaderValue>) -> Cow<'_, str> {
    let bytes = header.map_or(&[][..], HeaderValue::as_bytes);
    // This is several times as fast as replacing invalid bytes.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Decodes the text of a message in XML, as the bindings do.
///
/// # Errors
///
/// Returns a sentence that describes the problem and its place.
pub fn message_text<'b>(headers: &HeaderMap, body: &'b [u8]) -> Result<Cow<'b, str>, String> {
    let content_type = header_text(headers.get(CONTENT_TYPE));
    decode_message(body, MediaType::read(&content_type).charset())
}

/// Returns the compression of a body, according to `Content-Encoding`. Some senders name the
/// charset there, which is not a compression.
pub(crate) fn compression(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let codings = headers.get_all(CONTENT_ENCODING).iter();
    codings
        .map(|coding| header_text(Some(coding)))
        .find(|coding| {
            let is_plain = coding.is_empty() || coding.eq_ignore_ascii_case("identity");
            !is_plain && Charset::named(coding).is_none()
        })
}

/// Whether a body is compressed with gzip, and with nothing else.
pub fn is_gzip(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    // RFC 9110 §8.4.1.3: `x-gzip` is the same.
    let names = ["gzip", "x-gzip"];
    let is_named = codings.next().is_some_and(|coding| {
        let coding = coding.as_bytes();
        names
            .iter()
            .any(|name| coding.eq_ignore_ascii_case(name.as_bytes()))
    });
    is_named && codings.next().is_none()
}

/// Splits a text at the next `;` outside of quotes.
fn split_parameter(text: &str) -> (&str, &str) {
    let mut quoted = false;
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => return (&text[..index], &text[index + 1..]),
            _ => {}
        }
    }
    (text, "")
}

/// Removes the quotes of a quoted string (RFC 9110 §5.6.4) or, as some callers write them, single
/// quotes.
fn unquote(value: &str) -> Cow<'_, str> {
    let inner = ['"', '\'']
        .iter()
        .find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    match inner {
        None => Cow::Borrowed(value),
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        Some(inner) => {
            let mut escaped = false;
            let is_kept = |character: &char| {
                escaped = *character == '\\' && !escaped;
                !escaped
            };
            Cow::Owned(inner.chars().filter(is_kept).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn essence_is_case_blind_and_may_have_blanks() {
        for header in [
            "text/xml",
            "TEXT/XML; charset=utf-8",
            " text/xml ; charset=utf-8",
            "text/xml;",
        ] {
            assert!(MediaType::read(header).is("text/xml"), "{header}");
        }
        assert!(!MediaType::read("text/xmlx").is("text/xml"));
        assert!(!MediaType::read("").is("text/xml"));
    }

    #[test]
    fn parameters_are_found_behind_quoted_semicolons() {
        let header = r#"application/soap+xml; action="http://a/;charset=x"; Charset="UTF-8""#;
        let media_type = MediaType::read(header);
        assert_eq!(
            media_type.parameter("action").unwrap(),
            "http://a/;charset=x"
        );
        assert_eq!(media_type.charset(), Some(Charset::UTF_8));
        assert_eq!(media_type.parameter("boundary"), None);
    }

    #[test]
    fn quotes_and_escapes_are_removed() {
        let charset = |header| {
            let parameter = MediaType::read(header).parameter("charset");
            parameter.map(Cow::into_owned)
        };
        assert_eq!(
            charset("text/xml; charset='utf-8'").as_deref(),
            Some("utf-8")
        );
        assert_eq!(
            charset(r#"text/xml; charset="a\"b""#).as_deref(),
            Some("a\"b")
        );
        assert_eq!(
            charset(r#"text/xml; charset="utf-8"#).as_deref(),
            Some("\"utf-8")
        );
        assert_eq!(charset("text/xml; charset").as_deref(), None);
    }

    #[test]
    fn only_gzip_is_gzip() {
        for (codings, expected) in [
            (&["gzip"][..], true),
            (&["X-GZip"], true),
            (&["deflate"], false),
            (&["gzip, gzip"], false),
            (&["gzip", "gzip"], false),
            (&[], false),
        ] {
            let headers = codings
                .iter()
                .map(|coding| (CONTENT_ENCODING, coding.parse().unwrap()));
            assert_eq!(is_gzip(&headers.collect()), expected, "{codings:?}");
        }
    }
}

//! Results over HTTP GET and POST: a bare root element.

use crate::xml::Content;

/// The `Content-Type` of a result.
pub(crate) const CONTENT_TYPE: &str = "text/xml; charset=utf-8";

/// Writes the declaration and a line end; the root element is to follow.
pub(crate) fn start(crlf: bool, out: &mut Vec<u8>) -> Content<'_> {
    let (mut out, line_end) = match crlf {
        true => (Content::indented_crlf(out), "\r\n"),
        false => (Content::indented(out), "\n"),
    };
    out.raw(r#"<?xml version="1.0" encoding="utf-8"?>"#);
    out.raw(line_end);
    out
}

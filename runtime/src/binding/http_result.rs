//! Results over HTTP GET and POST: a bare root element.

use crate::xml::{Content, WriteError};

/// The `Content-Type` of a result.
pub(crate) const CONTENT_TYPE: &str = "text/xml; charset=utf-8";

/// Writes the declaration, a line end and the root element that `root` writes.
pub(crate) fn write<'o>(
    crlf: bool,
    out: &'o mut Vec<u8>,
    root: &mut dyn FnMut(&mut Content<'o>),
) -> Result<(), WriteError> {
    let (mut out, line_end) = match crlf {
        true => (Content::indented_crlf(out), "\r\n"),
        false => (Content::indented(out), "\n"),
    };
    out.raw(r#"<?xml version="1.0" encoding="utf-8"?>"#);
    out.raw(line_end);
    root(&mut out);
    out.finish()
}

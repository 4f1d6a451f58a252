//! Text as HTML and URLs carry it.

use std::borrow::Cow;
use std::fmt::Write;

/// A text as it stands in HTML, in elements and in quoted attributes.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let escaped = escaped.replace('>', "&gt;").replace('"', "&quot;");
    Cow::Owned(escaped.replace('\'', "&#39;"))
}

/// A name or path as a URL and a form carry it: ASCII stays, the bytes of everything else are `%XX`.
pub(crate) fn percent_encoded(text: &str) -> Cow<'_, str> {
    let stays = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'%' | b'"' | b'<' | b'>');
    if text.as_bytes().iter().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for byte in text.as_bytes() {
        if stays(byte) {
            encoded.push(char::from(*byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    Cow::Owned(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("plain é"), "plain é");
        assert_eq!(
            escaped("<a href=\"x\" b='y'>&</a>"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&lt;/a&gt;"
        );
    }

    #[test]
    fn what_is_not_ascii_is_percent_encoded() {
        assert_eq!(percent_encoded("/A.asmx"), "/A.asmx");
        assert_eq!(percent_encoded("/é x%"), "/%C3%A9%20x%25");
    }
}

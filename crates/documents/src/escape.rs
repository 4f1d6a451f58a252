//! Escaping for HTML and URLs.

use std::borrow::Cow;

use svcgen_model::is_hidden;

/// Escapes text for elements and quoted attributes of HTML. Omits invisible characters.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| matches!(c, '&' | '<' | '>' | '"' | '\'') || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace(is_hidden, "");
    let escaped = escaped.replace('&', "&amp;").replace('<', "&lt;");
    let escaped = escaped.replace('>', "&gt;").replace('"', "&quot;");
    Cow::Owned(escaped.replace('\'', "&#39;"))
}

/// A name or path in a URL or a form: everything except visible ASCII becomes `%XX`.
pub(crate) fn percent_encoded(text: &str) -> String {
    let encoded = text.bytes().map(|byte| {
        if byte.is_ascii_graphic() && !matches!(byte, b'%' | b'"' | b'<' | b'>') {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("plain é"), "plain é");
        assert_eq!(escaped("a\u{202E}b\u{1B}[31m\u{61C}\n"), "ab[31m\n");
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

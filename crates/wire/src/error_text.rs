//! The texts of errors, which may quote text of the other side.

use std::borrow::Cow;
use std::error::Error;

use svcgen_model::is_hidden;

/// The maximum length of the text of an error, in bytes.
const LONGEST: usize = 1000;
/// The lengths of the beginning and the end that are kept of a longer one.
const KEPT: [usize; 2] = [500, 200];

/// A text with at most 1,000 bytes: in a longer one the middle, which contains the quotation, is
/// replaced by `…`.
pub fn bounded<'t>(text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
    let text = text.into();
    if text.len() <= LONGEST {
        return text;
    }
    let [start, end] = KEPT;
    format!(
        "{}…{}",
        &text[..boundary(&text, start)],
        &text[boundary(&text, text.len() - end)..]
    )
    .into()
}

/// The innermost names of a path, up to 200 bytes.
pub fn innermost(path: &str) -> Cow<'_, str> {
    const SHOWN: usize = 200;
    if path.len() <= SHOWN {
        return path.into();
    }
    let end = &path[boundary(path, path.len() - SHOWN)..];
    let whole = end.split_once('/').map_or(end, |(_, names)| names);
    format!("…/{whole}").into()
}

/// The next character boundary.
fn boundary(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

/// An error with its causes.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let message = cause.to_string();
        // Some errors include their cause.
        if !text.ends_with(&message) {
            text = format!("{text}: {message}");
        }
        next = cause.source();
    }
    text
}

/// A text for a terminal or a log: bounded, on one line, and with U+FFFD in place of characters
/// that control either.
pub fn printable(text: &str) -> String {
    let text = bounded(text);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace(is_hidden, "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_their_ends() {
        let text = "x".repeat(LONGEST);
        assert_eq!(bounded(&*text), text);
        let text = format!("The string '{}' is not a number.", "é".repeat(1_000_000));
        let short = bounded(text);
        assert!(short.starts_with("The string 'éé") && short.ends_with("éé' is not a number."));
        assert_eq!(short.matches('…').count(), 1);
        assert!(short.len() < LONGEST);
    }

    #[test]
    fn paths_keep_their_innermost_names() {
        assert_eq!(innermost("a/b"), "a/b");
        assert_eq!(innermost(&format!("{}/é/b", "é".repeat(98))), "…/é/b");
    }

    #[test]
    fn printable_text_is_one_line_without_controls() {
        assert_eq!(
            printable("<html>\r\n <b>\u{1b}[31m x"),
            "<html> <b>\u{FFFD}[31m x"
        );
        assert_eq!(printable("a\u{2028}b\u{2029}c\u{85}d"), "a b c d");
        for control in [
            '\0', '\u{7f}', '\u{9b}', '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202E}',
            '\u{2066}', '\u{2069}',
        ] {
            assert_eq!(printable(&format!("a{control}b")), "a\u{FFFD}b");
        }
    }
}

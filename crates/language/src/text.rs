//! Decodes definitions, and refuses characters that YAML does not allow.

use crate::diagnostic::Diagnostics;
use crate::rules::Rule;
use crate::sink::{PendingSpan, Sink};
use crate::span::Spans;

/// The maximum size of a definition in bytes.
pub const MOST_BYTES: usize = 16 << 20;

const SAVE_AS_UTF8: &str = "save the file as UTF-8";

/// Decodes the text of a file.
pub fn decode<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Diagnostics> {
    if bytes.len() > MOST_BYTES {
        let message = format!("a definition has at most {} MiB", MOST_BYTES >> 20);
        let hint = "is this a definition? a service of that size is better made several";
        return Err(Diagnostics::unreadable(file, message, Some(hint)));
    }
    let error = match str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = bytes {
        let message = "the definition is UTF-16".to_owned();
        return Err(Diagnostics::unreadable(file, message, Some(SAVE_AS_UTF8)));
    }
    let at = error.valid_up_to();
    let message = format!("the definition is not UTF-8: byte {} is wrong", at + 1);
    let span = PendingSpan::Text(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
    let mut sink = Sink::default();
    sink.add(Rule::File, span, message).hint(SAVE_AS_UTF8);
    let text = String::from_utf8_lossy(bytes);
    Err(sink.finish(file, &text, 0, &Spans::default()))
}

/// Returns a text without its byte order mark, and the size of the mark in bytes.
pub fn without_mark(text: &str) -> (&str, usize) {
    let rest = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    (rest, text.len() - rest.len())
}

/// Reports a character that YAML does not allow. Returns whether there is none.
pub fn is_text(text: &str, sink: &mut Sink) -> bool {
    let Some((at, character)) = text.char_indices().find(|(_, c)| is_refused(*c)) else {
        return true;
    };
    let number = u32::from(character);
    let hint = match character {
        '\0' => SAVE_AS_UTF8.to_owned(),
        _ => format!("take it out; in double quotes it can be written as `\\u{number:04X}`"),
    };
    sink.add(
        Rule::File,
        PendingSpan::Text(at..at + character.len_utf8()),
        format!("a definition cannot hold the character U+{number:04X}"),
    )
    .hint(hint);
    false
}

/// Whether a character is not printable (YAML 1.1 §4.1.1).
fn is_refused(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => true,
        c => c.is_control(),
    }
}

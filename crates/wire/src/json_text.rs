//! Texts in JSON, escaped as in ASMX, so that they may also be embedded in a script or a page.

use crate::xml::escape::{Clean, is_all_clean, is_clean};

/// Appends a text in quotes.
pub fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = next_special(rest) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain);
        rest = push_escaped(out, special);
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Whether a text certainly needs no escaping in quotes.
#[inline]
pub fn is_plain(text: &[u8]) -> bool {
    is_all_clean::<Quoted>(text)
}

/// The treatment of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// It is copied.
    None,
    /// A letter after `\`.
    Letter(u8),
    /// `\u00XX`.
    Number,
    /// Some characters that start with it are escaped, see [`long`].
    Long,
}

const ESCAPES: [Escape; 256] = {
    let mut escapes = [Escape::None; 256];
    let mut byte = 0;
    while byte < 256 {
        escapes[byte] = match byte as u8 {
            b'"' => Escape::Letter(b'"'),
            b'\\' => Escape::Letter(b'\\'),
            0x08 => Escape::Letter(b'b'),
            0x0C => Escape::Letter(b'f'),
            b'\n' => Escape::Letter(b'n'),
            b'\r' => Escape::Letter(b'r'),
            b'\t' => Escape::Letter(b't'),
            0..0x20 | b'\'' | b'<' | b'>' | b'&' => Escape::Number,
            0xC2 | 0xE2 => Escape::Long,
            _ => Escape::None,
        };
        byte += 1;
    }
    escapes
};

/// The escape of a line-ending character beyond ASCII at the start of a text, and its length in
/// UTF-8.
fn long(text: &[u8]) -> Option<(&'static [u8], usize)> {
    match text {
        [0xC2, 0x85, ..] => Some((b"\\u0085", 2)),
        [0xE2, 0x80, 0xA8, ..] => Some((b"\\u2028", 3)),
        [0xE2, 0x80, 0xA9, ..] => Some((b"\\u2029", 3)),
        _ => None,
    }
}

/// The index of the first character that is escaped.
#[inline]
fn next_special(text: &[u8]) -> Option<usize> {
    let (chunks, rest) = text.as_chunks::<16>();
    for (index, chunk) in chunks.iter().enumerate() {
        if !is_clean::<Quoted, 16>(chunk)
            && let Some(at) = special_among(text, index * 16..index * 16 + 16)
        {
            return Some(at);
        }
    }
    special_among(text, text.len() - rest.len()..text.len())
}

fn special_among(text: &[u8], mut indexes: std::ops::Range<usize>) -> Option<usize> {
    indexes.find(|at| match ESCAPES[usize::from(text[*at])] {
        Escape::None => false,
        Escape::Long => long(&text[*at..]).is_some(),
        Escape::Letter(_) | Escape::Number => true,
    })
}

struct Quoted;

impl Clean for Quoted {
    #[inline(always)]
    fn is_special(byte: u8) -> bool {
        ESCAPES[usize::from(byte)] != Escape::None
    }

    /// The bytes that may be escaped come in pairs that differ in one bit.
    #[inline(always)]
    fn clean(byte: u8) -> u8 {
        let control = byte & !0x1F;
        let (angle, mark) = ((byte | 2) ^ b'>', (byte | 4) ^ b'&');
        let (apostrophe, long) = (byte ^ b'\'', (byte | 0x20) ^ 0xE2);
        let ends = control.min(byte ^ b'\\').min(long);
        ends.min(angle).min(mark).min(apostrophe)
    }
}

/// Appends the escape of the character at the start of a text. Returns the text after it.
fn push_escaped<'t>(out: &mut Vec<u8>, text: &'t [u8]) -> &'t [u8] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let Some((&byte, rest)) = text.split_first() else {
        return text;
    };
    match ESCAPES[usize::from(byte)] {
        Escape::Letter(letter) => out.extend_from_slice(&[b'\\', letter]),
        Escape::Number => {
            let digits = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&digits);
        }
        Escape::None | Escape::Long => {
            if let Some((escape, length)) = long(text) {
                out.extend_from_slice(escape);
                return &text[length..];
            }
            out.push(byte);
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::push_text;

    fn escaped(text: &str) -> String {
        let mut out = Vec::new();
        push_text(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    /// The text that .NET writes for a character.
    fn expected(character: char) -> String {
        match character {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\u{C}' => "\\f".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\0'..' ' | '\'' | '<' | '>' | '&' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                format!("\\u{:04x}", u32::from(character))
            }
            _ => character.to_string(),
        }
    }

    #[test]
    fn characters_are_escaped_as_by_net() {
        let beyond = ['\u{10000}', '\u{1F600}', '\u{2F800}', '\u{10FFFF}'];
        for character in ('\0'..='\u{FFFF}').chain(beyond) {
            let expected = expected(character);
            assert_eq!(escaped(&character.to_string()), format!("\"{expected}\""));
            // At any position among the bytes that are checked together, and with text after it.
            let before = "x".repeat(u32::from(character) as usize % 17);
            let text = format!("{before}{character}é–{character}0123456789abcdef{character}");
            let all = format!("\"{before}{expected}é–{expected}0123456789abcdef{expected}\"");
            assert_eq!(escaped(&text), all);
        }
    }

    #[test]
    fn whatever_is_written_is_read_as_the_same_text() {
        let all: String = ('\0'..='\u{FFFF}').rev().collect();
        for text in ["", "plain", &all] {
            let read: String = serde_json::from_str(&escaped(text)).unwrap();
            assert_eq!(read, text);
        }
    }
}

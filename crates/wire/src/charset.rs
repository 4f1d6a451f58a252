//! Decoding the bytes of a message.
//!
//! A byte order mark wins over the `charset` parameter, which wins over the XML declaration; an
//! unknown `charset` counts as none. Text without any of them is UTF-8 (XML 1.0 §4.3.3, appendix
//! F).

use std::borrow::Cow;

use encoding_rs::mem::decode_latin1;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::xml::declared_encoding;

/// An encoding that a message or a form may be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// US-ASCII: bytes above 0x7F are invalid.
    Ascii,
    /// ISO-8859-1, every byte its code point; the encoding standard of the web would read it as
    /// windows-1252.
    Latin1,
    /// Any encoding of the web's encoding standard.
    Other(&'static Encoding),
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Self = Self::Other(UTF_8);

    /// The encoding of a `charset` parameter or an XML declaration, by any of its names, in any
    /// letter case.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim();
        // Nearly every sender names this one.
        if name.eq_ignore_ascii_case("utf-8") {
            return Some(Self::UTF_8);
        }
        match name.to_ascii_lowercase().as_str() {
            "us-ascii" | "ascii" | "ansi_x3.4-1968" | "iso-ir-6" | "iso646-us" => Some(Self::Ascii),
            "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "iso88591" | "latin1" | "latin-1"
            | "l1" | "iso-ir-100" | "cp819" | "ibm819" => Some(Self::Latin1),
            name => Encoding::for_label_no_replacement(name.as_bytes()).map(Self::Other),
        }
    }

    /// Decodes bytes.
    ///
    /// # Errors
    ///
    /// Returns the index of the first invalid byte.
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
        match self {
            Self::Other(encoding) if encoding == UTF_8 => decode_utf8(bytes),
            Self::Ascii if bytes.is_ascii() => decode_utf8(bytes),
            Self::Ascii => Err(bytes.iter().take_while(|byte| byte.is_ascii()).count()),
            Self::Latin1 => Ok(decode_latin1(bytes)),
            Self::Other(encoding) => encoding
                .decode_without_bom_handling_and_without_replacement(bytes)
                .ok_or_else(|| first_invalid(encoding, bytes)),
        }
    }

    /// Decodes bytes into an owned text, which reuses their memory if possible.
    ///
    /// # Errors
    ///
    /// Returns the index of the first invalid byte.
    pub(crate) fn decode_owned(self, bytes: Vec<u8>) -> Result<String, usize> {
        if self == Self::UTF_8 {
            let decoded = String::from_utf8(bytes);
            return decoded.map_err(|error| error.utf8_error().valid_up_to());
        }
        self.decode(&bytes).map(Cow::into_owned)
    }

    fn is_utf16(self) -> bool {
        self == Self::Other(UTF_16LE) || self == Self::Other(UTF_16BE)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ascii => "us-ascii",
            Self::Latin1 => "iso-8859-1",
            Self::Other(encoding) => encoding.name(),
        }
    }
}

/// Decodes an XML message, without its byte order mark. `charset` is that of its media type.
///
/// # Errors
///
/// Returns a sentence that says what is wrong and where.
pub fn decode_message(bytes: &[u8], charset: Option<Charset>) -> Result<Cow<'_, str>, String> {
    let (encoding, length) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (Charset::Other(encoding), length),
        None => (encoding_without_mark(bytes, charset)?, 0),
    };
    let bytes = &bytes[length..];
    encoding
        .decode(bytes)
        .map_err(|index| invalid_byte(encoding, &bytes[..index]))
}

fn encoding_without_mark(bytes: &[u8], charset: Option<Charset>) -> Result<Charset, String> {
    let seen = utf16_by_first_character(bytes);
    if let Some(named) = charset {
        return Ok(if named.is_utf16() {
            seen.unwrap_or(named)
        } else {
            named
        });
    }
    if let Some(seen) = seen {
        return Ok(seen);
    }
    match declared_encoding(bytes) {
        None => Ok(Charset::UTF_8),
        Some(name) => match Charset::named(name) {
            None => Err(format!(
                "System does not support '{name}' encoding. Line 1, position 31."
            )),
            Some(encoding) if encoding.is_utf16() => Err(format!(
                "The XML declaration names the encoding '{name}', but the bytes are not in it. Line 1, position 31."
            )),
            Some(encoding) => Ok(encoding),
        },
    }
}

/// Recognizes UTF-16 without a byte order mark by the `<` that every document starts with.
fn utf16_by_first_character(bytes: &[u8]) -> Option<Charset> {
    match bytes {
        [b'<', 0, ..] => Some(Charset::Other(UTF_16LE)),
        [0, b'<', ..] => Some(Charset::Other(UTF_16BE)),
        _ => None,
    }
}

fn decode_utf8(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    simdutf8::compat::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|error| error.valid_up_to())
}

/// The length of the longest prefix that decodes. Called for refused messages only.
fn first_invalid(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = [0; 1024];
    let mut read = 0;
    loop {
        let (result, length, _) =
            decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut text, true);
        read += length;
        match result {
            encoding_rs::DecoderResult::InputEmpty => return read,
            encoding_rs::DecoderResult::OutputFull => {}
            encoding_rs::DecoderResult::Malformed(invalid, after) => {
                return read.saturating_sub(usize::from(invalid) + usize::from(after));
            }
        }
    }
}

fn invalid_byte(encoding: Charset, valid: &[u8]) -> String {
    let text = encoding.decode(valid).unwrap_or_default();
    let line = text.matches('\n').count() + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!(
        "Invalid character in the given encoding ({}). Line {line}, position {column}.",
        encoding.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message whose media type names a charset.
    fn decode_as<'b>(bytes: &'b [u8], charset: &str) -> Result<Cow<'b, str>, String> {
        decode_message(bytes, Charset::named(charset))
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let order = |unit: u16| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        };
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn utf8_is_borrowed() {
        let text = decode_message("<a>é</a>".as_bytes(), None).unwrap();
        assert!(matches!(text, Cow::Borrowed("<a>é</a>")));
    }

    #[test]
    fn charset_wins_over_declaration() {
        let document = "<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>";
        assert_eq!(decode_as(document.as_bytes(), "utf-8").unwrap(), document);
        let latin: Vec<u8> = document
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
        assert_eq!(decode_message(&latin, None).unwrap(), document);
        assert_eq!(decode_as(&latin, "no-such-charset").unwrap(), document);
    }

    #[test]
    fn byte_order_mark_wins_over_charset() {
        let document = "<a>é日😀</a>";
        for little in [true, false] {
            let marked = utf16(&format!("\u{FEFF}{document}"), little);
            assert_eq!(decode_as(&marked, "utf-8").unwrap(), document);
            assert_eq!(
                decode_as(&utf16(document, little), "utf-16").unwrap(),
                document
            );
            assert_eq!(
                decode_message(&utf16(document, little), None).unwrap(),
                document
            );
        }
        assert_eq!(
            decode_as(format!("\u{FEFF}{document}").as_bytes(), "iso-8859-1").unwrap(),
            document
        );
    }

    #[test]
    fn latin1_is_not_windows_1252() {
        assert_eq!(
            decode_as(b"<a>\x80\xE9</a>", "ISO-8859-1").unwrap(),
            "<a>\u{80}é</a>"
        );
        assert_eq!(
            decode_as(b"<a>\x80\xE9</a>", "windows-1252").unwrap(),
            "<a>€é</a>"
        );
        assert_eq!(
            Charset::named("cp1252"),
            Some(Charset::Other(encoding_rs::WINDOWS_1252))
        );
    }

    #[test]
    fn invalid_bytes_are_refused_with_their_place() {
        let message = |bytes, charset| decode_message(bytes, charset).unwrap_err();
        assert_eq!(
            message(b"<a>\n\xC3\xA9\xE9</a>", None),
            "Invalid character in the given encoding (UTF-8). Line 2, position 2."
        );
        assert!(
            message(b"<a>\xE9</a>", Charset::named("us-ascii")).ends_with("Line 1, position 4.")
        );
        let mut odd = utf16("<a/>", true);
        odd.push(0);
        assert!(message(&odd, None).ends_with("Line 1, position 5."));
        assert!(message(&[b'<', 0, 0, 0xD8, b'a', 0], None).ends_with("Line 1, position 2."));
    }

    #[test]
    fn declarations_that_cannot_be_true_are_refused() {
        assert!(decode_message(b"<?xml version='1.0' encoding='utf-16'?><a/>", None).is_err());
        assert!(decode_message(b"<?xml version='1.0' encoding='x-none'?><a/>", None).is_err());
        assert!(decode_as(b"<?xml version='1.0' encoding='utf-16'?><a/>", "utf-8").is_ok());
    }
}

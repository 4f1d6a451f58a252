//! The text of a body: always UTF-8, unless a byte order mark indicates another encoding.

use std::borrow::Cow;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

/// Decodes a body like the `StreamReader` of .NET: the `charset` of its media type is ignored, a
/// byte order mark is respected and removed, and invalid characters become U+FFFD.
pub fn decode(body: &[u8]) -> Cow<'_, str> {
    // The mark of UTF-16 is the start of that of UTF-32.
    match body {
        [0, 0, 0xFE, 0xFF, text @ ..] => utf32(text, u32::from_be_bytes),
        [0xFF, 0xFE, 0, 0, text @ ..] => utf32(text, u32::from_le_bytes),
        [0xFE, 0xFF, text @ ..] => UTF_16BE.decode_without_bom_handling(text).0,
        [0xFF, 0xFE, text @ ..] => UTF_16LE.decode_without_bom_handling(text).0,
        [0xEF, 0xBB, 0xBF, text @ ..] => UTF_8.decode_without_bom_handling(text).0,
        text => match simdutf8::basic::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => UTF_8.decode_without_bom_handling(text).0,
        },
    }
}

fn utf32(text: &[u8], number: fn([u8; 4]) -> u32) -> Cow<'_, str> {
    let characters = text.chunks(4).map(|bytes| {
        let bytes = <[u8; 4]>::try_from(bytes).ok();
        let character = bytes.and_then(|bytes| char::from_u32(number(bytes)));
        character.unwrap_or(char::REPLACEMENT_CHARACTER)
    });
    Cow::Owned(characters.collect())
}

/// Whether a text is longer than a number of UTF-16 code units.
pub fn is_longer(text: &str, limit: usize) -> bool {
    // No character has more units than bytes.
    text.len() > limit && text.encode_utf16().nth(limit).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_the_encoding() {
        let text = "{\"s\":\"xé日😀\"}";
        let utf16 = |bytes: fn(u16) -> [u8; 2]| {
            let units = ['\u{FEFF}']
                .into_iter()
                .chain(text.chars())
                .collect::<String>();
            units.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
        };
        let utf32 = |bytes: fn(u32) -> [u8; 4]| {
            let characters = ['\u{FEFF}'].into_iter().chain(text.chars());
            characters
                .flat_map(|character| bytes(u32::from(character)))
                .collect::<Vec<u8>>()
        };
        for body in [
            text.as_bytes().to_vec(),
            format!("\u{FEFF}{text}").into_bytes(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
            utf32(u32::to_le_bytes),
            utf32(u32::to_be_bytes),
        ] {
            assert_eq!(decode(&body), text, "{body:x?}");
        }
        assert!(matches!(decode(text.as_bytes()), Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        assert_eq!(decode(b"\"\xE9\""), "\"\u{FFFD}\"");
        assert_eq!(decode(b"\xEF\xBB\xBF\xFF"), "\u{FFFD}");
        assert_eq!(decode(b"\xFF\xFE\x00\xD8x\x00"), "\u{FFFD}x");
        assert_eq!(decode(b"\xFF\xFE\0\0\0\xD8\0\0x\0\0"), "\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn lengths_are_counted_in_units() {
        assert!(!is_longer("xx", 2) && is_longer("xxx", 2));
        assert!(!is_longer("éé", 2) && is_longer("😀x", 2) && !is_longer("😀", 2));
    }
}

//! Names of tables and columns as names of elements, as `XmlConvert.EncodeLocalName` writes them.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether .NET leaves a character in a name: XML 1.0 before its fifth edition has fewer letters.
fn stays(character: char, is_first: bool) -> bool {
    match character {
        'A'..='Z' | 'a'..='z' | '_' => true,
        '0'..='9' | '-' | '.' | '\u{B7}' => !is_first,
        '\0'..='\u{BF}' | '\u{10000}'.. => false,
        _ => character.is_alphabetic(),
    }
}

/// Whether `_xHHHH_` or `_xHHHHHHHH_` starts here: how many characters of hexadecimal digits it has, and which one it stands for.
fn escape(text: &str) -> Option<(usize, char)> {
    let rest = text.strip_prefix("_x")?;
    let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let is_whole = matches!(digits, 4 | 8) && rest[digits..].starts_with('_');
    let number = is_whole.then(|| u32::from_str_radix(&rest[..digits], 16).ok())??;
    Some((digits, char::from_u32(number)?))
}

/// A name as the local name of an element: `Two Words` as `Two_x0020_Words`.
pub(super) fn encode(name: &str) -> Cow<'_, str> {
    let is_plain = |(at, character)| {
        stays(character, at == 0) && (character != '_' || escape(&name[at..]).is_none())
    };
    if name.char_indices().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut encoded = String::with_capacity(name.len() + 8);
    for (at, character) in name.char_indices() {
        if is_plain((at, character)) {
            encoded.push(character);
            continue;
        }
        let number = u32::from(character);
        // Writing to a `String` cannot fail.
        let _ = match character {
            '\0'..='\u{FFFF}' => write!(encoded, "_x{number:04X}_"),
            _ => write!(encoded, "_x{number:08X}_"),
        };
    }
    Cow::Owned(encoded)
}

/// The name that a local name stands for.
pub(super) fn decode(name: &str) -> Cow<'_, str> {
    let Some(first) = name.find("_x").filter(|_| name.contains("_x")) else {
        return Cow::Borrowed(name);
    };
    let mut decoded = String::with_capacity(name.len());
    decoded.push_str(&name[..first]);
    let mut rest = &name[first..];
    while let Some(next) = rest.chars().next() {
        let (character, length) = match escape(rest) {
            Some((digits, character)) => (character, "_x_".len() + digits),
            None => (next, next.len_utf8()),
        };
        decoded.push(character);
        rest = &rest[length..];
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn names_are_those_of_dot_net() {
        let rows = [
            ("Name", "Name"),
            ("Two Words", "Two_x0020_Words"),
            ("1a", "_x0031_a"),
            ("a:b", "a_x003A_b"),
            ("é€😀", "é_x20AC__x0001F600_"),
            ("_x0041_", "_x005F_x0041_"),
            ("a_x0041_b", "a_x005F_x0041_b"),
            ("_x", "_x"),
            ("a_x41_", "a_x41_"),
            ("-.", "_x002D_."),
        ];
        for (name, encoded) in rows {
            assert_eq!(encode(name), encoded);
            assert_eq!(decode(encoded), name);
        }
    }
}

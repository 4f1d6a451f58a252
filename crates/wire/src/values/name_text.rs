//! Texts as XML names, as `XmlConvert` of .NET writes them: characters that a name cannot contain
//! are escaped.

use std::borrow::Cow;
use std::fmt::Write;

use svcgen_model::TextForm;

/// Converts a text that was read.
pub(crate) fn read(form: TextForm, text: &str) -> Cow<'_, str> {
    match form {
        TextForm::AsIs => Cow::Borrowed(text),
        TextForm::Trimmed => Cow::Borrowed(text.trim()),
        _ => decode(text.trim()),
    }
}

/// Like [`read`], borrowing if possible.
pub(crate) fn read_in(form: TextForm, text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        _ if form == TextForm::AsIs => text,
        Cow::Borrowed(text) => read(form, text),
        Cow::Owned(text) => Cow::Owned(read(form, &text).into_owned()),
    }
}

/// Converts a text to write.
pub(crate) fn write(form: TextForm, text: &str) -> Cow<'_, str> {
    match form {
        TextForm::AsIs | TextForm::Trimmed => Cow::Borrowed(text),
        TextForm::NameTokens if text.contains(' ') => {
            let names = text.split(' ');
            let names = names.map(|name| encode_as(TextForm::NameToken, name));
            Cow::Owned(names.collect::<Vec<_>>().join(" "))
        }
        _ => encode_as(form, text),
    }
}

/// Whether .NET keeps a character in a name: XML 1.0 before its fifth edition has fewer letters.
fn stays(form: TextForm, character: char, is_first: bool) -> bool {
    let is_first = is_first && matches!(form, TextForm::Name | TextForm::LocalName);
    match character {
        'A'..='Z' | 'a'..='z' | '_' => true,
        ':' => form != TextForm::LocalName,
        '0'..='9' | '-' | '.' | '\u{B7}' => !is_first,
        '\0'..='\u{BF}' | '\u{10000}'.. => false,
        _ => character.is_alphabetic(),
    }
}

/// The escape `_xHHHH_` or `_xHHHHHHHH_` at the start of a text: the number of hexadecimal digits,
/// and the escaped character.
fn escape(text: &str) -> Option<(usize, char)> {
    let rest = text.strip_prefix('_')?.strip_prefix(['x', 'X'])?;
    let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let is_whole = matches!(digits, 4 | 8) && rest[digits..].starts_with('_');
    let number = is_whole.then(|| u32::from_str_radix(&rest[..digits], 16).ok())??;
    Some((digits, char::from_u32(number)?))
}

/// Encodes a name as the local name of an element: `Two Words` as `Two_x0020_Words`.
pub fn encode(name: &str) -> Cow<'_, str> {
    encode_as(TextForm::LocalName, name)
}

fn encode_as(form: TextForm, name: &str) -> Cow<'_, str> {
    let is_plain = |(at, character)| {
        stays(form, character, at == 0) && (character != '_' || escape(&name[at..]).is_none())
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

/// Decodes the name from a local name.
pub fn decode(name: &str) -> Cow<'_, str> {
    let Some(first) = name.find('_') else {
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
    use svcgen_model::TextForm;

    use super::{decode, encode, read, write};

    #[test]
    fn texts_are_those_of_dot_net() {
        // The texts that `XmlSerializer` writes for each form, and reads back.
        let text = "1 a:b/c";
        let rows = [
            (TextForm::AsIs, text),
            (TextForm::Trimmed, text),
            (TextForm::Name, "_x0031__x0020_a:b_x002F_c"),
            (TextForm::LocalName, "_x0031__x0020_a_x003A_b_x002F_c"),
            (TextForm::NameToken, "1_x0020_a:b_x002F_c"),
            (TextForm::NameTokens, "1 a:b_x002F_c"),
        ];
        for (form, written) in rows {
            assert_eq!(write(form, text), written);
            assert_eq!(read(form, written), text);
        }
        assert_eq!(read(TextForm::AsIs, " a "), " a ");
        assert_eq!(read(TextForm::Trimmed, " _x0031_\u{A0}"), "_x0031_");
        assert_eq!(read(TextForm::Name, " _X0031_ "), "1");
    }

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

//! Reading a form into fields, and decoding text that is encoded like them.
//!
//! Decoding follows `HttpUtility.UrlDecode`: besides `+` and `%XX` there is `%uXXXX`, a UTF-16 code
//! unit, which Microsoft's own callers send for text that is not ASCII.

use std::borrow::Cow;
use std::ops::Range;

use crate::charset::Charset;
use crate::limits::Limits;
use crate::xml::room::Room;
use crate::xml::{ReadError, ReadErrorKind};

/// The fields of a form: decoded names and values.
#[derive(Default, Debug)]
pub struct Form<'f> {
    /// Names and values, in the order they were sent.
    pub fields: Vec<(Cow<'f, str>, Cow<'f, str>)>,
    /// The limits of the message.
    pub limits: Limits,
}

/// Reads the fields in the order they were sent; names without `=` are ignored. `charset` is the
/// encoding of the decoded bytes.
pub fn read<'f>(
    form: &'f [u8],
    charset: Option<Charset>,
    limits: &Limits,
) -> Result<Form<'f>, ReadError> {
    // The whole form is checked once, because names and values are short.
    let text = std::str::from_utf8(form).ok();
    let decoded = |part: Range<usize>| match text.and_then(|text| text.get(part.clone())) {
        Some(text) => decode_text(text, charset),
        None => decode(&form[part], charset),
    };
    let mut room = Room::of_message(form.len(), form.len(), limits);
    let mut fields = Vec::new();
    let mut start = 0;
    while start < form.len() {
        let end = position(form, start, b'&');
        let equals = position(&form[..end], start, b'=');
        if equals < end {
            if fields.len() == limits.parameters {
                let limit = limits.parameters;
                let message = format!("The form has more than {limit} parameters.");
                return Err(ReadError::new(ReadErrorKind::Limit, message));
            }
            room.take(size_of::<(Cow<'_, str>, Cow<'_, str>)>())?;
            fields.push((decoded(start..equals), decoded(equals + 1..end)));
        }
        start = end + 1;
    }
    Ok(Form {
        fields,
        limits: *limits,
    })
}

/// The index of the first such byte from `start` on, or the end. Names and values are too short for
/// a faster search.
fn position(form: &[u8], start: usize, byte: u8) -> usize {
    let mut rest = form[start..].iter();
    rest.position(|other| *other == byte)
        .map_or(form.len(), |at| start + at)
}

/// Decodes a name, a value or a SOAPAction. Malformed escapes are kept.
///
/// Without a charset the bytes are UTF-8 or, if they are not, ISO-8859-1, which is what Microsoft's
/// callers send in a body for U+0080 to U+00FF.
pub fn decode(text: &[u8], charset: Option<Charset>) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) => decode_text(text, charset),
        Err(_) => Cow::Owned(decode_bytes(text, charset)),
    }
}

fn decode_text(text: &str, charset: Option<Charset>) -> Cow<'_, str> {
    let stands = |byte: u8| byte.is_ascii() && !matches!(byte, b'%' | b'+');
    if text.bytes().all(stands) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(decode_bytes(text.as_bytes(), charset))
}

fn decode_bytes(text: &[u8], charset: Option<Charset>) -> String {
    let decoded = charset
        .filter(|&charset| charset != Charset::UTF_8)
        .and_then(|charset| decode_as(text, charset));
    decoded
        .or_else(|| decode_as(text, Charset::UTF_8))
        .or_else(|| decode_as(text, Charset::Latin1))
        .unwrap_or_default()
}

/// Decodes text in this encoding; `None` if some bytes are invalid in it.
fn decode_as(text: &[u8], charset: Charset) -> Option<String> {
    let mut decoded = String::new();
    // Bytes in the encoding, and the UTF-16 units of `%uXXXX` that follow them.
    let (mut bytes, mut units) = (Vec::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let is_escape = *first == b'%';
        let unit = after.strip_prefix(b"u").filter(|_| is_escape);
        if let Some(unit) = unit.and_then(|digits| hexadecimal(digits, 4)) {
            units.push(unit);
            rest = &after[5..];
            continue;
        }
        if !units.is_empty() {
            push_decoded(&mut decoded, &mut bytes, charset)?;
            push_units(&mut decoded, &mut units);
        }
        let value = is_escape.then(|| hexadecimal(after, 2)).flatten();
        let length = match (first, value) {
            (_, Some(value)) => {
                bytes.push(value as u8);
                3
            }
            (b'+', None) => {
                bytes.push(b' ');
                1
            }
            // Copied as it is, with everything up to the next escape.
            _ => {
                let mut plain = after.iter();
                let plain = plain.position(|byte| matches!(byte, b'%' | b'+'));
                let length = 1 + plain.unwrap_or(after.len());
                bytes.extend_from_slice(&rest[..length]);
                length
            }
        };
        rest = &rest[length..];
    }
    push_decoded(&mut decoded, &mut bytes, charset)?;
    push_units(&mut decoded, &mut units);
    Some(decoded)
}

fn push_decoded(text: &mut String, bytes: &mut Vec<u8>, charset: Charset) -> Option<()> {
    // For most texts, these are all bytes.
    if text.is_empty() {
        *text = charset.decode_owned(std::mem::take(bytes)).ok()?;
    } else {
        text.push_str(&charset.decode(bytes).ok()?);
        bytes.clear();
    }
    Some(())
}

fn push_units(text: &mut String, units: &mut Vec<u16>) {
    let characters = char::decode_utf16(units.drain(..));
    text.extend(characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

/// The value of the first `digits` bytes as hexadecimal digits.
fn hexadecimal(text: &[u8], digits: usize) -> Option<u16> {
    let digits = text.get(..digits)?;
    digits.iter().try_fold(0, |number, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(number << 4 | digit as u16)
    })
}

/// Decodes a path: `%XX` only, as UTF-8. Malformed escapes are kept.
#[inline]
pub fn percent_decode(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match hexadecimal(after, 2).filter(|_| *first == b'%') {
            Some(value) => {
                bytes.push(value as u8);
                rest = &after[2..];
            }
            None => bytes.push(*first),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(form: &str) -> String {
        decode(form.as_bytes(), None).into_owned()
    }

    #[test]
    fn names_and_values_are_decoded() {
        let limits = Limits::default();
        let form = read(b"user%6Eame=al+ice&flag&=empty&%u00E9=1&c=", None, &limits).unwrap();
        let fields: Vec<_> = form
            .fields
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        assert_eq!(
            fields,
            [("username", "al ice"), ("", "empty"), ("é", "1"), ("c", "")]
        );
    }

    #[test]
    fn limit_counts_fields() {
        let read = |form: &'static str, limit| {
            let limits = Limits::default().with_parameters(limit);
            read(form.as_bytes(), None, &limits).map(|form| form.fields.len())
        };
        assert_eq!(read("a=1&b=2", 2), Ok(2));
        let error = read("a=1&b=2&c=3", 2).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Limit);
        assert_eq!(read("&&&a=1&b", 1), Ok(1));
    }

    #[test]
    fn escapes() {
        assert_eq!(text("a+b%20c%2B"), "a b c+");
        assert_eq!(text("%C3%A9%e6%97%a5"), "é日");
        assert_eq!(text("100%"), "100%");
        assert_eq!(text("%zz%4"), "%zz%4");
        assert_eq!(text("%u12"), "%u12");
        assert_eq!(text("é"), "é");
    }

    #[test]
    fn utf16_units() {
        assert_eq!(text("%u00E9%u65e5%uD83D%uDE00!"), "é日😀!");
        assert_eq!(text("%uD83Dx%uDE00"), "\u{FFFD}x\u{FFFD}");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_latin1() {
        assert_eq!(text("%E9"), "é");
        assert_eq!(text("%E9%u65E5"), "é日");
        assert_eq!(text("%C3%A9%u65E5"), "é日");
    }

    #[test]
    fn charset_of_the_form() {
        assert_eq!(decode(b"%E9", Charset::named("iso-8859-1")), "é");
        assert_eq!(decode(b"%C3%A9", Charset::named("iso-8859-1")), "Ã©");
        assert_eq!(decode(b"%80", Charset::named("windows-1252")), "€");
        assert_eq!(decode(b"%E9", Charset::named("utf-8")), "é");
    }

    #[test]
    fn percent_decoding_keeps_plus() {
        assert_eq!(percent_decode("Log%69n+%zz%C3%A9"), "Login+%zzé");
    }
}

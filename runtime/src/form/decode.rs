//! Reading a form into fields.
//!
//! Decoding is that of `HttpUtility.UrlDecode`: besides `+` and `%XX` there is `%uXXXX`, a UTF-16 unit, which
//! Microsoft's own callers send for text that is not ASCII.

use std::borrow::Cow;

use crate::binding::charset::Charset;
use crate::xml::{ReadError, ReadErrorKind};

/// The fields of a form: decoded names and values.
pub(crate) type Form<'f> = Vec<(Cow<'f, str>, Cow<'f, str>)>;

/// Reads the fields in the order they were sent; names without `=` are ignored. `charset` is the encoding of the decoded bytes.
pub(crate) fn read(
    form: &[u8],
    charset: Option<Charset>,
    limit: usize,
) -> Result<Form<'_>, ReadError> {
    let mut fields = Vec::new();
    for field in form.split(|&byte| byte == b'&') {
        let Some(equals) = field.iter().position(|&byte| byte == b'=') else {
            continue;
        };
        if fields.len() == limit {
            let message = format!("The form has more than {limit} parameters.");
            return Err(ReadError::new(ReadErrorKind::Limit, message));
        }
        fields.push((
            decode(&field[..equals], charset),
            decode(&field[equals + 1..], charset),
        ));
    }
    Ok(fields)
}

/// A part of a decoded text: bytes in the form's encoding, and the UTF-16 units of `%uXXXX` that follow them.
#[derive(Default)]
struct Run {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

/// Decodes a name or a value. Malformed escapes are kept.
///
/// Without a charset the bytes are UTF-8 or, if they are not, ISO-8859-1, which is what Microsoft's callers
/// send in a body for U+0080 to U+00FF.
pub(crate) fn decode(text: &[u8], charset: Option<Charset>) -> Cow<'_, str> {
    if !text
        .iter()
        .any(|&byte| matches!(byte, b'%' | b'+') || !byte.is_ascii())
    {
        return String::from_utf8_lossy(text);
    }
    let runs = runs(text);
    let decoded = charset
        .filter(|&charset| charset != Charset::UTF_8)
        .and_then(|charset| join(&runs, charset));
    Cow::Owned(
        decoded
            .or_else(|| join(&runs, Charset::UTF_8))
            .or_else(|| join(&runs, Charset::Latin1))
            .unwrap_or_default(),
    )
}

fn runs(text: &[u8]) -> Vec<Run> {
    let (mut runs, mut run) = (Vec::new(), Run::default());
    run.bytes.reserve(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        let byte = match first {
            b'+' => b' ',
            b'%' => {
                if let Some(unit) = after
                    .strip_prefix(b"u")
                    .and_then(|after| hexadecimal(after, 4))
                {
                    rest = &after[5..];
                    run.units.push(unit);
                    continue;
                }
                match hexadecimal(after, 2) {
                    Some(value) => {
                        rest = &after[2..];
                        value as u8
                    }
                    None => b'%',
                }
            }
            other => *other,
        };
        if !run.units.is_empty() {
            runs.push(std::mem::take(&mut run));
        }
        run.bytes.push(byte);
    }
    runs.push(run);
    runs
}

/// The number that the first `digits` bytes write in hexadecimal.
fn hexadecimal(text: &[u8], digits: usize) -> Option<u16> {
    let digits = text.get(..digits)?;
    digits.iter().try_fold(0, |number, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(number << 4 | digit as u16)
    })
}

fn join(runs: &[Run], charset: Charset) -> Option<String> {
    let mut text = String::new();
    for run in runs {
        text.push_str(&charset.decode(&run.bytes).ok()?);
        text.push_str(&String::from_utf16_lossy(&run.units));
    }
    Some(text)
}

/// Decodes a path or a SOAPAction: `%XX` only, as UTF-8. Malformed escapes are kept.
pub(crate) fn percent_decode(text: &str) -> Cow<'_, str> {
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
        let form = read(b"user%6Eame=al+ice&flag&=empty&%u00E9=1&c=", None, 10).unwrap();
        let fields: Vec<_> = form
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
        assert!(read(b"a=1&b=2", None, 2).is_ok());
        let error = read(b"a=1&b=2&c=3", None, 2).unwrap_err();
        assert_eq!(error.kind(), ReadErrorKind::Limit);
        assert!(read(b"&&&a=1&b", None, 1).is_ok());
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

//! Texts in JSON.

/// Resolves the escapes of a text. A single surrogate becomes U+FFFD, as in .NET.
pub fn unescaped(text: &str) -> String {
    let first = memchr::memchr(b'\\', text.as_bytes());
    let (start, mut rest) = text.split_at(first.unwrap_or(text.len()));
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(start);
    // A high surrogate that waits for its low one.
    let mut half = None;
    while !rest.is_empty() {
        let (unit, after) = take_escape(rest);
        rest = after;
        match unit {
            // An invalid escape has no effect, as the text is not a value.
            None => {}
            Some(unit @ 0xD800..=0xDBFF) => {
                decoded.extend(half.replace(unit).map(|_| char::REPLACEMENT_CHARACTER));
            }
            Some(unit) => {
                let units = half.take().into_iter().chain([unit]);
                decoded.extend(
                    char::decode_utf16(units).map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER)),
                );
            }
        }
        let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        if plain > 0 {
            decoded.extend(half.take().map(|_| char::REPLACEMENT_CHARACTER));
            decoded.push_str(&rest[..plain]);
            rest = &rest[plain..];
        }
    }
    decoded.extend(half.map(|_| char::REPLACEMENT_CHARACTER));
    decoded
}

/// Takes the escape at the start of a text. Returns its UTF-16 unit, if it is valid, and the rest.
fn take_escape(text: &str) -> (Option<u16>, &str) {
    let after = &text[1..];
    let unit = match after.as_bytes().first() {
        Some(b'u') => {
            let digits = after.get(1..5);
            let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
            return (unit, unit.map_or(after, |_| &after[5..]));
        }
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => u16::from(b'\n'),
        Some(b'r') => u16::from(b'\r'),
        Some(b't') => u16::from(b'\t'),
        Some(other) if other.is_ascii() => u16::from(*other),
        _ => return (None, after),
    };
    (Some(unit), &after[1..])
}

/// The milliseconds in `/Date(0)/`, where `solidus` replaces `/`. A letter or an offset after the
/// number is ignored.
pub(crate) fn date(text: &str, solidus: &str) -> Option<i64> {
    let text = text.strip_prefix(solidus)?.strip_prefix("Date(")?;
    let text = text.strip_suffix(solidus)?.strip_suffix(')')?;
    let digits = text
        .strip_prefix('-')
        .unwrap_or(text)
        .bytes()
        .take_while(u8::is_ascii_digit);
    let (number, rest) = text.split_at(digits.count() + usize::from(text.starts_with('-')));
    let is_known = match rest.as_bytes() {
        [] => true,
        [letter] => letter.is_ascii_alphabetic(),
        [b'+' | b'-', offset @ ..] => offset.len() == 4 && offset.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    number.parse().ok().filter(|_| is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("plain", "plain"),
            (r#"\"\'\\\/\b\f\n\r\tA"#, "\"'\\/\u{8}\u{c}\n\r\tA"),
            (r#"\u00e9\u65E5!"#, "é日!"),
            (r#"\ud83d\ude00"#, "😀"),
            (r#"a\ud83db"#, "a\u{FFFD}b"),
            (r#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
            (r#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
            (r#"\ud83d\n"#, "\u{FFFD}\n"),
            (r#"\u0000"#, "\0"),
        ] {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    #[test]
    fn dates() {
        for (text, expected) in [
            ("/Date(0)/", Some(0)),
            ("/Date(-62135596800000)/", Some(-62_135_596_800_000)),
            ("/Date(7Z)/", Some(7)),
            ("/Date(7a)/", Some(7)),
            ("/Date(7+0200)/", Some(7)),
            ("/Date(7-0330)/", Some(7)),
            ("/Date(7+200)/", None),
            ("/Date(7ZZ)/", None),
            ("/Date()/", None),
            ("/Date(-)/", None),
            ("/Date(--7)/", None),
            ("/Date(1.5)/", None),
            ("/Date(99999999999999999999)/", None),
            ("/Date(0)", None),
            ("Date(0)/", None),
        ] {
            assert_eq!(date(text, "/"), expected, "{text}");
            let escaped = text.replace('/', r"\/");
            assert_eq!(date(&escaped, r"\/"), expected, "{escaped}");
            assert_eq!(date(&escaped, "/"), None, "{escaped}");
        }
    }
}

//! The texts of values, as XML Schema and the runtime have them.

use svcgen_model::SimpleType;

/// Whether XML cannot carry a character (XML 1.0 §2.2), or not in an attribute.
pub(super) fn is_not_for_values(character: char) -> bool {
    character.is_control() || matches!(character, '\u{FFFE}' | '\u{FFFF}')
}

/// Whether a value is one text wherever it stands, as those of bytes, XML and names with a prefix are not.
pub(super) fn has_texts(simple: SimpleType) -> bool {
    !simple.is_bytes() && !simple.is_xml() && simple != SimpleType::QName
}

/// Whether a text is a value of a simple type that has texts.
pub(super) fn is_value(simple: SimpleType, text: &str) -> bool {
    use SimpleType::*;
    match simple {
        Base64Binary | HexBinary | QName | Any | AnyType => false,
        Boolean => matches!(text, "true" | "false" | "1" | "0"),
        Byte => text.parse::<i8>().is_ok(),
        Short => text.parse::<i16>().is_ok(),
        Int => text.parse::<i32>().is_ok(),
        Long => text.parse::<i64>().is_ok(),
        UnsignedByte => text.parse::<u8>().is_ok(),
        UnsignedShort => text.parse::<u16>().is_ok(),
        UnsignedInt => text.parse::<u32>().is_ok(),
        UnsignedLong => text.parse::<u64>().is_ok(),
        Integer | NonNegativeInteger | PositiveInteger | NonPositiveInteger | NegativeInteger => {
            Scan(text).sign().digits(1).is_some_and(Scan::is_done)
        }
        Float => is_float(text, |text| text.parse().is_ok_and(f32::is_finite)),
        Double => is_float(text, |text| text.parse().is_ok_and(f64::is_finite)),
        Decimal => is_decimal(text),
        Char => text
            .parse::<u16>()
            .is_ok_and(|code| char::from_u32(code.into()).is_some()),
        Guid => is_guid(text),
        DateTime => is_date_time(text),
        Date => Scan(text).date().is_some_and(Scan::is_done),
        Time => is_time(Scan(text)),
        Duration => is_duration(text),
        _ => !text.contains(is_not_for_values),
    }
}

/// How a value of a simple type is written.
pub(super) fn example(simple: SimpleType) -> &'static str {
    use SimpleType::*;
    match simple {
        Boolean => "`true` or `false`",
        Float | Double => "a number such as `1.5`, `INF`, `-INF` or `NaN`",
        Decimal => "a number such as `2.50`, of up to 28 digits",
        Char => "the number of a UTF-16 code unit: `65` for `A`",
        Guid => "like `6f9619ff-8b86-d011-b42d-00cf4fc964ff`",
        DateTime => "like `2024-02-29T12:30:00`",
        Date => "like `2024-02-29`",
        Time => "like `12:30:00`",
        Duration => "like `P1DT12H`",
        simple if simple.is_text() => "a text without line ends and other control characters",
        _ => "a whole number that the type can hold",
    }
}

fn is_float(text: &str, is_finite: impl Fn(&str) -> bool) -> bool {
    // Rust reads words that XML Schema does not know.
    let is_number = !text.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    matches!(text, "INF" | "-INF" | "NaN") || (is_number && is_finite(text))
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let count = whole.trim_start_matches('0').len() + fraction.len();
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits && is_digits(whole) && is_digits(fraction) && count <= 28
}

fn is_guid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    let is_digit = |byte: u8| byte == b'-' || byte.is_ascii_hexdigit();
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(is_digit)
}

fn is_date_time(text: &str) -> bool {
    let after_date = Scan(text).date().and_then(|rest| rest.mark('T'));
    after_date.is_some_and(is_time)
}

/// Whether a time, and a zone, is all that is left.
fn is_time(scan: Scan<'_>) -> bool {
    let seconds = || {
        let minutes = scan.number(2, 0..=23)?.mark(':')?.number(2, 0..=59)?;
        minutes.mark(':')?.number(2, 0..=59)
    };
    let Some(mut rest) = seconds() else {
        return false;
    };
    if let Some(fraction) = rest.mark('.') {
        let Some(after) = fraction.digits(1) else {
            return false;
        };
        if fraction.0.len() - after.0.len() > 7 {
            return false;
        }
        rest = after;
    }
    let offset = || {
        let hours = rest
            .mark('+')
            .or_else(|| rest.mark('-'))?
            .number(2, 0..=13)?;
        hours.mark(':')?.number(2, 0..=59)
    };
    rest.is_done() || rest.0 == "Z" || offset().is_some_and(Scan::is_done)
}

fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    let (days, time) = match rest.split_once('T') {
        Some((days, time)) => (days, Some(time)),
        None => (rest, None),
    };
    let are_parts = |text: &str, units: &str| {
        let mut units = units.chars();
        let mut scan = Scan(text);
        while let Some(after) = scan
            .digits(1)
            .filter(|after| scan.0.len() - after.0.len() < 10)
        {
            let Some(unit) = after.0.chars().next() else {
                return false;
            };
            if !units.any(|known| known == unit) {
                return false;
            }
            scan = Scan(&after.0[unit.len_utf8()..]);
        }
        scan.is_done()
    };
    let is_time = time.is_none_or(|time| !time.is_empty() && are_parts(time, "HMS"));
    is_time && are_parts(days, "YMD") && !rest.is_empty()
}

/// What is left of a text.
#[derive(Clone, Copy)]
struct Scan<'t>(&'t str);

impl<'t> Scan<'t> {
    fn is_done(self) -> bool {
        self.0.is_empty()
    }

    fn mark(self, mark: char) -> Option<Self> {
        self.0.strip_prefix(mark).map(Self)
    }

    fn sign(self) -> Self {
        Self(self.0.strip_prefix(['+', '-']).unwrap_or(self.0))
    }

    /// After all digits that follow, at least so many.
    fn digits(self, least: usize) -> Option<Self> {
        let rest = self.0.trim_start_matches(|c: char| c.is_ascii_digit());
        (self.0.len() - rest.len() >= least).then_some(Self(rest))
    }

    /// After a number of so many digits in a range.
    fn number(self, digits: usize, range: std::ops::RangeInclusive<u32>) -> Option<Self> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number)?;
        range.contains(&number).then_some(Self(rest))
    }

    /// After a day of the calendar.
    fn date(self) -> Option<Self> {
        let year = self.number(4, 1..=9999)?;
        let month = year.mark('-')?.number(2, 1..=12)?;
        let rest = month.mark('-')?.number(2, 1..=31)?;
        let number = |text: &str| text.parse::<u32>().unwrap_or_default();
        let (year, month, day) = (
            number(&self.0[..4]),
            number(&self.0[5..7]),
            number(&self.0[8..10]),
        );
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u32::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (day <= days).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::{SimpleType, is_value};

    #[test]
    fn texts_are_values_of_their_types_alone() {
        use SimpleType::*;
        let rows: &[(SimpleType, &[&str], &[&str])] = &[
            (Boolean, &["true", "0"], &["", "True", "yes", " true"]),
            (Byte, &["-128", "127", "+1"], &["128", "", "1.0", " 1"]),
            (
                UnsignedLong,
                &["18446744073709551615"],
                &["18446744073709551616", "-1"],
            ),
            (
                Integer,
                &["123456789012345678901234567890", "-1"],
                &["", "-", "1.0", "1-"],
            ),
            (
                Float,
                &["1.5", "1e3", "INF", "NaN", "-INF"],
                &["inf", "nan", "1e99", "", "infinity"],
            ),
            (Double, &["1e99", "-0"], &["1e999", "1,5"]),
            (
                Decimal,
                &["2.50", "-1", ".5", "1.", "+0.1"],
                &[
                    "",
                    ".",
                    "-",
                    "1e3",
                    "1.2.3",
                    "12345678901234567890123456789",
                ],
            ),
            (Char, &["65", "0"], &["A", "65536", "55296"]),
            (
                Guid,
                &["6f9619ff-8b86-d011-b42d-00cf4fc964ff"],
                &[
                    "6f9619ff8b86d011b42d00cf4fc964ff",
                    "6f9619ff-8b86-d011-b42d-00cf4fc964fg",
                    "",
                ],
            ),
            (
                DateTime,
                &[
                    "2024-02-29T12:30:00",
                    "0001-01-01T00:00:00.1234567Z",
                    "2024-12-31T23:59:59-05:00",
                ],
                &[
                    "2023-02-29T00:00:00",
                    "2024-02-29",
                    "2024-02-29 12:30:00",
                    "2024-02-29T24:00:00",
                    "2024-02-29T12:30:00.",
                    "2024-02-29T12:30:00+5:00",
                ],
            ),
            (
                Date,
                &["2000-02-29", "1999-12-31"],
                &[
                    "1900-02-29",
                    "2000-04-31",
                    "2000-1-1",
                    "0000-01-01",
                    "2000-01-01Z",
                    "日本2000",
                ],
            ),
            (
                Time,
                &["12:30:00", "12:30:00.5", "12:30:00Z"],
                &["12:30", "24:00:00", "12:30:00.12345678"],
            ),
            (
                Duration,
                &["P1D", "-P1Y2M3DT4H5M6S", "PT1M", "P1M"],
                &[
                    "P",
                    "PT",
                    "1D",
                    "P1H",
                    "P1D1Y",
                    "PT1D",
                    "P1",
                    "P12345678901D",
                ],
            ),
            (String, &["", "a b"], &["a\nb", "\u{FFFE}"]),
            (Base64Binary, &[], &["", "AQ=="]),
        ];
        for (simple, right, wrong) in rows {
            for text in *right {
                assert!(is_value(*simple, text), "{simple:?} {text:?}");
            }
            for text in *wrong {
                assert!(!is_value(*simple, text), "{simple:?} {text:?}");
            }
        }
    }
}

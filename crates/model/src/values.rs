//! The value spaces of simple types (XML Schema 1.0 Part 2 §3.2): checks whether texts are values
//! of a type, and compares values.

mod number;
mod time;

use std::cmp::Ordering;
use std::str::FromStr;

use crate::{Facet, SimpleType};
pub use number::Number;
use time::{Duration, Moment, layout};

/// Whether XML cannot contain a character (XML 1.0 §2.2), or not in an attribute.
#[doc(hidden)]
pub fn is_not_for_values(character: char) -> bool {
    character.is_control() || matches!(character, '\u{FFFE}' | '\u{FFFF}')
}

/// A value.
enum Parsed<'t> {
    /// A value without an order.
    Unordered,
    Number(Number<'t>),
    Float(f64),
    Moment(Moment),
    Duration(Duration),
}

impl SimpleType {
    /// Whether a value is always one text, unlike bytes, XML and names with a prefix.
    pub fn has_texts(self) -> bool {
        !self.is_bytes() && !self.is_xml() && self != Self::QName
    }

    /// Whether values are whole numbers.
    pub fn is_integer(self) -> bool {
        matches!(
            self,
            Self::Byte
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::UnsignedByte
                | Self::UnsignedShort
                | Self::UnsignedInt
                | Self::UnsignedLong
                | Self::Integer
                | Self::NonNegativeInteger
                | Self::PositiveInteger
                | Self::NonPositiveInteger
                | Self::NegativeInteger
                | Self::Char
        )
    }

    /// Whether values are dates, times, parts of dates or durations.
    pub fn is_time(self) -> bool {
        layout(self).is_some() || self == Self::Duration
    }

    /// Returns the treatment of white space in a text before it is a value (XML Schema 1.0 Part 2
    /// §4.3.6).
    pub fn white_space(self) -> &'static str {
        match self {
            Self::String => "preserve",
            Self::NormalizedString => "replace",
            _ => "collapse",
        }
    }

    /// Whether a text is a value of a type that [has texts](Self::has_texts), and its Rust type
    /// does not round it.
    pub fn is_value(self, text: &str) -> bool {
        // .NET keeps parts of dates as text.
        if self.is_text() {
            return !text.contains(is_not_for_values);
        }
        match self.parse(text) {
            Some(Parsed::Number(number)) => number.total_digits() <= 28 || self != Self::Decimal,
            Some(Parsed::Moment(moment)) => moment.is_exact(self),
            parsed => parsed.is_some(),
        }
    }

    /// Compares two values (XML Schema 1.0 Part 2 §3.2); `None` if they have no order, as a time
    /// with a zone and one of about the same time without, or if one of the texts is not a value.
    /// White space around a value is ignored.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use svcgen_model::SimpleType;
    ///
    /// assert_eq!(SimpleType::Decimal.compare("1.50", "+1.5"), Some(Ordering::Equal));
    /// assert_eq!(SimpleType::DateTime.compare("2024-01-01T00:00:00Z", "2024-01-01T00:00:00+01:00"), Some(Ordering::Greater));
    /// ```
    pub fn compare(self, one: &str, other: &str) -> Option<Ordering> {
        match (self.parse(one)?, self.parse(other)?) {
            (Parsed::Number(one), Parsed::Number(other)) => Some(one.cmp(&other)),
            (Parsed::Float(one), Parsed::Float(other)) => one.partial_cmp(&other),
            (Parsed::Moment(one), Parsed::Moment(other)) => one.compare(other),
            (Parsed::Duration(one), Parsed::Duration(other)) => one.compare(other),
            _ => None,
        }
    }

    fn parse(self, text: &str) -> Option<Parsed<'_>> {
        match self {
            Self::Boolean => {
                let known = ["true", "false", "1", "0"].contains(&text);
                known.then_some(Parsed::Unordered)
            }
            Self::Byte => integer::<i8>(text),
            Self::Short => integer::<i16>(text),
            Self::Int => integer::<i32>(text),
            Self::Long => integer::<i64>(text),
            Self::UnsignedByte => integer::<u8>(text),
            Self::UnsignedShort => integer::<u16>(text),
            Self::UnsignedInt => integer::<u32>(text),
            Self::UnsignedLong => integer::<u64>(text),
            Self::Char => {
                let code = text.parse::<u16>().ok()?;
                char::from_u32(code.into())?;
                integer::<u16>(text)
            }
            simple if simple.is_integer() => {
                let whole = Some(text).filter(|text| !text.contains('.'))?;
                Number::parse(whole).map(Parsed::Number)
            }
            Self::Decimal => Number::parse(text).map(Parsed::Number),
            Self::Float => float(text, |text| text.parse::<f32>().ok().map(f64::from)),
            Self::Double => float(text, |text| text.parse().ok()),
            Self::Guid => is_guid(text).then_some(Parsed::Unordered),
            Self::Duration => Duration::parse(text).map(Parsed::Duration),
            simple => Moment::parse(layout(simple)?, text).map(Parsed::Moment),
        }
    }
}

fn integer<T: FromStr>(text: &str) -> Option<Parsed<'_>> {
    text.parse::<T>().ok()?;
    Number::parse(text).map(Parsed::Number)
}

fn float<'t>(text: &'t str, parse: impl Fn(&'t str) -> Option<f64>) -> Option<Parsed<'t>> {
    let number = match text {
        "INF" => f64::INFINITY,
        "-INF" => f64::NEG_INFINITY,
        "NaN" => f64::NAN,
        // Rust reads words that are not in XML Schema.
        _ if text.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) => {
            return None;
        }
        _ => parse(text).filter(|number| number.is_finite())?,
    };
    Some(Parsed::Float(number))
}

fn is_guid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    let is_digit = |byte: u8| byte == b'-' || byte.is_ascii_hexdigit();
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(is_digit)
}

impl Facet {
    /// Pairs of facets of which a type may have only one (XML Schema 1.0 Part 2 §4.3.1.4, §4.3.8.4,
    /// §4.3.9.4).
    pub const EXCLUSIVE: [[Self; 2]; 4] = [
        [Self::Length, Self::MinLength],
        [Self::Length, Self::MaxLength],
        [Self::MinInclusive, Self::MinExclusive],
        [Self::MaxInclusive, Self::MaxExclusive],
    ];

    /// Pairs of facets of which the first must not be above the second.
    pub const ORDERED: [[Self; 2]; 6] = [
        [Self::MinLength, Self::MaxLength],
        [Self::MinInclusive, Self::MaxInclusive],
        [Self::MinInclusive, Self::MaxExclusive],
        [Self::MinExclusive, Self::MaxInclusive],
        [Self::MinExclusive, Self::MaxExclusive],
        [Self::FractionDigits, Self::TotalDigits],
    ];

    /// Whether the value of this facet of a type is above that of the other facet of its pair.
    pub fn is_above(self, low: &str, high: &str, simple: SimpleType) -> bool {
        let counted = match self {
            Self::MinLength | Self::FractionDigits => SimpleType::UnsignedInt,
            _ => simple,
        };
        counted.compare(low, high) == Some(Ordering::Greater)
    }

    /// Whether a text is a value of the facet of a type.
    pub fn is_value(self, text: &str, simple: SimpleType) -> bool {
        let is_count = |least| text.parse().is_ok_and(|count: u32| count >= least);
        match self {
            Self::Pattern => !text.is_empty() && !text.contains(is_not_for_values),
            Self::WhiteSpace => matches!(text, "preserve" | "replace" | "collapse"),
            Self::Length | Self::MinLength | Self::MaxLength | Self::FractionDigits => is_count(0),
            Self::TotalDigits => is_count(1),
            _ => simple.compare(text, text).is_some(),
        }
    }

    /// Whether a type has the facet (XML Schema 1.0 Part 2 §4.1.5).
    pub fn fits(self, simple: SimpleType) -> bool {
        use SimpleType::{Decimal, Double, Float, Guid};
        let (is_integer, is_time) = (simple.is_integer(), simple.is_time());
        match self {
            Self::Pattern => true,
            Self::Length | Self::MinLength | Self::MaxLength => {
                simple.is_bytes() || (simple.is_text() && !is_time) || simple == Guid
            }
            Self::MinInclusive | Self::MaxInclusive | Self::MinExclusive | Self::MaxExclusive => {
                is_integer || is_time || matches!(simple, Float | Double | Decimal)
            }
            Self::TotalDigits | Self::FractionDigits => is_integer || simple == Decimal,
            Self::WhiteSpace => simple.is_text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::SimpleType;
    use super::SimpleType::*;

    #[test]
    fn texts_are_values_of_their_types_alone() {
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
                &["P1D", "-P1Y2M3DT4H5M6S", "PT1M", "P1M", "PT0.5S"],
                &[
                    "P",
                    "PT",
                    "1D",
                    "P1H",
                    "P1D1Y",
                    "PT1D",
                    "P1",
                    "P1.5D",
                    "PT1.S",
                    "P18446744073709551616D",
                ],
            ),
            (String, &["", "a b"], &["a\nb", "\u{FFFE}"]),
            (Base64Binary, &[], &["", "AQ=="]),
        ];
        for (simple, right, wrong) in rows {
            for text in *right {
                assert!(simple.is_value(text), "{simple:?} {text:?}");
            }
            for text in *wrong {
                assert!(!simple.is_value(text), "{simple:?} {text:?}");
            }
        }
    }

    #[test]
    fn values_have_the_order_of_xml_schema() {
        for (simple, one, other, expected) in [
            (Int, "+5", "05", Some(Equal)),
            (Int, "-5", "5", Some(Less)),
            (Int, "5", "five", None),
            (
                Integer,
                "123456789012345678901",
                "99999999999999999999",
                Some(Greater),
            ),
            (NegativeInteger, "-10", "-9", Some(Less)),
            (Decimal, "0.10", ".1", Some(Equal)),
            (Decimal, "-0", "0", Some(Equal)),
            (Decimal, "9.99", "10", Some(Less)),
            (Decimal, "1.05", "1.1", Some(Less)),
            (Decimal, "-1.05", "-1.1", Some(Greater)),
            (Long, "9007199254740993", "9007199254740992", Some(Greater)),
            (Double, "1e3", "1000.0", Some(Equal)),
            (Double, "-INF", "-1e308", Some(Less)),
            (Double, "NaN", "NaN", None),
            (Float, "16777217", "16777216", Some(Equal)),
            (Boolean, "true", "false", None),
            (Date, "2024-02-29", "2024-03-01", Some(Less)),
            (Date, "2000-03-01", "2000-02-29", Some(Greater)),
            (Date, "2024-01-01+01:00", "2024-01-01Z", Some(Less)),
            (
                DateTime,
                "2024-01-01T00:00:00Z",
                "2023-12-31T19:00:00-05:00",
                Some(Equal),
            ),
            (
                DateTime,
                "2024-01-01T24:00:00",
                "2024-01-02T00:00:00",
                Some(Equal),
            ),
            (
                DateTime,
                "2024-01-01T00:00:00.5",
                "2024-01-01T00:00:00.49",
                Some(Greater),
            ),
            // Part 2 §3.2.7.4.
            (
                DateTime,
                "2000-01-15T00:00:00",
                "2000-02-15T00:00:00",
                Some(Less),
            ),
            (
                DateTime,
                "2000-01-15T12:00:00",
                "2000-01-16T12:00:00Z",
                Some(Less),
            ),
            (
                DateTime,
                "2000-01-01T12:00:00",
                "1999-12-31T23:00:00Z",
                None,
            ),
            (
                DateTime,
                "2000-01-16T12:00:00",
                "2000-01-16T12:00:00Z",
                None,
            ),
            (
                DateTime,
                "2000-01-16T00:00:00Z",
                "2000-01-16T12:00:00Z",
                Some(Less),
            ),
            (Time, "10:00:00+01:00", "09:30:00Z", Some(Less)),
            (GYear, "-0044", "2024", Some(Less)),
            (GYear, "12024", "9999", Some(Greater)),
            (GYearMonth, "2024-02", "2024-01", Some(Greater)),
            (GMonthDay, "--02-29", "--03-01", Some(Less)),
            (GMonth, "--02", "--12", Some(Less)),
            (GDay, "---31", "---30", Some(Greater)),
            (GDay, "---32", "---30", None),
            // Part 2 §3.2.6.2.
            (Duration, "P1Y", "P364D", Some(Greater)),
            (Duration, "P1Y", "P365D", None),
            (Duration, "P1Y", "P366D", None),
            (Duration, "P1Y", "P367D", Some(Less)),
            (Duration, "P1M", "P27D", Some(Greater)),
            (Duration, "P1M", "P30D", None),
            (Duration, "P1M", "P32D", Some(Less)),
            (Duration, "P5M", "P154D", Some(Less)),
            (Duration, "P5M", "P153D", None),
            (Duration, "PT90M", "PT1H30M", Some(Equal)),
            (Duration, "-P1D", "PT0.000000001S", Some(Less)),
            (Duration, "P18446744073709551615Y", "P1D", Some(Greater)),
        ] {
            assert_eq!(simple.compare(one, other), expected, "{one} {other}");
            let reversed = expected.map(std::cmp::Ordering::reverse);
            assert_eq!(simple.compare(other, one), reversed, "{other} {one}");
        }
    }

    #[test]
    fn digits_are_those_of_the_value() {
        for (text, total, fraction) in [
            ("012.340", 4, 2),
            ("0.05", 2, 2),
            ("100", 3, 0),
            ("0", 0, 0),
            ("-1.", 1, 0),
        ] {
            let number = super::Number::parse(text).unwrap();
            assert_eq!(number.total_digits(), total, "{text}");
            assert_eq!(number.fraction_digits(), fraction, "{text}");
        }
    }
}

//! Simple values in JSON, from their texts in XML.

use svcgen_model::SimpleType;

use svcgen_wire::internals::TimeZone;
#[cfg(feature = "time")]
use svcgen_wire::internals::append;
use svcgen_wire::internals::json_text::push_text;

/// The form in JSON of the values of a simple type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As in XML, without quotes.
    Literal,
    /// Numbers, with names for values that are not numbers.
    Float,
    Char,
    Moment,
    Text,
    /// No form.
    None,
}

impl Form {
    pub(crate) const fn of(simple: SimpleType) -> Self {
        match simple {
            SimpleType::Boolean
            | SimpleType::Byte
            | SimpleType::Short
            | SimpleType::Int
            | SimpleType::Long
            | SimpleType::UnsignedByte
            | SimpleType::UnsignedShort
            | SimpleType::UnsignedInt
            | SimpleType::UnsignedLong
            | SimpleType::Decimal => Self::Literal,
            SimpleType::Float | SimpleType::Double => Self::Float,
            SimpleType::Char => Self::Char,
            SimpleType::DateTime | SimpleType::Date | SimpleType::Time => Self::Moment,
            SimpleType::Any
            | SimpleType::AnyType
            | SimpleType::DataSet
            | SimpleType::DataTable
            | SimpleType::QName
            | SimpleType::Base64Binary
            | SimpleType::HexBinary => Self::None,
            _ => Self::Text,
        }
    }
}

/// Appends a value, given by its text in XML, for a service in a time zone. Returns whether JSON
/// can carry values of the type.
pub(crate) fn push(out: &mut Vec<u8>, simple: SimpleType, text: &[u8], zone: TimeZone) -> bool {
    match Form::of(simple) {
        Form::Literal => out.extend_from_slice(text),
        Form::Float => out.extend_from_slice(match text {
            b"INF" => b"Infinity",
            b"-INF" => b"-Infinity",
            b"-0" => b"0",
            _ => text,
        }),
        Form::Char => return push_char(out, text),
        Form::Moment => return push_moment(out, simple, text, zone),
        Form::Text => push_text(out, text),
        Form::None => return false,
    }
    true
}

/// The initial value of a .NET type, as its text in XML.
pub(crate) fn initial_text(simple: SimpleType) -> &'static str {
    match simple {
        SimpleType::Boolean => "false",
        SimpleType::Guid => "00000000-0000-0000-0000-000000000000",
        SimpleType::DateTime => "0001-01-01T00:00:00",
        SimpleType::Date => "0001-01-01",
        SimpleType::Time => "00:00:00",
        _ => "0",
    }
}

/// Appends the initial value of a type.
pub(crate) fn push_initial(out: &mut Vec<u8>, simple: SimpleType, zone: TimeZone) {
    if !push(out, simple, initial_text(simple).as_bytes(), zone) {
        out.extend_from_slice(b"null");
    }
}

/// Whether a value, given by its text in XML, is not a number that JSON can express.
pub(crate) fn is_no_number(simple: SimpleType, text: &[u8]) -> bool {
    Form::of(simple) == Form::Float && !text.last().is_some_and(u8::is_ascii_digit)
}

/// Whether a text of unknown origin is a value of the type.
pub(crate) fn is_value(simple: SimpleType, text: &[u8]) -> bool {
    match (simple, Form::of(simple)) {
        (SimpleType::Boolean, _) => matches!(text, b"true" | b"false"),
        (_, Form::Float) => matches!(text, b"INF" | b"-INF" | b"NaN") || is_number(text),
        (SimpleType::Decimal, _) => is_number(text),
        (_, Form::Literal) => !text.iter().any(is_fraction) && is_number(text),
        _ => true,
    }
}

fn is_fraction(byte: &u8) -> bool {
    matches!(byte, b'.' | b'e' | b'E')
}

/// Whether a text is a number in JSON (RFC 8259 §6).
fn is_number(text: &[u8]) -> bool {
    fn digits(text: &[u8]) -> (usize, &[u8]) {
        let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (count, &text[count..])
    }
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, mut rest) = digits(text);
    let mut is_number = whole == 1 || (whole > 1 && text[0] != b'0');
    if let Some(fraction) = rest.strip_prefix(b".") {
        let (count, after) = digits(fraction);
        (is_number, rest) = (is_number && count > 0, after);
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let unsigned = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-"));
        let (count, after) = digits(unsigned.unwrap_or(exponent));
        (is_number, rest) = (is_number && count > 0, after);
    }
    is_number && rest.is_empty()
}

/// Appends a character, given by its number; that of the number 0 is null.
fn push_char(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    match number.and_then(char::from_u32) {
        Some('\0') => out.extend_from_slice(b"null"),
        Some(character) => push_text(out, character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => return false,
    }
    true
}

#[cfg(not(feature = "time"))]
fn push_moment(_: &mut Vec<u8>, _: SimpleType, _: &[u8], _: TimeZone) -> bool {
    false
}

/// Appends the milliseconds since 1970 of a date or a time. A value without a zone is in the zone
/// of the service.
#[cfg(feature = "time")]
fn push_moment(out: &mut Vec<u8>, simple: SimpleType, text: &[u8], zone: TimeZone) -> bool {
    let text = str::from_utf8(text).unwrap_or_default();
    let moment = match simple {
        // For .NET, a time of day is on its first day.
        SimpleType::Time => format!("0001-01-01T{text}").parse(),
        _ => text.parse(),
    };
    let Ok(moment) = moment else {
        return false;
    };
    let milliseconds = moments::milliseconds(moment, zone);
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(milliseconds).as_bytes();
    append!(out, b"\"\\/Date(", digits, b")\\/\"");
    true
}

#[cfg(feature = "time")]
mod moments {
    use chrono::{Datelike as _, FixedOffset, NaiveDateTime};

    use svcgen_wire::internals::TimeZone;
    use svcgen_wire::types::DateTime;

    const TICKS_PER_SECOND: i64 = 10_000_000;
    /// The first and the last tick of .NET's `DateTime`, relative to 1970.
    const FIRST: i64 = -62_135_596_800 * TICKS_PER_SECOND;
    const LAST: i64 = 253_402_300_800 * TICKS_PER_SECOND - 1;

    /// The milliseconds from 1970 to a moment, whose fraction .NET truncates.
    pub(crate) fn milliseconds(moment: DateTime, zone: TimeZone) -> i64 {
        let offset = || offset_of_local(zone, moment.local);
        let offset = moment.zone.offset().or_else(offset);
        let seconds = offset.map_or(0, |offset| i64::from(offset.local_minus_utc()));
        let local = moment.local.and_utc();
        let nanoseconds = local.timestamp_subsec_nanos().min(999_999_999);
        let ticks = (local.timestamp() - seconds) * TICKS_PER_SECOND + i64::from(nanoseconds / 100);
        ticks.clamp(FIRST, LAST) / 10_000
    }

    /// The offset of a date and time in the zone of a service.
    fn offset_of_local(zone: TimeZone, local: NaiveDateTime) -> Option<FixedOffset> {
        // For times before there were zones, .NET uses the rules of later years.
        let year = if local.year() < 1900 {
            2000
        } else {
            local.year()
        };
        zone.offset_of_local(local.with_year(year)?)
    }
}

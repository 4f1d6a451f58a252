//! Converts JSON values to their texts in XML, by the rules of .NET: a value of another type is
//! converted to text first, which the type then reads.

use std::borrow::Cow;

use svcgen_model::SimpleType;

use crate::document::{Document, Kind};
use crate::simple::initial_text;
use crate::text::date;
use svcgen_wire::internals::Node;
use svcgen_wire::internals::Simple;
use svcgen_wire::internals::TimeZone;
use svcgen_wire::internals::number;
use svcgen_wire::internals::number::{is_digits, is_float, split_sign};
use svcgen_wire::internals::xml_text;

/// The reason why a value is not of a type.
pub(crate) enum Refused {
    /// Its text is not in the lexical space of the type.
    NotA(String),
    /// Another message of .NET, which does not quote the value.
    Otherwise(String),
}

type Result<T> = std::result::Result<T, Refused>;

/// The name of a type in messages of .NET.
pub(crate) fn short_name(simple: SimpleType) -> &'static str {
    let net = full_name(simple);
    net.rsplit('.').next().unwrap_or(net)
}

/// The name of a type with its namespace in .NET.
pub(crate) fn full_name(simple: SimpleType) -> &'static str {
    if is_text(simple) {
        return SimpleType::String.row().net;
    }
    simple.row().net
}

/// Whether .NET keeps values of a type as text.
pub(crate) fn is_text(simple: SimpleType) -> bool {
    simple.is_text() || simple.row().net == simple.name()
}

/// Converts a value of a type to its text in XML.
pub(crate) fn simple<'d>(
    document: &'d Document<'_>,
    node: Node,
    simple: SimpleType,
    zone: TimeZone,
) -> Result<Cow<'d, str>> {
    let kind = document.kind(node);
    if kind == Kind::Text && simple == SimpleType::String && document.date(node).is_none() {
        return Ok(document.text(node).unwrap_or_default());
    }
    if let Kind::Number(token) = kind
        && let Some(text) = of_number(token, simple)
    {
        return Ok(text);
    }
    let refused = |message: String| Err(Refused::Otherwise(message));
    let name = full_name(simple);
    match kind {
        Kind::Null if simple == SimpleType::Char => Ok(Cow::Borrowed("0")),
        Kind::Null if simple.row().by_value => {
            refused("Cannot convert null to a value type.".to_owned())
        }
        Kind::Null => Ok(Cow::Borrowed("")),
        Kind::Object if simple.row().by_value => Ok(Cow::Borrowed(initial_text(simple))),
        Kind::Object => refused(format!(
            "No parameterless constructor defined for type of '{name}'."
        )),
        Kind::List => refused(format!(
            "Type '{name}' is not supported for deserialization of an array."
        )),
        Kind::Boolean(value) if simple == SimpleType::Boolean => {
            Ok(Cow::Borrowed(if value { "true" } else { "false" }))
        }
        Kind::Text if is_moment(simple) => moment(document, node, simple, zone),
        Kind::Number(_) | Kind::Text | Kind::Boolean(_) => {
            of_text(net_text(document, node).unwrap_or_default(), simple)
        }
    }
}

/// Converts a value to a byte.
pub(crate) fn byte(document: &Document<'_>, node: Node) -> Result<u8> {
    // The most common case.
    if let Kind::Number(token) = document.kind(node)
        && let Ok(byte) = token.parse()
    {
        return Ok(byte);
    }
    let text = simple(
        document,
        node,
        SimpleType::UnsignedByte,
        TimeZone::AsWritten,
    )?;
    // A text of the type is a valid number of it.
    Ok(text.parse().unwrap_or_default())
}

fn is_moment(simple: SimpleType) -> bool {
    matches!(
        simple,
        SimpleType::DateTime | SimpleType::Date | SimpleType::Time
    )
}

/// Converts a value to text like .NET; `None` for a list, an object or null.
pub(crate) fn net_text<'d>(document: &'d Document<'_>, node: Node) -> Option<Cow<'d, str>> {
    match document.kind(node) {
        Kind::Boolean(true) => Some(Cow::Borrowed("True")),
        Kind::Boolean(false) => Some(Cow::Borrowed("False")),
        Kind::Number(token) => Some(net_number(token)),
        Kind::Text => match document.date(node).and_then(universal) {
            Some(text) => Some(Cow::Owned(text)),
            None => document.text(node),
        },
        Kind::Null | Kind::List | Kind::Object => None,
    }
}

/// The .NET type of a number before it is converted.
pub(crate) fn type_of_number(token: &str) -> SimpleType {
    if !is_float(token) || token.contains(['e', 'E']) {
        return SimpleType::Double;
    }
    match number::integer(token) {
        Ok(Some(value)) if i32::try_from(value).is_ok() => SimpleType::Int,
        Ok(Some(value)) if i64::try_from(value).is_ok() => SimpleType::Long,
        _ if is_decimal(token) => SimpleType::Decimal,
        _ => SimpleType::Double,
    }
}

/// Whether a number without an exponent fits into the 96 bits of a decimal.
#[cfg(feature = "decimal")]
fn is_decimal(text: &str) -> bool {
    svcgen_wire::types::Decimal::read_text(text).is_ok()
}

/// Always false: no type of this build has the 96 bits of a decimal.
#[cfg(not(feature = "decimal"))]
fn is_decimal(_: &str) -> bool {
    false
}

/// Converts a number to text like .NET.
fn net_number(token: &str) -> Cow<'_, str> {
    let of_double = || {
        let value: f64 = token.parse().unwrap_or(f64::NAN);
        let mut text = String::new();
        // .NET has no negative zero here.
        (value + 0.0).field(|bytes| text.push_str(&String::from_utf8_lossy(bytes)));
        Cow::Owned(text)
    };
    match type_of_number(token) {
        SimpleType::Int | SimpleType::Long => {
            let digits = token.strip_prefix('-').unwrap_or(token);
            if !digits.starts_with(['0', '+']) || token == "0" {
                return Cow::Borrowed(token);
            }
            let value = number::integer(token).ok().flatten().unwrap_or_default();
            let mut text = value.to_string();
            // The text may be kept, together with many others.
            text.shrink_to_fit();
            Cow::Owned(text)
        }
        SimpleType::Decimal => xml_text(SimpleType::Decimal, TimeZone::AsWritten, token)
            .map_or_else(of_double, Cow::Owned),
        _ => of_double(),
    }
}

/// The text in XML of a number that needs no conversion; `None` for others.
fn of_number(token: &str, simple: SimpleType) -> Option<Cow<'_, str>> {
    match simple {
        SimpleType::Double => {
            // .NET has no negative zero here.
            let is_other = |byte| matches!(byte, b'1'..=b'9' | b'I');
            let is_plain = !token.starts_with('-') || token.bytes().any(is_other);
            is_plain.then_some(Cow::Borrowed(token))
        }
        SimpleType::Decimal => {
            let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
            let is_short = token.len() < 28;
            (is_short && token.bytes().all(is_plain)).then_some(Cow::Borrowed(token))
        }
        _ => {
            let (_, _, bits) = bounds(simple)?;
            // This many digits always fit.
            let is_short = token.len() < (bits * 3 / 10) as usize;
            if is_short && token.as_bytes()[0] != b'0' && is_digits(token) {
                return Some(Cow::Borrowed(token));
            }
            // .NET refuses a fraction of only zeros, which JSON encoders write for whole numbers.
            let whole = token
                .split_once('.')
                .filter(|(_, fraction)| is_zeros(fraction));
            integer(whole.map_or(token, |(whole, _)| whole), simple)
        }
    }
}

fn is_zeros(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|digit| digit == b'0')
}

/// Converts a text of .NET to its text in XML.
fn of_text(text: Cow<'_, str>, simple: SimpleType) -> Result<Cow<'_, str>> {
    let trimmed = text.trim();
    let (read, quoted) = match simple {
        SimpleType::Boolean => (xml_text(simple, TimeZone::AsWritten, &text), &*text),
        SimpleType::Char => {
            let character = if text.chars().nth(1).is_some() {
                trimmed
            } else {
                &*text
            };
            // .NET converts an empty text to a character, too.
            let character = if character.is_empty() {
                "\0"
            } else {
                character
            };
            (xml_text(simple, TimeZone::AsWritten, character), character)
        }
        SimpleType::Float => (floating::<f32>(trimmed), trimmed),
        SimpleType::Double => (floating::<f64>(trimmed), trimmed),
        SimpleType::Decimal => (
            without_exponent(trimmed).filter(|text| is_decimal(text)),
            trimmed,
        ),
        _ if is_moment(simple) => (None, trimmed),
        _ if bounds(simple).is_some() => (integer(trimmed, simple).map(Cow::into_owned), trimmed),
        _ => return Ok(text),
    };
    match read {
        Some(text) => Ok(Cow::Owned(text)),
        None => Err(Refused::NotA(quoted.to_owned())),
    }
}

/// The minimum and the maximum value of an integer type, and its size in bits.
fn bounds(simple: SimpleType) -> Option<(i128, i128, u32)> {
    let (is_signed, bits) = match simple {
        SimpleType::Byte => (true, 8),
        SimpleType::Short => (true, 16),
        SimpleType::Int => (true, 32),
        SimpleType::Long => (true, 64),
        SimpleType::UnsignedByte => (false, 8),
        SimpleType::UnsignedShort => (false, 16),
        SimpleType::UnsignedInt => (false, 32),
        SimpleType::UnsignedLong => (false, 64),
        _ => return None,
    };
    let all = 1 << bits;
    Some(if is_signed {
        (-all / 2, all / 2 - 1, bits)
    } else {
        (0, all - 1, bits)
    })
}

/// The text in XML of an integer in decimal digits, or in hexadecimal ones after `0x`, `&h` or `#`.
fn integer(text: &str, simple: SimpleType) -> Option<Cow<'_, str>> {
    let (least, greatest, bits) = bounds(simple)?;
    let prefixes = ["#", "0x", "0X", "&h", "&H"];
    let Some(digits) = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)) else {
        let value = number::integer(text).ok()??;
        let is_plain = text.as_bytes()[0].is_ascii_digit() || value < 0;
        let is_known = (least..=greatest).contains(&value);
        return is_known.then(|| {
            if is_plain {
                return Cow::Borrowed(text);
            }
            Cow::Owned(value.to_string())
        });
    };
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let value = u64::from_str_radix(digits, 16)
        .ok()
        .filter(|_| is_hexadecimal)?;
    let value = i128::from(value);
    // The two's complement of a negative number.
    let value = if least < 0 && value > greatest && value < 1 << bits {
        value - (1 << bits)
    } else {
        value
    };
    (least..=greatest)
        .contains(&value)
        .then(|| Cow::Owned(value.to_string()))
}

/// The text in XML of a floating-point number.
fn floating<T: Simple>(text: &str) -> Option<String> {
    let is_named = matches!(text, "NaN" | "Infinity" | "-Infinity");
    let value = (is_named || is_float(text)).then(|| T::read_field(text).ok())??;
    let mut written = String::new();
    value.text(|bytes| written.push_str(&String::from_utf8_lossy(bytes)));
    Some(written)
}

/// A decimal number without its exponent.
fn without_exponent(text: &str) -> Option<String> {
    if !is_float(text) {
        return None;
    }
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return Some(text.to_owned());
    };
    // A decimal has fewer digits.
    const MOST: i32 = 64;
    let exponent = exponent.parse::<i32>().ok().filter(|by| by.abs() <= MOST)?;
    let (negative, unsigned) = split_sign(mantissa);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let moved = whole.len() as i32 + exponent;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let digits = format!(
        "{}{whole}{fraction}{}",
        zeros(-moved),
        zeros(exponent - fraction.len() as i32)
    );
    let (whole, fraction) = digits.split_at(usize::try_from(moved).unwrap_or_default());
    let sign = if negative { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// The text in XML of a date or a time, for a service in a time zone.
fn moment<'d>(
    document: &'d Document<'_>,
    node: Node,
    simple: SimpleType,
    zone: TimeZone,
) -> Result<Cow<'d, str>> {
    let text = document.text(node).unwrap_or_default();
    // .NET takes it for text if its solidi are not escaped, but JSON encoders write it so.
    let Some(milliseconds) = document.date(node).or_else(|| date(&text, "/")) else {
        if text.trim().is_empty() {
            return Ok(Cow::Borrowed(initial_text(simple)));
        }
        let read = xml_text(simple, zone, &text);
        return read
            .map(Cow::Owned)
            .ok_or_else(|| Refused::NotA(text.into_owned()));
    };
    let Some(mut utc) = in_utc(milliseconds) else {
        let message = "Ticks must be between DateTime.MinValue.Ticks and DateTime.MaxValue.Ticks.\r\nParameter name: ticks";
        return Err(Refused::Otherwise(message.to_owned()));
    };
    match simple {
        // The day is the one in the zone of the service.
        SimpleType::Date => xml_text(simple, zone, &utc)
            .map(Cow::Owned)
            .ok_or(Refused::NotA(utc)),
        SimpleType::Time => Ok(Cow::Owned(utc.split_off("yyyy-MM-ddT".len()))),
        _ => Ok(Cow::Owned(utc)),
    }
}

/// The text in XML of a moment in milliseconds since 1970.
#[cfg(feature = "time")]
fn in_utc(milliseconds: i64) -> Option<String> {
    use chrono::Datelike as _;
    let moment = chrono::DateTime::from_timestamp_millis(milliseconds)?;
    let is_known = (1..=9999).contains(&moment.year());
    is_known.then(|| svcgen_wire::types::DateTime::from(moment).to_string())
}

/// No type of this build has moments.
#[cfg(not(feature = "time"))]
fn in_utc(_: i64) -> Option<String> {
    None
}

/// Converts a moment to text like .NET.
fn universal(milliseconds: i64) -> Option<String> {
    let text = in_utc(milliseconds)?;
    let seconds = text.get(.."yyyy-MM-ddTHH:mm:ss".len())?;
    Some(seconds.replace('T', " ") + "Z")
}

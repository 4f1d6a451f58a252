//! The types of columns.

use std::borrow::Cow;

use svcgen_model::SimpleType;

use super::date_time_mode::DateTimeMode;
use crate::values::base64;
use crate::values::simple::number;
use crate::values::simple::text_value::{Mismatch, Simple};
use crate::values::time_zone::TimeZone;
use crate::values::types;

/// The type of the values of a column: a simple type of XML Schema, or of .NET.
///
/// ```
/// use svcgen::types::ColumnType;
///
/// assert_eq!(ColumnType::of_name("int").map(|int| int.name()), Some("int"));
/// assert_eq!(ColumnType::of_name("money"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnType(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Simple(SimpleType),
    /// .NET `DateTimeOffset`.
    DateTimeOffset,
}

/// The assembly of the types whose names schemas hold, which .NET names in full.
const ASSEMBLY: &str =
    ", mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089";
const DATE_TIME_OFFSET: &str = "System.DateTimeOffset";

impl ColumnType {
    /// .NET `String`.
    pub const STRING: Self = Self::of(SimpleType::String);
    /// .NET `Char`.
    pub const CHAR: Self = Self::of(SimpleType::Char);
    /// .NET `Byte[]`.
    pub const BYTES: Self = Self::of(SimpleType::Base64Binary);
    /// .NET `DateTimeOffset`: a date and time that keeps its offset.
    pub const DATE_TIME_OFFSET: Self = Self(Kind::DateTimeOffset);

    /// The type of values of a simple type.
    pub(super) const fn of(simple: SimpleType) -> Self {
        Self(Kind::Simple(simple))
    }

    /// The type with this name: that of a simple type in definitions, such as `int`, or `dateTimeOffset`.
    pub fn of_name(name: &str) -> Option<Self> {
        if name == "dateTimeOffset" {
            return Some(Self::DATE_TIME_OFFSET);
        }
        let simple = SimpleType::of_name(name)?;
        // .NET knows no columns of tokens.
        let has_columns = !simple.is_xml() && simple != SimpleType::Token;
        has_columns.then_some(Self::of(simple))
    }

    /// The type that a schema says: a type of XML Schema, and what .NET says of its own types.
    pub(super) fn of_schema(name: &str, data_type: Option<&str>) -> Option<Self> {
        let net = data_type.map(|full| full.split(',').next().unwrap_or(full).trim());
        match net {
            Some(DATE_TIME_OFFSET) => return Some(Self::DATE_TIME_OFFSET),
            Some("System.Guid") => return Some(Self::of(SimpleType::Guid)),
            _ => {}
        }
        let of_schema = |column: &Self| match column.0 {
            Kind::Simple(simple) => simple.row().microsoft.is_none(),
            Kind::DateTimeOffset => false,
        };
        let column = Self::of_name(name).filter(of_schema)?;
        let is_it = |net: &str| match column.0 {
            Kind::Simple(SimpleType::Duration) => net == "System.TimeSpan",
            Kind::Simple(SimpleType::AnyUri) => net == "System.Uri",
            Kind::Simple(simple) => net == simple.row().net,
            Kind::DateTimeOffset => false,
        };
        net.is_none_or(is_it).then_some(column)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Simple(simple) => simple.name(),
            Kind::DateTimeOffset => "dateTimeOffset",
        }
    }

    /// The type of XML Schema in a schema.
    pub(super) const fn in_schema(self) -> &'static str {
        match self.0 {
            Kind::Simple(SimpleType::Guid | SimpleType::Char) => SimpleType::String.name(),
            Kind::Simple(simple) => simple.name(),
            Kind::DateTimeOffset => SimpleType::AnyType.name(),
        }
    }

    /// The .NET type in a schema, where it is not that of the type of XML Schema.
    pub(super) fn data_type(self) -> Option<Cow<'static, str>> {
        match self.0 {
            Kind::Simple(SimpleType::Guid) => Some(format!("System.Guid{ASSEMBLY}").into()),
            Kind::DateTimeOffset => Some(DATE_TIME_OFFSET.into()),
            Kind::Simple(_) => None,
        }
    }

    /// Whether values are text.
    pub(super) fn is_text(self) -> bool {
        matches!(self.0, Kind::Simple(simple) if simple.is_text())
    }

    /// A text as .NET writes its value, shown in a time zone.
    pub(super) fn read(
        self,
        text: &str,
        mode: DateTimeMode,
        zone: TimeZone,
    ) -> Result<Cow<'_, str>, Mismatch> {
        use SimpleType::*;
        let Kind::Simple(simple) = self.0 else {
            return offset_time(text);
        };
        match simple {
            Boolean => same::<bool>(text),
            Byte => same::<i8>(text),
            Short => same::<i16>(text),
            Int => same::<i32>(text),
            Long | Integer | NonPositiveInteger | NegativeInteger => same::<i64>(text),
            UnsignedByte => same::<u8>(text),
            UnsignedShort => same::<u16>(text),
            UnsignedInt => same::<u32>(text),
            UnsignedLong | NonNegativeInteger | PositiveInteger => same::<u64>(text),
            Float => same::<f32>(text),
            Double => same::<f64>(text),
            HexBinary => hexadecimal(text),
            Base64Binary => bytes(text),
            Char => match text.chars().count() {
                1 => Ok(Cow::Borrowed(text)),
                _ => Err(Mismatch::Said("String must be exactly one character long.")),
            },
            Duration => span(text).map(Cow::Owned),
            #[cfg(feature = "decimal")]
            Decimal => same::<types::Decimal>(text),
            #[cfg(feature = "guid")]
            Guid => same::<types::Guid>(text),
            DateTime | Date | Time | GYear | GYearMonth | GMonth | GMonthDay | GDay => {
                read_time(text, mode, zone)
            }
            _ => Ok(Cow::Borrowed(text)),
        }
    }

    /// The text of a cell as a service in a time zone writes it.
    pub(super) fn shown(self, text: &str, mode: DateTimeMode, zone: TimeZone) -> Cow<'_, str> {
        use SimpleType::{Date, DateTime, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time};
        match self.0 {
            Kind::Simple(
                DateTime | Date | Time | GYear | GYearMonth | GMonth | GMonthDay | GDay,
            ) => shown_time(text, mode, zone),
            _ => Cow::Borrowed(text),
        }
    }
}

/// The text of the value that a text means.
fn same<T: Simple>(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    Ok(text_of(&T::read_text(text)?, text))
}

/// The text of a value, which often is this one.
fn text_of<'t>(value: &impl Simple, text: &'t str) -> Cow<'t, str> {
    let mut written = Cow::Borrowed(text);
    value.text(|bytes| {
        if bytes != text.as_bytes() {
            written = String::from_utf8_lossy(bytes).into_owned().into();
        }
    });
    written
}

fn bytes(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let bytes = base64::decode(text).ok_or(Mismatch::Said("Invalid base64."))?;
    let mut written = Vec::new();
    base64::encode(&bytes, &mut written);
    if written == text.as_bytes() {
        return Ok(Cow::Borrowed(text));
    }
    Ok(String::from_utf8_lossy(&written).into_owned().into())
}

fn hexadecimal(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let bytes: Result<types::HexBinary, _> = text.parse();
    let bytes = bytes.map_err(|_| Mismatch::Said("Invalid hexadecimal digits."))?;
    Ok(bytes.to_string().into())
}

/// A span as .NET's `TimeSpan` writes it: its parts from days to fractions of seconds, of which years and months are 365 and 30 days.
fn span(text: &str) -> Result<String, Mismatch> {
    let given = types::Duration::read_text(text).map_err(|_| Mismatch::NotA("TimeSpan"))?;
    let too_long = Mismatch::Said("The TimeSpan is too long.");
    let days = given.years.checked_mul(365);
    let months = given.months.checked_mul(30);
    let days = days
        .zip(months)
        .and_then(|(years, months)| years.checked_add(months)?.checked_add(given.days));
    let seconds = days.map(|days| {
        let hours = u128::from(days) * 24 + u128::from(given.hours);
        (hours * 60 + u128::from(given.minutes)) * 60 + u128::from(given.seconds)
    });
    // Ticks of 100 nanoseconds in 64 bits.
    let limit = u128::from(i64::MAX.unsigned_abs()) / 10_000_000;
    let seconds = seconds.filter(|seconds| *seconds <= limit);
    let seconds = seconds.ok_or(too_long)? as u64;
    let spread = types::Duration {
        negative: given.negative,
        years: 0,
        months: 0,
        days: seconds / 86_400,
        hours: seconds / 3_600 % 24,
        minutes: seconds / 60 % 60,
        seconds: seconds % 60,
        nanoseconds: given.nanoseconds / 100 * 100,
    };
    Ok(spread.to_string())
}

#[cfg(not(feature = "time"))]
fn offset_time(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    Ok(Cow::Borrowed(number::trim(text)))
}

#[cfg(not(feature = "time"))]
fn read_time(text: &str, _: DateTimeMode, _: TimeZone) -> Result<Cow<'_, str>, Mismatch> {
    Ok(Cow::Borrowed(number::trim(text)))
}

#[cfg(not(feature = "time"))]
fn shown_time(text: &str, _: DateTimeMode, _: TimeZone) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

#[cfg(feature = "time")]
use times::{offset_time, read_time, shown_time};

#[cfg(feature = "time")]
mod times {
    use std::borrow::Cow;

    use super::{DateTimeMode, Mismatch, Simple, TimeZone, number, text_of};
    use crate::values::types::{DateTime, Zone};

    /// A `DateTimeOffset` keeps its offset, and has one.
    pub(super) fn offset_time(text: &str) -> Result<Cow<'_, str>, Mismatch> {
        let value = DateTime::read_text(text)?;
        Ok(text_of(&value, number::trim(text)))
    }

    pub(super) fn read_time(
        text: &str,
        mode: DateTimeMode,
        zone: TimeZone,
    ) -> Result<Cow<'_, str>, Mismatch> {
        let value = DateTime::read_in(zone, false, text)?;
        Ok(text_of(&read_as(value, mode, zone), number::trim(text)))
    }

    /// A value, which is shown in a time zone, as the mode of a column has it.
    fn read_as(value: DateTime, mode: DateTimeMode, zone: TimeZone) -> DateTime {
        let is_shown = zone != TimeZone::AsWritten;
        let unspecified = DateTime::new(value.local, Zone::Unspecified);
        match mode {
            // .NET keeps the digits alone.
            DateTimeMode::UnspecifiedLocal if is_shown && value.zone == Zone::Utc => unspecified,
            DateTimeMode::UnspecifiedLocal => value,
            DateTimeMode::Unspecified => unspecified,
            DateTimeMode::Utc => {
                let utc = value.to_utc().map(|utc| utc.naive_utc());
                DateTime::new(utc.unwrap_or(value.local), Zone::Utc)
            }
            DateTimeMode::Local => local(value, zone),
        }
    }

    /// A value with the offset of the time zone, unless values are shown as they are written.
    fn local(value: DateTime, zone: TimeZone) -> DateTime {
        let offset = match value.to_utc() {
            Some(utc) => zone.offset_at(utc.naive_utc()),
            None => zone.offset_of_local(value.local),
        };
        let Some(offset) = offset else { return value };
        let local = match value.to_utc() {
            Some(utc) => utc.naive_utc().checked_add_offset(offset),
            None => Some(value.local),
        };
        local.map_or(value, |local| DateTime::new(local, Zone::Offset(offset)))
    }

    pub(super) fn shown_time(text: &str, mode: DateTimeMode, zone: TimeZone) -> Cow<'_, str> {
        let is_local = matches!(mode, DateTimeMode::UnspecifiedLocal | DateTimeMode::Local);
        if !is_local || zone == TimeZone::AsWritten {
            return Cow::Borrowed(text);
        }
        match DateTime::read_text(text) {
            Ok(value) => text_of(&local(value, zone), text),
            Err(_) => Cow::Borrowed(text),
        }
    }
}

//! The types of columns.

use std::borrow::Cow;

use svcgen_model::SimpleType;
use svcgen_wire::internals::{Mismatch, TimeZone};
use svcgen_wire::types;

use crate::date_time_mode::DateTimeMode;
use crate::net_text::{bytes, hexadecimal, offset_time, read_time, same, shown_time, span};

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

/// The assembly in the full .NET names of types in schemas.
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

    /// The type for values of a simple type.
    pub(crate) const fn of(simple: SimpleType) -> Self {
        Self(Kind::Simple(simple))
    }

    /// Returns the type with this name: that of a simple type in definitions, such as `int`, or
    /// `dateTimeOffset`.
    pub fn of_name(name: &str) -> Option<Self> {
        if name == "dateTimeOffset" {
            return Some(Self::DATE_TIME_OFFSET);
        }
        let simple = SimpleType::of_name(name)?;
        // .NET has no columns of tokens.
        let has_columns = !simple.is_xml() && simple != SimpleType::Token;
        has_columns.then_some(Self::of(simple))
    }

    /// The type in a schema: a type of XML Schema, and the attribute with which .NET names its own
    /// types.
    pub(crate) fn of_schema(name: &str, data_type: Option<&str>) -> Option<Self> {
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

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Simple(simple) => simple.name(),
            Kind::DateTimeOffset => "dateTimeOffset",
        }
    }

    /// The type of XML Schema for a schema.
    pub(crate) const fn in_schema(self) -> &'static str {
        match self.0 {
            Kind::Simple(SimpleType::Guid | SimpleType::Char) => SimpleType::String.name(),
            Kind::Simple(simple) => simple.name(),
            Kind::DateTimeOffset => SimpleType::AnyType.name(),
        }
    }

    /// The .NET type for a schema, unless it follows from the type of XML Schema.
    pub(crate) fn data_type(self) -> Option<Cow<'static, str>> {
        match self.0 {
            Kind::Simple(SimpleType::Guid) => Some(format!("System.Guid{ASSEMBLY}").into()),
            Kind::DateTimeOffset => Some(DATE_TIME_OFFSET.into()),
            Kind::Simple(_) => None,
        }
    }

    /// Whether values are text.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.0, Kind::Simple(simple) if simple.is_text())
    }

    /// Converts a text to that of its value in .NET, shown in a time zone.
    pub(crate) fn read(
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
                _ => Err(Mismatch::Message(
                    "String must be exactly one character long.",
                )),
            },
            Duration => span(text).map(Cow::Owned),
            Decimal => same::<types::Decimal>(text),
            Guid => same::<types::Guid>(text),
            DateTime | Date | Time | GYear | GYearMonth | GMonth | GMonthDay | GDay => {
                read_time(text, mode, zone)
            }
            _ => Ok(Cow::Borrowed(text)),
        }
    }

    /// The text of a cell as written by a service in a time zone.
    pub(crate) fn shown(self, text: &str, mode: DateTimeMode, zone: TimeZone) -> Cow<'_, str> {
        use SimpleType::{Date, DateTime, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time};
        match self.0 {
            Kind::Simple(
                DateTime | Date | Time | GYear | GYearMonth | GMonth | GMonthDay | GDay,
            ) => shown_time(text, mode, zone),
            _ => Cow::Borrowed(text),
        }
    }
}

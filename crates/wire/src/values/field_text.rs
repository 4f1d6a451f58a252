//! Converts the text of a form field to the text in XML.

use svcgen_model::SimpleType;

use crate::values::simple::text_value::Simple;
use crate::values::simple::types;
use crate::values::time_zone::TimeZone;

/// The value of a field as XML represents it; `None` if the text is not a value of the type, or is
/// the same in XML.
pub fn xml_text(simple: SimpleType, zone: TimeZone, field: &str) -> Option<String> {
    match simple {
        SimpleType::Boolean => text_of::<bool>(zone, field),
        SimpleType::Byte => text_of::<i8>(zone, field),
        SimpleType::Short => text_of::<i16>(zone, field),
        SimpleType::Int => text_of::<i32>(zone, field),
        SimpleType::Long => text_of::<i64>(zone, field),
        SimpleType::UnsignedByte => text_of::<u8>(zone, field),
        SimpleType::UnsignedShort => text_of::<u16>(zone, field),
        SimpleType::UnsignedInt => text_of::<u32>(zone, field),
        SimpleType::UnsignedLong => text_of::<u64>(zone, field),
        SimpleType::Float => text_of::<f32>(zone, field),
        SimpleType::Double => text_of::<f64>(zone, field),
        SimpleType::Char => text_of::<char>(zone, field),
        SimpleType::Duration => text_of::<types::Duration>(zone, field),
        #[cfg(feature = "decimal")]
        SimpleType::Decimal => text_of::<types::Decimal>(zone, field),
        #[cfg(feature = "guid")]
        SimpleType::Guid => text_of::<types::Guid>(zone, field),
        #[cfg(feature = "time")]
        SimpleType::DateTime => text_of::<types::DateTime>(zone, field),
        #[cfg(feature = "time")]
        SimpleType::Date => text_of::<types::Date>(zone, field),
        #[cfg(feature = "time")]
        SimpleType::Time => {
            // An element always states an offset.
            let time = types::Time::read_in(zone, true, field).ok();
            time.and_then(|time| written(|write| time.field(write)))
        }
        #[cfg(feature = "facets")]
        simple if simple.is_integer() => text_of::<types::Integer>(zone, field),
        _ => None,
    }
}

fn text_of<T: Simple>(zone: TimeZone, field: &str) -> Option<String> {
    let value = T::read_in(zone, true, field).ok()?;
    written(|write| value.text(write))
}

fn written(write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Option<String> {
    let mut text = Vec::new();
    write(&mut |bytes| text.extend_from_slice(bytes));
    String::from_utf8(text).ok()
}

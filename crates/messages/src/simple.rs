//! Simple values: the Rust type of each simple type, and its JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value as Json};
use svcgen::codegen::Value;
use svcgen::types;
use svcgen_model::{SimpleType, TypeAt};

use crate::layouts::Row;

/// A value of a simple type, as JSON.
pub(crate) trait Plain: Value + Default + PartialEq {
    /// The kind of JSON, for messages.
    const JSON: &'static str;

    fn to_json(&self) -> Json;

    /// Converts JSON to a value; `None` if it is not one.
    fn of_json(json: &Json) -> Option<Self>;
}

/// Evaluates an expression with the Rust type of a simple type, which is not `anyType`.
macro_rules! with_type {
    ($simple:expr, $type:ident => $body:expr) => {
        $crate::simple::with_type!(
            $simple, $type => $body,
            RustType::String => String,
            RustType::Primitive("bool") => bool,
            RustType::Primitive("i8") => i8,
            RustType::Primitive("i16") => i16,
            RustType::Primitive("i32") => i32,
            RustType::Primitive("i64") => i64,
            RustType::Primitive("u8") => u8,
            RustType::Primitive("u16") => u16,
            RustType::Primitive("u32") => u32,
            RustType::Primitive("u64") => u64,
            RustType::Primitive("f32") => f32,
            RustType::Primitive("f64") => f64,
            RustType::Primitive("char") => char,
            RustType::Bytes => Vec<u8>,
            RustType::Runtime("HexBinary") => svcgen::types::HexBinary,
            RustType::Runtime("Integer") => svcgen::types::Integer,
            RustType::Runtime("Decimal") => svcgen::types::Decimal,
            RustType::Runtime("Guid") => svcgen::types::Guid,
            RustType::Runtime("DateTime") => svcgen::types::DateTime,
            RustType::Runtime("Date") => svcgen::types::Date,
            RustType::Runtime("Time") => svcgen::types::Time,
            RustType::Runtime("Duration") => svcgen::types::Duration,
            RustType::Runtime("QName") => svcgen::types::QName,
            RustType::Xml("DataSet") => svcgen::types::DataSet,
            RustType::Xml("DataTable") => svcgen::types::DataTable,
            _ => svcgen::types::XmlFragment,
        )
    };
    ($simple:expr, $type:ident => $body:expr, $($row:pat => $rust:ty,)+) => {{
        use svcgen_model::RustType;
        match $simple.row().rust {
            $($row => {
                type $type = $rust;
                $body
            })+
        }
    }};
}
pub(crate) use with_type;

impl Plain for String {
    const JSON: &'static str = "a string";

    fn to_json(&self) -> Json {
        Json::String(self.clone())
    }

    fn of_json(json: &Json) -> Option<Self> {
        json.as_str().map(str::to_owned)
    }
}

impl Plain for bool {
    const JSON: &'static str = "true or false";

    fn to_json(&self) -> Json {
        Json::Bool(*self)
    }

    fn of_json(json: &Json) -> Option<Self> {
        json.as_bool()
    }
}

impl Plain for char {
    const JSON: &'static str = "a string of one character";

    fn to_json(&self) -> Json {
        Json::String(self.to_string())
    }

    fn of_json(json: &Json) -> Option<Self> {
        let mut characters = json.as_str()?.chars();
        characters.next().filter(|_| characters.next().is_none())
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(
            impl Plain for $type {
                const JSON: &'static str = concat!("an integer of the range of Rust's ", stringify!($type));

                fn to_json(&self) -> Json {
                    Json::Number((*self).into())
                }

                fn of_json(json: &Json) -> Option<Self> {
                    match json {
                        Json::Number(number) => number.to_string().parse().ok(),
                        Json::String(text) => text.trim().parse().ok(),
                        _ => None,
                    }
                }
            }
        )*
    };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! floats {
    ($($type:ty)*) => {
        $(
            impl Plain for $type {
                const JSON: &'static str = "a number, or \"NaN\", \"INF\" or \"-INF\"";

                fn to_json(&self) -> Json {
                    // The shortest text of a 32-bit number, not its digits in 64 bits.
                    let wide: Option<f64> = self.to_string().parse().ok().filter(|_| self.is_finite());
                    match wide.filter(|wide| *wide as $type == *self).and_then(Number::from_f64) {
                        Some(number) => Json::Number(number),
                        None if self.is_nan() => Json::from("NaN"),
                        None if *self == <$type>::INFINITY => Json::from("INF"),
                        None if *self == <$type>::NEG_INFINITY => Json::from("-INF"),
                        None => Json::String(self.to_string()),
                    }
                }

                fn of_json(json: &Json) -> Option<Self> {
                    match json {
                        Json::Number(number) => number.to_string().parse().ok(),
                        Json::String(text) => match text.trim() {
                            "NaN" => Some(<$type>::NAN),
                            "INF" => Some(<$type>::INFINITY),
                            "-INF" => Some(<$type>::NEG_INFINITY),
                            text => text.parse().ok().filter(|number: &$type| number.is_finite()),
                        },
                        _ => None,
                    }
                }
            }
        )*
    };
}
floats!(f32 f64);

impl Plain for Vec<u8> {
    const JSON: &'static str = "bytes in base64";

    fn to_json(&self) -> Json {
        Json::String(STANDARD.encode(self))
    }

    fn of_json(json: &Json) -> Option<Self> {
        STANDARD.decode(json.as_str()?).ok()
    }
}

/// Types whose `Display` is their text in JSON.
macro_rules! texts {
    ($($type:ty, $json:literal;)*) => {
        $(
            impl Plain for $type {
                const JSON: &'static str = $json;

                fn to_json(&self) -> Json {
                    Json::String(self.to_string())
                }

                fn of_json(json: &Json) -> Option<Self> {
                    match json {
                        Json::String(text) => text.parse().ok(),
                        Json::Number(number) => number.to_string().parse().ok(),
                        _ => None,
                    }
                }
            }
        )*
    };
}
texts! {
    types::HexBinary, "bytes in hexadecimal digits";
    types::Integer, "an integer, as a number or a string";
    types::Decimal, "a decimal number, as a number or a string";
    types::Guid, "a GUID";
    types::DateTime, "a date with a time, such as \"2024-01-31T12:30:00\"";
    types::Date, "a date, such as \"2024-01-31\"";
    types::Time, "a time, such as \"12:30:00\"";
    types::Duration, "a duration, such as \"P1DT2H\"";
    types::XmlAttributes, "attributes as they stand in a tag";
}

impl Plain for types::QName {
    const JSON: &'static str = "a name, or {NAMESPACE}NAME";

    fn to_json(&self) -> Json {
        Json::String(self.to_string())
    }

    fn of_json(json: &Json) -> Option<Self> {
        match json.as_str()? {
            // The value of an empty element.
            "" => Some(Self::default()),
            text => text.parse().ok(),
        }
    }
}

/// Types that implement serde's traits.
macro_rules! documents {
    ($($type:ty, $json:literal;)*) => {
        $(
            impl Plain for $type {
                const JSON: &'static str = $json;

                fn to_json(&self) -> Json {
                    serde_json::to_value(self).unwrap_or_default()
                }

                fn of_json(json: &Json) -> Option<Self> {
                    serde_json::from_value(json.clone()).ok()
                }
            }
        )*
    };
}
documents! {
    types::XmlFragment, "XML, or an object of `attributes` and `content`";
    types::DataSet, "XML with the schema and the rows of a data set";
    types::DataTable, "XML with the schema and the rows of a data table";
}

/// The expected kind of value of a row, for messages.
pub(crate) fn expected(row: Row) -> String {
    match row.type_at() {
        _ if row.is_several() => "an array".to_owned(),
        TypeAt::Simple(SimpleType::AnyType) => "a value of any type".to_owned(),
        TypeAt::Simple(simple) => with_type!(simple, T => <T as Plain>::JSON).to_owned(),
        TypeAt::Enumeration(enumeration) => format!("a value of {}", enumeration.name),
        TypeAt::Complex(complex) => format!("an object of the type {}", complex.name),
        TypeAt::List(_) => "an array".to_owned(),
        TypeAt::Dictionary(_) => "an object".to_owned(),
    }
}

//! The simple types that correspond to Rust's own: booleans, integers and floating-point numbers.

use svcgen_model::SimpleType;

use super::invariant;
use super::mismatch::Mismatch;
use super::number::{self, Digits};
use super::text_value::{Simple, simple_values};
use crate::values::element::Element;

simple_values!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl Simple for bool {
    const TYPE: SimpleType = SimpleType::Boolean;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ if number::trim(text) != text => Self::read_text(number::trim(text)),
            _ => Err(Mismatch::NotA("Boolean")),
        }
    }

    #[inline]
    fn read_usual(element: &mut Element<'_>) -> Option<Self> {
        element.plain_boolean()
    }

    fn read_field(text: &str) -> Result<Self, Mismatch> {
        let text = text.trim();
        let is_true = text.eq_ignore_ascii_case("true");
        if is_true || text.eq_ignore_ascii_case("false") {
            return Ok(is_true);
        }
        Err(Mismatch::Message(
            "String was not recognized as a valid Boolean.",
        ))
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(if *self { b"true" } else { b"false" });
    }
}

/// Converts a number to its type; `None` is a number of more than 64 bits.
fn in_range<T: TryFrom<i128>>(value: Option<i128>, kind: &'static str) -> Result<T, Mismatch> {
    let value = value.and_then(|value| value.try_into().ok());
    value.ok_or(Mismatch::Range(kind))
}

macro_rules! integers {
    ($($type:ty, $name:ident, $kind:literal, $read:path;)*) => {
        $(
            impl Simple for $type {
                const TYPE: SimpleType = SimpleType::$name;

                fn read_text(text: &str) -> Result<Self, Mismatch> {
                    in_range($read(text)?, $kind)
                }

                fn read_field(text: &str) -> Result<Self, Mismatch> {
                    in_range(number::integer(text)?, $kind)
                }

                #[inline]
                fn read_usual(element: &mut Element<'_>) -> Option<Self> {
                    element.plain_digits()
                }

                fn text(&self, write: impl FnOnce(&[u8])) {
                    write(itoa::Buffer::new().format(*self).as_bytes());
                }
            }
        )*
    };
}

integers! {
    i8, Byte, "a signed byte", number::integer;
    i16, Short, "an Int16", number::integer;
    i32, Int, "an Int32", number::integer;
    i64, Long, "an Int64", number::integer;
    u8, UnsignedByte, "an unsigned byte", number::unsigned;
    u16, UnsignedShort, "a UInt16", number::unsigned;
    u32, UnsignedInt, "a UInt32", number::unsigned;
    u64, UnsignedLong, "a UInt64", number::unsigned;
}

macro_rules! floats {
    ($($type:ty, $name:ident, $kind:literal, $precision:literal;)*) => {
        $(
            impl Simple for $type {
                const TYPE: SimpleType = SimpleType::$name;

                fn read_text(text: &str) -> Result<Self, Mismatch> {
                    match number::trim(text) {
                        // .NET reads `Infinity` as well, which callers in JavaScript send.
                        "INF" | "Infinity" => Ok(Self::INFINITY),
                        "-INF" | "-Infinity" => Ok(Self::NEG_INFINITY),
                        "NaN" => Ok(Self::NAN),
                        text if number::is_float(text) => match text.parse::<Self>() {
                            Ok(value) if value.is_finite() => Ok(value),
                            Ok(_) => Err(Mismatch::Range($kind)),
                            Err(_) => Err(Mismatch::Number),
                        },
                        _ => Err(Mismatch::Number),
                    }
                }

                fn read_field(text: &str) -> Result<Self, Mismatch> {
                    // .NET reads `-0` in a form as 0.
                    Self::read_text(&invariant::float(text)?).map(|value| value + 0.0)
                }

                fn field(&self, write: impl FnOnce(&[u8])) {
                    match *self {
                        Self::INFINITY => write(b"Infinity"),
                        Self::NEG_INFINITY => write(b"-Infinity"),
                        _ => self.text(write),
                    }
                }

                /// Format "R" of .NET Framework: 15 digits (7 of a float), or two more if those
                /// would not read back as the same number.
                fn text(&self, write: impl FnOnce(&[u8])) {
                    match *self {
                        value if value.is_nan() => write(b"NaN"),
                        Self::INFINITY => write(b"INF"),
                        Self::NEG_INFINITY => write(b"-INF"),
                        value if value == 0.0 => write(if value.is_sign_negative() { b"-0" } else { b"0" }),
                        value => {
                            let mut precision = $precision;
                            // The shortest text that reads back as the number is faster to find,
                            // and equals the rounded one if it has no more digits.
                            let shortest = (precision <= Self::DIGITS as usize && value.is_normal())
                                .then(|| Digits::of_display(&format_args!("{value:e}")))
                                .filter(|digits| number::count_digits(digits.as_bytes()) <= precision);
                            let digits = shortest.unwrap_or_else(|| {
                                let rounded = Digits::of_display(&format_args!("{value:.0$e}", precision - 1));
                                if rounded.as_str().parse() == Ok(value) {
                                    return rounded;
                                }
                                precision += 2;
                                Digits::of_display(&format_args!("{value:.0$e}", precision - 1))
                            });
                            write(Digits::of_float(digits.as_bytes(), precision).as_bytes());
                        }
                    }
                }
            }
        )*
    };
}

floats! {
    f32, Float, "a Single", 7;
    f64, Double, "a Double", 15;
}

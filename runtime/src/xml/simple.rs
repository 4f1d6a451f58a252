//! The lexical forms of simple types: in XML those of XML Schema as .NET reads and writes them, in a form those of .NET.
//!
//! A type is a row of the model, and one `impl` of [`Simple`] for the Rust type that holds it.

mod char_code;
mod duration;
mod element_builder;
mod fragment;
mod hex_binary;
mod integer;
mod lexical;
mod owned_text;
mod qname;

#[cfg(feature = "time")]
mod calendar;
#[cfg(feature = "time")]
mod date_time;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "guid")]
mod guid;

/// The types that hold simple values and are not Rust's own.
pub mod types {
    #[cfg(feature = "time")]
    pub use super::calendar::Zone;
    #[cfg(feature = "time")]
    pub use super::date_time::{Date, DateTime, Time};
    pub use super::duration::Duration;
    pub use super::element_builder::ElementBuilder;
    pub use super::fragment::XmlFragment;
    pub use super::hex_binary::HexBinary;
    pub use super::integer::Integer;
    pub use super::lexical::LexicalError;
    pub use super::qname::QName;
    /// XML Schema decimal, .NET `Decimal`.
    #[cfg(feature = "decimal")]
    pub use rust_decimal::Decimal;
    /// .NET `Guid`.
    #[cfg(feature = "guid")]
    pub use uuid::Uuid as Guid;
}

use std::str::FromStr;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use svcgen_model::{self as model, SimpleType};

use super::characters::is_space;
use super::content::Content;
use super::element::Element;
use super::error::{CONCEALED, ReadError, ReadErrorKind};
use super::number::{self, Digits};
use super::value::{Value, index_of};
use lexical::LexicalError;

/// A type whose value is one piece of text.
pub(super) trait Simple: Default {
    /// The row of the type in the model.
    const TYPE: SimpleType;

    /// Whether a nil element is the default, as of types that .NET keeps as text.
    const NIL_IS_DEFAULT: bool = false;

    /// Reads the text of an element.
    fn read_text(text: &str) -> Result<Self, Mismatch>;

    /// Reads the text of an element, if it is written as it usually is.
    fn read_usual(_text: &[u8]) -> Option<Self> {
        None
    }

    /// Reads a form field.
    fn read_field(text: &str) -> Result<Self, Mismatch> {
        Self::read_text(text)
    }

    /// What is wrong with a value that has no text.
    fn unwritable(&self) -> Option<&'static str> {
        None
    }

    /// Gives the text of an element to `write`. It holds nothing that would be escaped.
    fn text(&self, write: impl FnOnce(&[u8]));

    /// Gives the text of a form field to `write`.
    fn field(&self, write: impl FnOnce(&[u8])) {
        self.text(write);
    }
}

/// Why a text is no value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// Not a number.
    Number,
    /// A number, but none of this type; with its article and name.
    Range(&'static str),
    /// Not in the lexical space of the type that XML readers of .NET call so.
    NotA(&'static str),
    /// What .NET says, which does not quote the text.
    Said(&'static str),
}

impl Mismatch {
    fn message(self, text: &str) -> String {
        match self {
            Self::Number => "Input string was not in a correct format.".to_owned(),
            Self::Range(kind) => format!("Value was either too large or too small for {kind}."),
            Self::NotA(kind) => format!("The string '{text}' is not a valid {kind} value."),
            Self::Said(words) => words.to_owned(),
        }
    }
}

#[inline]
fn read<T: Simple>(element: &mut Element<'_>) -> Result<T, ReadError> {
    match element.plain_bytes(T::read_usual) {
        Some(value) => Ok(value),
        None => read_any(element),
    }
}

#[inline(never)]
fn read_any<T: Simple>(element: &mut Element<'_>) -> Result<T, ReadError> {
    if let Some(value) = element.plain_text(|text| T::read_text(text).ok()) {
        return Ok(value);
    }
    // A number says the same for `xsi:nil` as for no text at all.
    let text = element.text_to_check()?;
    let read = if element.is_form() {
        T::read_field(&text)
    } else {
        T::read_text(&text)
    };
    match read {
        Ok(value) => {
            element.close();
            Ok(value)
        }
        Err(mismatch) => Err(refuse(element, &text, T::TYPE.row().net, mismatch)),
    }
}

#[cold]
fn refuse(element: &Element<'_>, text: &str, kind: &str, mismatch: Mismatch) -> ReadError {
    if element.is_form() {
        return cannot_convert(element, text, kind, &mismatch.message(text));
    }
    element
        .error(ReadErrorKind::Value, mismatch.message(text))
        .or_concealed(mismatch.message(CONCEALED))
}

fn write<T: Simple>(value: &T, name: &str, out: &mut Content<'_>) {
    if let Some(wrong) = value.unwritable() {
        return out.fail(format!("'{name}' {wrong}."));
    }
    if out.is_form() {
        value.field(|text| out.plain(name, text));
    } else {
        value.text(|text| out.plain(name, text));
    }
}

fn cannot_convert(element: &Element<'_>, text: &str, kind: &str, why: &str) -> ReadError {
    let say = |text: &str, why: &str| {
        format!("Cannot convert {text} to {kind}.\r\nParameter name: type ---> {why}")
    };
    let concealed = if text.is_empty() {
        why.to_owned()
    } else {
        why.replace(text, CONCEALED)
    };
    element
        .error(ReadErrorKind::Value, say(text, why))
        .or_concealed(say(CONCEALED, &concealed))
}

macro_rules! simple_values {
    ($($type:ty)*) => {
        $(
            impl Value for $type {
                fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
                    let is_default = Self::NIL_IS_DEFAULT && element.take_absent(false)?;
                    *self = if is_default { Self::default() } else { read(element)? };
                    Ok(())
                }

                fn write(&self, name: &str, out: &mut Content<'_>) {
                    write(self, name, out);
                }
            }
        )*
    };
}

simple_values!(bool char i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 duration::Duration integer::Integer);
#[cfg(feature = "time")]
simple_values!(date_time::DateTime date_time::Date date_time::Time);
#[cfg(feature = "decimal")]
simple_values!(rust_decimal::Decimal);
#[cfg(feature = "guid")]
simple_values!(uuid::Uuid);

/// The types of the runtime's own are read from text as from an element.
macro_rules! from_text {
    ($($type:ty)*) => {
        $(
            impl FromStr for $type {
                type Err = LexicalError;

                fn from_str(text: &str) -> Result<Self, LexicalError> {
                    Self::read_text(text).map_err(|_| LexicalError::new(Self::TYPE.row().name))
                }
            }
        )*
    };
}

from_text!(duration::Duration integer::Integer);
#[cfg(feature = "time")]
from_text!(date_time::DateTime date_time::Date date_time::Time);

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

    fn read_usual(text: &[u8]) -> Option<Self> {
        match text {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    fn read_field(text: &str) -> Result<Self, Mismatch> {
        let text = text.trim();
        match (
            text.eq_ignore_ascii_case("true"),
            text.eq_ignore_ascii_case("false"),
        ) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => Err(Mismatch::Said(
                "String was not recognized as a valid Boolean.",
            )),
        }
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(if *self { b"true" } else { b"false" });
    }
}

macro_rules! integers {
    ($($type:ty, $name:ident, $kind:literal;)*) => {
        $(
            impl Simple for $type {
                const TYPE: SimpleType = SimpleType::$name;

                fn read_text(text: &str) -> Result<Self, Mismatch> {
                    let value = number::integer(text)?;
                    value.and_then(|value| value.try_into().ok()).ok_or(Mismatch::Range($kind))
                }

                #[inline]
                fn read_usual(text: &[u8]) -> Option<Self> {
                    number::digits(text)?.try_into().ok()
                }

                fn text(&self, write: impl FnOnce(&[u8])) {
                    write(itoa::Buffer::new().format(*self).as_bytes());
                }
            }
        )*
    };
}

integers! {
    i8, Byte, "a signed byte";
    i16, Short, "an Int16";
    i32, Int, "an Int32";
    i64, Long, "an Int64";
    u8, UnsignedByte, "an unsigned byte";
    u16, UnsignedShort, "a UInt16";
    u32, UnsignedInt, "a UInt32";
    u64, UnsignedLong, "a UInt64";
}

macro_rules! floats {
    ($($type:ty, $name:ident, $kind:literal, $precision:literal;)*) => {
        $(
            impl Simple for $type {
                const TYPE: SimpleType = SimpleType::$name;

                fn read_text(text: &str) -> Result<Self, Mismatch> {
                    match number::float(text)? {
                        number::Float::Infinity => Ok(Self::INFINITY),
                        number::Float::NegativeInfinity => Ok(Self::NEG_INFINITY),
                        number::Float::NaN => Ok(Self::NAN),
                        number::Float::Finite(text) => match text.parse::<Self>() {
                            Ok(value) if value.is_finite() => Ok(value),
                            Ok(_) => Err(Mismatch::Range($kind)),
                            Err(_) => Err(Mismatch::Number),
                        },
                    }
                }

                fn field(&self, write: impl FnOnce(&[u8])) {
                    match *self {
                        Self::INFINITY => write(b"Infinity"),
                        Self::NEG_INFINITY => write(b"-Infinity"),
                        _ => self.text(write),
                    }
                }

                /// Format "R" of .NET Framework: 15 digits (7 of a float), or two more if those would not read back as the same number.
                fn text(&self, write: impl FnOnce(&[u8])) {
                    match *self {
                        value if value.is_nan() => write(b"NaN"),
                        Self::INFINITY => write(b"INF"),
                        Self::NEG_INFINITY => write(b"-INF"),
                        value if value == 0.0 => write(if value.is_sign_negative() { b"-0" } else { b"0" }),
                        value => {
                            let mut precision = $precision;
                            // A text of so few digits is the same after the way to a number and back: then it is what rounding would give, and found faster.
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

impl Value for String {
    #[inline]
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = match element.plain_text(|text| Some(text.to_owned())) {
            Some(text) => text,
            None => element.mixed_text()?,
        };
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.text(name, self);
    }
}

/// base64Binary; in a form, one decimal field for each byte.
impl Value for Vec<u8> {
    const REPEATED: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = read_bytes(element, decode_base64, NOT_BASE64)?;
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.bytes(name, self);
    }
}

/// Reads bytes of their text, or of form fields.
fn read_bytes(
    element: &mut Element<'_>,
    decode: impl Fn(&str) -> Option<Vec<u8>>,
    refused: &str,
) -> Result<Vec<u8>, ReadError> {
    if element.is_form() {
        return read_byte_fields(element);
    }
    if let Some(bytes) = element.plain_text(&decode) {
        return Ok(bytes);
    }
    let text = element.text_to_check()?;
    let Some(bytes) = decode(&text) else {
        return Err(element.error(ReadErrorKind::Malformed, refused.to_owned()));
    };
    element.close();
    Ok(bytes)
}

const NOT_BASE64: &str = "Invalid base64: there are other characters than A-Z a-z 0-9 + / and white space, something after '=', or a character too few.";

/// Padding may be missing, as .NET reads it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes base64 with white space anywhere.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    if let Ok(bytes) = BASE64.decode(text) {
        return Some(bytes);
    }
    let text: Vec<u8> = text.bytes().filter(|byte| !is_space(*byte)).collect();
    BASE64.decode(text).ok()
}

/// Appends base64.
pub(super) fn encode_base64(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = BASE64.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

/// Decodes base64 that is no decimal byte.
fn decode_base64_field(field: &str) -> Option<Vec<u8>> {
    let text = number::trim(field);
    let digits = text.strip_prefix('+').unwrap_or(text);
    let decimal = digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let base64 = !decimal && text.len().is_multiple_of(4);
    BASE64.decode(text).ok().filter(|_| base64)
}

/// Whether a field is a number, or a few, that is no byte: no part of a secret, and the caller must see which one is wrong.
fn is_wrong_byte(field: &str) -> bool {
    field.len() <= 8
        && field
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b','))
}

/// One decimal field for each byte, or base64, which never looks like a byte: it has a multiple of 4 characters. An empty field alone is no byte at all.
fn read_byte_fields(element: &Element<'_>) -> Result<Vec<u8>, ReadError> {
    let mut fields = element.fields();
    let Some(first) = fields.next().filter(|_| !element.is_blank_field()) else {
        return Ok(Vec::new());
    };
    if let Some(bytes) = decode_base64_field(first) {
        return match fields.find(|field| *field != first) {
            None => Ok(bytes),
            Some(other) => Err(cannot_convert(
                element,
                other,
                u8::TYPE.row().net,
                "Base64 values of one parameter must be equal.",
            )),
        };
    }
    let byte = |field: &str| {
        u8::read_field(field).map_err(|mismatch| {
            let error =
                cannot_convert(element, field, u8::TYPE.row().net, &mismatch.message(field));
            if is_wrong_byte(field) {
                error.not_concealed()
            } else {
                error
            }
        })
    };
    element.fields().map(byte).collect()
}

/// Reads an enumeration by its name; in a form blanks may stand around it, and its index may stand for it. A name that is not known, nor blank, may be another value.
pub(super) fn read_enumeration<T: Clone>(
    element: &mut Element<'_>,
    row: &model::Enumeration<'_>,
    values: &[T],
    other: impl FnOnce(&str) -> Option<T>,
) -> Result<T, ReadError> {
    let text = element.text_to_check()?;
    let name = if element.is_form() {
        number::trim(&text)
    } else {
        &text
    };
    let by_index = || {
        let index = name.parse::<usize>().ok()?;
        (element.is_form() && index < values.len()).then_some(index)
    };
    let known = index_of(row, name).or_else(by_index);
    let other = || other(name).filter(|_| !number::trim(name).is_empty());
    match known.map(|index| values[index].clone()).or_else(other) {
        Some(value) => {
            element.close();
            Ok(value)
        }
        None => Err(refuse_name(element, &text, row.name)),
    }
}

#[cold]
fn refuse_name(element: &Element<'_>, text: &str, kind: &str) -> ReadError {
    if element.is_form() {
        let known = number::trim(text);
        return cannot_convert(
            element,
            text,
            kind,
            &format!("Requested value '{known}' was not found."),
        );
    }
    let say = |text: &str| {
        format!("Instance validation error: '{text}' is not a valid value for {kind}.")
    };
    element
        .error(ReadErrorKind::Value, say(text))
        .or_concealed(say(CONCEALED))
}

//! The lexical forms of simple types: in XML those of XML Schema as .NET reads and writes them, in a form those of .NET.
//!
//! A type is one `impl` of [`Simple`].

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::characters::is_space;
use super::content::Content;
use super::element::Element;
use super::error::{ReadError, ReadErrorKind};
use super::number::{self, Digits};
use super::value::{Enumeration, Value};

/// A type whose value is one piece of text.
pub(super) trait Simple: Sized {
    /// The name of the type in .NET, which errors about forms hold.
    const NAME: &'static str;

    /// Reads the text of an element.
    fn read_text(text: &str) -> Result<Self, Mismatch>;

    /// Reads a form field.
    fn read_field(text: &str) -> Result<Self, Mismatch> {
        Self::read_text(text)
    }

    /// The text to write.
    fn to_text(&self) -> Digits;
}

/// Why a text is no value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// Not a number.
    Number,
    /// A number, but none of this type; with its article and name.
    Range(&'static str),
    /// Not a boolean, in XML.
    Boolean,
    /// Not a boolean, in a form.
    FieldBoolean,
}

impl Mismatch {
    fn message(self, text: &str) -> String {
        match self {
            Self::Number => "Input string was not in a correct format.".to_owned(),
            Self::Range(kind) => format!("Value was either too large or too small for {kind}."),
            Self::Boolean => format!("The string '{text}' is not a valid Boolean value."),
            Self::FieldBoolean => "String was not recognized as a valid Boolean.".to_owned(),
        }
    }
}

fn read<T: Simple>(element: &mut Element<'_>) -> Result<T, ReadError> {
    if element.is_form() {
        let text = element.text()?;
        return T::read_field(&text)
            .map_err(|mismatch| cannot_convert(element, &text, T::NAME, &mismatch.message(&text)));
    }
    let mark = element.mark();
    // A number says the same for `xsi:nil` as for no text at all.
    let text = element.text()?;
    T::read_text(&text).map_err(|mismatch| {
        element
            .error_at(mark, ReadErrorKind::Value, mismatch.message(&text))
            .or_concealed(mismatch.message(CONCEALED))
    })
}

/// What stands in a message instead of a secret.
const CONCEALED: &str = "[secret]";

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
                    *self = read(element)?;
                    Ok(())
                }

                fn write(&self, name: &str, out: &mut Content<'_>) {
                    out.plain(name, self.to_text().as_bytes());
                }
            }
        )*
    };
}

simple_values!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl Simple for bool {
    const NAME: &'static str = "System.Boolean";

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        match number::trim(text) {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Mismatch::Boolean),
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
            _ => Err(Mismatch::FieldBoolean),
        }
    }

    fn to_text(&self) -> Digits {
        Digits::of(if *self { "true" } else { "false" })
    }
}

macro_rules! integers {
    ($($type:ty, $name:literal, $kind:literal;)*) => {
        $(
            impl Simple for $type {
                const NAME: &'static str = $name;

                fn read_text(text: &str) -> Result<Self, Mismatch> {
                    number::integer(text)?.and_then(|value| value.try_into().ok()).ok_or(Mismatch::Range($kind))
                }

                fn to_text(&self) -> Digits {
                    Digits::of_integer((*self).into())
                }
            }
        )*
    };
}

integers! {
    i8, "System.SByte", "a signed byte";
    i16, "System.Int16", "an Int16";
    i32, "System.Int32", "an Int32";
    i64, "System.Int64", "an Int64";
    u8, "System.Byte", "an unsigned byte";
    u16, "System.UInt16", "a UInt16";
    u32, "System.UInt32", "a UInt32";
    u64, "System.UInt64", "a UInt64";
}

macro_rules! floats {
    ($($type:ty, $name:literal, $kind:literal, $precision:literal;)*) => {
        $(
            impl Simple for $type {
                const NAME: &'static str = $name;

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

                fn to_text(&self) -> Digits {
                    match *self {
                        value if value.is_nan() => Digits::of("NaN"),
                        Self::INFINITY => Digits::of("INF"),
                        Self::NEG_INFINITY => Digits::of("-INF"),
                        value => Digits::of_float(format_args!("{value:e}"), $precision),
                    }
                }
            }
        )*
    };
}

floats! {
    f32, "System.Single", "a Single", 7;
    f64, "System.Double", "a Double", 15;
}

impl Value for String {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = element.text()?.into_owned();
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
        if element.is_form() {
            *self = read_byte_fields(element)?;
            return Ok(());
        }
        let mark = element.mark();
        let text = element.text()?;
        *self = decode_base64(&text).ok_or_else(|| {
            element.error_at(mark, ReadErrorKind::Malformed, "Invalid base64: characters other than A-Z a-z 0-9 + / and white space, data after '=', or a character too few.".to_owned())
        })?;
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.bytes(name, self);
    }
}

/// Padding may be missing, as .NET reads it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes base64 with white space anywhere.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    if !text.bytes().any(is_space) {
        return BASE64.decode(text).ok();
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
    let base64 = !decimal && text.len() % 4 == 0;
    BASE64.decode(text).ok().filter(|_| base64)
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
                u8::NAME,
                "Base64 values of one parameter must be equal.",
            )),
        };
    }
    let byte = |field: &str| {
        u8::read_field(field)
            .map_err(|mismatch| cannot_convert(element, field, u8::NAME, &mismatch.message(field)))
    };
    element.fields().map(byte).collect()
}

/// Reads an enumeration by its name; in a form blanks may stand around it, and its index may stand for it.
pub(super) fn read_enumeration<E: Enumeration>(element: &mut Element<'_>) -> Result<E, ReadError> {
    let name = enumeration_name::<E>();
    if element.is_form() {
        let text = element.text()?;
        let known = number::trim(&text);
        let by_index = || {
            known
                .parse::<usize>()
                .ok()
                .and_then(|index| E::VALUES.get(index))
                .map(|(value, _)| *value)
        };
        return E::from_name(known).or_else(by_index).ok_or_else(|| {
            cannot_convert(
                element,
                &text,
                name,
                &format!("Requested value '{known}' was not found."),
            )
        });
    }
    let mark = element.mark();
    let text = element.text()?;
    E::from_name(&text).ok_or_else(|| {
        let say = |text: &str| {
            format!("Instance validation error: '{text}' is not a valid value for {name}.")
        };
        element
            .error_at(mark, ReadErrorKind::Value, say(&text))
            .or_concealed(say(CONCEALED))
    })
}

/// The name that an enumeration gives itself, else that of its Rust type.
fn enumeration_name<E: Enumeration>() -> &'static str {
    match E::NAME {
        "" => std::any::type_name::<E>()
            .rsplit("::")
            .next()
            .unwrap_or_default(),
        name => name,
    }
}

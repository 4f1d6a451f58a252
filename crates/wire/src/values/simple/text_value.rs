//! Simple values with a single text, in XML and in forms.

use std::fmt;

use svcgen_model::SimpleType;

use super::mismatch::Mismatch;
use crate::accept::Accept;
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::time_zone::TimeZone;
use crate::xml::error::{CONCEALED, ReadError};

/// A type whose values each have a single text.
pub trait Simple: Default {
    /// The row of the type in the model.
    const TYPE: SimpleType;

    /// Whether a nil element is read as the default, as it is for types that .NET keeps as text.
    const NIL_IS_DEFAULT: bool = false;

    /// Reads the text of an element or a form field, for a service in a time zone.
    #[inline]
    fn read_in(_zone: TimeZone, is_form: bool, text: &str) -> Result<Self, Mismatch> {
        if is_form {
            Self::read_field(text)
        } else {
            Self::read_text(text)
        }
    }

    /// The value as a service in a time zone writes it, if it differs.
    #[inline]
    fn written_in(&self, _zone: TimeZone) -> Option<Self> {
        None
    }

    /// Reads the text of an element.
    fn read_text(text: &str) -> Result<Self, Mismatch>;

    /// Reads a text that is not a value of the type but whose meaning is clear, if that is accepted
    /// ([`Accept::Times`]).
    fn read_accepted(_zone: TimeZone, _text: &str) -> Option<Self> {
        None
    }

    /// Reads an element with one of the usual texts, faster than [`read_text`](Self::read_text).
    /// Otherwise it reads nothing.
    #[inline]
    fn read_usual(_element: &mut Element<'_>) -> Option<Self> {
        None
    }

    /// Reads a form field.
    fn read_field(text: &str) -> Result<Self, Mismatch> {
        Self::read_text(text)
    }

    /// The reason why the value has no text, if it has none.
    fn unwritable(&self) -> Option<&'static str> {
        None
    }

    /// Calls `write` with the text of an element, which needs no escaping.
    fn text(&self, write: impl FnOnce(&[u8]));

    /// Calls `write` with the text of a form field.
    fn field(&self, write: impl FnOnce(&[u8])) {
        self.text(write);
    }
}

/// The error for a text that is not in the lexical space of its type. It does not quote the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LexicalError {
    /// The name of the type in XML Schema.
    kind: &'static str,
}

impl LexicalError {
    pub(crate) const fn new(kind: &'static str) -> Self {
        Self { kind }
    }
}

impl fmt::Display for LexicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The string is not a valid {}.", self.kind)
    }
}

impl std::error::Error for LexicalError {}

#[inline]
pub fn read<T: Simple>(element: &mut Element<'_>) -> Result<T, ReadError> {
    match T::read_usual(element) {
        Some(value) => Ok(value),
        None => read_any(element),
    }
}

#[inline(never)]
fn read_any<T: Simple>(element: &mut Element<'_>) -> Result<T, ReadError> {
    let (zone, is_form) = (element.time_zone, element.is_form());
    if let Some(value) = element.plain_text(|text| T::read_in(zone, false, text).ok()) {
        return Ok(value);
    }
    // A nil element is read as an empty text, as in .NET.
    let text = element.text_of(T::TYPE)?;
    match T::read_in(zone, is_form, &text) {
        Ok(value) => {
            element.close();
            Ok(value)
        }
        Err(mismatch) => match accepted(element, zone, &text) {
            Some(value) => {
                element.close();
                Ok(value)
            }
            None => Err(refuse(element, &text, T::TYPE.row().net, mismatch)),
        },
    }
}

#[cold]
fn accepted<T: Simple>(element: &Element<'_>, zone: TimeZone, text: &str) -> Option<T> {
    let is_accepted = element.tokens.accepted.has(Accept::Times);
    is_accepted.then(|| T::read_accepted(zone, text))?
}

#[cold]
fn refuse(element: &Element<'_>, text: &str, kind: &str, mismatch: Mismatch) -> ReadError {
    if element.is_form() {
        return cannot_convert(element, text, kind, &mismatch.message(text));
    }
    element
        .no_value(mismatch.message(text))
        .or_concealed(mismatch.message(CONCEALED))
}

pub(crate) fn write<T: Simple>(value: &T, name: &str, out: &mut Content<'_>) {
    if let Some(wrong) = value.unwritable() {
        return out.fail(format!("'{name}' {wrong}."));
    }
    let shown = value.written_in(out.time_zone);
    let value = shown.as_ref().unwrap_or(value);
    if out.is_form() {
        value.field(|text| out.plain(name, text, T::TYPE));
    } else {
        value.text(|text| out.plain(name, text, T::TYPE));
    }
}

pub(crate) fn cannot_convert(
    element: &Element<'_>,
    text: &str,
    kind: &str,
    why: &str,
) -> ReadError {
    let say = |text: &str, why: &str| {
        format!("Cannot convert {text} to {kind}.\r\nParameter name: type ---> {why}")
    };
    let concealed = if text.is_empty() {
        why.to_owned()
    } else {
        why.replace(text, CONCEALED)
    };
    element
        .no_value(say(text, why))
        .or_concealed(say(CONCEALED, &concealed))
}

/// Implements `Value` for types that implement [`Simple`].
macro_rules! simple_values {
    ($($type:ty)*) => {
        $(
            impl $crate::values::value::Value for $type {
                const BLANK_IS_ABSENT: bool =
                    <Self as $crate::values::simple::text_value::Simple>::TYPE.row().by_value;

                fn read(
                    &mut self,
                    element: &mut $crate::values::element::Element<'_>,
                ) -> Result<(), $crate::xml::error::ReadError> {
                    use $crate::values::simple::text_value;
                    let is_default = Self::NIL_IS_DEFAULT && element.take_absent(false)?;
                    *self = if is_default { Self::default() } else { text_value::read(element)? };
                    Ok(())
                }

                fn write(&self, name: &str, out: &mut $crate::values::content::Content<'_>) {
                    $crate::values::simple::text_value::write(self, name, out);
                }
            }
        )*
    };
}
pub(super) use simple_values;

/// Implements `FromStr` for types that implement [`Simple`], by the text of an element.
macro_rules! from_text {
    ($($type:ty)*) => {
        $(
            impl std::str::FromStr for $type {
                type Err = $crate::values::simple::text_value::LexicalError;

                fn from_str(text: &str) -> Result<Self, Self::Err> {
                    Self::read_text(text).map_err(|_| Self::Err::new(Self::TYPE.row().name))
                }
            }
        )*
    };
}
pub(super) use from_text;

//! Enumerations.

use std::fmt;

use svcgen_model as model;

use super::content::Content;
use super::element::Element;
use super::simple::number::{integer, trim};
use super::simple::text_value::cannot_convert;
use crate::xml::error::{CONCEALED, ReadError};

/// An enumeration: its row in the model, and its values in the same order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for an enumeration",
    label = "does not implement `svcgen::codegen::Enumeration`"
)]
pub trait Enumeration: Copy + 'static {
    /// Its name and the names of its values on the wire.
    const TYPE: &'static model::Enumeration<'static>;

    /// Every value, in the order of its row.
    const VALUES: &'static [Self];

    /// The index of the value in [`VALUES`](Self::VALUES).
    fn index(self) -> usize;

    /// The name on the wire.
    fn as_str(self) -> &'static str {
        Self::TYPE.values[self.index()].name
    }

    /// The value with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if the enumeration has no such name.
    fn parse(name: &str) -> Result<Self, UnknownName> {
        Self::from_name(name).ok_or(UnknownName(Self::TYPE))
    }

    /// The value with this name.
    fn from_name(name: &str) -> Option<Self> {
        let index = index_of(Self::TYPE, name)?;
        Some(Self::VALUES[index])
    }

    /// The number of the value in .NET code.
    fn number(self) -> i64 {
        let mut numbers = Self::TYPE.numbers();
        numbers.nth(self.index()).expect("a value of the row")
    }

    /// The first value with this number in .NET code.
    fn from_number(number: i64) -> Option<Self> {
        let mut numbers = Self::TYPE.numbers();
        let index = numbers.position(|known| known == number)?;
        Some(Self::VALUES[index])
    }
}

/// An enumeration that keeps unknown names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for an open enumeration",
    label = "does not implement `svcgen::codegen::OpenEnumeration`"
)]
pub trait OpenEnumeration: Clone + 'static {
    /// Its name and the names of its known values on the wire.
    const TYPE: &'static model::Enumeration<'static>;

    /// Every known value, in the order of its row.
    const VALUES: &'static [Self];

    /// The name on the wire.
    fn as_str(&self) -> &str;

    /// Creates the value for an unknown name.
    fn other(name: &str) -> Self;

    /// The value with this name, known or not.
    fn from_name(name: &str) -> Self {
        let known = index_of(Self::TYPE, name).map(|index| Self::VALUES[index].clone());
        known.unwrap_or_else(|| Self::other(name))
    }
}

/// The error for a name that an enumeration does not have. It does not quote the name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnknownName(pub(super) &'static model::Enumeration<'static>);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.values.iter().map(|value| value.name).collect();
        write!(f, "not a value of {}: {}", self.0.name, names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// The index of the value with a name.
pub fn index_of(enumeration: &model::Enumeration<'_>, name: &str) -> Option<usize> {
    let mut values = enumeration.values.iter();
    values.position(|value| value.name == name)
}

/// The index of the value that a form text denotes: by its name in .NET code, by its text on the
/// wire, or by its number.
fn index_in_form(enumeration: &model::Enumeration<'_>, text: &str) -> Option<usize> {
    let mut values = enumeration.values.iter();
    let by_net = values.position(|value| value.net == Some(text));
    let by_text = || index_of(enumeration, text).filter(|_| !text.is_empty());
    let by_number = || {
        let number: i64 = text.parse().ok()?;
        enumeration.numbers().position(|known| known == number)
    };
    by_net.or_else(by_text).or_else(by_number)
}

/// The form text for the value with this text on the wire: its name in .NET code.
fn in_form<'t>(enumeration: &model::Enumeration<'t>, text: &'t str) -> &'t str {
    let known = index_of(enumeration, text).map(|index| enumeration.values[index].field_name());
    known.unwrap_or(text)
}

impl Element<'_> {
    /// Reads an enumeration by its name; a form may also have the name or the number in .NET code,
    /// and blanks around it.
    pub fn enumeration<E: Enumeration>(&mut self, value: &mut E) -> Result<(), ReadError> {
        *value = match self.plain_text(E::from_name) {
            Some(value) => value,
            None => read_enumeration(self, E::TYPE, false, |index| E::VALUES[index], |_| None)?,
        };
        Ok(())
    }

    /// Reads an open enumeration as [`enumeration`](Self::enumeration) does, and keeps unknown
    /// names.
    pub fn open_enumeration<E: OpenEnumeration>(&mut self, value: &mut E) -> Result<(), ReadError> {
        let other = |name: &str| Some(E::other(name));
        let known = |index: usize| E::VALUES[index].clone();
        *value = read_enumeration(self, E::TYPE, true, known, other)?;
        Ok(())
    }
}

impl Content<'_> {
    /// Writes the number of a value to a document of another notation.
    #[cold]
    pub(super) fn number(&mut self, name: &str, number: Option<i64>, text: &str) {
        match number {
            Some(number) => self.with_sink(|sink, out| sink.number(out, name, number)),
            None => self.fail(format!("'{name}' is '{text}', which has no number.")),
        }
    }

    /// Writes an enumeration by its name.
    pub fn enumeration<E: Enumeration>(&mut self, name: &str, value: E) {
        self.enumeration_text(name, E::TYPE, value.as_str());
    }

    /// Writes an open enumeration by its name.
    pub fn open_enumeration<E: OpenEnumeration>(&mut self, name: &str, value: &E) {
        self.enumeration_text(name, E::TYPE, value.as_str());
    }

    #[inline]
    pub(super) fn enumeration_text(
        &mut self,
        name: &str,
        row: &model::Enumeration<'_>,
        text: &str,
    ) {
        if self.is_element() {
            self.text(name, text);
        } else {
            self.enumeration_elsewhere(name, row, text);
        }
    }

    #[inline(never)]
    fn enumeration_elsewhere(&mut self, name: &str, row: &model::Enumeration<'_>, text: &str) {
        if self.is_sink() {
            let number = index_of(row, text).and_then(|index| row.numbers().nth(index));
            self.number(name, number.or_else(|| text.parse().ok()), text);
        } else if self.is_form() {
            self.text(name, in_form(row, text));
        } else {
            self.text(name, text);
        }
    }
}

/// Reads an enumeration by its name, or in a form also as .NET does. `value` creates the value with
/// an index, `other` those for unknown names, except blank ones.
pub(super) fn read_enumeration<T>(
    element: &mut Element<'_>,
    row: &model::Enumeration<'_>,
    is_open: bool,
    value: impl FnOnce(usize) -> T,
    other: impl FnOnce(&str) -> Option<T>,
) -> Result<T, ReadError> {
    let text = match element.source() {
        Some((source, node)) => source.enumeration(node, row, is_open)?,
        None => element.text_to_check()?,
    };
    let (name, known) = if element.is_form() {
        let name = text.trim();
        (name, index_in_form(row, name))
    } else {
        (&*text, index_of(row, &text))
    };
    let other = || other(name).filter(|_| !trim(name).is_empty());
    match known.map(value).or_else(other) {
        Some(value) => {
            element.close();
            Ok(value)
        }
        None => {
            let net = row.net.filter(|_| element.is_form());
            Err(refuse_name(element, &text, net.unwrap_or(row.name)))
        }
    }
}

#[cold]
pub(super) fn refuse_name(element: &Element<'_>, text: &str, kind: &str) -> ReadError {
    if element.is_form() {
        let name = text.trim();
        let is_int = |number| i32::try_from(number).is_ok();
        let why = if name.is_empty() {
            "Must specify valid information for parsing in the string."
        } else if integer(name).is_ok_and(|number| !number.is_some_and(is_int)) {
            "Value was either too large or too small for an Int32."
        } else {
            &format!("Requested value '{name}' was not found.")
        };
        return cannot_convert(element, text, kind, why);
    }
    let say = |text: &str| {
        format!("Instance validation error: '{text}' is not a valid value for {kind}.")
    };
    element.no_value(say(text)).or_concealed(say(CONCEALED))
}

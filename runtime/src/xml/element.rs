//! An element while it is being read.

use std::borrow::Cow;

use super::error::{ReadError, ReadErrorKind};
use super::tokens::Tokens;
use super::value::{Complex, Enumeration, ListValue, Value};
use crate::limits::Limits;

/// The decoded fields of a form or query, in order: names and values.
pub type FormFields<'i> = [(Cow<'i, str>, Cow<'i, str>)];

/// An element that is being read: its start tag is read, its content is not. It hides whether the value comes from XML or from a form.
///
/// Whoever gets an element reads it once.
pub struct Element<'i> {
    pub(super) tokens: Tokens<'i>,
    given: Option<Given<'i>>,
}

/// A value that stands in no element.
enum Given<'i> {
    Attribute(Cow<'i, str>),
    Form { name: &'i str, fields: &'i FormFields<'i>, only: Option<&'i str> },
}

/// Reads the fields of a form as the elements of a complex type. Names are compared without regard to case.
///
/// # Errors
///
/// [`Missing`](ReadErrorKind::Missing) for a field that must be there, [`Value`](ReadErrorKind::Value) for one whose value is none of its type.
pub fn read_form<'i, T: Complex>(fields: &'i FormFields<'i>, value: &mut T) -> Result<(), ReadError> {
    for (index, name) in T::ELEMENTS.iter().enumerate() {
        value.read_element(index, &mut Element::from_form(name, fields))?;
    }
    Ok(())
}

impl<'i> Element<'i> {
    pub(super) fn from_tokens(tokens: Tokens<'i>) -> Self {
        Self { tokens, given: None }
    }

    /// A form field as an element: all fields of this name, whatever their case.
    pub fn from_form(name: &'i str, fields: &'i FormFields<'i>) -> Self {
        Self { tokens: Tokens::new("", &Limits::default()), given: Some(Given::Form { name, fields, only: None }) }
    }
}

impl<'i> Element<'i> {
    /// Reads the value of the element.
    pub fn read<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        value.read(self)
    }

    /// Reads a wrapped list, whose items are elements named `item`.
    pub fn list<L: ListValue>(&mut self, item: &str, values: &mut L) -> Result<(), ReadError> {
        values.read_list(item, self)
    }

    /// Reads one item of an unwrapped list.
    pub fn push<T: Value + Default>(&mut self, values: &mut Vec<T>) -> Result<(), ReadError> {
        let mut value = T::default();
        value.read(self)?;
        values.push(value);
        Ok(())
    }

    /// Reads an enumeration: its exact name; in a form with blanks around it or as its index, too.
    pub fn enumeration<E: Enumeration>(&mut self, _value: &mut E) -> Result<(), ReadError> {
        todo!()
    }

    /// Whether the element says `xsi:nil="true"`.
    pub fn is_nil(&self) -> bool {
        todo!()
    }

    /// Reads the text of the element.
    pub fn text(&mut self) -> Result<Cow<'i, str>, ReadError> {
        todo!()
    }

    /// Reads the element as an object.
    pub fn complex<T: Complex>(&mut self, _value: &mut T) -> Result<(), ReadError> {
        todo!()
    }

    pub(super) fn take_absent(&mut self, _repeated: bool) -> Result<bool, ReadError> {
        todo!()
    }

    pub(super) fn is_blank_field(&self) -> bool {
        todo!()
    }

    pub(super) fn items(&mut self, _item: &str, _push: &mut dyn FnMut(&mut Element<'i>) -> Result<(), ReadError>) -> Result<(), ReadError> {
        todo!()
    }
}

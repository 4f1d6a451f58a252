//! The traits of values, which emitted types and those of the runtime implement.

use svcgen_model::{ComplexType, Kind};

use super::children::Children;
use super::content::{Content, Place};
use super::element::Element;
use crate::xml::error::ReadError;

/// The value of an element, an attribute or a form field.
pub trait Value {
    /// Whether a form has a field for each part of the value (bytes, lists). A form without the field then has no value; otherwise that is an error.
    const REPEATED: bool = false;

    /// Whether `xsi:nil` is a value, other than an absent element.
    const TAKES_NIL: bool = false;

    /// Whether an empty text is an absent value, where a value may be absent and its notation has nothing else for that: it is for numbers and their like, as in .NET.
    const BLANK_IS_ABSENT: bool = false;

    /// Reads the value of an element, through its end tag.
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Writes the value as an element of this name; an absent value is left out.
    fn write(&self, name: &str, out: &mut Content<'_>);

    /// Writes the value as an element of this name; an absent value is `xsi:nil`.
    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        self.write(name, out);
    }
}

/// A complex type: its row in the model, and how its elements, attributes and text are read and written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a complex type or hold a value",
    label = "implements neither `svcgen::codegen::Complex` nor `svcgen::codegen::Value`",
    note = "implement `svcgen::codegen::Complex` for an object with elements, `svcgen::codegen::Value` for a simple value"
)]
pub trait Complex: Default {
    /// The row of the type. Elements are read in any order; of an element that is not repeated, the first occurrence counts, of a wrapped list in a type the last, of a collection all.
    const TYPE: &'static ComplexType<'static>;

    /// The bytes that the default value has outside of itself: those of its boxes, which [`Limits::values`](crate::Limits::values) bounds.
    const BOXES: usize = 0;

    /// Reads the element `TYPE.elements[index]`.
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Writes all elements, in order.
    fn write_elements(&self, out: &mut Content<'_>);

    /// Reads the attribute `TYPE.attributes[index]`.
    fn read_attribute(
        &mut self,
        _index: usize,
        _attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        Ok(())
    }

    /// Writes all attributes.
    fn write_attributes(&self, _out: &mut Content<'_>) {}

    /// Reads the text, if the type holds text.
    fn read_text(&mut self, _text: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    /// Writes the text, if the type holds text.
    fn write_text(&self, _out: &mut Content<'_>) {}
}

impl Complex for () {
    const TYPE: &'static ComplexType<'static> = &ComplexType::EMPTY;

    fn read_element(&mut self, _index: usize, _element: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, _out: &mut Content<'_>) {}
}

impl<T: Complex> Complex for Box<T> {
    const TYPE: &'static ComplexType<'static> = T::TYPE;
    const BOXES: usize = size_of::<T>() + T::BOXES;

    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        (**self).read_element(index, element)
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        (**self).write_elements(out);
    }

    fn read_attribute(
        &mut self,
        index: usize,
        attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        (**self).read_attribute(index, attribute)
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        (**self).write_attributes(out);
    }

    fn read_text(&mut self, text: &mut Element<'_>) -> Result<(), ReadError> {
        (**self).read_text(text)
    }

    fn write_text(&self, out: &mut Content<'_>) {
        (**self).write_text(out);
    }
}

impl<T: Complex> Value for T {
    const TAKES_NIL: bool = T::TYPE.data_set.is_some();

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.complex(self)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.complex(name, self);
    }
}

/// A value that may be absent.
impl<T: Value + Default> Value for Option<T> {
    const REPEATED: bool = T::REPEATED;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if !T::TAKES_NIL && element.take_absent(T::REPEATED)? {
            *self = None;
            return Ok(());
        }
        if T::BLANK_IS_ABSENT && element.is_given() && element.is_blank_field() {
            *self = None;
            return Ok(());
        }
        match self.insert(T::default()).read(element) {
            // An absent number is sent as `name=`; only for text is that a value.
            Err(_) if element.is_blank_field() => *self = None,
            result => return result,
        }
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        match self {
            Some(value) => value.write(name, out),
            None => out.absent(name, T::REPEATED),
        }
    }

    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        match self {
            Some(value) => value.write(name, out),
            None => out.nil(name),
        }
    }
}

/// The value that a text in XML stands for, such as the default of an element.
///
/// # Panics
///
/// The text is no value of the type.
pub fn value_of<T: Value + Default>(text: &str) -> T {
    match Element::of_text(text).value() {
        Ok(value) => value,
        Err(error) => panic!("`{text}` is no value of its type: {error}"),
    }
}

impl Element<'_> {
    /// Reads the value of the element.
    pub fn read<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        value.read(self)
    }

    /// Reads the value of the element as a new one.
    pub fn value<T: Value + Default>(&mut self) -> Result<T, ReadError> {
        let mut value = T::default();
        value.read(self)?;
        Ok(value)
    }

    /// Reads the value of an element that has a default: `<x/>` leaves the value as it is, as .NET does for numbers and their like.
    pub fn read_unless_empty<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        if self.is_empty_tag() {
            return self.tokens.skip().map(drop);
        }
        value.read(self)
    }

    /// Reads the element as an object: its attributes and its children.
    pub fn complex<T: Complex>(&mut self, value: &mut T) -> Result<(), ReadError> {
        let is_record = const {
            let row = T::TYPE;
            matches!(row.kind, Kind::Record) && row.attributes.is_empty() && row.text.is_none()
        };
        if is_record && self.tokens.leaf.is_some() && self.tokens.scopes.is_none() {
            if T::BOXES > 0 {
                self.tokens.take_room(T::BOXES)?;
            }
            let message = T::TYPE.is_message;
            return self.record(T::TYPE.elements, message, &mut |index, element| {
                value.read_element(index, element)
            });
        }
        let (elements, attributes) = const { (T::TYPE.elements.len(), T::TYPE.attributes.len()) };
        let read = &mut |index: usize, element: &mut Self| match index.checked_sub(elements) {
            Some(attribute) if attribute < attributes => value.read_attribute(attribute, element),
            Some(_) if const { T::TYPE.text.is_some() } => value.read_text(element),
            _ => value.read_element(index, element),
        };
        self.open_leaf();
        if T::BOXES > 0 {
            self.tokens.take_room(T::BOXES)?;
        }
        if self.take_given(T::TYPE, read)? {
            return Ok(());
        }
        if !T::TYPE.attributes.is_empty() {
            self.attributes(T::TYPE, &mut |index, attribute| {
                value.read_attribute(index, attribute)
            })?;
        }
        if let Some(text) = &T::TYPE.text {
            // .NET finds no text to convert.
            if self.has_no_text(text) {
                return self.tokens.skip().map(drop);
            }
            let level = self.level();
            return value.read_text(self).map_err(|error| match self.level() {
                own if own == level => self.before_end_tag(error),
                _ => error,
            });
        }
        let scopes = self.tokens.scopes.as_mut();
        let rows = scopes.map(|scopes| scopes.in_type(T::TYPE));
        self.children(Children::of(T::TYPE), rows, &mut |index, element| {
            value.read_element(index, element)
        })
    }
}

impl<'a> Content<'a> {
    /// Writes a value as an element; an absent value is left out.
    pub fn element<T: Value>(&mut self, name: &str, value: &T) {
        value.write(name, self);
    }

    /// Writes a value as an element; an absent value as `<name xsi:nil="true" />`.
    pub fn nillable<T: Value>(&mut self, name: &str, value: &Option<T>) {
        match value {
            Some(value) => value.write(name, self),
            None => self.nil(name),
        }
    }

    /// Writes a value as an element, unless it is its default. A form has a field for every parameter.
    pub fn element_unless<T, D>(&mut self, name: &str, value: &T, default: &D)
    where
        T: Value + PartialEq<D>,
        D: ?Sized,
    {
        if *value != *default || self.is_form() || self.is_sink() {
            value.write(name, self);
        }
    }

    /// Writes a value as an attribute of the element that was started last, unless it is its default.
    pub fn attribute_unless<T, D>(&mut self, name: &str, value: &T, default: &D)
    where
        T: Value + PartialEq<D>,
        D: ?Sized,
    {
        if *value != *default || self.is_sink() {
            self.attribute(name, value);
        }
    }

    /// Writes a value as an attribute of the element that was started last; an absent value is left out.
    pub fn attribute<T: Value>(&mut self, name: &str, value: &T) {
        self.at_place(Place::Attribute, |out| value.write(name, out));
    }

    /// Writes a value as the text of the element that was started last; an absent value is no text.
    pub fn content<T: Value>(&mut self, value: &T) {
        self.at_place(Place::Text, |out| value.write("text", out));
    }

    /// Writes a text between elements. What follows in the same element is not indented.
    pub fn characters<T: Value>(&mut self, text: &T) {
        let start = self.len();
        self.content(text);
        if self.len() > start {
            self.stop_indenting();
        }
    }

    /// Writes an object as an element.
    pub fn complex<T: Complex>(&mut self, name: &str, value: &T) {
        let is_data_set = const { T::TYPE.data_set.is_some() };
        if self.is_element() {
            if is_data_set {
                self.declare_no_schema();
            }
            self.open(name);
            self.describe(T::TYPE);
        } else if !self.start_elsewhere(name) {
            return;
        }
        if !T::TYPE.attributes.is_empty() {
            value.write_attributes(self);
        }
        if let Some(text) = &T::TYPE.text {
            if text.type_ref.is_document() {
                return self.mixed(name, &mut |out| value.write_text(out));
            }
            value.write_text(self);
            return if is_data_set {
                self.end(name)
            } else {
                self.end_inline(name)
            };
        }
        if const { matches!(T::TYPE.kind, Kind::Mixed) } {
            return self.mixed(name, &mut |out| value.write_elements(out));
        }
        value.write_elements(self);
        self.end(name);
    }

    /// Writes an object as an element with its type in `xsi:type`.
    pub fn derived<T: Complex>(&mut self, name: &str, type_name: &'static str, value: &T) {
        self.with_derived_type(type_name, |out| out.complex(name, value));
    }

    /// Writes the root element of an answer of the HTTP bindings. An object or a list (`complex`) declares `xsd` and `xsi` before the default namespace; an absent value is `xsi:nil`.
    pub fn root<T: Value>(&mut self, name: &str, complex: bool, namespace: &'a str, value: &T) {
        self.write_root(name, complex, namespace, &mut |out| value.write(name, out));
    }
}

//! The traits of values, implemented by emitted types and by those of the runtime.

use svcgen_model::{ComplexType, Kind};

use super::children::Children;
use super::content::{Content, ValuePlace};
use super::element::Element;
use crate::xml::error::ReadError;

/// The value of an element, an attribute or a form field.
pub trait Value {
    /// Whether a form has a field for each part of the value (bytes, lists). Without any field
    /// there is then no value; for other types that is an error.
    const REPEATED: bool = false;

    /// Whether `xsi:nil` is a value that differs from an absent element.
    const TAKES_NIL: bool = false;

    /// Whether an empty text means an absent value, where a value may be absent and its notation
    /// has no other way to express that: true for numbers and the like, as in .NET.
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

/// A complex type: its row in the model, and its [`Fields`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a complex type or hold a value",
    label = "implements neither `svcgen::codegen::Complex` nor `svcgen::codegen::Value`",
    note = "implement `svcgen::codegen::Complex` and `Fields` for an object with elements, `svcgen::codegen::Value` for a simple value"
)]
pub trait Complex: Fields + Default {
    /// The row of the type. Elements are read in any order; of an element that is not repeated the
    /// first occurrence counts, of a wrapped list in a type the last, of a collection all.
    const TYPE: &'static ComplexType<'static>;

    /// The bytes on the heap of the default value: those in its boxes, which
    /// [`Limits::values`](crate::Limits::values) bounds.
    const BOXES: usize = 0;
}

/// The elements, attributes and text of an object, with the indexes of its row. The row is that of
/// a [`Complex`] type, or one that is only known at run time: [`Element::object`] and
/// [`Content::object`] read and write an object by its row.
///
/// ```
/// use svcgen::codegen::model::{ComplexType, SimpleType, TypeRef, complex_type, element};
/// use svcgen::codegen::{Content, Element, Fields, Reader};
/// use svcgen::{Limits, ReadError};
///
/// static POINT: ComplexType<'static> = complex_type(
///     "Point",
///     &[element("X", TypeRef::Simple(SimpleType::Int)), element("Y", TypeRef::Simple(SimpleType::Int))],
/// );
///
/// /// Any object of numbers.
/// struct Numbers(&'static ComplexType<'static>, Vec<i32>);
///
/// impl Fields for Numbers {
///     fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
///         element.read(&mut self.1[index])
///     }
///
///     fn write_elements(&self, out: &mut Content<'_>) {
///         for (row, number) in self.0.elements.iter().zip(&self.1) {
///             out.element(row.name, number);
///         }
///     }
/// }
/// # impl svcgen::codegen::Value for Numbers {
/// #     fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
/// #         element.object(self.0, self)
/// #     }
/// #     fn write(&self, name: &str, out: &mut Content<'_>) {
/// #         out.object(name, self.0, self);
/// #     }
/// # }
///
/// let mut point = Numbers(&POINT, vec![0; 2]);
/// let mut reader = Reader::new("<p><Y>2</Y><X>1</X></p>", &Limits::default());
/// reader.root()?;
/// reader.read(&mut point)?;
/// assert_eq!(point.1, [1, 2]);
///
/// let mut markup = Vec::new();
/// let mut out = Content::compact(&mut markup);
/// out.object("p", &POINT, &point);
/// out.finish()?;
/// assert_eq!(markup, b"<p><X>1</X><Y>2</Y></p>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Fields {
    /// Reads the element `elements[index]` of the row.
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Writes all elements, in order.
    fn write_elements(&self, out: &mut Content<'_>);

    /// Reads the attribute `attributes[index]` of the row.
    fn read_attribute(
        &mut self,
        _index: usize,
        _attribute: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        Ok(())
    }

    /// Writes all attributes.
    fn write_attributes(&self, _out: &mut Content<'_>) {}

    /// Reads the text, if the type has text.
    fn read_text(&mut self, _text: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    /// Writes the text, if the type has text.
    fn write_text(&self, _out: &mut Content<'_>) {}
}

impl Complex for () {
    const TYPE: &'static ComplexType<'static> = &ComplexType::EMPTY;
}

impl Fields for () {
    fn read_element(&mut self, _index: usize, _element: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, _out: &mut Content<'_>) {}
}

impl<T: Complex> Complex for Box<T> {
    const TYPE: &'static ComplexType<'static> = T::TYPE;
    const BOXES: usize = size_of::<T>() + T::BOXES;
}

impl<T: Fields> Fields for Box<T> {
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

    #[inline]
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.complex(self)
    }

    #[inline]
    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.complex(name, self);
    }
}

/// A value that may be absent.
impl<T: Value + Default> Value for Option<T> {
    const REPEATED: bool = T::REPEATED;

    // No reading function here is inlined, because each codegen unit would compile it again.
    #[inline(never)]
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        // It is neither `xsi:nil` nor a field of a form.
        if element.tokens.leaf.is_some() {
            return self.read_present(element);
        }
        element.optional(const { AbsenceRules::of::<T>() }, self)
    }

    #[inline]
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

impl<T: Value + Default> Optional for Option<T> {
    #[inline(never)]
    fn read_present(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.insert(T::default()).read(element)
    }

    #[inline(never)]
    fn clear(&mut self) {
        *self = None;
    }
}

/// A type that may hold a value: an `Option` and the like, which [`Element::optional`] reads.
pub trait Optional {
    /// Reads the value.
    fn read_present(&mut self, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Makes the value absent.
    fn clear(&mut self);
}

/// The constants of a [`Value`] that determine how it is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsenceRules {
    /// [`Value::REPEATED`].
    pub repeated: bool,
    /// [`Value::TAKES_NIL`].
    pub takes_nil: bool,
    /// [`Value::BLANK_IS_ABSENT`].
    pub blank_is_absent: bool,
}

impl AbsenceRules {
    /// The rules of a type.
    pub const fn of<T: Value>() -> Self {
        Self {
            repeated: T::REPEATED,
            takes_nil: T::TAKES_NIL,
            blank_is_absent: T::BLANK_IS_ABSENT,
        }
    }
}

/// Returns the value of a text in XML, such as the default of an element.
///
/// # Panics
///
/// Panics if the text is not a value of the type.
pub fn value_of<T: Value + Default>(text: &str) -> T {
    match Element::of_text(text).value() {
        Ok(value) => value,
        Err(error) => panic!("`{text}` is not a value of its type: {error}"),
    }
}

impl Element<'_> {
    /// Reads the value of the element.
    pub fn read<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        value.read(self)
    }

    /// Reads the value of the element and returns it.
    pub fn value<T: Value + Default>(&mut self) -> Result<T, ReadError> {
        let mut value = T::default();
        value.read(self)?;
        Ok(value)
    }

    /// Reads the value of the element, unless it is absent.
    ///
    /// # Errors
    ///
    /// Returns the errors of the value, unless an empty field of a form makes it absent.
    // Compiled only once, not for each type.
    pub fn optional(
        &mut self,
        absence: AbsenceRules,
        value: &mut dyn Optional,
    ) -> Result<(), ReadError> {
        // Numbers and the like may be nil in .NET; for text and objects that is rarely stated.
        if absence.blank_is_absent && !self.is_given() {
            self.tokens.takes_nil()?;
        }
        let is_absent = (!absence.takes_nil && self.take_absent(absence.repeated)?)
            || (absence.blank_is_absent && self.is_given() && self.is_blank_field());
        if !is_absent {
            let blank = self.accepted_blank();
            match (value.read_present(self), blank) {
                // An absent number is sent as `name=`; only for text is that a value.
                (Err(_), _) if self.is_blank_field() => {}
                (Err(_), Some(blank)) => {
                    self.tokens = blank;
                    self.tokens.skip()?;
                }
                (result, _) => return result,
            }
        }
        value.clear();
        Ok(())
    }

    /// Reads the value of an element that has a default: `<x/>` leaves the value as it is, as .NET
    /// does for numbers and their like.
    pub fn read_unless_empty<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        if self.is_empty_tag() {
            return self.tokens.skip().map(drop);
        }
        value.read(self)
    }

    /// Reads the element as an object: its attributes and its children.
    #[inline]
    pub fn complex<T: Complex>(&mut self, value: &mut T) -> Result<(), ReadError> {
        self.object_of(T::TYPE, T::BOXES, value)
    }

    /// Reads the element as an object whose row is only known at run time: its attributes and its
    /// children.
    pub fn object(
        &mut self,
        row: &'static ComplexType<'static>,
        fields: &mut dyn Fields,
    ) -> Result<(), ReadError> {
        self.object_of(row, 0, fields)
    }

    // Compiled only once, not for each type.
    fn object_of(
        &mut self,
        row: &'static ComplexType<'static>,
        boxes: usize,
        fields: &mut dyn Fields,
    ) -> Result<(), ReadError> {
        if boxes > 0 {
            self.tokens.take_room(boxes)?;
        }
        // The usual case.
        if is_plain_record(row) && self.tokens.leaf.is_some() && self.tokens.scopes.is_none() {
            return self.record(row.elements, row.is_message, fields);
        }
        let read =
            &mut |index: usize, element: &mut Self| match index.checked_sub(row.elements.len()) {
                Some(attribute) if attribute < row.attributes.len() => {
                    fields.read_attribute(attribute, element)
                }
                Some(_) if row.text.is_some() => fields.read_text(element),
                _ => fields.read_element(index, element),
            };
        self.open_leaf();
        if self.take_given(row, read)? {
            return Ok(());
        }
        if !self.tokens.attributes.is_empty() && !row.is_message && row.data_set.is_none() {
            self.check_type(row)?;
        }
        if !row.attributes.is_empty() {
            self.attributes(row, &mut |index, attribute| {
                fields.read_attribute(index, attribute)
            })?;
        }
        if let Some(text) = &row.text {
            // .NET finds no text to convert.
            if self.has_no_text(text) {
                return self.tokens.skip().map(drop);
            }
            let level = self.level();
            self.enter_row(text);
            return fields.read_text(self).map_err(|error| match self.level() {
                own if own == level => self.before_end_tag(error),
                _ => error,
            });
        }
        let scopes = self.tokens.scopes.as_mut();
        let rows = scopes.map(|scopes| scopes.in_type(row));
        if matches!(row.kind, Kind::Record) && rows.is_none() {
            return self.record(row.elements, row.is_message, fields);
        }
        self.children(Children::of(row), rows, &mut |index, element| {
            fields.read_element(index, element)
        })
    }
}

/// Whether a type is a record of elements, without attributes, text or a set of tables.
const fn is_plain_record(row: &ComplexType<'_>) -> bool {
    matches!(row.kind, Kind::Record)
        && row.attributes.is_empty()
        && row.text.is_none()
        && row.data_set.is_none()
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

    /// Writes a value as an element, unless it is its default. A form has a field for every
    /// parameter.
    pub fn element_unless<T, D>(&mut self, name: &str, value: &T, default: &D)
    where
        T: Value + PartialEq<D>,
        D: ?Sized,
    {
        if *value != *default || self.is_form() || self.is_sink() {
            value.write(name, self);
        }
    }

    /// Writes a value as an attribute of the element that was started last, unless it is its
    /// default.
    pub fn attribute_unless<T, D>(&mut self, name: &str, value: &T, default: &D)
    where
        T: Value + PartialEq<D>,
        D: ?Sized,
    {
        if *value != *default || self.is_sink() {
            self.attribute(name, value);
        }
    }

    /// Writes a value as an attribute of the element that was started last; an absent value is left
    /// out.
    pub fn attribute<T: Value>(&mut self, name: &str, value: &T) {
        self.at_place(ValuePlace::Attribute, |out| value.write(name, out));
    }

    /// Writes a value as the text of the element that was started last; an absent value is no text.
    pub fn content<T: Value>(&mut self, value: &T) {
        self.at_place(ValuePlace::Text, |out| value.write("text", out));
    }

    /// Writes a text between elements. The rest of the same element is not indented.
    pub fn characters<T: Value>(&mut self, text: &T) {
        let start = self.len();
        self.content(text);
        if self.len() > start {
            self.stop_indenting();
        }
    }

    /// Writes an object as an element.
    // Not inlined, because each codegen unit would compile it again.
    #[inline(never)]
    pub fn complex<T: Complex>(&mut self, name: &str, value: &T) {
        // The usual case: written as `object` does, without a dynamic call.
        if const { is_plain_record(T::TYPE) } && self.is_element() {
            self.open(name);
            self.describe(T::TYPE);
            value.write_elements(self);
            return self.end(name);
        }
        self.object(name, T::TYPE, value);
    }

    /// Writes an object, whose row may only be known at run time, as an element.
    // Compiled only once, not for each type.
    pub fn object(&mut self, name: &str, row: &'static ComplexType<'static>, fields: &dyn Fields) {
        let is_data_set = row.data_set.is_some();
        if self.is_element() {
            if is_data_set {
                self.declare_no_schema();
            }
            self.open(name);
            self.describe(row);
        } else if !self.start_elsewhere(name) {
            return;
        }
        if !row.attributes.is_empty() {
            fields.write_attributes(self);
        }
        if let Some(text) = &row.text {
            if text.type_ref.is_document() {
                return self.mixed(name, &mut |out| fields.write_text(out));
            }
            fields.write_text(self);
            return if is_data_set {
                self.end(name)
            } else {
                self.end_inline(name)
            };
        }
        if matches!(row.kind, Kind::Mixed) {
            return self.mixed(name, &mut |out| fields.write_elements(out));
        }
        fields.write_elements(self);
        self.end(name);
    }

    /// Writes an object as an element with its type in `xsi:type`.
    pub fn derived<T: Complex>(&mut self, name: &str, type_name: &'static str, value: &T) {
        self.with_derived_type(type_name, |out| out.complex(name, value));
    }

    /// Writes the root element of an answer of the HTTP bindings. An object or a list (`complex`)
    /// declares `xsd` and `xsi` before the default namespace; an absent value is `xsi:nil`.
    pub fn root<T: Value>(&mut self, name: &str, complex: bool, namespace: &'a str, value: &T) {
        self.write_root(name, complex, namespace, &mut |out| value.write(name, out));
    }
}

//! The traits of values: what emitted code implements and what the runtime implements for its own types.

use svcgen_model::{self as model, ComplexType};

use super::content::Content;
use super::element::Element;
use super::error::ReadError;

/// The value that one element, attribute or form field carries.
pub trait Value {
    /// Whether a form repeats the field for each part of the value (bytes, lists); no field at all is then an absent value, not an error.
    const REPEATED: bool = false;

    /// Reads the value of an element, through its end tag.
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError>;

    /// Writes the value as an element of this name; an absent one is left out.
    fn write(&self, name: &str, out: &mut Content<'_>);

    /// Writes the value where it cannot be left out: an absent one as `xsi:nil`.
    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        self.write(name, out);
    }
}

/// A complex type: its row in the model, one call per field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a complex type or hold a value",
    label = "implements neither `svcgen::Complex` nor `svcgen::Value`",
    note = "implement `svcgen::Complex` for an object with elements, `svcgen::Value` for a simple value"
)]
pub trait Complex: Default {
    /// Its elements, attributes and text. Elements may be read in any order; of one that is not repeated the first occurrence counts.
    const TYPE: &'static ComplexType<'static>;

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
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.complex(self)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.complex(name, self);
    }
}

/// An enumeration: its row in the model, and its values in the same order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for an enumeration",
    label = "does not implement `svcgen::Enumeration`"
)]
pub trait Enumeration: Copy + 'static {
    /// Its name and the names of its values on the wire.
    const TYPE: &'static model::Enumeration<'static>;

    /// Every value, in the order of its row.
    const VALUES: &'static [Self];

    /// The place of the value in [`VALUES`](Self::VALUES).
    fn index(self) -> usize;

    /// The name on the wire.
    fn as_str(self) -> &'static str {
        Self::TYPE.values[self.index()].name
    }

    /// The value of a name, letter for letter.
    fn from_name(name: &str) -> Option<Self> {
        let index = index_of(Self::TYPE, name)?;
        Some(Self::VALUES[index])
    }
}

/// An enumeration that keeps the names that it does not know, and writes them back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for an open enumeration",
    label = "does not implement `svcgen::OpenEnumeration`"
)]
pub trait OpenEnumeration: Clone + 'static {
    /// Its name and the names that are known of its values on the wire.
    const TYPE: &'static model::Enumeration<'static>;

    /// Every value that is known, in the order of its row.
    const VALUES: &'static [Self];

    /// The name on the wire.
    fn as_str(&self) -> &str;

    /// The value of a name that is not known.
    fn other(name: &str) -> Self;
}

/// The index of the value of a name.
pub(super) fn index_of(enumeration: &model::Enumeration<'_>, name: &str) -> Option<usize> {
    let mut values = enumeration.values.iter();
    values.position(|value| value.name == name)
}

/// A value that may be absent.
impl<T: Value + Default> Value for Option<T> {
    const REPEATED: bool = T::REPEATED;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.take_absent(T::REPEATED)? {
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

/// What a wrapped list is kept in: `Vec<T>`, `Vec<Option<T>>` (items may be nil), or an `Option` of one of them (the list may be absent).
///
/// Of a list of lists, `LEVELS` is 2, and `T` is what one of the lists in it is kept in. The names are those of its items, from the outside in.
pub trait ListValue<const LEVELS: usize = 1> {
    /// Reads the items, each an element of the first name.
    fn read_list(
        &mut self,
        names: [&str; LEVELS],
        element: &mut Element<'_>,
    ) -> Result<(), ReadError>;

    /// Writes the list as an element `name` that holds one element for each item; an absent list is left out.
    fn write_list(&self, name: &str, names: [&str; LEVELS], out: &mut Content<'_>);

    /// Writes the list where it cannot be left out: an absent one as `xsi:nil`.
    fn write_list_nillable(&self, name: &str, names: [&str; LEVELS], out: &mut Content<'_>) {
        self.write_list(name, names, out);
    }
}

impl<T: Value + Default> ListValue for Vec<T> {
    fn read_list(&mut self, [item]: [&str; 1], element: &mut Element<'_>) -> Result<(), ReadError> {
        self.clear();
        element.items(item, &mut |_, element| {
            let mut value = T::default();
            value.read(element)?;
            if self.capacity() == 0 {
                self.reserve_exact(element.room_for_items(size_of::<T>()));
            }
            self.push(value);
            Ok(())
        })
    }

    fn write_list(&self, name: &str, [item]: [&str; 1], out: &mut Content<'_>) {
        out.start_list(name);
        let item = if out.is_form() { name } else { item };
        for value in self {
            value.write_nillable(item, out);
        }
        out.end_list(name);
    }
}

impl<L: ListValue + Default> ListValue<2> for Vec<L> {
    fn read_list(
        &mut self,
        [list, item]: [&str; 2],
        element: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        self.clear();
        element.no_form("A list of lists")?;
        element.items(list, &mut |_, element| {
            let mut values = L::default();
            values.read_list([item], element)?;
            self.push(values);
            Ok(())
        })
    }

    fn write_list(&self, name: &str, [list, item]: [&str; 2], out: &mut Content<'_>) {
        if out.is_form() {
            return out.no_form(name, "a list of lists");
        }
        out.start_list(name);
        for values in self {
            values.write_list_nillable(list, [item], out);
        }
        out.end_list(name);
    }
}

impl<L: ListValue<N> + Default, const N: usize> ListValue<N> for Option<L> {
    fn read_list(&mut self, names: [&str; N], element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.take_absent(true)? {
            *self = None;
            return Ok(());
        }
        self.insert(L::default()).read_list(names, element)
    }

    fn write_list(&self, name: &str, names: [&str; N], out: &mut Content<'_>) {
        match self {
            Some(values) => values.write_list(name, names, out),
            None => out.absent(name, true),
        }
    }

    fn write_list_nillable(&self, name: &str, names: [&str; N], out: &mut Content<'_>) {
        match self {
            Some(values) => values.write_list(name, names, out),
            None => out.nil(name),
        }
    }
}

/// A wrapped list as a value of its own, such as the result of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<V, const LEVELS: usize = 1> {
    /// The names of the elements of items, from the outside in.
    pub names: [&'static str; LEVELS],
    /// The items.
    pub values: V,
}

impl<V, const LEVELS: usize> List<V, LEVELS> {
    /// A list of these values.
    pub const fn new(names: [&'static str; LEVELS], values: V) -> Self {
        Self { names, values }
    }

    /// A list to read into.
    pub fn of(names: [&'static str; LEVELS]) -> Self
    where
        V: Default,
    {
        Self::new(names, V::default())
    }
}

impl<V: Default, const LEVELS: usize> Default for List<V, LEVELS> {
    fn default() -> Self {
        Self::of([""; LEVELS])
    }
}

impl<V: ListValue<N>, const N: usize> Value for List<V, N> {
    const REPEATED: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.values.read_list(self.names, element)
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        self.values.write_list(name, self.names, out);
    }
}

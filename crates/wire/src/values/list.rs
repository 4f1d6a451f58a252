//! Lists.

use std::sync::Arc;

use svcgen_model::{self as model, renamed};

use super::content::Content;
use super::element::Element;
use super::value::Value;
use crate::xml::error::ReadError;

/// A type that can hold a wrapped list: `Vec<T>`, `Vec<Option<T>>` (items may be nil), or an
/// `Option` of one of them (the list may be absent).
///
/// `LEVELS` is 2 for a list of lists, where `T` can hold one of its lists. The names are those of
/// the items, from the outside in.
pub trait ListValue<const LEVELS: usize = 1> {
    /// Reads the items, each an element with the first name. An element that is `xsi:nil` leaves
    /// the list unchanged.
    fn read_list(
        &mut self,
        names: [&str; LEVELS],
        element: &mut Element<'_>,
    ) -> Result<(), ReadError>;

    /// Writes the list as an element `name` with one element for each item; an absent list is left
    /// out.
    fn write_list(&self, name: &str, names: [&str; LEVELS], out: &mut Content<'_>);

    /// Reads items and appends them to the existing ones.
    fn read_more(
        &mut self,
        names: [&str; LEVELS],
        element: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        self.read_list(names, element)
    }

    /// Writes the list as an element `name`; an absent list is `xsi:nil`.
    fn write_list_nillable(&self, name: &str, names: [&str; LEVELS], out: &mut Content<'_>) {
        self.write_list(name, names, out);
    }
}

impl<T: Value + Default> ListValue for Vec<T> {
    fn read_list(&mut self, [item]: [&str; 1], element: &mut Element<'_>) -> Result<(), ReadError> {
        if !element.is_nil() {
            self.clear();
        }
        self.read_more([item], element)
    }

    fn read_more(&mut self, [item]: [&str; 1], element: &mut Element<'_>) -> Result<(), ReadError> {
        element.items(item, &mut |_, element| element.add(self)?.read(element))
    }

    fn write_list(&self, name: &str, [item]: [&str; 1], out: &mut Content<'_>) {
        out.list_of(name, item, self);
    }
}

impl<L: ListValue + Default> ListValue<2> for Vec<L> {
    fn read_list(
        &mut self,
        [list, item]: [&str; 2],
        element: &mut Element<'_>,
    ) -> Result<(), ReadError> {
        element.no_field("A list of lists")?;
        if !element.is_nil() {
            self.clear();
        }
        element.lists(list, &mut |_, element| {
            element.add(self)?.read_list([item], element)
        })
    }

    fn write_list(&self, name: &str, [list, item]: [&str; 2], out: &mut Content<'_>) {
        out.lists_of(name, list, &mut |list, out| {
            for values in self {
                values.write_list_nillable(list, [item], out);
            }
        });
    }
}

impl<L: ListValue<N> + Default, const N: usize> ListValue<N> for Option<L> {
    fn read_list(&mut self, names: [&str; N], element: &mut Element<'_>) -> Result<(), ReadError> {
        if element.take_absent(true)? {
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

/// A shared list, such as the result of an operation (option `shared_results`). A list that was
/// read is not shared yet.
impl<L: ListValue<N> + Clone, const N: usize> ListValue<N> for Arc<L> {
    fn read_list(&mut self, names: [&str; N], element: &mut Element<'_>) -> Result<(), ReadError> {
        Self::make_mut(self).read_list(names, element)
    }

    fn read_more(&mut self, names: [&str; N], element: &mut Element<'_>) -> Result<(), ReadError> {
        Self::make_mut(self).read_more(names, element)
    }

    fn write_list(&self, name: &str, names: [&str; N], out: &mut Content<'_>) {
        (**self).write_list(name, names, out);
    }

    fn write_list_nillable(&self, name: &str, names: [&str; N], out: &mut Content<'_>) {
        (**self).write_list_nillable(name, names, out);
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
    /// Creates a list of these values.
    pub const fn new(names: [&'static str; LEVELS], values: V) -> Self {
        Self { names, values }
    }

    /// Creates a list to read into.
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

impl Element<'_> {
    /// Reads a wrapped list, whose items are elements with this name, or with two names a list of
    /// lists. If it is `xsi:nil`, a list that was read before is kept.
    pub fn list<L: ListValue<N>, const N: usize>(
        &mut self,
        names: [&str; N],
        values: &mut L,
    ) -> Result<(), ReadError> {
        values.read_list(names, self)
    }

    /// Reads a wrapped list, which is absent if it is `xsi:nil`, even if one was read before.
    pub fn nillable_list<L: ListValue<N> + Default, const N: usize>(
        &mut self,
        names: [&str; N],
        values: &mut L,
    ) -> Result<(), ReadError> {
        if self.is_nil() {
            *values = L::default();
        }
        values.read_list(names, self)
    }

    /// Reads a wrapped list and appends its items to those of lists that were read before.
    pub fn collection<L: ListValue<N>, const N: usize>(
        &mut self,
        names: [&str; N],
        values: &mut L,
    ) -> Result<(), ReadError> {
        values.read_more(names, self)
    }

    /// Reads the lists of a list of lists, which are elements with this name: calls `push` for
    /// each.
    ///
    /// # Errors
    ///
    /// Returns an error in a form, which cannot hold a list of lists, and the errors of `push`.
    pub fn lists(
        &mut self,
        list: &str,
        push: &mut dyn FnMut(usize, &mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.no_field("A list of lists")?;
        self.items(renamed(self.list_names, list), push)
    }

    /// Returns the item of a repeated choice or sequence to which the element belongs: the last one
    /// if the element continues it, or else a new one. It is called once for each repeated choice
    /// or sequence around the element, from the outside in.
    pub fn item<'v, T: Default>(&mut self, items: &'v mut Vec<T>) -> Result<&'v mut T, ReadError> {
        self.item_with(0, items)
    }

    /// Like [`item`](Self::item), for items whose default value has this many bytes in boxes.
    pub fn item_with<'v, T: Default>(
        &mut self,
        boxes: usize,
        items: &'v mut Vec<T>,
    ) -> Result<&'v mut T, ReadError> {
        if self.going_on == 0 || items.is_empty() {
            self.tokens.take_room(boxes)?;
            return self.add(items);
        }
        self.going_on -= 1;
        let last = items.len() - 1;
        Ok(&mut items[last])
    }

    /// Returns a default value that has this many bytes in boxes.
    pub fn empty<T: Default>(&mut self, boxes: usize) -> Result<T, ReadError> {
        self.tokens.take_room(boxes)?;
        Ok(T::default())
    }

    /// Reads one item of an unwrapped list.
    pub fn push<T: Value + Default>(&mut self, values: &mut Vec<T>) -> Result<(), ReadError> {
        self.add(values)?.read(self)
    }
}

impl Content<'_> {
    /// Writes a wrapped list, `<name><item>1</item><item>2</item></name>`, or with two names a list
    /// of lists, `<name><list><item>1</item></list></name>`. An absent list is left out; absent
    /// items are `xsi:nil`.
    pub fn list<L: ListValue<N>, const N: usize>(
        &mut self,
        name: &str,
        names: [&str; N],
        values: &L,
    ) {
        values.write_list(name, names, self);
    }

    /// Writes a wrapped list as [`list`](Self::list) does; an absent list is `xsi:nil`.
    pub fn nillable_list<L: ListValue<N>, const N: usize>(
        &mut self,
        name: &str,
        names: [&str; N],
        values: &L,
    ) {
        values.write_list_nillable(name, names, self);
    }

    /// Writes the values as a wrapped list with elements `item`, as [`list`](Self::list) does for a
    /// `Vec`.
    pub fn list_of<T: Value>(&mut self, name: &str, item: &str, values: &[T]) {
        self.start_list(name);
        let row = self.items.take();
        let own = row.map_or(item, |row| row.name);
        let item = if self.is_form() { name } else { own };
        for value in values {
            value.write_nillable(item, self);
        }
        // For the next list of a list of lists.
        self.items = row;
        self.end_list(name);
    }

    /// Writes a list of lists by calling `write`, which writes them as elements with the given
    /// name.
    pub fn lists_of(&mut self, name: &str, list: &str, write: &mut dyn FnMut(&str, &mut Self)) {
        if self.is_form() {
            return self.no_form(name, "a list of lists");
        }
        self.start_list(name);
        let row = self.items.take();
        let list = row.map_or(list, |row| row.name);
        self.items = row.and_then(model::Element::items);
        write(renamed(self.list_names, list), self);
        self.items = row;
        self.end_list(name);
    }

    /// Writes an unwrapped list: one element `name` for each value.
    pub fn items<T: Value>(&mut self, name: &str, values: &[T]) {
        if self.is_sink() {
            self.start_list(name);
        }
        for value in values {
            value.write_nillable(name, self);
        }
        if self.is_sink() {
            self.end_list(name);
        }
    }
}

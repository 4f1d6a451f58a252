//! Sets and tables as values of elements.

use super::read_rows;
use super::read_schema::Schema;
use super::set::DataSet;
use super::table::DataTable;
use super::unknown::Stop;
use super::write_schema::View;
use crate::values::content::{Content, Place};
use crate::values::element::Element;
use crate::values::value::Value;
use crate::xml::error::{ReadError, ReadErrorKind};

impl Content<'_> {
    /// Writes a set, or a table by itself.
    fn write_view(&mut self, name: &str, view: &View<'_>) {
        if self.is_text() {
            return self.at_place(Place::Element, |out| out.view(view));
        }
        if !self.is_element() {
            return self.no_form(name, "a data set");
        }
        if let Some(unnamed) = view.unnamed() {
            return self.fail(format!("'{name}' holds a {unnamed} without a name."));
        }
        self.open(name);
        self.view(view);
        self.end(name);
    }

    /// Writes the content of the element that was started last.
    fn view(&mut self, view: &View<'_>) {
        let default = self.default_namespace();
        self.undescribed(|out| {
            view.write_schema(out);
            view.write_rows(default, out);
        });
    }
}

/// What an empty set has besides itself: its name and its language.
const NAMES: usize = 160;

/// Reads the content of an element; nothing of a nil one.
fn read(element: &mut Element<'_>, schema: &mut Schema) -> Result<(), Stop> {
    element.no_form("A data set")?;
    element.open_leaf();
    element.tokens.take_room(NAMES)?;
    if element.tokens.is_nil() {
        element.tokens.skip()?;
        return Ok(());
    }
    read_rows::read(element, schema)
}

/// A schema and rows, or rows of the tables that the set has. A nil element is a set without rows.
impl Value for DataSet {
    const TAKES_NIL: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.open_leaf();
        let start = element.tokens.clone();
        let mut schema = Schema::of(std::mem::take(self));
        match read(element, &mut schema) {
            Ok(()) => *self = schema.set,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Unknown(why)) => {
                drop(schema);
                element.tokens = start;
                *self = Self::of_unread(element.raw()?, why);
            }
        }
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        match &self.unread {
            Some(unread) => unread.content.write(name, out),
            None => out.write_view(name, &View::of_set(self)),
        }
    }
}

/// A schema and rows. A nil element is a table without a name.
impl Value for DataTable {
    const TAKES_NIL: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        let mut schema = Schema::default();
        match read(element, &mut schema) {
            Ok(()) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Unknown(why)) => {
                let message = format!("The table cannot be read: {why}.");
                return Err(element.error(ReadErrorKind::Value, message));
            }
        }
        let (namespace, main) = (schema.set.namespace, schema.main);
        let main = main.as_deref().map(|main| {
            let own = main
                .strip_prefix(&*namespace)
                .filter(|_| !namespace.is_empty());
            own.and_then(|own| own.strip_prefix(':')).unwrap_or(main)
        });
        let is_it = |table: &Self| main.is_none_or(|main| table.name() == main);
        let mut tables = schema.set.tables.into_owned().into_iter();
        let table = tables.find(is_it).unwrap_or_default();
        *self = table.with_namespace(namespace);
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.write_view(name, &View::of_table(self));
    }
}

//! Sets and tables as values of elements.

use svcgen_wire::{Content, Element, ReadError, ReadErrorKind, Value};

use crate::read_rows;
use crate::read_schema::Schema;
use crate::set::DataSet;
use crate::table::DataTable;
use crate::unknown::Stop;
use crate::write_schema::View;

/// Writes a set, or a table by itself.
fn write(name: &str, view: &View<'_>, out: &mut Content<'_>) {
    if !out.is_element() && !out.is_text() {
        return out.no_form(name, "a data set");
    }
    if let Some(unnamed) = view.unnamed() {
        return out.fail(format!("'{name}' holds a {unnamed} without a name."));
    }
    if out.is_element() {
        out.start(name, &[]);
    }
    let default = out.default_namespace();
    out.undescribed(|out| {
        view.write_schema(out);
        view.write_rows(default, out);
    });
    if out.is_element() {
        out.end(name);
    }
}

/// The size of an empty set's heap memory in bytes: its name and its language.
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

/// Reads a schema and rows, or rows of the tables of the set. A nil element is a set without rows.
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
            None => write(name, &View::of_set(self), out),
        }
    }
}

/// Reads a schema and rows. A nil element is a table without a name.
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
        write(name, &View::of_table(self), out);
    }
}

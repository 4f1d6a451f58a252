//! Reading rows (a DiffGram).

use std::borrow::Cow;
use std::collections::HashMap;

use svcgen_wire::internals::{Mismatch, Tokens, XML, XML_SCHEMA, is_space};
use svcgen_wire::{Element, ReadError, ReadErrorKind};

use crate::cell::Cell;
use crate::column::{ColumnMapping, DataColumn};
use crate::namespaces::{DIFFGRAM, MSDATA};
use crate::read_schema::Schema;
use crate::row::{Cells, Row, RowState};
use crate::unknown::{Stop, unknown};

/// Reads the content of the open element: schemas and rows.
pub(crate) fn read<'i>(element: &mut Element<'i>, schema: &mut Schema) -> Result<(), Stop> {
    let mut has_schema = false;
    let mut rows = Rows::default();
    while element.tokens.child()? {
        match (element.tokens.namespace(), element.tokens.local_name()) {
            (XML_SCHEMA, "schema") if has_schema => {
                return unknown("it has several schemas");
            }
            (XML_SCHEMA, "schema") => {
                has_schema = true;
                *schema = Schema::default();
                schema.read(&mut element.tokens)?;
            }
            (DIFFGRAM, "diffgram") => {
                if !has_schema {
                    has_schema = schema.declare(&mut element.tokens)?;
                }
                rows.read(element, schema)?;
            }
            // .NET ignores rows outside of a DiffGram.
            _ => drop(element.tokens.skip()?),
        }
    }
    rows.sort(schema);
    check(element, schema)
}

/// The state of rows until all are read.
#[derive(Default)]
struct Rows<'i> {
    tables: Vec<TableRows<'i>>,
}

#[derive(Default)]
struct TableRows<'i> {
    rows: Vec<Row>,
    /// The position of each row.
    orders: Vec<u32>,
    /// The rows that are modified or have errors, and whether they are modified, by id.
    marked: HashMap<Cow<'i, str>, (usize, bool)>,
}

/// The position of a row that specifies none: after all that do.
const LAST: u32 = u32::MAX;

/// The approximate size of a map entry besides its key, in bytes.
const ENTRY: usize = 64;

impl<'i> Rows<'i> {
    /// Reads a diffgram.
    fn read(&mut self, element: &mut Element<'i>, schema: &Schema) -> Result<(), ReadError> {
        let count = schema.set.tables.len();
        element
            .tokens
            .take_room(count.saturating_sub(self.tables.len()) * size_of::<TableRows<'_>>())?;
        self.tables.resize_with(count, TableRows::default);
        while element.tokens.child()? {
            let part = (element.tokens.namespace(), element.tokens.local_name());
            let (is_before, is_errors) =
                (part == (DIFFGRAM, "before"), part == (DIFFGRAM, "errors"));
            while element.tokens.child()? {
                let tokens = &mut element.tokens;
                let is_own = tokens.namespace() == schema.set.namespace;
                let table = schema.table_of(tokens.local_name()).filter(|_| is_own);
                match table {
                    None => drop(tokens.skip()?),
                    Some(table) if is_errors => self.read_errors(element, schema, table)?,
                    Some(table) => drop(self.read_row(element, schema, table, is_before)?),
                }
            }
        }
        Ok(())
    }

    /// Reads a current or an original row, with the rows nested in it. Returns its index, unless it
    /// is the original of a modified row.
    fn read_row(
        &mut self,
        element: &mut Element<'i>,
        schema: &Schema,
        table: usize,
        is_before: bool,
    ) -> Result<Option<usize>, ReadError> {
        let tokens = &mut element.tokens;
        let order = tokens.attribute_of(MSDATA, "rowOrder");
        let order = order
            .and_then(|order| order.trim().parse().ok())
            .unwrap_or(LAST);
        let changes = tokens.attribute_of(DIFFGRAM, "hasChanges");
        let is_modified = changes == Some("modified");
        let is_marked = is_modified || tokens.attribute_of(DIFFGRAM, "hasErrors") == Some("true");
        // For .NET, a row that is marked as modified is new if its original is missing.
        let state = match (is_before, changes) {
            (true, _) => RowState::Deleted,
            (false, Some(_)) => RowState::Inserted,
            (false, None) => RowState::Unchanged,
        };
        let ids = tokens.attributes.iter_mut().find(|attribute| {
            attribute.local_name == "id" && tokens.namespaces.name(attribute.namespace) == DIFFGRAM
        });
        let id = ids.map(|attribute| std::mem::take(&mut attribute.value));
        let cells = self.read_cells(element, schema, table, is_before)?;
        let (known, tokens) = (&mut self.tables[table], &mut element.tokens);
        if is_before
            && let Some((row, is_modified)) = id.as_ref().and_then(|id| known.marked.get_mut(id))
            && std::mem::take(is_modified)
        {
            known.rows[*row].state = RowState::Modified;
            tokens.take_room(size_of::<Cells>())?;
            known.rows[*row].original = Some(Box::new(cells));
            return Ok(None);
        }
        let number = known.rows.len();
        if let Some(id) = id.filter(|_| is_marked && !is_before) {
            tokens.take_room(ENTRY + id.len())?;
            known.marked.insert(id, (number, is_modified));
        }
        let row = Row {
            state,
            cells,
            ..Row::default()
        };
        tokens.push(&mut known.orders, order)?;
        tokens.push(&mut known.rows, row)?;
        Ok(Some(number))
    }

    /// Reads the errors of a row.
    fn read_errors(
        &mut self,
        element: &mut Element<'i>,
        schema: &Schema,
        table: usize,
    ) -> Result<(), ReadError> {
        let tokens = &mut element.tokens;
        let id = tokens.attribute_of(DIFFGRAM, "id");
        let row = id.and_then(|id| self.tables[table].marked.get(id));
        let Some((row, _)) = row.copied() else {
            return tokens.skip().map(drop);
        };
        let error = tokens.attribute_of(DIFFGRAM, "Error").map(str::to_owned);
        let mut cells = Vec::new();
        while tokens.child()? {
            let column = schema.column_of(table, tokens.local_name(), ColumnMapping::Element);
            let error = tokens.attribute_of(DIFFGRAM, "Error").map(str::to_owned);
            if let Some(cell) = column.map(|column| column as u32).zip(error) {
                tokens.push(&mut cells, cell)?;
            }
            tokens.skip()?;
        }
        tokens.take_room(128)?;
        cells.sort_by_key(|(column, _)| *column);
        cells.dedup_by_key(|(column, _)| *column);
        let errors = self.tables[table].rows[row].errors();
        (errors.row, errors.cells) = (error, cells);
        Ok(())
    }

    /// Reads the cells of a row and the rows nested in it, through its end tag.
    fn read_cells(
        &mut self,
        element: &mut Element<'i>,
        schema: &Schema,
        table: usize,
        is_before: bool,
    ) -> Result<Cells, ReadError> {
        let set = &schema.set;
        let columns = &set.tables[table].columns;
        let mut cells = Vec::new();
        let text = schema.text_of(table);
        let text = text.map(|column| (column, is_preserved(&element.tokens)));
        for attribute in std::mem::take(&mut element.tokens.attributes) {
            let (local, tokens) = (attribute.local_name, &element.tokens);
            let column = match tokens.namespaces.name(attribute.namespace) {
                MSDATA => local
                    .strip_prefix("hidden")
                    .and_then(|name| schema.column_of(table, name, ColumnMapping::Hidden)),
                namespace if namespace.is_empty() || namespace == set.namespace => {
                    schema.column_of(table, local, ColumnMapping::Attribute)
                }
                _ => None,
            };
            if let Some(column) = column {
                push_cell(
                    element,
                    &mut cells,
                    (column, &columns[column]),
                    &attribute.value,
                )?;
            }
        }
        let mut inner = Vec::new();
        match text {
            Some((column, is_preserved)) => {
                let text = (column, &columns[column]);
                read_text(element, text, is_preserved, &mut cells)?;
            }
            None => {
                self.read_elements(element, schema, (table, is_before), &mut cells, &mut inner)?
            }
        }
        // The first of repeated cells counts.
        if !cells.is_sorted_by(|(one, _), (next, _)| one < next) {
            cells.sort_by_key(|(column, _)| *column);
            cells.dedup_by_key(|(column, _)| *column);
        }
        let cells = Cells(cells);
        for (child, row) in inner {
            let Some((parent, columns)) = schema.nest_of(child) else {
                continue;
            };
            // A nested row refers to the row around it, regardless of its own cells.
            for (key, column) in columns.iter().filter(|_| parent == table) {
                let key = cells.get(*key).map(Into::into);
                let cells = &mut self.tables[child].rows[row].cells;
                cells.set(*column as u32, Cell(key));
            }
        }
        Ok(cells)
    }

    /// Reads the cells that are elements, and the rows nested in a row.
    fn read_elements(
        &mut self,
        element: &mut Element<'i>,
        schema: &Schema,
        (table, is_before): (usize, bool),
        cells: &mut Vec<(u32, Box<str>)>,
        inner: &mut Vec<(usize, usize)>,
    ) -> Result<(), ReadError> {
        let set = &schema.set;
        let columns = &set.tables[table].columns;
        // The expected next column.
        let mut next = 0;
        while element.tokens.child()? {
            let tokens = &mut element.tokens;
            let is_own = tokens.namespace() == set.namespace;
            let name = tokens.local_name();
            let expected = columns.get(next).filter(|column| {
                column.mapping == ColumnMapping::Element
                    && column.name == name
                    && !name.contains("_x")
            });
            let column = match expected {
                Some(_) => Some(next),
                None => schema.column_of(table, name, ColumnMapping::Element),
            };
            let Some(column) = column.filter(|_| is_own && !tokens.is_nil()) else {
                match schema.table_of(name).filter(|_| is_own && column.is_none()) {
                    None => drop(tokens.skip()?),
                    Some(child) => {
                        if let Some(row) = self.read_row(element, schema, child, is_before)? {
                            let tokens = &mut element.tokens;
                            tokens.push(inner, (child, row))?;
                        }
                    }
                }
                continue;
            };
            next = column + 1;
            let is_preserved = is_preserved(tokens);
            let text = cell_text(tokens, &columns[column], is_preserved)?;
            // .NET finds no value to convert in an empty cell of an original row.
            if is_before && text.is_empty() && !columns[column].kind.is_text() {
                tokens.close();
                continue;
            }
            push_cell(element, cells, (column, &columns[column]), &text)?;
            element.tokens.close();
        }
        Ok(())
    }

    /// Moves the rows to their positions.
    fn sort(self, schema: &mut Schema) {
        if self.tables.iter().all(|known| known.rows.is_empty()) {
            return;
        }
        for (table, known) in schema.set.tables.to_mut().iter_mut().zip(self.tables) {
            table.rows = known.rows;
            if !known.orders.is_sorted() {
                let rows = std::mem::take(&mut table.rows);
                let mut placed: Vec<_> = known.orders.into_iter().zip(rows).collect();
                placed.sort_by_key(|(order, _)| *order);
                table.rows = placed.into_iter().map(|(_, row)| row).collect();
            }
        }
    }
}

/// Reads the cell in the text of its row, through the row's end tag. Null is not text.
fn read_text(
    element: &mut Element<'_>,
    (number, column): (usize, &DataColumn),
    is_preserved: bool,
    cells: &mut Vec<(u32, Box<str>)>,
) -> Result<(), ReadError> {
    let tokens = &mut element.tokens;
    if tokens.is_nil() {
        return tokens.skip().map(drop);
    }
    let text = cell_text(tokens, column, is_preserved)?;
    if !text.is_empty() {
        push_cell(element, cells, (number, column), &text)?;
    }
    element.tokens.close();
    Ok(())
}

/// Whether the current element declares that its white space is significant.
fn is_preserved(tokens: &Tokens<'_>) -> bool {
    tokens.attribute_of(XML, "space") == Some("preserve")
}

/// Reads the text of a cell, which stays open. White space alone is significant only if it is
/// declared so, or is in a CDATA section.
fn cell_text<'i>(
    tokens: &mut Tokens<'i>,
    column: &DataColumn,
    is_preserved: bool,
) -> Result<Cow<'i, str>, ReadError> {
    let start = tokens.at;
    let text = tokens.text()?;
    if is_preserved || !text.bytes().all(is_space) || !column.kind.is_text() {
        return Ok(text);
    }
    let written = &tokens.input[start..tokens.at];
    let is_section = written.contains("<![CDATA[");
    Ok(if is_section { text } else { Cow::Borrowed("") })
}

/// Adds the value of a text to the cells of a row.
fn push_cell(
    element: &mut Element<'_>,
    cells: &mut Vec<(u32, Box<str>)>,
    (number, column): (usize, &DataColumn),
    text: &str,
) -> Result<(), ReadError> {
    let read = column.read(text, element.time_zone);
    let read = read.map_err(|mismatch| refuse(element, text, mismatch))?;
    element.tokens.push(cells, (number as u32, (*read).into()))
}

#[cold]
fn refuse(element: &Element<'_>, text: &str, mismatch: Mismatch) -> ReadError {
    let error = element.no_value(mismatch.message(text));
    error.or_concealed(mismatch.message(svcgen_wire::internals::CONCEALED))
}

/// Checks the set, unless its schema disables constraints.
fn check(element: &mut Element<'_>, schema: &Schema) -> Result<(), Stop> {
    let set = &schema.set;
    if set.is_set("msdata:EnforceConstraints", "false") {
        return Ok(());
    }
    // The keys of all rows, and those that relations refer to.
    let keys = set.tables.iter().map(|table| {
        let refers = set
            .relations
            .iter()
            .filter(|one| one.parent.table == table.name);
        let keys = table.keys.iter().map(|key| key.columns.len());
        let keys = keys.chain(refers.map(|one| one.parent.columns.len()));
        keys.map(|columns| (columns + 2) * ENTRY)
            .sum::<usize>()
            .saturating_mul(table.len())
    });
    let bytes = keys.fold(0, usize::saturating_add);
    element.tokens.take_room(bytes)?;
    let checked = set.check();
    element.tokens.room.give_back(bytes);
    checked.map_err(|_| Stop::Error(broken(element)))
}

/// The error of .NET, without the broken constraint; [`DataSet::check`](crate::DataSet::check)
/// returns it.
#[cold]
fn broken(element: &Element<'_>) -> ReadError {
    let message = "Failed to enable constraints. One or more rows contain values violating non-null, unique, or foreign-key constraints.";
    let error = ReadError::new(ReadErrorKind::Value, message.to_owned());
    // .NET checks the set on the end tag of the element.
    element.tokens.placed(error, element.tokens.end_tag_name())
}

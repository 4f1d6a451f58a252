//! The rows of a set or a table, as .NET writes them (a DiffGram).

use std::borrow::Cow;
use std::fmt::Write;

use super::column::ColumnMapping;
use super::names::encode;
use super::namespaces::{DIFFGRAM, MSDATA};
use super::row::{Cells, Row, RowState};
use super::table::DataTable;
use super::write_schema::View;
use crate::values::content::Content;

/// How the rows of a table are written.
struct Writer<'t> {
    table: &'t DataTable,
    /// The names of the table and of its columns as elements and attributes.
    name: Cow<'t, str>,
    columns: Vec<Cow<'t, str>>,
    has_attributes: bool,
    /// The id of the row.
    id: String,
}

impl<'t> Writer<'t> {
    fn new(table: &'t DataTable) -> Self {
        let columns = table.columns.iter().map(|column| match column.mapping {
            ColumnMapping::Element | ColumnMapping::Attribute => encode(&column.name),
            ColumnMapping::Hidden => format!("msdata:hidden{}", encode(&column.name)).into(),
        });
        let mut columns_of = table.columns.iter();
        Self {
            table,
            name: encode(&table.name),
            columns: columns.collect(),
            has_attributes: columns_of.any(|column| column.mapping != ColumnMapping::Element),
            id: String::new(),
        }
    }

    /// Starts a row with its id and its place.
    fn start(&mut self, index: usize, out: &mut Content<'_>) {
        self.start_with_id(index, out);
        out.attribute_text("msdata:rowOrder", itoa::Buffer::new().format(index));
    }

    fn start_with_id(&mut self, index: usize, out: &mut Content<'_>) {
        self.id.clear();
        // Writing to a `String` cannot fail.
        let _ = write!(self.id, "{}{}", self.table.name, index + 1);
        out.start(&self.name, &[("diffgr:id", &self.id)]);
    }

    /// Writes a row as it is.
    fn row(&mut self, index: usize, row: &Row, out: &mut Content<'_>) {
        self.start(index, out);
        match row.state {
            RowState::Inserted => out.attribute_text("diffgr:hasChanges", "inserted"),
            RowState::Modified => out.attribute_text("diffgr:hasChanges", "modified"),
            RowState::Unchanged | RowState::Deleted => {}
        }
        if row.errors.is_some() {
            out.attribute_text("diffgr:hasErrors", "true");
        }
        self.rest(&row.cells, None, out);
    }

    /// Writes a row as it was.
    fn before(&mut self, index: usize, row: &Row, declared: Option<&str>, out: &mut Content<'_>) {
        self.start(index, out);
        let cells = row.original.as_deref().unwrap_or(&row.cells);
        self.rest(cells, declared, out);
    }

    /// Writes the cells of a row, and ends it.
    fn rest(&self, cells: &Cells, declared: Option<&str>, out: &mut Content<'_>) {
        if self.has_attributes {
            self.cells(cells, false, out);
        }
        declare(declared, out);
        self.cells(cells, true, out);
        out.end(&self.name);
    }

    /// Writes the cells that are elements, or those that are attributes.
    fn cells(&self, cells: &Cells, are_elements: bool, out: &mut Content<'_>) {
        for (number, text) in &cells.0 {
            let index = *number as usize;
            let (column, name) = (&self.table.columns[index], &self.columns[index]);
            if (column.mapping == ColumnMapping::Element) != are_elements {
                continue;
            }
            let text = column.kind.shown(text, column.mode, out.time_zone);
            if !are_elements {
                out.attribute_text(name, &text);
            } else if is_blank(&text) {
                out.start(name, &[("xml:space", "preserve")]);
                out.escaped(&text);
                out.end_inline(name);
            } else {
                out.text(name, &text);
            }
        }
    }

    /// Writes what is wrong with a row.
    fn errors(&mut self, index: usize, row: &Row, declared: Option<&str>, out: &mut Content<'_>) {
        let Some(errors) = &row.errors else { return };
        self.start_with_id(index, out);
        if let Some(error) = &errors.row {
            out.attribute_text("diffgr:Error", error);
        }
        declare(declared, out);
        for (number, error) in &errors.cells {
            let name = encode(&self.table.columns[*number as usize].name);
            out.start(&name, &[("diffgr:Error", error)]);
            out.end(&name);
        }
        out.end(&self.name);
    }
}

/// Declares the namespace of the element that was started last.
fn declare(namespace: Option<&str>, out: &mut Content<'_>) {
    if let Some(namespace) = namespace {
        out.attribute_text("xmlns", namespace);
    }
}

/// Whether .NET says that the white space of a text counts.
fn is_blank(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

impl View<'_> {
    /// Writes the rows, where a default namespace is declared, if it is known.
    pub(super) fn write_rows(&self, default: Option<&str>, out: &mut Content<'_>) {
        out.start(
            "diffgr:diffgram",
            &[("xmlns:msdata", MSDATA), ("xmlns:diffgr", DIFFGRAM)],
        );
        let declared = (default != Some(self.namespace)).then_some(self.namespace);
        let mut writers: Vec<_> = self.tables.iter().map(Writer::new).collect();
        if self.tables.iter().any(|table| !table.is_empty()) {
            let root = match self.main {
                Some(_) => Cow::Borrowed("DocumentElement"),
                None => encode(self.name),
            };
            out.start(&root, &[]);
            declare(declared, out);
            for writer in &mut writers {
                for (index, row) in writer.table.rows.iter().enumerate() {
                    if row.state != RowState::Deleted {
                        writer.row(index, row, out);
                    }
                }
            }
            out.end(&root);
        }
        self.write_before(&mut writers, declared, out);
        let has_errors = |table: &DataTable| table.rows.iter().any(|row| row.errors.is_some());
        if self.tables.iter().any(has_errors) {
            out.start("diffgr:errors", &[]);
            for writer in &mut writers {
                for (index, row) in writer.table.rows.iter().enumerate() {
                    writer.errors(index, row, declared, out);
                }
            }
            out.end("diffgr:errors");
        }
        out.end("diffgr:diffgram");
    }

    /// Writes the rows as they were that are modified or deleted.
    fn write_before(
        &self,
        writers: &mut [Writer<'_>],
        declared: Option<&str>,
        out: &mut Content<'_>,
    ) {
        let was = |row: &Row| matches!(row.state, RowState::Modified | RowState::Deleted);
        if !self.tables.iter().any(|table| table.rows.iter().any(was)) {
            return;
        }
        out.start("diffgr:before", &[]);
        for writer in writers {
            for (index, row) in writer.table.rows.iter().enumerate() {
                if was(row) {
                    writer.before(index, row, declared, out);
                }
            }
        }
        out.end("diffgr:before");
    }
}

//! The rows of a set or a table, as .NET writes them (a DiffGram).

use std::borrow::Cow;
use std::fmt::Write;

use svcgen_wire::Content;
use svcgen_wire::internals::SCHEMA_INSTANCE;
use svcgen_wire::internals::name_text::encode;

use crate::column::{ColumnMapping, DataColumn};
use crate::namespaces::{DIFFGRAM, MSDATA};
use crate::nests::{Nests, RowAt};
use crate::row::{Cells, Row, RowState};
use crate::table::DataTable;
use crate::write_schema::View;

/// The writer of a table's rows.
struct Writer<'t> {
    table: &'t DataTable,
    /// The names of the table and of its columns as elements and attributes.
    name: Cow<'t, str>,
    columns: Vec<Cow<'t, str>>,
    has_attributes: bool,
    /// The index of the column with the text of rows.
    text: Option<usize>,
    /// The id of the row.
    id: String,
}

impl<'t> Writer<'t> {
    fn new(table: &'t DataTable) -> Self {
        let columns = table.columns.iter().map(|column| match column.mapping {
            ColumnMapping::Element | ColumnMapping::Attribute => encode(&column.name),
            ColumnMapping::Hidden => format!("msdata:hidden{}", encode(&column.name)).into(),
            ColumnMapping::SimpleContent => Cow::Borrowed(""),
        });
        let mut columns_of = table.columns.iter();
        let is_text = |column: &DataColumn| column.mapping == ColumnMapping::SimpleContent;
        Self {
            table,
            name: encode(&table.name),
            columns: columns.collect(),
            text: columns_of.clone().position(is_text),
            has_attributes: columns_of.any(|column| column.mapping != ColumnMapping::Element),
            id: String::new(),
        }
    }

    /// Starts a row with its id and its position.
    fn start(&mut self, index: usize, outer: Option<&str>, out: &mut Content<'_>) {
        self.start_with_id(index, out);
        if let Some(id) = outer {
            out.attribute_text("diffgr:parentId", id);
        }
        out.attribute_text("msdata:rowOrder", itoa::Buffer::new().format(index));
    }

    fn start_with_id(&mut self, index: usize, out: &mut Content<'_>) {
        self.id.clear();
        // Writing to a `String` cannot fail.
        let _ = write!(self.id, "{}{}", self.table.name, index + 1);
        out.start(&self.name, &[("diffgr:id", &self.id)]);
    }

    /// Writes a row with its current values, without its end.
    fn row(&mut self, index: usize, row: &Row, out: &mut Content<'_>) {
        self.start(index, None, out);
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

    /// Writes a row with its original values.
    fn before(
        &mut self,
        index: usize,
        row: &Row,
        (outer, declared): (Option<&str>, Option<&str>),
        out: &mut Content<'_>,
    ) {
        self.start(index, outer, out);
        let cells = row.original.as_deref().unwrap_or(&row.cells);
        self.rest(cells, declared, out);
        self.end(out);
    }

    fn end(&self, out: &mut Content<'_>) {
        match self.text {
            Some(_) => out.end_inline(&self.name),
            None => out.end(&self.name),
        }
    }

    /// Writes the cells of a row.
    fn rest(&self, cells: &Cells, declared: Option<&str>, out: &mut Content<'_>) {
        if self.has_attributes {
            self.cells(cells, false, out);
        }
        let text = self.text.map(|column| {
            let (text, column) = (cells.get(column), &self.table.columns[column]);
            text.map(|text| column.kind.shown(text, column.mode, out.time_zone))
        });
        match &text {
            Some(None) => {
                out.attribute_text("xsi:nil", "true");
                out.attribute_text("xmlns:xsi", SCHEMA_INSTANCE);
            }
            Some(Some(text)) if is_blank(text) => out.attribute_text("xml:space", "preserve"),
            _ => {}
        }
        declare(declared, out);
        match text.flatten() {
            Some(text) => out.escaped(&text),
            None => self.cells(cells, true, out),
        }
    }

    /// Writes the cells that are elements, or those that are attributes.
    fn cells(&self, cells: &Cells, are_elements: bool, out: &mut Content<'_>) {
        for (number, text) in &cells.0 {
            let index = *number as usize;
            let (column, name) = (&self.table.columns[index], &self.columns[index]);
            let is_text = column.mapping == ColumnMapping::SimpleContent;
            if (column.mapping == ColumnMapping::Element) != are_elements || is_text {
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

    /// Writes the errors of a row.
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

/// Declares the namespace of the last started element.
fn declare(namespace: Option<&str>, out: &mut Content<'_>) {
    if let Some(namespace) = namespace {
        out.attribute_text("xmlns", namespace);
    }
}

/// Whether .NET declares the white space of a text as significant.
fn is_blank(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// Writes a row with its current values, and the rows nested in it.
fn write_row(
    (table, index): RowAt,
    writers: &mut [Writer<'_>],
    nests: &Nests,
    out: &mut Content<'_>,
) {
    let writer = &mut writers[table];
    writer.row(index, &writer.table.rows[index], out);
    for inner in nests.inner((table, index)) {
        write_row(*inner, writers, nests, out);
    }
    writers[table].end(out);
}

impl DataTable {
    /// The id of a row.
    fn id_of(&self, index: usize) -> String {
        format!("{}{}", self.name, index + 1)
    }
}

impl View<'_> {
    /// Writes the rows. `default` is the declared default namespace, if it is known.
    pub(crate) fn write_rows(&self, default: Option<&str>, out: &mut Content<'_>) {
        out.start(
            "diffgr:diffgram",
            &[("xmlns:msdata", MSDATA), ("xmlns:diffgr", DIFFGRAM)],
        );
        let declared = (default != Some(self.namespace)).then_some(self.namespace);
        let mut writers: Vec<_> = self.tables.iter().map(Writer::new).collect();
        let nests = Nests::of(self);
        if self.tables.iter().any(|table| !table.is_empty()) {
            let root = match self.main {
                Some(table) if table.set_name.is_none() => Cow::Borrowed("DocumentElement"),
                _ => encode(self.name),
            };
            out.start(&root, &[]);
            declare(declared, out);
            for (number, table) in self.tables.iter().enumerate() {
                for (index, row) in table.rows.iter().enumerate() {
                    let at = (number, index);
                    if row.state != RowState::Deleted && nests.outer(at).is_none() {
                        write_row(at, &mut writers, &nests, out);
                    }
                }
            }
            out.end(&root);
        }
        self.write_before(&mut writers, &nests, declared, out);
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

    /// Writes modified and deleted rows with their original values.
    fn write_before(
        &self,
        writers: &mut [Writer<'_>],
        nests: &Nests,
        declared: Option<&str>,
        out: &mut Content<'_>,
    ) {
        let was = |row: &Row| matches!(row.state, RowState::Modified | RowState::Deleted);
        if !self.tables.iter().any(|table| table.rows.iter().any(was)) {
            return;
        }
        out.start("diffgr:before", &[]);
        for (number, writer) in writers.iter_mut().enumerate() {
            for (index, row) in writer.table.rows.iter().enumerate() {
                if was(row) {
                    let is_deleted = row.state == RowState::Deleted;
                    let outer = nests.outer((number, index)).filter(|_| is_deleted);
                    let outer = outer.map(|(table, index)| self.tables[table].id_of(index));
                    writer.before(index, row, (outer.as_deref(), declared), out);
                }
            }
        }
        out.end("diffgr:before");
    }
}

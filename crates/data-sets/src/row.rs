//! The rows of tables.

use crate::cell::Cell;

/// The change of a row since its table was read or its changes were accepted, .NET `DataRowState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowState {
    /// Not changed.
    #[default]
    Unchanged,
    /// New, .NET `Added`.
    Inserted,
    /// Cells have other values than before.
    Modified,
    /// Removed; its cells keep their last values.
    Deleted,
}

/// The cells of a row that are not null, by the index of their column.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Cells(pub(crate) Vec<(u32, Box<str>)>);

impl Cells {
    /// The text in a column.
    pub(crate) fn get(&self, column: usize) -> Option<&str> {
        let is_it = |(number, _): &(u32, Box<str>)| *number as usize == column;
        // For a row without nulls.
        let straight = self.0.get(column).filter(|cell| is_it(cell));
        let found = straight.or_else(|| {
            let found = self
                .0
                .binary_search_by_key(&column, |(number, _)| *number as usize);
            found.ok().map(|at| &self.0[at])
        });
        found.map(|(_, text)| &**text)
    }

    /// Sets the cell in a column.
    pub(crate) fn set(&mut self, column: u32, cell: Cell) {
        match (self.0.binary_search_by_key(&column, |cell| cell.0), cell.0) {
            (Ok(at), Some(text)) => self.0[at].1 = text,
            (Ok(at), None) => drop(self.0.remove(at)),
            (Err(at), Some(text)) => self.0.insert(at, (column, text)),
            (Err(_), None) => {}
        }
    }
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Row {
    pub(crate) state: RowState,
    pub(crate) cells: Cells,
    /// The cells before they were modified.
    pub(crate) original: Option<Box<Cells>>,
    pub(crate) errors: Option<Box<Errors>>,
}

/// The errors of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Errors {
    pub(crate) row: Option<String>,
    /// By the index of the column, in their order.
    pub(crate) cells: Vec<(u32, String)>,
}

impl Row {
    /// The errors of the row, for adding to them.
    pub(crate) fn errors(&mut self) -> &mut Errors {
        self.errors.get_or_insert_default()
    }

    /// Keeps the current cells before the first change.
    pub(crate) fn modify(&mut self) {
        if self.state == RowState::Unchanged {
            self.state = RowState::Modified;
            self.original = Some(Box::new(self.cells.clone()));
        }
    }
}

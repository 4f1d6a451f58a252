//! Tables.

use svcgen_wire::internals::TimeZone;

use crate::cell::{Cell, CellValue};
use crate::column::DataColumn;
use crate::column_type::ColumnType;
use crate::data_error::DataError;
use crate::keys::UniqueKey;
use crate::row::{Cells, Row, RowState};

/// A table of a [`DataSet`](crate::DataSet), or by itself, .NET `DataTable`.
///
/// ```
/// use svcgen::types::{Cell, DataTable, RowState};
///
/// let mut items = DataTable::new("Item");
/// items.column::<i32>("Id").required();
/// items.column::<String>("Name").max_length(20);
/// items.column::<f64>("Price").default(9.5);
/// items.set_primary_key(&["Id"])?;
/// items.push([1.into(), "one".into()])?;
/// items.push([2.into(), Cell::NULL, 3.25.into()])?;
/// items.accept_changes();
///
/// items.set(0, "Name", "uno")?;
/// items.delete(1)?;
/// let changes: Vec<_> = items.changes().collect();
/// assert_eq!(changes[0].state(), RowState::Modified);
/// assert_eq!(changes[0].get::<String>("Name")?.as_deref(), Some("uno"));
/// assert_eq!(changes[0].original::<String>("Name")?.as_deref(), Some("one"));
/// assert_eq!(changes[0].get::<f64>("Price")?, Some(9.5));
/// assert_eq!((changes[1].state(), changes[1].get::<i32>("Id")?), (RowState::Deleted, Some(2)));
/// # Ok::<(), svcgen::types::DataError>(())
/// ```
///
/// An added row is new until the changes are accepted: accept them after adding rows from a
/// database. A table read from XML contains the changes of the other side.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DataTable {
    pub(crate) name: String,
    pub(crate) namespace: String,
    /// The name of its set, if it is written by itself.
    pub(crate) set_name: Option<String>,
    pub(crate) columns: Vec<DataColumn>,
    pub(crate) rows: Vec<Row>,
    pub(crate) keys: Vec<UniqueKey>,
    /// Attributes of .NET's namespaces in the schema, with their prefixes.
    pub(crate) properties: Vec<(String, String)>,
}

impl DataTable {
    /// Creates a table without columns.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Sets the namespace of its elements, if it is written by itself: in a set they are in that of
    /// the set.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Sets the name of its set, if it is written by itself, as .NET writes a table of a `DataSet`.
    /// By default it has no set.
    #[must_use]
    pub fn with_set_name(mut self, name: impl Into<String>) -> Self {
        self.set_name = Some(name.into());
        self
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the namespace of its elements, if it is written by itself.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }
}

/// Columns and keys.
impl DataTable {
    /// Adds a column for values of a Rust type. An existing column with this name is returned
    /// unchanged.
    pub fn column<T: CellValue>(&mut self, name: &str) -> &mut DataColumn {
        self.add_column(name, T::TYPE)
    }

    /// Adds a column. An existing column with this name is returned unchanged.
    pub fn add_column(&mut self, name: &str, kind: ColumnType) -> &mut DataColumn {
        let index = self.index_of(name).unwrap_or(self.columns.len());
        if index == self.columns.len() {
            self.columns.push(DataColumn::new(name, kind));
        }
        &mut self.columns[index]
    }

    /// Returns the columns, in their order.
    pub fn columns(&self) -> &[DataColumn] {
        &self.columns
    }

    /// Sets the columns of the primary key, which become required.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn set_primary_key(&mut self, columns: &[&str]) -> Result<(), DataError> {
        for name in columns {
            let index = self.known(name)?;
            self.columns[index].nullable = false;
        }
        self.keys.retain(|key| !key.primary);
        let name = self.next_key();
        self.add_key(&name, columns, true)
    }

    /// Declares that the combined values of some columns are different in all rows.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn add_unique_key(&mut self, name: &str, columns: &[&str]) -> Result<(), DataError> {
        self.add_key(name, columns, false)
    }

    /// Returns the unique keys, including the primary one.
    pub fn unique_keys(&self) -> &[UniqueKey] {
        &self.keys
    }

    /// Returns the names of the columns of the primary key; empty without one.
    pub fn primary_key(&self) -> &[String] {
        let primary = self.keys.iter().find(|key| key.primary);
        primary.map_or(&[], |key| &key.columns)
    }

    /// The first of .NET's names that no key has.
    pub(crate) fn next_key(&self) -> String {
        let mut names = (1..).map(|number| format!("Constraint{number}"));
        let is_free = |name: &String| self.keys.iter().all(|key| key.name != *name);
        names.find(is_free).unwrap_or_default()
    }

    fn add_key(&mut self, name: &str, columns: &[&str], primary: bool) -> Result<(), DataError> {
        for column in columns {
            self.known(column)?;
        }
        if columns.is_empty() || self.keys.iter().any(|key| key.name == name) {
            let message = format!("The key '{name}' has no columns, or there is one of its name.");
            return Err(DataError::new(message));
        }
        self.keys.push(UniqueKey {
            name: name.to_owned(),
            columns: columns.iter().copied().map(str::to_owned).collect(),
            primary,
        });
        Ok(())
    }

    /// The approximate size of the table without its rows, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let columns = self.columns.iter().map(|column| column.name.len());
        let columns = columns.map(|name| size_of::<DataColumn>() + 2 * name);
        size_of::<Self>() + 2 * self.name.len() + columns.sum::<usize>()
    }

    /// The index of a column.
    pub(crate) fn index_of(&self, column: &str) -> Option<usize> {
        let mut columns = self.columns.iter();
        columns.position(|known| known.name == column)
    }

    fn known(&self, column: &str) -> Result<usize, DataError> {
        let known = self.index_of(column);
        known.ok_or_else(|| DataError::no_column(column, &self.name))
    }
}

/// Rows.
impl DataTable {
    /// Adds a row, which is new. Missing cells have the default value of their column.
    ///
    /// # Errors
    ///
    /// A value is of another type than its column, too long, or null although it is required, or
    /// there are more cells than columns.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<(), DataError> {
        let mut given = cells.into_iter();
        let mut row = Cells::default();
        for (index, column) in self.columns.iter().enumerate() {
            let cell = given.next().unwrap_or_else(|| column.default.clone());
            let cell = self.checked(column, cell)?;
            row.0.extend(cell.0.map(|text| (index as u32, text)));
        }
        if given.next().is_some() {
            let message = format!("The row has more cells than '{}' has columns.", self.name);
            return Err(DataError::new(message));
        }
        self.rows.push(Row {
            state: RowState::Inserted,
            cells: row,
            ..Row::default()
        });
        Ok(())
    }

    /// The value in the stored form, checked against its column.
    fn checked(&self, column: &DataColumn, cell: Cell) -> Result<Cell, DataError> {
        let wrong = |why: &str| {
            let message = format!("The column '{}' of '{}' {why}", column.name, self.name);
            DataError::new(message)
        };
        let Some(text) = cell.0 else {
            if column.nullable {
                return Ok(cell);
            }
            return Err(wrong("does not allow nulls."));
        };
        if let Some(most) = column.is_exceeded_by(&text) {
            return Err(wrong(&format!("holds {most} characters at most.")));
        }
        let read = column.read(&text, TimeZone::AsWritten);
        let read = read.map_err(|mismatch| {
            let kind = column.kind.name();
            wrong(&format!(
                "is of the type {kind}. {}",
                mismatch.message(&text)
            ))
        })?;
        let is_same = *read == *text;
        let kept = read.into_owned();
        Ok(Cell(Some(if is_same { text } else { kept.into() })))
    }

    /// Returns the number of rows, including deleted ones.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the rows, including deleted ones.
    pub fn rows(&self) -> impl Iterator<Item = DataRow<'_>> {
        self.rows.iter().map(|row| DataRow { table: self, row })
    }

    /// Returns a row; `None` beyond the last one.
    pub fn row(&self, index: usize) -> Option<DataRow<'_>> {
        let row = self.rows.get(index)?;
        Some(DataRow { table: self, row })
    }

    /// Returns the rows that are new, modified or deleted.
    pub fn changes(&self) -> impl Iterator<Item = DataRow<'_>> {
        self.rows().filter(|row| row.state() != RowState::Unchanged)
    }

    /// Sets a cell of a row, which becomes modified unless it is new.
    ///
    /// # Errors
    ///
    /// There is no such row, or it is deleted; there is no such column, or the value is of another
    /// type.
    pub fn set(
        &mut self,
        index: usize,
        column: &str,
        value: impl Into<Cell>,
    ) -> Result<(), DataError> {
        let number = self.known(column)?;
        let cell = self.checked(&self.columns[number], value.into())?;
        let row = self.known_row(index)?;
        if row.state == RowState::Deleted {
            return Err(DataError::new(format!("The row {index} is deleted.")));
        }
        row.modify();
        row.cells.set(number as u32, cell);
        Ok(())
    }

    /// Deletes a row. A new one is removed at once; any other stays as
    /// [`Deleted`](RowState::Deleted) until the changes are accepted.
    ///
    /// # Errors
    ///
    /// There is no such row.
    pub fn delete(&mut self, index: usize) -> Result<(), DataError> {
        let row = self.known_row(index)?;
        if row.state == RowState::Inserted {
            self.rows.remove(index);
            return Ok(());
        }
        row.state = RowState::Deleted;
        if let Some(original) = row.original.take() {
            row.cells = *original;
        }
        Ok(())
    }

    /// Sets the error of a row.
    ///
    /// # Errors
    ///
    /// There is no such row.
    pub fn set_error(&mut self, index: usize, error: &str) -> Result<(), DataError> {
        self.known_row(index)?.errors().row = Some(error.to_owned());
        Ok(())
    }

    /// Sets the error of a cell.
    ///
    /// # Errors
    ///
    /// There is no such row or column.
    pub fn set_cell_error(
        &mut self,
        index: usize,
        column: &str,
        error: &str,
    ) -> Result<(), DataError> {
        let number = self.known(column)? as u32;
        let cells = &mut self.known_row(index)?.errors().cells;
        cells.retain(|(known, _)| *known != number);
        let at = cells.partition_point(|(known, _)| *known < number);
        cells.insert(at, (number, error.to_owned()));
        Ok(())
    }

    fn known_row(&mut self, index: usize) -> Result<&mut Row, DataError> {
        let message = || format!("There is no row {index} in the table '{}'.", self.name);
        let message = (index >= self.rows.len()).then(message);
        match message {
            Some(message) => Err(DataError::new(message)),
            None => Ok(&mut self.rows[index]),
        }
    }

    /// Marks the rows as unchanged, with their current values; deleted ones are removed.
    pub fn accept_changes(&mut self) {
        self.rows.retain(|row| row.state != RowState::Deleted);
        for row in &mut self.rows {
            row.state = RowState::Unchanged;
            row.original = None;
        }
    }

    /// Restores the original values of the rows; new ones are removed.
    pub fn reject_changes(&mut self) {
        self.rows.retain(|row| row.state != RowState::Inserted);
        for row in &mut self.rows {
            row.state = RowState::Unchanged;
            if let Some(original) = row.original.take() {
                row.cells = *original;
            }
        }
    }
}

/// A row of a table.
#[derive(Debug, Clone, Copy)]
pub struct DataRow<'t> {
    table: &'t DataTable,
    row: &'t Row,
}

impl<'t> DataRow<'t> {
    /// Returns the change of the row.
    pub fn state(&self) -> RowState {
        self.row.state
    }

    /// Returns the value in a column; `None` for null. For a deleted row, its last value.
    ///
    /// # Errors
    ///
    /// There is no such column, or its values are of another type.
    pub fn get<T: CellValue>(&self, column: &str) -> Result<Option<T>, DataError> {
        self.value(self.text(column)?, column)
    }

    /// Returns the value in a column before the row was modified; `None` for null, and in a new
    /// row.
    ///
    /// # Errors
    ///
    /// There is no such column, or its values are of another type.
    pub fn original<T: CellValue>(&self, column: &str) -> Result<Option<T>, DataError> {
        self.value(self.original_text(column)?, column)
    }

    /// Returns the text in XML of the value in a column; `None` for null.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn text(&self, column: &str) -> Result<Option<&'t str>, DataError> {
        Ok(self.row.cells.get(self.table.known(column)?))
    }

    /// Returns the text in XML of the value in a column before the row was modified; `None` for
    /// null, and in a new row.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn original_text(&self, column: &str) -> Result<Option<&'t str>, DataError> {
        let index = self.table.known(column)?;
        let cells = match (&self.row.original, self.row.state) {
            (_, RowState::Inserted) => return Ok(None),
            (Some(original), _) => original,
            (None, _) => &self.row.cells,
        };
        Ok(cells.get(index))
    }

    fn value<T: CellValue>(
        &self,
        text: Option<&str>,
        column: &str,
    ) -> Result<Option<T>, DataError> {
        let value = text.map(|text| {
            T::from_text(text).ok_or_else(|| {
                let (table, kind) = (&self.table.name, T::TYPE.name());
                let message = format!("A value of '{column}' in '{table}' is no {kind}.");
                DataError::new(message)
            })
        });
        value.transpose()
    }

    /// Returns the error of the row.
    pub fn error(&self) -> Option<&'t str> {
        self.row.errors.as_ref()?.row.as_deref()
    }

    /// Returns the error of the value in a column.
    pub fn cell_error(&self, column: &str) -> Option<&'t str> {
        let number = self.table.index_of(column)?;
        let mut cells = self.row.errors.as_ref()?.cells.iter();
        let found = cells.find(|(known, _)| *known as usize == number);
        found.map(|(_, error)| error.as_str())
    }
}

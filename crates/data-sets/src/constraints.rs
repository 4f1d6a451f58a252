//! Checks whether rows meet the constraints of their schema.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::data_error::DataError;
use crate::row::{Cells, Row, RowState};
use crate::set::DataSet;
use crate::table::DataTable;

impl DataSet {
    /// Checks that required cells are not null and texts not too long, that keys are unique, and
    /// that rows refer to rows that exist.
    ///
    /// A set is checked when it is read, as in .NET, unless its schema contains
    /// `EnforceConstraints="False"`.
    ///
    /// # Errors
    ///
    /// The first constraint that is broken, and its place.
    pub fn check(&self) -> Result<(), DataError> {
        let ignores_case = ignores_case(&self.properties);
        for table in self.tables.iter() {
            check_table(table, ignores_case)?;
        }
        let tables = self.tables.iter();
        let tables: HashMap<_, _> = tables.map(|table| (table.name(), table)).collect();
        for relation in self
            .relations
            .iter()
            .filter(|relation| relation.is_enforced())
        {
            let sides = [&relation.parent, &relation.child];
            let [parent, child] =
                sides.map(|side| Some((*tables.get(&*side.table)?, &side.columns)));
            let (Some((parent, keys)), Some((child, columns))) = (parent, child) else {
                continue;
            };
            let (keys, columns) = (numbers(parent, keys), numbers(child, columns));
            let mut known = HashSet::new();
            for row in present(parent) {
                let key: Option<Vec<_>> = values(&row.cells, &keys, ignores_case).collect();
                known.extend(key);
            }
            let refers = |row: &Row| {
                let key: Option<Vec<_>> = values(&row.cells, &columns, ignores_case).collect();
                key.is_none_or(|key| known.contains(&key))
            };
            if !present(child).all(refers) {
                return Err(DataError::new(format!(
                    "A row of '{}' refers to no row of '{}', as the relation '{}' demands.",
                    child.name, parent.name, relation.name
                )));
            }
        }
        Ok(())
    }
}

/// Whether keys ignore the case of letters.
pub(crate) fn ignores_case(properties: &[(String, String)]) -> bool {
    let mut properties = properties.iter();
    !properties
        .any(|(name, value)| name == "msdata:CaseSensitive" && value.eq_ignore_ascii_case("true"))
}

/// The rows that are not deleted.
fn present(table: &DataTable) -> impl Iterator<Item = &Row> {
    let rows = table.rows.iter();
    rows.filter(|row| row.state != RowState::Deleted)
}

pub(crate) fn numbers(table: &DataTable, columns: &[String]) -> Vec<usize> {
    let numbers = columns.iter().map(|column| table.index_of(column));
    numbers.flatten().collect()
}

/// The values in columns, normalized for comparison.
pub(crate) fn values<'r>(
    cells: &'r Cells,
    columns: &[usize],
    ignores_case: bool,
) -> impl Iterator<Item = Option<Cow<'r, str>>> {
    columns.iter().map(move |column| {
        let text = cells.get(*column)?.trim_end_matches(' ');
        let other = |one: char| !one.is_ascii() || one.is_ascii_uppercase();
        Some(if ignores_case && text.contains(other) {
            Cow::Owned(text.to_lowercase())
        } else {
            Cow::Borrowed(text)
        })
    })
}

fn check_table(table: &DataTable, ignores_case: bool) -> Result<(), DataError> {
    let wrong = |why: String| DataError::new(format!("The table '{}' {why}", table.name));
    let required = table.columns.iter().enumerate();
    let required: Vec<_> = required.filter(|(_, column)| !column.nullable).collect();
    let limited = table.columns.iter().enumerate();
    let limited: Vec<_> = limited
        .filter(|(_, column)| column.max_length.is_some())
        .collect();
    for row in present(table) {
        let mut missing = required.iter();
        if let Some((_, column)) = missing.find(|(number, _)| row.cells.get(*number).is_none()) {
            return Err(wrong(format!("has a null under '{}'.", column.name)));
        }
        for (number, column) in &limited {
            let text = row.cells.get(*number).unwrap_or_default();
            if let Some(most) = column.is_exceeded_by(text) {
                let name = &column.name;
                let why = format!("has a text of more than {most} characters under '{name}'.");
                return Err(wrong(why));
            }
        }
    }
    for unique in &table.keys {
        let columns = numbers(table, &unique.columns);
        let mut seen = HashSet::new();
        // Nulls are equal to each other.
        let mut keys = present(table).map(|row| values(&row.cells, &columns, ignores_case));
        if !keys.all(|key| seen.insert(key.collect::<Vec<_>>())) {
            return Err(wrong(format!(
                "has two rows with one key '{}'.",
                unique.name
            )));
        }
    }
    Ok(())
}

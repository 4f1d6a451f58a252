//! Errors of data sets.

use std::fmt;

use svcgen_wire::internals::bounded;

/// The reason why a table, a column, a row or a cell cannot be used as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataError {
    message: String,
}

impl DataError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let message = bounded(message.into()).into_owned();
        Self { message }
    }

    /// There is no such column.
    pub(crate) fn no_column(column: &str, table: &str) -> Self {
        Self::new(format!(
            "There is no column '{column}' in the table '{table}'."
        ))
    }

    /// There is no such table.
    pub(crate) fn no_table(table: &str) -> Self {
        Self::new(format!("There is no table '{table}'."))
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DataError {}

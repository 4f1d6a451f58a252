//! Unique keys of a table, and relations between tables.

/// Columns whose combined values are different in all rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueKey {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) primary: bool,
}

impl UniqueKey {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether it is the primary key.
    pub fn is_primary(&self) -> bool {
        self.primary
    }
}

/// A relation from the rows of a table to those of another, or of the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DataRelation {
    pub(crate) name: String,
    /// The name of the constraint; `None` if rows may refer to rows that do not exist.
    pub(crate) constraint: Option<String>,
    pub(crate) parent: Side,
    pub(crate) child: Side,
    /// Whether rows are written in the rows that they refer to.
    pub(crate) nested: bool,
    /// Attributes of .NET's namespace in the schema, with its prefix, such as `msdata:DeleteRule`.
    pub(crate) properties: Vec<(String, String)>,
}

/// A table and some of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) table: String,
    pub(crate) columns: Vec<String>,
}

impl DataRelation {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the referenced table, and the columns of its key.
    pub fn parent(&self) -> (&str, &[String]) {
        (&self.parent.table, &self.parent.columns)
    }

    /// Returns the referring table, and the columns that contain the key.
    pub fn child(&self) -> (&str, &[String]) {
        (&self.child.table, &self.child.columns)
    }

    /// Whether rows are written in the rows that they refer to, .NET `Nested`.
    pub fn is_nested(&self) -> bool {
        self.nested
    }

    /// Whether rows refer only to rows that exist.
    pub fn is_enforced(&self) -> bool {
        self.constraint.is_some()
    }
}

//! What must be unique in a table, and how tables refer to each other.

/// Columns whose values, together, no two rows of a table share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueKey {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) primary: bool,
}

impl UniqueKey {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether it is the primary key.
    pub fn is_primary(&self) -> bool {
        self.primary
    }
}

/// How the rows of a table refer to those of another, or of the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DataRelation {
    pub(crate) name: String,
    /// The name of the constraint; `None` if rows may refer to rows that do not exist.
    pub(crate) constraint: Option<String>,
    pub(crate) parent: Side,
    pub(crate) child: Side,
    /// Whether rows stand in the rows that they refer to.
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
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table that is referred to, and the columns of its key.
    pub fn parent(&self) -> (&str, &[String]) {
        (&self.parent.table, &self.parent.columns)
    }

    /// The table that refers, and the columns that hold the key.
    pub fn child(&self) -> (&str, &[String]) {
        (&self.child.table, &self.child.columns)
    }

    /// Whether rows stand in the rows that they refer to, .NET `Nested`.
    pub fn is_nested(&self) -> bool {
        self.nested
    }

    /// Whether rows refer only to rows that exist.
    pub fn is_enforced(&self) -> bool {
        self.constraint.is_some()
    }
}

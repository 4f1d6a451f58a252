//! Sets of tables.

use std::borrow::Cow;
use std::iter::successors;

use svcgen_wire::types::XmlFragment;

use crate::data_error::DataError;
use crate::keys::{DataRelation, Side};
use crate::table::DataTable;

/// Tables with their schema, and the changes of their rows, .NET `DataSet`.
///
/// ```
/// use svcgen::types::{DataSet, DataTable};
///
/// let mut items = DataTable::new("Item");
/// items.column::<i32>("Id");
/// items.push([1.into()])?;
/// let mut lines = DataTable::new("Line");
/// lines.column::<i32>("Item");
/// lines.column::<f64>("Quantity");
/// lines.push([1.into(), 1.5.into()])?;
///
/// let mut shop = DataSet::new("Shop").with_table(items).with_table(lines);
/// shop.relate("lines", ("Item", &["Id"]), ("Line", &["Item"]))?;
/// shop.accept_changes();
/// assert_eq!(shop.tables().len(), 2);
/// shop.check()?;
/// # Ok::<(), svcgen::types::DataError>(())
/// ```
///
/// On the wire it is a schema and the rows (a DiffGram). Parts of a schema other than tables,
/// columns of simple types, keys and relations, such as tables in themselves or columns of objects,
/// cannot be read into tables: such a value is kept unchanged, see [`unread`](Self::unread), and
/// written back so.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
// The content of an empty set of a declared type is borrowed from its schema until it changes.
pub struct DataSet {
    pub(crate) name: Cow<'static, str>,
    pub(crate) namespace: Cow<'static, str>,
    pub(crate) tables: Cow<'static, [DataTable]>,
    pub(crate) relations: Cow<'static, [DataRelation]>,
    /// Attributes of .NET's namespaces in the schema, with their prefixes.
    pub(crate) properties: Cow<'static, [(String, String)]>,
    pub(crate) unread: Option<Box<Unread>>,
}

/// A value that is kept as XML.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Unread {
    pub(crate) content: XmlFragment,
    pub(crate) why: String,
}

/// The property for a set with the language of the machine.
const CURRENT_LOCALE: &str = "msdata:UseCurrentLocale";
/// The property with the language of a set.
const LOCALE: &str = "msdata:Locale";
const CASE_SENSITIVE: &str = "msdata:CaseSensitive";

/// An empty set with the default name of .NET, `NewDataSet`.
impl Default for DataSet {
    fn default() -> Self {
        Self::new("NewDataSet")
    }
}

impl DataSet {
    /// Creates a set without tables.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into().into(),
            namespace: "".into(),
            tables: Vec::new().into(),
            relations: Vec::new().into(),
            properties: vec![(CURRENT_LOCALE.to_owned(), true.to_string())].into(),
            unread: None,
        }
    }

    /// A value whose schema tables cannot express.
    pub(crate) fn of_unread(content: XmlFragment, why: String) -> Self {
        let unread = Some(Box::new(Unread { content, why }));
        Self {
            unread,
            ..Self::default()
        }
    }

    /// Sets the namespace of its elements.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into().into();
        self
    }

    /// Adds a table, replacing one with its name.
    #[must_use]
    pub fn with_table(mut self, table: DataTable) -> Self {
        self.add(table);
        self
    }

    /// Adds a table, replacing one with its name.
    pub fn add(&mut self, table: DataTable) {
        let tables = self.tables.to_mut();
        match tables.iter_mut().find(|known| known.name == table.name) {
            Some(known) => *known = table,
            None => tables.push(table),
        }
    }

    /// Declares that columns of a table refer to those of another. The latter become a unique key,
    /// unless they are one.
    ///
    /// # Errors
    ///
    /// There is no such table or column, or the sides have different numbers of columns.
    pub fn relate(
        &mut self,
        name: &str,
        parent: (&str, &[&str]),
        child: (&str, &[&str]),
    ) -> Result<(), DataError> {
        for (table, columns) in [parent, child] {
            let known = self
                .table(table)
                .ok_or_else(|| DataError::no_table(table))?;
            let missing = columns
                .iter()
                .find(|column| known.index_of(column).is_none());
            if let Some(column) = missing {
                return Err(DataError::no_column(column, table));
            }
        }
        if parent.1.len() != child.1.len() || parent.1.is_empty() {
            let message = format!(
                "The relation '{name}' needs as many columns on either side, and one at least."
            );
            return Err(DataError::new(message));
        }
        if let Some(table) = self.table_mut(parent.0)
            && table.keys.iter().all(|key| key.columns != parent.1)
        {
            let key = table.next_key();
            table.add_unique_key(&key, parent.1)?;
        }
        let side = |(table, columns): (&str, &[&str])| Side {
            table: table.to_owned(),
            columns: columns.iter().copied().map(str::to_owned).collect(),
        };
        self.relations.to_mut().push(DataRelation {
            name: name.to_owned(),
            constraint: Some(name.to_owned()),
            parent: side(parent),
            child: side(child),
            nested: false,
            properties: Vec::new(),
        });
        Ok(())
    }

    /// Writes rows in the rows that they refer to by a relation, .NET `Nested`.
    ///
    /// # Errors
    ///
    /// There is no such relation, its table is nested in another one already, or would be nested in
    /// itself.
    pub fn nest(&mut self, relation: &str) -> Result<(), DataError> {
        let known = self.relations.iter().position(|one| one.name == relation);
        let known =
            known.ok_or_else(|| DataError::new(format!("There is no relation '{relation}'.")))?;
        let (parent, child) = (
            &self.relations[known].parent.table,
            &self.relations[known].child.table,
        );
        let is_around = successors(Some(parent), |table| {
            Some(&self.nesting(table)?.parent.table)
        });
        if self.nesting(child).is_some()
            || is_around.take(self.tables.len()).any(|one| one == child)
        {
            let message =
                format!("The table '{child}' stands in another one already, or would in itself.");
            return Err(DataError::new(message));
        }
        self.relations.to_mut()[known].nested = true;
        Ok(())
    }

    /// The relation by which the rows of a table are nested in others.
    pub(crate) fn nesting(&self, table: &str) -> Option<&DataRelation> {
        let mut relations = self.relations.iter();
        relations.find(|one| one.nested && one.child.table == table)
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the namespace of its elements.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the tables.
    pub fn tables(&self) -> &[DataTable] {
        &self.tables
    }

    /// Returns the table with a name.
    pub fn table(&self, name: &str) -> Option<&DataTable> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Returns the table with a name, for changes.
    pub fn table_mut(&mut self, name: &str) -> Option<&mut DataTable> {
        let known = self.tables.iter().position(|table| table.name == name)?;
        self.tables.to_mut().get_mut(known)
    }

    /// Returns the relations between its tables.
    pub fn relations(&self) -> &[DataRelation] {
        &self.relations
    }

    /// Whether rows of any table are new, modified or deleted.
    pub fn has_changes(&self) -> bool {
        self.tables
            .iter()
            .any(|table| table.changes().next().is_some())
    }

    /// Changes the rows of all tables; does not copy a set without rows.
    fn rows_mut(&mut self, change: fn(&mut DataTable)) {
        if self.tables.iter().any(|table| !table.is_empty()) {
            self.tables.to_mut().iter_mut().for_each(change);
        }
    }

    /// Marks the rows of all tables as unchanged, with their current values.
    pub fn accept_changes(&mut self) {
        self.rows_mut(DataTable::accept_changes);
    }

    /// Restores the original values of the rows of all tables.
    pub fn reject_changes(&mut self) {
        self.rows_mut(DataTable::reject_changes);
    }

    /// Returns the content of a value that was read, and the reason why it is not in the tables;
    /// `None` if it is.
    pub fn unread(&self) -> Option<(&XmlFragment, &str)> {
        let unread = self.unread.as_ref()?;
        Some((&unread.content, &unread.why))
    }

    /// Declares the language of a set whose schema contains none, as .NET does.
    pub(crate) fn set_default_locale(&mut self) {
        let names = [CURRENT_LOCALE, LOCALE];
        let says = |(name, _): &(String, String)| names.contains(&name.as_str());
        if !self.properties.iter().any(says) {
            let is_before = |(name, _): &(String, String)| name == CASE_SENSITIVE;
            let at = self
                .properties
                .iter()
                .take_while(|one| is_before(one))
                .count();
            self.properties
                .to_mut()
                .insert(at, (LOCALE.to_owned(), "en-US".to_owned()));
        }
    }

    /// Whether a property, by its name with a prefix, has a value.
    pub(crate) fn is_set(&self, name: &str, to: &str) -> bool {
        let mut properties = self.properties.iter();
        properties.any(|(known, value)| known == name && value.eq_ignore_ascii_case(to))
    }
}

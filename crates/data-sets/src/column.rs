//! Columns.

use std::borrow::Cow;

use svcgen_wire::internals::{Mismatch, TimeZone};

use crate::cell::Cell;
use crate::column_type::ColumnType;
use crate::date_time_mode::DateTimeMode;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DataColumn {
    pub(crate) name: String,
    pub(crate) kind: ColumnType,
    pub(crate) nullable: bool,
    pub(crate) default: Cell,
    pub(crate) max_length: Option<u32>,
    pub(crate) mapping: ColumnMapping,
    pub(crate) mode: DateTimeMode,
    /// Attributes of .NET's namespaces in the schema, with their prefixes, that nothing else of the
    /// column says.
    pub(crate) properties: Vec<(String, String)>,
}

/// Where the values of a column stand in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ColumnMapping {
    /// In an element.
    #[default]
    Element,
    /// In an attribute.
    Attribute,
    /// In an attribute of .NET's own namespace, so that readers other than .NET do not see them.
    Hidden,
    /// In the text of the row, which then has no elements.
    SimpleContent,
}

impl DataColumn {
    pub(crate) fn new(name: impl Into<String>, kind: ColumnType) -> Self {
        Self {
            name: name.into(),
            kind,
            nullable: true,
            default: Cell::NULL,
            max_length: None,
            mapping: ColumnMapping::Element,
            mode: DateTimeMode::UnspecifiedLocal,
            properties: Vec::new(),
        }
    }

    /// Refuses null, .NET `AllowDBNull = false`.
    pub fn required(&mut self) -> &mut Self {
        self.nullable = false;
        self
    }

    /// Sets the value of cells that are not given. A value of another type than the column's is a
    /// [`WriteError`](svcgen_wire::WriteError).
    pub fn default(&mut self, value: impl Into<Cell>) -> &mut Self {
        self.default = value.into();
        self
    }

    /// Sets how many UTF-16 units a text has at most, .NET `MaxLength`.
    pub fn max_length(&mut self, units: u32) -> &mut Self {
        self.max_length = Some(units);
        self
    }

    /// Sets where the values stand in a row.
    pub fn mapping(&mut self, mapping: ColumnMapping) -> &mut Self {
        self.mapping = mapping;
        self
    }

    /// Sets how dates and times keep what they say about their zone.
    pub fn date_time_mode(&mut self, mode: DateTimeMode) -> &mut Self {
        self.mode = mode;
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of its values.
    pub fn column_type(&self) -> ColumnType {
        self.kind
    }

    /// Whether a cell may be null.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// The value of cells that are not given.
    pub fn default_value(&self) -> &Cell {
        &self.default
    }

    /// How many UTF-16 units a text has at most.
    pub fn longest(&self) -> Option<u32> {
        self.max_length
    }

    /// Where the values stand in a row.
    pub fn mapped_to(&self) -> ColumnMapping {
        self.mapping
    }

    /// The most UTF-16 units of a text, if this one has more.
    pub(crate) fn is_exceeded_by(&self, text: &str) -> Option<u32> {
        let most = self.max_length.filter(|_| self.kind.is_text())? as usize;
        // As many bytes are no more units.
        let is_longer = text.len() > most && text.encode_utf16().count() > most;
        self.max_length.filter(|_| is_longer)
    }

    /// The text of a cell as .NET writes its value.
    pub(crate) fn read<'t>(&self, text: &'t str, zone: TimeZone) -> Result<Cow<'t, str>, Mismatch> {
        self.kind.read(text, self.mode, zone)
    }
}

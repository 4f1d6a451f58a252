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
    /// Attributes of .NET's namespaces in the schema, with their prefixes, that no other field
    /// covers.
    pub(crate) properties: Vec<(String, String)>,
}

/// The place of a column's values in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ColumnMapping {
    /// In an element.
    #[default]
    Element,
    /// In an attribute.
    Attribute,
    /// In an attribute of .NET's own namespace, which readers other than .NET ignore.
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

    /// Sets the value of missing cells. A value of another type than the column's is a
    /// [`WriteError`](svcgen_wire::WriteError).
    pub fn default(&mut self, value: impl Into<Cell>) -> &mut Self {
        self.default = value.into();
        self
    }

    /// Sets the maximum length of a text in UTF-16 units, .NET `MaxLength`.
    pub fn max_length(&mut self, units: u32) -> &mut Self {
        self.max_length = Some(units);
        self
    }

    /// Sets the place of the values in a row.
    pub fn mapping(&mut self, mapping: ColumnMapping) -> &mut Self {
        self.mapping = mapping;
        self
    }

    /// Sets the way in which dates and times keep their zone.
    pub fn date_time_mode(&mut self, mode: DateTimeMode) -> &mut Self {
        self.mode = mode;
        self
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of its values.
    pub fn column_type(&self) -> ColumnType {
        self.kind
    }

    /// Whether a cell may be null.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// Returns the value of missing cells.
    pub fn default_value(&self) -> &Cell {
        &self.default
    }

    /// Returns the maximum length of a text in UTF-16 units.
    pub fn longest(&self) -> Option<u32> {
        self.max_length
    }

    /// Returns the place of the values in a row.
    pub fn mapped_to(&self) -> ColumnMapping {
        self.mapping
    }

    /// The maximum length in UTF-16 units if a text is longer.
    pub(crate) fn is_exceeded_by(&self, text: &str) -> Option<u32> {
        let most = self.max_length.filter(|_| self.kind.is_text())? as usize;
        // A text has no more units than bytes.
        let is_longer = text.len() > most && text.encode_utf16().count() > most;
        self.max_length.filter(|_| is_longer)
    }

    /// Converts the text of a cell to that of its value in .NET.
    pub(crate) fn read<'t>(&self, text: &'t str, zone: TimeZone) -> Result<Cow<'t, str>, Mismatch> {
        self.kind.read(text, self.mode, zone)
    }
}

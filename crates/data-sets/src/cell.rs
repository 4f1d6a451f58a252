//! Cells, and the Rust types of their values.

use std::borrow::Cow;

use svcgen_wire::internals::{Simple, base64};
use svcgen_wire::types;

use crate::column_type::ColumnType;

/// The content of a row in a column: a value as its text in XML, or null.
///
/// ```
/// use svcgen::types::Cell;
///
/// assert_eq!(Cell::from(7).as_str(), Some("7"));
/// assert_eq!(Cell::from("seven").as_str(), Some("seven"));
/// assert_eq!(Cell::from(None::<i32>), Cell::NULL);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Cell(pub(crate) Option<Box<str>>);

impl Cell {
    /// No value, .NET `DBNull`.
    pub const NULL: Self = Self(None);

    /// Creates a cell from the text of a value in XML. A table checks it against the type of its
    /// column when the cell is added.
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self(Some(text.into()))
    }

    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the text of the value in XML.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl<T: CellValue> From<T> for Cell {
    fn from(value: T) -> Self {
        Self::text(value.to_text())
    }
}

impl<T: CellValue> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        Self(value.map(|value| value.to_text().into()))
    }
}

impl From<Option<&str>> for Cell {
    fn from(text: Option<&str>) -> Self {
        Self(text.map(Into::into))
    }
}

/// A Rust type whose values can be in cells.
pub trait CellValue: Sized {
    /// The type of columns for its values.
    const TYPE: ColumnType;

    /// Reads the text of a cell; `None` if it is of another type.
    fn from_text(text: &str) -> Option<Self>;

    /// Returns the text of a cell.
    fn to_text(&self) -> String;
}

macro_rules! cell_values {
    ($($type:ty)*) => {$(
        impl CellValue for $type {
            const TYPE: ColumnType = ColumnType::of(<$type as Simple>::TYPE);

            fn from_text(text: &str) -> Option<Self> {
                Self::read_text(text).ok()
            }

            fn to_text(&self) -> String {
                let mut written = String::new();
                self.text(|text| written = String::from_utf8_lossy(text).into_owned());
                written
            }
        }
    )*};
}

cell_values!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
cell_values!(types::DateTime types::Decimal types::Duration types::Guid);

impl CellValue for String {
    const TYPE: ColumnType = ColumnType::STRING;

    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn to_text(&self) -> String {
        self.clone()
    }
}

/// The character itself, not its number as elsewhere.
impl CellValue for char {
    const TYPE: ColumnType = ColumnType::CHAR;

    fn from_text(text: &str) -> Option<Self> {
        let mut characters = text.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    fn to_text(&self) -> String {
        (*self).into()
    }
}

/// Bytes in base64.
impl CellValue for Vec<u8> {
    const TYPE: ColumnType = ColumnType::BYTES;

    fn from_text(text: &str) -> Option<Self> {
        base64::decode(text)
    }

    fn to_text(&self) -> String {
        let mut text = Vec::new();
        base64::encode(self, &mut text);
        match String::from_utf8_lossy(&text) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        }
    }
}

//! .NET's `DataSet` and `DataTable`: tables with their schema, and rows with what changed in them.

mod cell;
mod column;
mod column_type;
mod constraints;
mod data_error;
mod document;
mod keys;
mod names;
mod read_rows;
mod read_schema;
mod row;
mod set;
mod table;
mod unknown;
mod value;
mod write_rows;
mod write_schema;

pub use cell::{Cell, CellValue};
pub use column::{ColumnMapping, DataColumn, DateTimeMode};
pub use column_type::ColumnType;
pub use data_error::DataError;
pub use keys::{DataRelation, UniqueKey};
pub use row::RowState;
pub use set::DataSet;
pub use table::{DataRow, DataTable};

/// The namespace of what .NET adds to a schema, and of the order of rows.
const MSDATA: &str = "urn:schemas-microsoft-com:xml-msdata";
/// The namespace of extended properties.
const MSPROP: &str = "urn:schemas-microsoft-com:xml-msprop";
/// The namespace of rows with what changed in them.
const DIFFGRAM: &str = "urn:schemas-microsoft-com:xml-diffgram-v1";

//! .NET's `DataSet` and `DataTable`: tables with their schema, and rows with their changes.
//!
//! Applications use [`svcgen`](https://github.com/svcgen/svcgen), whose feature `data-sets`
//! re-exports these types in `svcgen::types`.
#![forbid(unsafe_code)]

mod cell;
mod column;
mod column_type;
mod constraints;
mod data_error;
mod date_time_mode;
mod document;
mod keys;
mod namespaces;
mod nests;
mod net_text;
mod read_rows;
mod read_schema;
mod row;
mod set;
mod table;
mod typed;
mod unknown;
mod value;
mod write_rows;
mod write_schema;

pub use cell::{Cell, CellValue};
pub use column::{ColumnMapping, DataColumn};
pub use column_type::ColumnType;
pub use data_error::DataError;
pub use date_time_mode::DateTimeMode;
pub use keys::{DataRelation, UniqueKey};
pub use row::RowState;
pub use set::DataSet;
pub use table::{DataRow, DataTable};
pub use typed::EmptySet;

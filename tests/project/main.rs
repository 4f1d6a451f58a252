//! The structure of the project: imports, equal code from all entry points, one place for each rule
//! of the wire, and tables that are shown as such.

mod circles;
mod crates;
mod entry_points;
mod imports;
mod size;
mod sources;
mod tables;
mod wire_rules;

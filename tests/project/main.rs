//! The structure of the project: imports, equal code from all entry points, and one place for each
//! rule of the wire.

mod circles;
mod crates;
mod entry_points;
mod imports;
mod size;
mod sources;
mod wire_rules;

//! How the parts of the project fit: who imports whom, that all entry points emit the same code,
//! and that each rule of the wire stands once.

mod circles;
mod crates;
mod entry_points;
mod imports;
mod size;
mod sources;
mod wire_rules;

//! How the parts of the project fit: who imports whom, and that all entry points emit the same code.

mod circles;
mod crates;
mod entry_points;
mod imports;
mod size;
mod sources;

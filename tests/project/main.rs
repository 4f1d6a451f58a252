//! How the parts of the project fit: who imports whom, and that all entry points emit the same code.

mod entry_points;
mod imports;

//! How the parts of the project fit: all entry points emit the same code.

mod entry_points;

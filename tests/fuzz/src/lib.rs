//! The checks of the fuzz targets. `tests/wire/fuzz_finds.rs` runs the same checks with the seeds
//! and with everything that was ever found.

pub mod bindings;
pub mod definitions;
pub mod digest;
pub mod fast_path;
pub mod forms;
pub mod import;
pub mod json;
pub mod multipart;
pub mod round_trip;
pub mod signatures;
pub mod source;
pub mod verdicts;

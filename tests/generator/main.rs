//! The generator: its input, its diagnostics, its output, and the compilation of the output.

mod changes;
mod diagnostics;
mod dispatch;
mod emitted;
#[cfg(unix)]
mod files;
mod includes;
mod language;
mod names;
mod options;
mod recovery;
mod sizes;
mod xml_names;

// Emitted code refers to the modules of included files from the root of the crate.
svcgen::include_service!("audit");
svcgen::include_service!("billing");
svcgen::include_service!("common");
svcgen::include_service!("orders");
svcgen::include_service!("places");

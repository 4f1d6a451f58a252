//! The generator: what it reads, refuses and emits, and that what is emitted compiles.

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

// Emitted code names the modules of included files from the root of the crate.
svcgen::include_service!("audit");
svcgen::include_service!("billing");
svcgen::include_service!("common");
svcgen::include_service!("orders");
svcgen::include_service!("places");

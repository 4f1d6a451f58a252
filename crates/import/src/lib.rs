//! Writes definitions from WSDL 1.1, for `svcgen import`. `svcgen-wsdl` reads documents into
//! components of schemas and services; this crate turns these into drafts, and drafts into the text
//! of definitions.
//!
//! Build scripts can name a WSDL instead of a definition: [`build`], or [`config`] for options.
//! Each build imports the WSDL again and writes only the code.
//!
//! ```no_run
//! svcgen_import::build(["service-defs/orders.wsdl"]);
//! ```
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | write | `operations.rs`, `types.rs` | turns services and components into drafts of definitions |
//! | scripts | `script.rs` | reads the script proxy of ASP.NET, which has details that no WSDL holds: the binding JSON, names and numbers in .NET |
//! | finish | `finish.rs` | adds Rust names and secrets; leaves out or loosens the parts that lowering refuses, and reports each |
#![forbid(unsafe_code)]

mod compare;
mod draft;
mod finish;
mod importer;
mod in_place;
mod operations;
mod script;
mod types;

use std::path::Path;

use svcgen_codegen::Config;

pub use compare::{Aspect, Difference, Sameness};
pub use importer::{Imported, Importer};
pub use in_place::IMPORTER;
pub use svcgen_wsdl::load::{Load, Loaded};
pub use svcgen_wsdl::report::OperationLoss;
pub use svcgen_wsdl::rules;
pub use svcgen_wsdl::sources::is_step_down;

/// Generates the code for WSDLs and definition files in a build script, with all options at their
/// defaults.
///
/// See [`Config::build`].
pub fn build<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) {
    config().build(files);
}

/// The options of the generator at their defaults, with WSDLs imported:
/// `svcgen_import::config().client(false).build(["orders.wsdl"])`.
pub fn config() -> Config {
    Config::new().with_importer(IMPORTER)
}

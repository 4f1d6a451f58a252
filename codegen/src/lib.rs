//! Generates Rust from the definition of a web service.
//!
//! The generator *reads* a text into a definition, *lowers* it into a model, *emits* tokens and
//! *prints* them. One run reports every mistake in the definition. Every entry point generates the
//! same code from the same text:
//!
//! - a build script: [`build`], or [`Config::build`] with options,
//! - the derive macro `svcgen::Service`,
//! - the command `svcgen generate`,
//! - [`Config::generate`], the pure function that all of them call.
//!
//! ```
//! let definition = "
//! service: Greeter
//! namespace: http://example.com/greeter
//! path: /Greeter.asmx
//! operations:
//!   Greet:
//!     parameters: { name: 'string?' }
//!     result: string
//! ";
//! let output = svcgen_codegen::Config::new().generate("greeter.yaml", definition)?;
//! assert_eq!(output.name, "greeter");
//! assert!(output.code.contains("pub trait GreeterHandler"));
//! # Ok::<(), svcgen_codegen::Diagnostics>(())
//! ```
#![forbid(unsafe_code)]

extern crate proc_macro;

mod cargo;
mod config;
mod data_sets;
mod described;
mod disk;
mod driver;
mod emit;
mod features;
mod file;
mod generator;
mod imported;
mod include;
mod lower;
pub mod model;
mod option_values;
mod options_file;
mod pattern;
mod print;
mod recover;
mod rows;

use std::path::Path;

pub use config::{Config, OPTIONS, OptionForm, OptionRow};
pub use described::{CodeOptions, Described};
pub use disk::{
    is_target, may_include, nearest_options_file, options_file_of, read_file, read_target,
    write_file,
};
pub use driver::Output;
pub use generator::{Generator, check};
#[doc(hidden)]
pub use imported::is_wsdl;
pub use imported::{Import, ImportedDefinitions};
pub use option_values::{Visibility, unknown};
pub use svcgen_language::diagnostic::{Diagnostic, Diagnostics, Span, Suggestion};
pub use svcgen_language::rules::{RuleRow, Severity};
pub use svcgen_model::Binding;

/// Generates the code for definition files in a build script, with default options.
///
/// ```no_run
/// svcgen_codegen::build(["service-defs/authenticator.yaml"]);
/// ```
///
/// See [`Config::build`].
pub fn build<P: AsRef<Path>>(definitions: impl IntoIterator<Item = P>) {
    Config::new().build(definitions);
}

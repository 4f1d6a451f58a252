//! svcgen's generator: a service definition in, Rust out.
//!
//! A text is *read* into a definition, *lowered* into a model, *emitted* as tokens and *printed*. Only lowering refuses, and one run
//! reports everything that is wrong. The same text gives the same code through every entry point:
//!
//! - a build script: [`build`], or [`Config::build`] with options,
//! - the derive macro `svcgen::Service`,
//! - the command `svcgen generate`,
//! - and [`Config::generate`], the pure function that they call.
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
mod definition;
mod described;
mod diagnostic;
mod disk;
mod driver;
mod emit;
mod file;
mod generator;
#[cfg(feature = "wsdl")]
mod import;
mod imported;
mod include;
mod lower;
pub mod model;
mod naming;
mod option_values;
mod options_file;
mod pattern;
mod print;
mod recover;
mod renamed;
mod rows;
mod rules;
mod sink;
mod span;
mod text;
#[doc(hidden)]
pub mod yaml;

use std::path::Path;

pub use config::{Config, OPTIONS, OptionForm, OptionRow};
#[cfg(feature = "schema")]
pub use definition::schema::schema;
pub use described::{CodeOptions, Described};
#[doc(hidden)]
pub use diagnostic::sanitize;
pub use diagnostic::{Diagnostic, Diagnostics, Span, Suggestion};
pub use disk::{
    is_target, may_include, nearest_options_file, options_file_of, read_file, read_target,
    write_file,
};
pub use driver::Output;
pub use generator::Generator;
#[cfg(feature = "wsdl")]
pub use import::{
    Aspect, Difference, Import, Importer, LeftOutOperation, Load, Loaded, Sameness, is_step_down,
};
#[doc(hidden)]
pub use imported::is_wsdl;
pub use naming::nearest;
pub use option_values::{Visibility, unknown};
pub use rules::{RULES, RuleRow, Severity, rule};
pub use svcgen_model::Binding;
pub use text::MOST_BYTES;

/// Generates the code for definition files in a build script, with all options at their defaults.
///
/// ```no_run
/// svcgen_codegen::build(["service-defs/authenticator.yaml"]);
/// ```
///
/// See [`Config::build`].
pub fn build<P: AsRef<Path>>(definitions: impl IntoIterator<Item = P>) {
    Config::new().build(definitions);
}

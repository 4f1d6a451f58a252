//! svcgen's generator: a service definition in, Rust out.
//!
//! A text is *read* into a definition, *lowered* into a model, *emitted* as tokens and *printed*. Only lowering refuses, and one run
//! reports everything that is wrong. The same text gives the same code through every door:
//!
//! - a build script: [`build`], or [`Config::build`] with options,
//! - the derive macro `svcgen::Service`,
//! - the command `svcgen generate`,
//! - and [`Config::generate`], the pure function beneath them.
//!
//! ```
//! let definition = "
//! service: Greeter
//! namespace: http://example.com/greeter
//! path: /Greeter.asmx
//! operations:
//!   Greet:
//!     parameters: { name: string? }
//!     result: string
//! ";
//! let output = svcgen_codegen::Config::new().generate("greeter.yaml", definition)?;
//! assert_eq!(output.name, "greeter");
//! assert!(output.code.contains("pub trait GreeterHandler"));
//! # Ok::<(), svcgen_codegen::Diagnostics>(())
//! ```
#![forbid(unsafe_code)]

mod cargo;
#[cfg(feature = "compare")]
mod compare;
mod config;
mod definition;
mod diagnostic;
mod emit;
mod generator;
mod include;
mod lower;
mod model;
mod naming;
mod options;
mod options_file;
mod pattern;
mod print;
mod rows;
mod rules;
mod salvage;
mod sink;
mod text;
#[doc(hidden)]
pub mod yaml;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use cargo::{nearest_options_file, options_file_of, read_file};
#[cfg(feature = "compare")]
pub use compare::{Audience, Change, Class, Comparison, Effect, Spot, Verdict};
pub use config::{Config, OPTIONS, OptionForm, OptionRow};
#[cfg(feature = "schema")]
pub use definition::schema;
pub use diagnostic::{Diagnostic, Diagnostics, Severity, Span, Suggestion};
pub use generator::Generator;
pub use options::unknown;
pub use rules::{RULES, RuleRow, rule};
pub use text::MOST_BYTES;

use include::File;
use svcgen_model::{At, Service, Storage};

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

/// What is generated for one definition.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Output {
    /// The module's name: `device_login_service`.
    pub name: String,
    /// The items of the module: what belongs in `device_login_service.rs`.
    pub code: String,
    /// The module around them, for `include!` from a build script's `OUT_DIR`.
    pub module: String,
    /// What the author of the definition might wish otherwise.
    pub warnings: Diagnostics,
    /// The files that the definition includes, and those that these include: each has a module of its own.
    pub included: Vec<PathBuf>,
}

/// What a definition describes, for documents to be written from and for comparisons.
#[derive(Debug)]
#[non_exhaustive]
pub struct Described {
    file: Rc<File>,
    /// What the author of the definition might wish otherwise.
    pub warnings: Diagnostics,
}

impl Described {
    /// Hands over the service, which borrows from here. A file of types alone has none.
    pub fn with<R>(&self, then: impl FnOnce(At<'_, Service<'_>>) -> R) -> Option<R> {
        let storage = Storage::default();
        let (module, documentation) = rows::file(&self.file, &storage, &mut HashMap::new())?;
        At::service(module, Some(documentation)).map(then)
    }
}

impl Config {
    /// Generates the code for a definition. `file` is how messages call it; its last part stands in the code's header.
    ///
    /// # Errors
    ///
    /// The definition breaks rules of the language: all of them that do, in the order of the text. Or it is bytes that are not UTF-8,
    /// or an option has a value that it cannot have. A definition that includes others needs a [`Generator`].
    pub fn generate(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Output, Diagnostics> {
        Generator::new(self, nothing_else).generate_bytes(file, text.as_ref())
    }

    /// What can still be generated for a definition that is refused: of what is wrong, what it was meant to be where that can be
    /// guessed, else nothing. For doors that go on after reporting, so that follow-up errors do not bury the cause.
    ///
    /// ```
    /// let definition = "{service: A, namespace: 'urn:a', path: /A, operations: {Now: {result: dateTime}, Log: {result: Nothing}}}";
    /// let config = svcgen_codegen::Config::new();
    /// assert!(config.generate("a.yaml", definition).is_err());
    /// assert!(config.salvage("a.yaml", definition).unwrap().code.contains("trait AHandler"));
    /// ```
    pub fn salvage(&self, file: &str, text: &str) -> Option<Output> {
        Generator::new(self, nothing_else).salvage(file, text.as_bytes())
    }

    /// What documents say of a definition's service. `file` is how messages call it.
    ///
    /// ```
    /// # let definition = "{service: A, namespace: 'urn:a', path: /A, operations: {Logout: {}}}";
    /// let described = svcgen_codegen::Config::new().describe("a.yaml", definition)?;
    /// assert_eq!(described.with(|service| service.operations().len()), Some(1));
    /// # Ok::<(), svcgen_codegen::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `generate`.
    pub fn describe(&self, file: &str, text: impl AsRef<[u8]>) -> Result<Described, Diagnostics> {
        Generator::new(self, nothing_else).describe_bytes(file, text.as_ref())
    }
}

/// What a definition can include whose text is all that is known.
fn nothing_else(_: &Path) -> io::Result<Vec<u8>> {
    Err(io::Error::other("its text is all that there is"))
}

/// The name of a file, without the folders before it.
fn name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The name of a file, without its ending too.
fn stem(file: &str) -> &str {
    let name = name(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

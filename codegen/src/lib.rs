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
mod compare;
mod config;
mod definition;
mod describe;
mod diagnostic;
mod emit;
mod locate;
mod lower;
mod model;
mod naming;
mod options;
mod options_file;
mod pattern;
mod print;
mod rules;
mod salvage;
mod sink;
mod text;

use std::path::Path;

pub use cargo::options_file_of;
pub use compare::{Audience, Change, Class, Comparison, Effect, Spot, Verdict};
pub use config::{Config, OPTIONS, OptionForm, OptionRow};
#[cfg(feature = "schema")]
pub use definition::schema;
pub use diagnostic::{Diagnostic, Diagnostics, Severity, Span, Suggestion};
pub use rules::{RULES, RuleRow, rule};

/// What documents are written from, and what they are.
pub use svcgen_documents as documents;

use config::Options;
use definition::{Definition, Document};
use describe::{Storage, describe};
use documents::Description;
use model::Model;
use rules::Rule;
use sink::{Place, Sink};

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
}

/// A definition's service, for documents to be written from.
#[derive(Debug)]
#[non_exhaustive]
pub struct Described {
    model: Model,
    /// What the author of the definition might wish otherwise.
    pub warnings: Diagnostics,
}

impl Described {
    /// Hands over the description, which borrows from here. A file of types alone has none.
    pub fn with<R>(&self, then: impl FnOnce(&Description<'_>) -> R) -> Option<R> {
        let storage = Storage::default();
        let service = self.model.service.as_ref()?;
        Some(then(&describe(&self.model, service, &storage)))
    }
}

impl Config {
    /// Generates the code for a definition. `file` is how messages call it; its last part stands in the code's header.
    ///
    /// # Errors
    ///
    /// The definition breaks rules of the language: all of them that do, in the order of the text. Or an option has a value that it
    /// cannot have.
    pub fn generate(&self, file: &str, text: &str) -> Result<Output, Diagnostics> {
        let (model, options, warnings) = self.model(file, text)?;
        Ok(output(file, &model, &options, warnings))
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
        let mut sink = Sink::default();
        let (text, _) = text::without_mark(text);
        let document = read(text, &mut sink);
        let definition = document.clone().map(|mut document| document.definition().0);
        let options = Options::resolve(self, service_name(file, definition.as_ref()), &mut sink);
        sink.forget();
        let model = salvage::salvage(stem(file), document?, &options)?;
        Some(output(file, &model, &options, Diagnostics::default()))
    }

    /// What documents say of a definition's service. `file` is how messages call it.
    ///
    /// ```
    /// # let definition = "{service: A, namespace: 'urn:a', path: /A, operations: {Logout: {}}}";
    /// let described = svcgen_codegen::Config::new().describe("a.yaml", definition)?;
    /// assert_eq!(described.with(|description| description.operations.len()), Some(1));
    /// # Ok::<(), svcgen_codegen::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `generate`.
    pub fn describe(&self, file: &str, text: &str) -> Result<Described, Diagnostics> {
        let (model, _, warnings) = self.model(file, text)?;
        Ok(Described { model, warnings })
    }

    /// [`Config::describe`] for the bytes of a file.
    ///
    /// # Errors
    ///
    /// As [`Config::generate_bytes`].
    pub fn describe_bytes(&self, file: &str, bytes: &[u8]) -> Result<Described, Diagnostics> {
        self.describe(file, text::decode(file, bytes)?)
    }

    /// The model of a definition, the options, and warnings.
    fn model(&self, file: &str, text: &str) -> Result<(Model, Options, Diagnostics), Diagnostics> {
        let lowered = self.lower(file, text)?;
        Ok((lowered.model, lowered.options, lowered.warnings))
    }

    /// Reads and lowers a definition.
    fn lower(&self, file: &str, text: &str) -> Result<Lowered, Diagnostics> {
        let mut sink = Sink::default();
        let (text, mark) = text::without_mark(text);
        let document = read(text, &mut sink).map(|mut document| document.definition());
        let definition = document.as_ref().map(|(definition, _)| definition);
        let options = Options::resolve(self, service_name(file, definition), &mut sink);
        let lowered = document.and_then(|(definition, mistakes)| {
            let whole = mistakes.is_empty();
            for mistake in mistakes {
                lower::report(mistake, &mut sink);
            }
            let model = lower::lower(stem(file), &definition, whole, &options, &mut sink)?;
            Some((definition, model))
        });
        let warnings = sink.finish(file, text, mark);
        match lowered {
            Some((definition, model)) => Ok(Lowered {
                definition,
                model,
                options,
                warnings,
            }),
            None => Err(warnings),
        }
    }

    /// [`Config::generate`] for the bytes of a file.
    ///
    /// # Errors
    ///
    /// As `generate`; and the bytes are not UTF-8.
    pub fn generate_bytes(&self, file: &str, bytes: &[u8]) -> Result<Output, Diagnostics> {
        self.generate(file, text::decode(file, bytes)?)
    }
}

/// A definition without errors, and what it comes to.
struct Lowered {
    definition: Definition,
    model: Model,
    options: Options,
    warnings: Diagnostics,
}

fn output(file: &str, model: &Model, options: &Options, warnings: Diagnostics) -> Output {
    Output {
        name: naming::unraw(&model.module).to_owned(),
        code: print::print(&header(file), emit::emit(model, options)),
        module: print::print(&header(file), vec![emit::module(model, options)]),
        warnings,
    }
}

fn read(text: &str, sink: &mut Sink) -> Option<Document> {
    if !text::is_text(text, sink) {
        return None;
    }
    let error = match Document::read(text) {
        Ok(document) => return Some(document),
        Err(error) => error,
    };
    let complaint = definition::complaint(text, &error);
    let pending = sink.add(Rule::Yaml, Place::Text(complaint.place), complaint.message);
    if let Some((place, label)) = complaint.other {
        pending.other_place(Place::Text(place), label);
    }
    if let Some(hint) = complaint.hint {
        pending.hint(hint);
    }
    if let Some((wrong, right, is_certain)) = complaint.fix {
        pending.fix(wrong, right).certain(is_certain);
    }
    None
}

/// The name by which a file of options knows a service: its own, or that of a file of types.
fn service_name<'d>(file: &'d str, definition: Option<&'d definition::Definition>) -> &'d str {
    let service = definition.and_then(|definition| definition.service.as_ref());
    service.map_or(stem(file), |service| &service.value)
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

fn header(file: &str) -> String {
    let name: String = name(file)
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    format!(
        "// @generated by svcgen {} from {name}. Edit the definition, not this file.\n",
        env!("CARGO_PKG_VERSION")
    )
}

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
mod config;
mod definition;
mod diagnostic;
mod emit;
mod locate;
mod lower;
mod model;
mod naming;
mod print;

use std::path::Path;

pub use config::{Config, OPTIONS, OptionRow};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};

use diagnostic::{Place, Rule, Sink};

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

impl Config {
    /// Generates the code for a definition. `file` is how messages call it; its last part stands in the code's header.
    ///
    /// # Errors
    ///
    /// The definition breaks rules of the language: all of them that do, in the order of the text.
    pub fn generate(&self, file: &str, text: &str) -> Result<Output, Diagnostics> {
        let mut sink = Sink::default();
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let model = read(text, &mut sink).and_then(|(definition, mistakes)| {
            lower::lower(stem(file), &definition, mistakes, self, &mut sink)
        });
        let diagnostics = sink.finish(file, text);
        let Some(model) = model else {
            return Err(diagnostics);
        };
        Ok(Output {
            name: naming::unraw(&model.module).to_owned(),
            code: print::print(&header(file), emit::emit(&model, self)),
            module: print::print(&header(file), vec![emit::module(&model)]),
            warnings: diagnostics,
        })
    }

    /// [`Config::generate`] for the bytes of a file.
    ///
    /// # Errors
    ///
    /// As `generate`; and the bytes are not UTF-8.
    pub fn generate_bytes(&self, file: &str, bytes: &[u8]) -> Result<Output, Diagnostics> {
        match str::from_utf8(bytes) {
            Ok(text) => self.generate(file, text),
            Err(error) => {
                let message = format!(
                    "the definition is not UTF-8: byte {} is wrong",
                    error.valid_up_to() + 1
                );
                let hint = "save the file as UTF-8".to_owned();
                Err(Diagnostics::unreadable(file, message, Some(hint)))
            }
        }
    }
}

fn read(text: &str, sink: &mut Sink) -> Option<(definition::Definition, Vec<definition::Mistake>)> {
    let error = match definition::read(text) {
        Ok(read) => return Some(read),
        Err(error) => error,
    };
    let mut message = error.to_string();
    let mut place = Place::LineColumn(1, 1);
    if let Some(found) = error.location() {
        message = message.replace(
            &format!(" at line {} column {}", found.line(), found.column()),
            "",
        );
        place = Place::LineColumn(found.line(), found.column());
    }
    if message.contains("more than one document") {
        message = "the file holds more than one YAML document".to_owned();
    }
    sink.add(Rule::Yaml, place, message);
    None
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

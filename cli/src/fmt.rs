//! `svcgen fmt`.

use clap::Args;
use svcgen_codegen::{Config, Diagnostics, Generator, Output};

use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::{Input, Inputs, Source, read_file};
use crate::layout;

const EXAMPLES: &str = "\
Examples:
  svcgen fmt 'service-defs/*.yaml'          writes what is laid out otherwise
  svcgen fmt --check 'service-defs/*.yaml'  for CI: shows what would be written
  svcgen fmt - < draft.yaml                 from standard input to standard output";

/// Lays service definitions out in the one canonical way; comments stay
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes nothing; shows how the files differ from what would be written
    #[arg(long)]
    check: bool,
}

/// Lays all definitions out.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let (sources, exit) = arguments.inputs.read(console);
    sources.iter().fold(exit, |exit, source| {
        let done = match lay_out(source, console) {
            Ok(text) => finish(source, &text, arguments.check, console),
            Err(exit) => exit,
        };
        exit.max(done)
    })
}

fn finish(source: &Source, text: &str, check: bool, console: &Console) -> Exit {
    match (&source.input, check) {
        (Input::File(path), false) => files::write(path, text, console),
        (Input::File(path), true) => files::check(path, text, console),
        (Input::Stdin(_), false) => console.print(text),
        (Input::Stdin(name), true) => files::compare(name, &source.bytes, text, console),
    }
}

/// The text of a definition in its canonical layout.
fn lay_out(source: &Source, console: &Console) -> Result<String, Exit> {
    let name = source.name();
    let before = generate(&name, &source.bytes);
    // What is no YAML has no layout; everything else may be wrong and still be laid out.
    let text = match (&before, str::from_utf8(&source.bytes)) {
        (Err(diagnostics), _) if is_unreadable(&name, diagnostics) => {
            return Err(console.report(diagnostics));
        }
        (_, Ok(text)) => layout::lay_out(text, &keys_of_the_file()),
        (_, Err(error)) => Err(error.to_string()),
    };
    let text = match (text, &before) {
        (Ok(text), _) => text,
        (Err(_), Err(diagnostics)) => return Err(console.report(diagnostics)),
        (Err(complaint), Ok(_)) => {
            return Err(console.error(format_args!("{name} cannot be laid out: {complaint}")));
        }
    };
    match means_the_same(&before, &generate(&name, text.as_bytes())) {
        true => Ok(text),
        false => Err(console.error(format_args!(
            "{name} is left as it is: laid out, it would mean something else. Please report this with the definition"
        ))),
    }
}

/// The keys of a definition file, in the order of the language.
fn keys_of_the_file() -> Vec<String> {
    let schema = svcgen_codegen::schema();
    let keys = schema
        .pointer("/properties")
        .and_then(|keys| keys.as_object());
    keys.into_iter()
        .flatten()
        .map(|(key, _)| key.clone())
        .collect()
}

/// What the generator makes of a definition, without the options of its folder.
fn generate(name: &str, bytes: &[u8]) -> Result<Output, Diagnostics> {
    let config = Config::new();
    Generator::new(&config, read_file).generate_bytes(name, bytes)
}

/// Whether a definition itself could not be read as YAML (`SVC001`, `SVC002`).
fn is_unreadable(name: &str, diagnostics: &Diagnostics) -> bool {
    let is_about_text = |code| ["SVC001", "SVC002"].contains(&code);
    let mut found = diagnostics.iter();
    found.any(|found| found.file() == name && is_about_text(found.code()))
}

/// Whether the generator makes the same of two texts: code, or complaints.
fn means_the_same(
    before: &Result<Output, Diagnostics>,
    after: &Result<Output, Diagnostics>,
) -> bool {
    match (before, after) {
        (Ok(before), Ok(after)) => {
            before.code == after.code
                && before.module == after.module
                && complaints(&before.warnings) == complaints(&after.warnings)
        }
        (Err(before), Err(after)) => complaints(before) == complaints(after),
        _ => false,
    }
}

fn complaints(diagnostics: &Diagnostics) -> Vec<(&str, &str)> {
    let mut complaints: Vec<_> = diagnostics
        .iter()
        .map(|found| (found.code(), found.message()))
        .collect();
    complaints.sort_unstable();
    complaints
}

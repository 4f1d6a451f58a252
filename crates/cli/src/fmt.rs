//! `svcgen fmt`.

use clap::Args;
use svcgen_language::yaml;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::input::{Input, Inputs, Source, generator};
use crate::layout;

/// Formats service definitions, and keeps comments
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen fmt 'service-defs/*.yaml'          formats them in place
  svcgen fmt --check 'service-defs/*.yaml'  for CI: shows what would be written
  svcgen fmt - < draft.yaml                 standard input to standard output")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes nothing; shows how the files would change
    #[arg(long)]
    check: bool,
}

/// Formats all definitions.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let (sources, exit) = arguments.inputs.read(console);
    Ok(sources.iter().fold(exit, |exit, source| {
        let text = lay_out(source);
        let done = text.map(|text| finish(source, &text, arguments.check, console));
        exit.max(console.ended(done))
    }))
}

fn finish(source: &Source, text: &str, check: bool, console: &Console) -> Exit {
    match (&source.input, check) {
        (Input::File(path), check) => files::put(path, text, check, console),
        (Input::Stdin(_), false) => console.write(text),
        (Input::Stdin(name), true) => files::compare(name, &source.bytes, text, console),
    }
}

/// Returns the text of a definition in its canonical layout. Only YAML errors prevent that: other
/// errors do not matter here.
fn lay_out(source: &Source) -> Result<String, Failure> {
    let name = source.name();
    let read = |bytes: &[u8]| yaml::parse(&name, bytes);
    let tree = read(&source.bytes)?;
    let text = String::from_utf8_lossy(&source.bytes);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let Some(laid_out) = layout::lay_out(text, &tree, &keys_of_the_file()) else {
        let config = svcgen_import::config();
        let described = generator(&config).describe_bytes(&name, &source.bytes);
        return Err(described.err().unwrap_or_default().into());
    };
    match read(laid_out.as_bytes()) {
        Ok(after) if layout::holds(&tree, &after) => Ok(laid_out),
        _ => Err(format!(
            "{name} is unchanged, because formatting would change its meaning. Please report this with the definition"
        ).into()),
    }
}

/// Returns the keys of a definition file, in the order of the language.
fn keys_of_the_file() -> Vec<String> {
    let schema = svcgen_language::definition::schema();
    let keys = schema.get("properties").and_then(|keys| keys.as_object());
    let keys = keys.into_iter().flatten();
    keys.map(|(key, _)| key.clone()).collect()
}

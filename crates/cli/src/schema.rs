//! `svcgen schema`.

use clap::Args;

use crate::console::Console;
use crate::document::Destination;
use crate::exit::{Exit, Failure};

/// Prints the JSON Schema of the definition language, for editors
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen schema --out svcgen.schema.json
  svcgen schema --out svcgen.schema.json --check

In a definition, for editors with yaml-language-server:
  # yaml-language-server: $schema=svcgen.schema.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    destination: Destination,
}

/// Prints the schema, or writes it.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    arguments.destination.put(&text(), console)
}

/// The name of its file next to definitions.
pub(crate) const FILE: &str = "svcgen.schema.json";

/// Adds a first line to the text of an imported definition that tells editors the path of the
/// schema, this number of folders above it. Other files stay unchanged.
pub(crate) fn named_in(file: &str, text: &str, folders: usize) -> String {
    if !file.ends_with(".yaml") {
        return text.to_owned();
    }
    let above = "../".repeat(folders);
    format!("# yaml-language-server: $schema={above}{FILE}\n{text}")
}

/// Returns the text of the schema's file.
pub(crate) fn text() -> String {
    format!("{:#}\n", svcgen_language::definition::schema().as_value())
}

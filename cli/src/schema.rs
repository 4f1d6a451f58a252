//! `svcgen schema`.

use std::path::PathBuf;

use clap::Args;

use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::destination;

const EXAMPLES: &str = "\
Examples:
  svcgen schema --out svcgen.schema.json
  svcgen schema --out svcgen.schema.json --check

In a definition, for editors with yaml-language-server:
  # yaml-language-server: $schema=svcgen.schema.json";

/// Prints the JSON Schema of the definition language, for editors
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Writes it into this file instead
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Writes nothing; shows how the file differs from what would be written
    #[arg(long, requires = "out")]
    check: bool,
}

/// Prints the schema, or writes it.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let schema = text();
    match destination(arguments.out.as_ref()) {
        None if arguments.check => console.error("--check compares a file: name it, --out FILE"),
        None => console.print(schema),
        Some(path) if arguments.check => files::check(path, &schema, console),
        Some(path) => files::write(path, &schema, console),
    }
}

/// The schema as it stands in a file.
pub(crate) fn text() -> String {
    format!("{:#}\n", svcgen_codegen::schema().as_value())
}

//! `svcgen docs`.

use clap::{Args, ValueEnum};
use svcgen_documents::reference;

use crate::console::Console;
use crate::document::Document;
use crate::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  svcgen docs greeter.yaml > greeter.md
  svcgen docs greeter.yaml --format html --out greeter.html
  svcgen docs greeter.yaml --out docs/greeter.md --check     for CI: shows what is stale, writes nothing";

/// Writes reference documentation of a service for people who call it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    document: Document,

    /// Markdown, or one HTML page that needs nothing else
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Html,
}

/// Writes the documentation.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    arguments.document.write(
        console,
        match arguments.format {
            Format::Markdown => reference::markdown,
            Format::Html => reference::html,
        },
    )
}

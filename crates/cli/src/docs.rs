//! `svcgen docs`.

use clap::{Args, ValueEnum};
use svcgen_documents::reference;

use crate::console::Console;
use crate::document::Document;
use crate::exit::{Exit, Failure};

/// Writes reference documentation of a service for its callers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen docs greeter.yaml > greeter.md
  svcgen docs greeter.yaml --format html --out greeter.html
  svcgen docs greeter.yaml --out greeter.md --check  for CI: shows what is stale")]
pub(crate) struct Arguments {
    #[command(flatten)]
    document: Document,

    /// Format; `html` is one self-contained page
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Html,
}

/// Writes the documentation.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    arguments.document.write(
        console,
        match arguments.format {
            Format::Markdown => reference::markdown,
            Format::Html => reference::html,
        },
    )
}

//! `svcgen openapi`.

use clap::Args;
use svcgen_documents::openapi;

use crate::console::Console;
use crate::document::{Document, url};
use crate::exit::{Exit, Failure};
use crate::json;

/// Writes an OpenAPI 3.1 document of a service over HTTP GET, HTTP POST and JSON
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen openapi greeter.yaml > greeter.openapi.json
  svcgen openapi --url https://example.com greeter.yaml")]
pub(crate) struct Arguments {
    #[command(flatten)]
    document: Document,

    /// Address of the service, without its path
    #[arg(long, value_name = "URL", default_value = "http://localhost", value_parser = url)]
    url: String,
}

/// Writes the document.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    arguments.document.write(console, |service| {
        json::escaped(&format!("{:#}\n", openapi(service, &arguments.url)))
    })
}

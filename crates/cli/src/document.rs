//! Code shared by the subcommands that write a document from one definition.

use std::path::PathBuf;

use clap::Args;
use svcgen_messages::Service;
use svcgen_model::{At, Service as Row};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::input::{Input, Inputs, Source, destination, generator};

/// A definition, and the destination of the document.
#[derive(Debug, Args)]
pub(crate) struct Document {
    #[command(flatten)]
    definition: Inputs,

    #[command(flatten)]
    destination: Destination,
}

/// The destination of a text.
#[derive(Debug, Args)]
pub(crate) struct Destination {
    /// Writes into this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Writes nothing; shows how the file would change
    #[arg(long, requires = "out")]
    check: bool,
}

impl Document {
    /// Writes the document that `make` returns for the service.
    pub fn write(
        &self,
        console: &Console,
        make: impl FnOnce(At<'_, Row<'_>>) -> String,
    ) -> Result<Exit, Failure> {
        let document = describe(&self.definition, console, make)?;
        self.destination.put(&document, console)
    }
}

impl Destination {
    /// Prints a text, writes it to the file, or shows how the file differs from it.
    pub fn put(&self, text: &str, console: &Console) -> Result<Exit, Failure> {
        match destination(self.out.as_ref()) {
            None if self.check => Err("--check needs a file to compare with: --out FILE".into()),
            None => Ok(console.write(text)),
            Some(path) => Ok(files::put(path, text, self.check, console)),
        }
    }
}

/// Returns what `make` returns for the service, and prints warnings.
pub(crate) fn describe<R>(
    definition: &Inputs,
    console: &Console,
    make: impl FnOnce(At<'_, Row<'_>>) -> R,
) -> Result<R, Failure> {
    let (sources, exit) = definition.read(console);
    match (sources.as_slice(), exit) {
        ([source], Exit::Done) => {
            let described = source.describe(&mut generator(&svcgen_import::config()), console)?;
            let made = described.with(make);
            made.ok_or_else(|| of_types_alone(source))
        }
        (_, Exit::Done) => Err("a document describes one service: name one definition".into()),
        (_, exit) => Err(exit.into()),
    }
}

/// Opens the service of a definition, if one is named, for as long as the program runs, and prints
/// warnings.
pub(crate) fn open(
    definition: Option<&PathBuf>,
    console: &Console,
) -> Result<Option<Service>, Failure> {
    let Some(path) = definition else {
        return Ok(None);
    };
    let source = Input::File(path.clone()).read()?;
    let described = source.describe(&mut generator(&svcgen_import::config()), console)?;
    let service = Service::of_described(described);
    service.map(Some).map_err(|_| of_types_alone(&source))
}

fn of_types_alone(source: &Source) -> Failure {
    let name = source.name();
    format!("{name} holds only types: a document describes a service").into()
}

/// Parses the address of a service without its path: `https://example.com`.
pub(crate) fn url(text: &str) -> Result<String, String> {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    let (host, path) = rest.map_or(("", ""), |rest| rest.split_once('/').unwrap_or((rest, "")));
    if is_host(host) && is_url_text(path) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err("it is not a URL like https://example.com".to_owned())
    }
}

/// Parses a `Host` header: `example.com:8080`.
pub(crate) fn host(text: &str) -> Result<String, String> {
    if is_host(text) {
        Ok(text.to_owned())
    } else {
        Err("expected a host such as example.com or localhost:8080".to_owned())
    }
}

fn is_host(text: &str) -> bool {
    !text.is_empty() && is_url_text(text) && !text.contains(['/', '@'])
}

/// Whether a text consists of characters that need no escape before the query of a URL.
fn is_url_text(text: &str) -> bool {
    let is_refused = |c: char| !c.is_ascii_graphic() || "\"#<>?\\^`{|}".contains(c);
    !text.contains(is_refused)
}

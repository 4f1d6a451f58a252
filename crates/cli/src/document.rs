//! Shared by the subcommands that write a document: one definition in, one text out.

use std::path::{Path, PathBuf};

use clap::Args;
use svcgen_codegen::{Config, Described};
use svcgen_messages::Service;
use svcgen_model::{At, Service as Row};

use crate::console::Console;
use crate::exit::Exit;
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

    /// Writes nothing; shows how the file differs from what would be written
    #[arg(long, requires = "out")]
    check: bool,
}

impl Document {
    /// Writes the document that `make` returns for the service.
    pub fn write(&self, console: &Console, make: impl FnOnce(At<'_, Row<'_>>) -> String) -> Exit {
        match describe(&self.definition, console, make) {
            Ok(document) => self.destination.put(&document, console),
            Err(exit) => exit,
        }
    }
}

impl Destination {
    /// Prints a text, writes it to the file, or shows how the file differs from it.
    pub fn put(&self, text: &str, console: &Console) -> Exit {
        match destination(self.out.as_ref()) {
            None if self.check => console.error("--check compares a file: name it, --out FILE"),
            None => console.write(text),
            Some(path) => files::put(path, text, self.check, console),
        }
    }
}

/// Returns what `make` returns for the service, and prints diagnostics.
pub(crate) fn describe<R>(
    definition: &Inputs,
    console: &Console,
    make: impl FnOnce(At<'_, Row<'_>>) -> R,
) -> Result<R, Exit> {
    let (sources, exit) = definition.read(console);
    let source = match (sources.as_slice(), exit) {
        ([source], Exit::Done) => source,
        (_, Exit::Done) => {
            return Err(console.error("a document is of one service: name one definition"));
        }
        (_, exit) => return Err(exit),
    };
    describe_source(source, console, make)
}

/// Opens the service of a file, for as long as the program runs, and prints diagnostics.
pub(crate) fn open_file(path: &Path, console: &Console) -> Result<Service, Exit> {
    let source = Input::File(path.to_owned()).read();
    let source = source.map_err(|complaint| console.error(complaint))?;
    let described = described(&source, console)?;
    Service::of_described(described).map_err(|_| of_types_alone(&source, console))
}

/// Runs what takes the service of a definition, if one is named, and says why it ended.
pub(crate) fn with_service(
    definition: Option<&Path>,
    console: &Console,
    run: impl FnOnce(Option<Service>) -> Result<Exit, String>,
) -> Exit {
    let opened = definition.map(|file| open_file(file, console));
    match opened.transpose().map(run) {
        Ok(Ok(exit)) | Err(exit) => exit,
        Ok(Err(complaint)) => console.error(complaint),
    }
}

fn describe_source<R>(
    source: &Source,
    console: &Console,
    make: impl FnOnce(At<'_, Row<'_>>) -> R,
) -> Result<R, Exit> {
    let described = described(source, console)?;
    let made = described.with(make);
    made.ok_or_else(|| of_types_alone(source, console))
}

/// Reads a definition, and prints diagnostics.
pub(crate) fn described(source: &Source, console: &Console) -> Result<Described, Exit> {
    let config = Config::new();
    let described = generator(&config).describe_bytes(&source.name(), &source.bytes);
    let described = described.map_err(|diagnostics| console.report(&diagnostics))?;
    match console.report(&described.warnings) {
        Exit::Done => Ok(described),
        exit => Err(exit),
    }
}

fn of_types_alone(source: &Source, console: &Console) -> Exit {
    let name = source.name();
    console.error(format_args!(
        "{name} holds types alone: a document is of a service"
    ))
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
        Err("it is not a host like example.com or localhost:8080".to_owned())
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

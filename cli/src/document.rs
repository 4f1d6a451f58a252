//! What the verbs that write a document have in common: one definition in, one text out.

use std::path::{Path, PathBuf};

use clap::Args;
use svcgen_codegen::Config;
use svcgen_codegen::documents::Description;

use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::{Inputs, generator};

/// A definition, and where the document of its service goes.
#[derive(Debug, Args)]
pub(crate) struct Document {
    #[command(flatten)]
    pub inputs: Inputs,

    /// Writes it into this file; without it, or with -, it goes to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Writes nothing; shows how the file differs from what would be written
    #[arg(long, requires = "out")]
    check: bool,
}

impl Document {
    /// Writes what is made of the description.
    pub fn write(&self, console: &Console, make: impl FnOnce(&Description<'_>) -> String) -> Exit {
        let document = match describe(&self.inputs, console, make) {
            Ok(document) => document,
            Err(exit) => return exit,
        };
        match self.out.as_deref().filter(|out| *out != Path::new("-")) {
            None if self.check => console.error("--check compares a file: name it, --out FILE"),
            None => console.print(document),
            Some(path) if self.check => files::check(path, &document, console),
            Some(path) => files::write(path, &document, console),
        }
    }
}

/// What is made of the description of the one service that is named; what is wrong or unwise is reported.
pub(crate) fn describe<R>(
    inputs: &Inputs,
    console: &Console,
    make: impl FnOnce(&Description<'_>) -> R,
) -> Result<R, Exit> {
    let (sources, exit) = inputs.read(console);
    let [source] = sources.as_slice() else {
        return Err(match exit {
            Exit::Done => console.error("a document is of one service: name one definition"),
            exit => exit,
        });
    };
    let config = Config::new();
    match generator(&config).describe_bytes(&source.name(), &source.bytes) {
        Ok(described) => {
            let _ = console.report(&described.warnings);
            described.with(make).ok_or_else(|| {
                console.error(format_args!(
                    "{} holds types alone: a document is of a service",
                    source.name()
                ))
            })
        }
        Err(diagnostics) => Err(console.report(&diagnostics)),
    }
}

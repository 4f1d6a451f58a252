//! `svcgen watch`.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input::{Inputs, Source, generator_with, is_dash};
use crate::options::Options;
use crate::seen::{Definitions, Files, FilesRead, whenever_changed};
use crate::{files, generate};

/// Generates Rust code whenever definitions or their options change
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen watch --out src 'service-defs/*.yaml'

Ctrl-C ends it, with exit code 130. It goes on if definitions are wrong or missing.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes SERVICE.rs into this folder
    #[arg(long, value_name = "DIR", required = true, value_parser = generate::folder())]
    out: PathBuf,

    #[command(flatten)]
    options: Options,
}

/// Generates code and waits for changes, until interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    if is_dash(&arguments.out) {
        return Err("`watch` writes into a folder: --out DIR".into());
    }
    let make = |definitions: &Definitions| generate_all(arguments, definitions, console);
    let pause = |interval| {
        thread::sleep(interval);
        true
    };
    whenever_changed(&arguments.inputs, false, make, pause)?;
    Ok(Exit::Done)
}

/// Generates all code and returns the included files. Errors are printed, and the watch continues.
fn generate_all(arguments: &Arguments, found: &Definitions, console: &Console) -> Files {
    for complaint in found.iter().filter_map(|found| found.as_ref().err()) {
        let _ = console.error(complaint);
    }
    let sources: Vec<&Source> = found.iter().flatten().collect();
    let write = |path: &Path, code: &str| files::write(path, code, console);
    let included = FilesRead::default();
    let mut generator = generator_with(&arguments.options.0, |path| included.read(path));
    let _ = generate::place_all(&sources, &arguments.out, &mut generator, write, console);
    drop(generator);
    included.into_files()
}

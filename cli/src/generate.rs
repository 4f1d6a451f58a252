//! `svcgen generate`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::{Inputs, Source};
use crate::options::Options;

const EXAMPLES: &str = "\
Examples:
  svcgen generate greeter.yaml                     the code on standard output
  svcgen generate --out src 'service-defs/*.yaml'  a file for each service, written if it changed
  svcgen generate --out src --check greeter.yaml   for CI: shows what is stale, writes nothing
  svcgen generate --name greeter.yaml - < draft    a definition from standard input";

/// Generates the code for service definitions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes SERVICE.rs into this folder; without it, or with -, the code of one definition goes to standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Writes nothing; shows how the files in the folder differ from what would be written
    #[arg(long, requires = "out")]
    check: bool,

    #[command(flatten)]
    options: Options,
}

/// Generates the code for all definitions; what is wrong with one does not keep the others from being generated.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let folder = arguments
        .out
        .as_deref()
        .filter(|out| *out != Path::new("-"));
    if folder.is_none() && arguments.check {
        return console.error("--check compares files: it needs a folder, --out DIR");
    }
    let (sources, mut exit) = arguments.inputs.read(console);
    if folder.is_none() && sources.len() > 1 {
        return console.error("several definitions need a folder to write to: --out DIR");
    }
    let mut taken = HashMap::new();
    for source in &sources {
        exit = exit.max(generate(arguments, folder, source, &mut taken, console));
    }
    exit
}

/// `taken` is the paths that are written already, and by which definition.
fn generate<'s>(
    arguments: &Arguments,
    folder: Option<&Path>,
    source: &'s Source,
    taken: &mut HashMap<PathBuf, &'s Source>,
    console: &Console,
) -> Exit {
    let output = match source.generate(&arguments.options.0, console) {
        Ok(output) => output,
        Err(exit) => return exit,
    };
    let Some(folder) = folder else {
        return console.print(&output.code);
    };
    let path = folder.join(format!("{}.rs", output.name));
    if let Some(first) = taken.insert(path.clone(), source) {
        return console.error(format_args!(
            "{} and {} would both be written to {}; give one of them another name: `rust: NAME`",
            first.name(),
            source.name(),
            path.display()
        ));
    }
    match arguments.check {
        true => files::check(&path, &output.code, console),
        false => files::write(&path, &output.code, console),
    }
}

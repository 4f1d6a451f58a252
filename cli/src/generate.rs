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
    let (sources, exit) = arguments.inputs.read(console);
    let Some(folder) = folder else {
        return exit.max(print(&sources, &arguments.options, console));
    };
    let sources: Vec<&Source> = sources.iter().collect();
    exit.max(place_all(
        &sources,
        folder,
        &arguments.options,
        |path, code| match arguments.check {
            true => files::check(path, code, console),
            false => files::write(path, code, console),
        },
        console,
    ))
}

fn print(sources: &[Source], options: &Options, console: &Console) -> Exit {
    match sources {
        [] => Exit::Done,
        [source] => match source.generate(&options.0, console) {
            Ok(output) => console.print(output.code),
            Err(exit) => exit,
        },
        _ => console.error("several definitions need a folder to write to: --out DIR"),
    }
}

/// Generates the code for all definitions and gives it to `place`, with the path of its file in a folder.
pub(crate) fn place_all(
    sources: &[&Source],
    folder: &Path,
    options: &Options,
    place: impl Fn(&Path, &str) -> Exit,
    console: &Console,
) -> Exit {
    let mut taken: HashMap<PathBuf, &Source> = HashMap::new();
    let mut exit = Exit::Done;
    for source in sources.iter().copied() {
        let output = match source.generate(&options.0, console) {
            Ok(output) => output,
            Err(found) => {
                exit = exit.max(found);
                continue;
            }
        };
        let path = folder.join(format!("{}.rs", output.name));
        exit = exit.max(match taken.get(&path) {
            Some(first) => console.error(format_args!(
                "{} and {} would both be written to {}; give one of them another name: `rust: NAME`",
                first.name(),
                source.name(),
                path.display()
            )),
            None => place(&path, &output.code),
        });
        taken.entry(path).or_insert(source);
    }
    exit
}

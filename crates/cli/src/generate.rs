//! `svcgen generate`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use svcgen_codegen::{Generator, Output};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::input::{Input, Inputs, Source, destination, generator, report};
use crate::options::Options;

/// Generates Rust code from service definitions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen generate greeter.yaml                    to standard output
  svcgen generate --out src 'defs/*.yaml'         a file each, if it changed
  svcgen generate --out src --check greeter.yaml  for CI: shows what is stale
  svcgen generate --name greeter.yaml - < draft   from standard input")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes SERVICE.rs into this folder [default: standard output]
    #[arg(long, value_name = "DIR", value_parser = folder())]
    out: Option<PathBuf>,

    /// Writes nothing; shows how the files would change
    #[arg(long, requires = "out")]
    check: bool,

    #[command(flatten)]
    options: Options,
}

/// Returns a parser of `--out` that refuses the name of a Rust file.
pub(crate) fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_rust_file = path.extension().is_some_and(|extension| extension == "rs");
        if is_rust_file && !path.is_dir() {
            return Err("this is named like a file: name the folder for SERVICE.rs");
        }
        Ok(path)
    })
}

/// Generates the code for all definitions; errors in one do not stop the others.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let folder = destination(arguments.out.as_ref());
    if folder.is_none() && arguments.check {
        return Err("--check needs a folder to compare with: --out DIR".into());
    }
    let (sources, exit) = arguments.inputs.read(console);
    let Some(folder) = folder else {
        return Ok(exit.max(console.ended(print(&sources, &arguments.options, console))));
    };
    let sources: Vec<&Source> = sources.iter().collect();
    Ok(exit.max(place_all(
        &sources,
        folder,
        &mut generator(&arguments.options.0),
        |path, code| files::put(path, code, arguments.check, console),
        console,
    )))
}

fn print(sources: &[Source], options: &Options, console: &Console) -> Result<Exit, Failure> {
    match sources {
        [] => Ok(Exit::Done),
        [source] => {
            let output = source.generate(&mut generator(&options.0), console)?;
            Ok(console.write(output.code))
        }
        _ => Err("several definitions need a folder to write to: --out DIR".into()),
    }
}

/// Generates the code for all definitions and the files that they include, and passes the path and
/// the code of each to `place`.
pub(crate) fn place_all(
    sources: &[&Source],
    folder: &Path,
    generator: &mut Generator<'_>,
    place: impl Fn(&Path, &str) -> Exit,
    console: &Console,
) -> Exit {
    // The definition that each path was written for.
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut put = |name: String, output: &Output| {
        let path = folder.join(format!("{}.rs", output.name));
        if let Some(first) = taken.get(&path) {
            return console.error(format_args!(
                "{first} and {name} would both be written to {}; give one of them another name: `rust: NAME`",
                path.display()
            ));
        }
        let exit = place(&path, &output.code);
        taken.insert(path, name);
        exit
    };
    let named = sources.iter().map(|source| source.input.identity());
    let mut named: HashSet<_> = named.collect();
    let mut included = Vec::new();
    let mut exit = Exit::Done;
    for source in sources {
        match source.generate(generator, console) {
            Ok(output) => {
                exit = exit.max(put(source.name(), &output));
                included.extend(output.included);
            }
            Err(failure) => exit = exit.max(console.ended(Err(failure))),
        }
    }
    included.retain(|path| named.insert(Input::File(path.clone()).identity()));
    for path in included {
        let output = report(generator.generate(&path), console);
        let done = output.map(|output| put(path.display().to_string(), &output));
        exit = exit.max(console.ended(done));
    }
    exit
}

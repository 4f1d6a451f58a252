//! `svcgen watch`.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use svcgen_codegen::options_file_of;

use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Inputs, Source};
use crate::options::Options;
use crate::{files, generate};

const EXAMPLES: &str = "\
Examples:
  svcgen watch --out src 'service-defs/*.yaml'

Ctrl-C ends it, with 130. A definition that is wrong, missing or written anew does not.";

/// How often files are looked at. They are read, not subscribed to: that works over network mounts, and however an editor saves.
const INTERVAL: Duration = Duration::from_millis(200);

/// Generates the code for service definitions whenever they or their options change
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes SERVICE.rs into this folder
    #[arg(long, value_name = "DIR", required = true)]
    out: PathBuf,

    #[command(flatten)]
    options: Options,
}

/// What code is generated from.
#[derive(PartialEq)]
struct Seen {
    /// The definitions, or why they cannot be read.
    definitions: Vec<Result<Source, String>>,
    /// Their files of options.
    options: Vec<Option<Vec<u8>>>,
}

impl Seen {
    fn look(inputs: &Inputs) -> Self {
        let definitions = inputs.look();
        let paths = definitions.iter().flatten().filter_map(Source::path);
        let options = paths.map(|path| fs::read(options_file_of(path)?).ok());
        Self {
            options: options.collect(),
            definitions,
        }
    }
}

/// Generates and waits, in turn and without end.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    if arguments.inputs.has_stdin() {
        return console.error("standard input cannot be watched; name files");
    }
    let mut done = None;
    let mut before = None;
    loop {
        let now = Some(Seen::look(&arguments.inputs));
        // Two looks that see the same: nobody is in the middle of writing.
        if now == before && now != done {
            // A watch goes on, whatever it met.
            let _ = now
                .as_ref()
                .map(|seen| generate_all(arguments, &seen.definitions, console));
            done = now;
        } else {
            before = now;
        }
        thread::sleep(INTERVAL);
    }
}

fn generate_all(
    arguments: &Arguments,
    found: &[Result<Source, String>],
    console: &Console,
) -> Exit {
    let mut exit = Exit::Done;
    for complaint in found.iter().filter_map(|found| found.as_ref().err()) {
        exit = exit.max(console.error(complaint));
    }
    let sources: Vec<&Source> = found.iter().flatten().collect();
    let write = |path: &Path, code: &str| files::write(path, code, console);
    exit.max(generate::place_all(
        &sources,
        &arguments.out,
        &arguments.options,
        write,
        console,
    ))
}

//! `svcgen watch`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use svcgen_codegen::{options_file_of, read_file};

use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Inputs, Source, generator_with, is_dash};
use crate::options::Options;
use crate::{files, generate};

/// The polling interval. Polling works on network mounts, and with every way in which editors save.
const INTERVAL: Duration = Duration::from_millis(200);

/// Generates Rust code whenever definitions or their options change
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen watch --out src 'service-defs/*.yaml'

Ctrl-C ends it, with exit code 130. Wrong and missing definitions do not.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Writes SERVICE.rs into this folder
    #[arg(long, value_name = "DIR", required = true, value_parser = generate::folder())]
    out: PathBuf,

    #[command(flatten)]
    options: Options,
}

/// The contents of files other than definitions; `None` if a file cannot be read.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The files from which code is generated, at one time.
#[derive(PartialEq)]
struct Seen {
    /// The definitions, or the reasons that they cannot be read.
    definitions: Vec<Result<Source, String>>,
    included: Files,
    /// The options files of both.
    options: Files,
}

impl Seen {
    /// Reads all definitions, and the files that they included so far.
    fn look(inputs: &Inputs, included: &Files) -> Self {
        let definitions = inputs.look();
        let read = |path: &PathBuf| (path.clone(), read_file(path).ok());
        let included = included.keys().map(read).collect();
        Self {
            options: options(&definitions, &included),
            definitions,
            included,
        }
    }
}

/// The options file of each definition, by the path of the definition; its absence is recorded, too.
fn options(definitions: &[Result<Source, String>], included: &Files) -> Files {
    let named = definitions.iter().flatten().filter_map(Source::path);
    let all = named.chain(included.keys().map(PathBuf::as_path));
    let read = |path: &Path| read_file(&options_file_of(path)?).ok();
    all.map(|path| (path.to_owned(), read(path))).collect()
}

/// Generates and waits, until interrupted.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    if arguments.inputs.has_stdin() {
        return console.error("standard input cannot be watched; name files");
    }
    if is_dash(&arguments.out) {
        return console.error("a watch writes into a folder: --out DIR");
    }
    let mut included = Files::new();
    let (mut before, mut done) = (None, None);
    loop {
        let mut now = Seen::look(&arguments.inputs, &included);
        // Two equal reads in a row: no file is being written.
        if before.as_ref() == Some(&now) && done.as_ref() != Some(&now) {
            included = generate_all(arguments, &now.definitions, console);
            // Compare with what was generated from: files that changed since then are generated again.
            let mut options = options(&now.definitions, &included);
            options.extend(now.options);
            now.options = options;
            now.included.clone_from(&included);
            done = Some(now);
        } else {
            before = Some(now);
        }
        thread::sleep(INTERVAL);
    }
}

/// Generates all code and returns the included files. Errors are printed; the watch goes on.
fn generate_all(
    arguments: &Arguments,
    found: &[Result<Source, String>],
    console: &Console,
) -> Files {
    for complaint in found.iter().filter_map(|found| found.as_ref().err()) {
        let _ = console.error(complaint);
    }
    let sources: Vec<&Source> = found.iter().flatten().collect();
    let write = |path: &Path, code: &str| files::write(path, code, console);
    let included = RefCell::new(Files::new());
    let mut generator = generator_with(&arguments.options.0, |path| {
        let read = read_file(path);
        let bytes = read.as_ref().ok().cloned();
        included.borrow_mut().insert(path.to_owned(), bytes);
        read
    });
    let _ = generate::place_all(&sources, &arguments.out, &mut generator, write, console);
    drop(generator);
    included.into_inner()
}

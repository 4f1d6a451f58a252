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

/// How often files are looked at. They are read, not subscribed to: that works over network mounts, and however an editor saves.
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

/// What stands in files beside definitions; `None` if there is none that can be read.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// What code is generated from.
#[derive(PartialEq)]
struct Seen {
    /// The definitions, or why they cannot be read.
    definitions: Vec<Result<Source, String>>,
    included: Files,
    /// The files of options of both.
    options: Files,
}

impl Seen {
    /// Looks at all definitions, and at what they included so far.
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

/// The options of each file, by its own path: that there are none is seen, too.
fn options(definitions: &[Result<Source, String>], included: &Files) -> Files {
    let named = definitions.iter().flatten().filter_map(Source::path);
    let all = named.chain(included.keys().map(PathBuf::as_path));
    let read = |path: &Path| read_file(&options_file_of(path)?).ok();
    all.map(|path| (path.to_owned(), read(path))).collect()
}

/// Generates and waits, in turn and without end.
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
        // Two looks that see the same: nobody is in the middle of writing.
        if before.as_ref() == Some(&now) && done.as_ref() != Some(&now) {
            included = generate_all(arguments, &now.definitions, console);
            // What changed since it was looked at is not done.
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

/// Generates, and says what was included. A watch goes on, whatever it met.
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

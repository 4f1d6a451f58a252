//! `svcgen diff`.

mod git;
mod json;
mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use svcgen_codegen::{Described, Diagnostics, Generator};
use svcgen_compare::{Class, Comparison, compare};

use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, generator, is_dash};
use crate::options::Options;

const EXAMPLES: &str = "\
Examples:
  svcgen diff shop-v1.yaml shop-v2.yaml
  svcgen diff service-defs/shop.yaml --against git:origin/main --fail-on wire
  svcgen diff shop.yaml --against git:v1.4.0 --format json";

/// Says what changed from one definition to another, and whom that breaks
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The definition as it was, or - for standard input; with --against, as it is
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The definition as it is
    #[arg(
        value_name = "NEW",
        required_unless_present = "against",
        conflicts_with = "against"
    )]
    new: Option<PathBuf>,

    /// Compares one file with itself at a revision of git, such as git:main
    #[arg(long, value_name = "git:REV", value_parser = git::revision)]
    against: Option<String>,

    /// How the changes are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// What ends the command with code 1, one or more of these
    #[arg(
        long,
        value_name = "CLASS",
        value_delimiter = ',',
        default_value = "wire,source"
    )]
    fail_on: Vec<FailOn>,

    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Today's callers break
    Wire,
    /// Today's callers break if they rely on what is said, such as a schema held to the letter
    Depends,
    /// Rust code breaks, of those who implement the service or of those who use its client
    Source,
    /// New clients break for as long as the server is the old one
    Rollout,
    /// Anything changed, and be it documentation
    Any,
    /// Nothing: the changes are only told
    None,
}

impl FailOn {
    fn is_hit(self, comparison: &Comparison) -> bool {
        match self {
            Self::Wire => comparison.has(Class::Wire),
            Self::Depends => comparison.has(Class::Depends),
            Self::Source => comparison.has(Class::Source),
            Self::Rollout => comparison.has(Class::Rollout),
            Self::Any => !comparison.changes().is_empty(),
            Self::None => false,
        }
    }
}

/// A definition, and how it is called.
struct Named {
    name: String,
    described: Result<Described, Diagnostics>,
}

/// Compares, and tells what is found.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let (old, new) = match read(arguments) {
        Ok(sides) => sides,
        Err(complaint) => return console.error(complaint),
    };
    let comparison = match (old.described, new.described) {
        (Ok(old), Ok(new)) => compare(&old, &new),
        (old, new) => {
            let wrong = [old.err(), new.err()].into_iter().flatten();
            return wrong.fold(Exit::Found, |exit, wrong| exit.max(console.report(&wrong)));
        }
    };
    let told = match arguments.format {
        Format::Text => text::render(&old.name, &new.name, &comparison),
        Format::Json => json::render(&old.name, &new.name, &comparison),
    };
    let is_hit = (arguments.fail_on.iter()).any(|class| class.is_hit(&comparison));
    let found = if is_hit { Exit::Found } else { Exit::Done };
    found.max(console.print(told))
}

fn read(arguments: &Arguments) -> Result<(Named, Named), String> {
    let config = &arguments.options.0;
    match (&arguments.against, &arguments.new) {
        (Some(revision), _) => Ok((
            git::describe(revision, &arguments.old, config)?,
            describe(&arguments.old, &mut generator(config))?,
        )),
        (None, Some(new)) if [&arguments.old, new].iter().all(|path| is_dash(path)) => {
            Err("standard input is one definition: name a file for the other".to_owned())
        }
        (None, Some(new)) => {
            let mut files = generator(config);
            let old = describe(&arguments.old, &mut files)?;
            // A file may be called as standard input is.
            if is_dash(&arguments.old) || is_dash(new) {
                files = generator(config);
            }
            Ok((old, describe(new, &mut files)?))
        }
        (None, None) => Err(
            "there is nothing to compare with: name a second file, or say --against git:REV"
                .to_owned(),
        ),
    }
}

fn describe(path: &Path, generator: &mut Generator<'_>) -> Result<Named, String> {
    let input = if is_dash(path) {
        Input::Stdin("stdin.yaml".to_owned())
    } else {
        Input::File(path.to_owned())
    };
    let source = input.read()?;
    let name = source.name();
    Ok(Named {
        described: generator.describe_bytes(&name, &source.bytes),
        name,
    })
}

//! `svcgen diff`.

mod git;
mod json;
mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use svcgen_codegen::{Config, Described, Diagnostics, Generator};
use svcgen_compare::{Class, Comparison, compare};

use crate::console::{Console, shown};
use crate::exit::{Exit, Failure};
use crate::input::{Input, generator, is_dash};
use crate::json::escaped;
use crate::options::Options;

const EXAMPLES: &str = "\
Examples:
  svcgen diff shop-v1.yaml shop-v2.yaml
  svcgen diff service-defs/*.yaml --against origin/main --fail-on wire
  svcgen diff shop.yaml --against v1.4.0 --format json";

const USAGE: &str = "\
svcgen diff [OPTIONS] OLD NEW
       svcgen diff [OPTIONS] --against REV FILE...";

/// Reports the changes between two definitions, and whom they break
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Arguments {
    /// The old and the new definition, one of which may be - for standard input; with --against,
    /// the new definitions
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Compares each file with its version at a git revision: HEAD, main, v1.4.0
    #[arg(long, value_name = "REV", value_parser = git::revision)]
    against: Option<String>,

    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Exits with 1 on changes of these classes
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
    /// For humans
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Existing callers break
    Wire,
    /// Existing callers break if they rely on the named detail, such as validation against the old
    /// schema
    Depends,
    /// Rust code breaks that implements the handler or uses the client
    Source,
    /// New clients break until the server is updated
    Rollout,
    /// Anything changed, even documentation
    Any,
    /// Never: changes are only reported
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

/// A definition, with its name for messages.
struct NamedDefinition {
    name: String,
    described: Result<Described, Diagnostics>,
}

/// Compares definitions and prints the changes.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let config = &arguments.options.0;
    let Some(revision) = &arguments.against else {
        let (old, new) = two(&arguments.files, config)?;
        return Ok(report(arguments, old, new, console));
    };
    if arguments.files.is_empty() {
        return Err(format!(
            "name what to compare with `{revision}`: svcgen diff --against {revision} FILE..."
        )
        .into());
    }
    let mut files = generator(config);
    let exits = arguments.files.iter().map(|file| {
        let old = git::describe(revision, file, config)?;
        Ok(report(arguments, old, describe(file, &mut files)?, console))
    });
    let exits = exits.map(|exit| console.ended(exit));
    Ok(exits.max().unwrap_or(Exit::Done))
}

fn report(
    arguments: &Arguments,
    old: NamedDefinition,
    new: NamedDefinition,
    console: &Console,
) -> Exit {
    let comparison = match (old.described, new.described) {
        (Ok(old), Ok(new)) => compare(&old, &new),
        (old, new) => {
            let wrong = [old.err(), new.err()].into_iter().flatten();
            return wrong.fold(Exit::Found, |exit, wrong| exit.max(console.report(&wrong)));
        }
    };
    let rendered = match arguments.format {
        Format::Text => rendered(&old.name, &new.name, &comparison),
        Format::Json => escaped(&json::render(&old.name, &new.name, &comparison)),
    };
    let printed = console.print(rendered);
    let mut classes = arguments.fail_on.iter();
    if classes.any(|class| class.is_hit(&comparison)) {
        printed.max(Exit::Found)
    } else {
        printed
    }
}

/// Writes the changes from one definition to another as text.
pub(crate) fn rendered(old: &str, new: &str, comparison: &Comparison) -> String {
    shown(&text::render(old, new, comparison))
}

/// Reads the two definitions of a call without `--against`.
fn two(files: &[PathBuf], config: &Config) -> Result<(NamedDefinition, NamedDefinition), String> {
    let [old, new] = files else {
        let file = files
            .first()
            .map_or("FILE".into(), |file| file.to_string_lossy());
        return Err(format!(
            "name two definitions, or a revision of git to compare with: svcgen diff {file} --against HEAD"
        ));
    };
    if is_dash(old) && is_dash(new) {
        return Err("standard input is one definition: name a file for the other".to_owned());
    }
    for (revision, file) in [(old, new), (new, old)] {
        let extension = revision.extension();
        let is_definition = extension.is_some_and(|end| end == "yaml" || end == "yml");
        if !is_definition && !is_dash(revision) && !revision.exists() && file.exists() {
            let (revision, file) = (revision.display(), file.display());
            return Err(format!(
                "there is no file {revision}; a revision of git is named like this: svcgen diff {file} --against {revision}"
            ));
        }
    }
    let mut files = generator(config);
    let was = describe(old, &mut files)?;
    // The generator remembers files by name, and a file may have the name of standard input.
    if is_dash(old) || is_dash(new) {
        files = generator(config);
    }
    Ok((was, describe(new, &mut files)?))
}

fn describe(path: &Path, generator: &mut Generator<'_>) -> Result<NamedDefinition, String> {
    let input = if is_dash(path) {
        Input::Stdin("stdin.yaml".to_owned())
    } else {
        Input::File(path.to_owned())
    };
    let source = input.read()?;
    let name = source.name();
    Ok(NamedDefinition {
        described: generator.describe_bytes(&name, &source.bytes),
        name,
    })
}

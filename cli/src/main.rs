//! The `svcgen` command: the generator for those who check generated code in, or want to look at it.
//!
//! A verb is one file: what it can be told (`Arguments`, with an example in its help) and `run`. All verbs read definitions
//! through [`input`], speak through [`console`], write files through [`files`] and end with an [`exit::Exit`].
#![forbid(unsafe_code)]

mod check;
mod completions;
mod console;
mod diff;
mod docs;
mod document;
mod exit;
mod explain;
mod files;
mod fmt;
mod generate;
mod input;
mod json;
mod layout;
mod man;
mod new;
mod openapi;
mod options;
mod samples;
mod schema;
mod watch;
mod wsdl;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use console::{Console, Manners};
use exit::Exit;

/// Generates Rust servers and clients from service definitions
#[derive(Debug, Parser)]
#[command(name = "svcgen", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,

    #[command(flatten)]
    manners: Manners,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Generate(generate::Arguments),
    Check(check::Arguments),
    Watch(watch::Arguments),
    Fmt(fmt::Arguments),
    Samples(samples::Arguments),
    Docs(docs::Arguments),
    Openapi(openapi::Arguments),
    New(new::Arguments),
    Schema(schema::Arguments),
    Wsdl(wsdl::Arguments),
    Explain(explain::Arguments),
    Diff(diff::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Verb {
    fn run(&self, console: &Console) -> Exit {
        match self {
            Self::Generate(arguments) => generate::run(arguments, console),
            Self::Check(arguments) => check::run(arguments, console),
            Self::Watch(arguments) => watch::run(arguments, console),
            Self::Fmt(arguments) => fmt::run(arguments, console),
            Self::Samples(arguments) => samples::run(arguments, console),
            Self::Docs(arguments) => docs::run(arguments, console),
            Self::Openapi(arguments) => openapi::run(arguments, console),
            Self::New(arguments) => new::run(arguments, console),
            Self::Schema(arguments) => schema::run(arguments, console),
            Self::Wsdl(arguments) => wsdl::run(arguments, console),
            Self::Explain(arguments) => explain::run(arguments, console),
            Self::Diff(arguments) => diff::run(arguments, console),
            Self::Completions(arguments) => completions::run(arguments, console),
            Self::Man(arguments) => man::run(arguments, console),
        }
    }
}

/// The command with all its verbs; each verb's help ends with the exit codes.
fn command() -> clap::Command {
    Cli::command()
        .after_help(exit::CODES)
        .mut_subcommands(|verb| {
            let examples = verb.get_after_help().map(ToString::to_string);
            verb.after_help(format!(
                "{}\n\n{}",
                examples.unwrap_or_default(),
                exit::CODES
            ))
        })
}

fn main() -> ExitCode {
    let matches = command().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return console::tell_usage(&error),
    };
    let console = Console::new(&cli.manners);
    let exit = files::finish_when_interrupted(&console).max(cli.verb.run(&console));
    console.close();
    exit.into()
}

//! The `svcgen` command: generates, checks, formats, documents and compares service definitions.
//!
//! Each subcommand is a file with `Arguments`, whose help ends with examples, and `run`.
//! Subcommands read definitions through [`input`], print through [`console`], write files through
//! [`files`] and return an [`exit::Exit`], or the [`exit::Failure`] that ended them.
#![forbid(unsafe_code)]

mod call;
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
mod http_options;
mod import;
mod input;
mod json;
mod layout;
mod listening;
mod login;
mod man;
mod mock;
mod new;
mod openapi;
mod options;
mod prove;
mod queue;
mod record;
mod relaying;
mod replay;
mod samples;
mod schema;
mod secret_text;
mod seen;
mod shadow;
mod soap_headers;
mod watch;
mod windows_login;
mod wsdl;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use console::{Console, GlobalArguments};
use exit::{Exit, Failure};

/// Generates Rust servers and clients from service definitions
#[derive(Debug, Parser)]
#[command(
    name = "svcgen",
    version,
    arg_required_else_help = true,
    max_term_width = 80
)]
struct Cli {
    #[command(subcommand)]
    command: Commands,

    #[command(flatten)]
    global: GlobalArguments,
}

/// The subcommands, in the order in which a service is replaced, then those for definitions:
/// `svcgen NAME` is `module::run`.
macro_rules! commands {
    ($($name:ident: $module:ident,)*) => {
        #[derive(Debug, Subcommand)]
        enum Commands {
            $($name(Box<$module::Arguments>),)*
        }

        impl Commands {
            fn run(&self, console: &Console) -> Result<Exit, Failure> {
                match self {
                    $(Self::$name(arguments) => $module::run(arguments, console),)*
                }
            }
        }
    };
}

commands! {
    Import: import,
    New: new,
    Call: call,
    Record: record,
    Replay: replay,
    Prove: prove,
    Mock: mock,
    Shadow: shadow,
    Check: check,
    Fmt: fmt,
    Generate: generate,
    Watch: watch,
    Diff: diff,
    Docs: docs,
    Wsdl: wsdl,
    Samples: samples,
    Openapi: openapi,
    Schema: schema,
    Explain: explain,
    Completions: completions,
    Man: man,
}

/// Returns the command with all its subcommands.
fn command() -> clap::Command {
    Cli::command()
        .after_help(exit::CODES)
        .mut_subcommands(|command| match command.get_name() {
            "generate" => command,
            _ => options::hide(command),
        })
}

fn main() -> ExitCode {
    match completions::answer() {
        Ok(false) => {}
        Ok(true) => return Exit::Done.into(),
        Err(error) => return console::print_usage(&error),
    }
    let matches = command().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return console::print_usage(&error),
    };
    let console = Console::new(&cli.global);
    let ready = console.ended(files::finish_when_interrupted());
    let exit = ready.max(console.ended(cli.command.run(&console)));
    console.close();
    exit.into()
}

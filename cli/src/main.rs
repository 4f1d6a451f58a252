//! The `svcgen` command: the generator for those who check generated code in, or want to look at it.
#![forbid(unsafe_code)]

mod arguments;
mod difference;
mod files;
mod generate;

use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = arguments::command().get_matches();
    match matches.subcommand() {
        Some(("generate", matches)) => generate::run(&arguments::read_generate(matches)),
        _ => unreachable!("clap asks for a subcommand"),
    }
}

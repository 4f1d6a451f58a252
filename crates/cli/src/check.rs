//! `svcgen check`.

use clap::Args;

use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Inputs, generator};
use crate::options::Options;

/// Reports errors and warnings of service definitions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen check greeter.yaml
  svcgen check 'service-defs/**/*.yaml'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    options: Options,
}

/// Reports errors and warnings of all definitions. Describing a service finds all of them: emitting code cannot fail.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let (sources, exit) = arguments.inputs.read(console);
    let mut generator = generator(&arguments.options.0);
    sources.iter().fold(exit, |exit, source| {
        let described = generator.describe_bytes(&source.name(), &source.bytes);
        exit.max(match described {
            Ok(described) => console.report(&described.warnings),
            Err(diagnostics) => console.report(&diagnostics).max(Exit::Found),
        })
    })
}

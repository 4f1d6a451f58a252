//! `svcgen check`.

use clap::Args;

use crate::console::Console;
use crate::exit::{Exit, Failure};
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

/// Reports errors and warnings of all definitions. Describing a service finds all of them, as
/// emitting code cannot fail.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let (sources, exit) = arguments.inputs.read(console);
    let mut generator = generator(&arguments.options.0);
    Ok(sources.iter().fold(exit, |exit, source| {
        let described = source.describe(&mut generator, console);
        exit.max(console.ended(described.map(|_| Exit::Done)))
    }))
}

//! What the command can be told. The generator's options come from its own table.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use svcgen_codegen::{Config, OPTIONS};

const EXIT_CODES: &str = "\
Exit codes:
  0  everything was generated, or is fresh
  1  a definition is wrong, a file is stale or missing (--check), or could not be written
  2  the command was called wrongly";

/// What `svcgen generate` was told.
pub(crate) struct Generate {
    pub config: Config,
    pub out: Option<PathBuf>,
    pub check: bool,
    pub definitions: Vec<PathBuf>,
}

/// The command and all that it can be told.
pub(crate) fn command() -> Command {
    Command::new("svcgen")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Generates Rust servers and clients from service definitions")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(generate())
}

fn generate() -> Command {
    let mut command = Command::new("generate")
        .about("Generates the code for service definitions")
        .after_help(EXIT_CODES)
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Writes SERVICE.rs into this folder; without it, the code of one definition goes to stdout"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .requires("out")
                .help("Writes nothing; shows how the files in the folder differ from what would be written"),
        )
        .arg(
            Arg::new("definitions")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("Definition files"),
        );
    for option in OPTIONS {
        command = command.arg(
            Arg::new(option.name)
                .long(option.name)
                .value_name("VALUE")
                .action(ArgAction::Append)
                .default_value(option.default)
                .value_parser(move |value: &str| {
                    (option.set)(&mut Config::new(), value).map(|()| value.to_owned())
                })
                .help(option.about),
        );
    }
    command
}

/// What clap has read, in our words. More than one definition needs a folder.
pub(crate) fn read_generate(matches: &ArgMatches) -> Generate {
    let mut config = Config::new();
    for option in OPTIONS {
        let values = matches.get_many::<String>(option.name);
        for value in values.into_iter().flatten() {
            (option.set)(&mut config, value).expect("clap has tried it");
        }
    }
    let definitions: Vec<_> = matches
        .get_many::<PathBuf>("definitions")
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let out = matches.get_one::<PathBuf>("out").cloned();
    if out.is_none() && definitions.len() > 1 {
        let message = "several definitions need a folder to write to: --out DIR";
        command()
            .error(clap::error::ErrorKind::MissingRequiredArgument, message)
            .exit();
    }
    Generate {
        config,
        out,
        check: matches.get_flag("check"),
        definitions,
    }
}

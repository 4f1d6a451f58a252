//! The options of the generated code as arguments, from the generator's table.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use svcgen_codegen::{Config, OPTIONS, OptionForm, OptionRow};

/// The options set by arguments, such as `--client false`.
#[derive(Debug)]
pub(crate) struct Options(pub Config);

impl Args for Options {
    fn augment_args(command: Command) -> Command {
        OPTIONS.iter().map(argument).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

const HEADING: &str = "Generated code";

/// Hides the options of a command that has them, and adds a note on where to find them.
pub(crate) fn hide(command: Command) -> Command {
    let is_option = |argument: &Arg| argument.get_help_heading() == Some(HEADING);
    if !command.get_arguments().any(is_option) {
        return command;
    }
    let hide = |argument: Arg| {
        let hidden = is_option(&argument);
        argument.hide(hidden)
    };
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    command.mut_args(hide).after_help(format!(
        "{help}\n\nAlso takes the options of the generated code: see `svcgen generate --help`."
    ))
}

fn argument(option: &'static OptionRow) -> Arg {
    let value = match option.form {
        OptionForm::Switch => "true|false",
        OptionForm::Folder => "DIR",
        OptionForm::Pairs => "KEY=VALUE",
        OptionForm::List => "VALUE,…",
        _ => "VALUE",
    };
    let mut help = option.about.to_owned();
    if !option.default.is_empty() {
        help += &format!(" [default: {}]", option.default);
    }
    if option.form != OptionForm::Switch {
        help += &format!(" [example: {}]", option.example);
    }
    Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .alias(option.name)
        .help_heading(HEADING)
        .value_name(value)
        .action(ArgAction::Append)
        .value_parser(move |value: &str| {
            option
                .set(&mut Config::new(), value)
                .map(|()| value.to_owned())
        })
        .help(help)
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self(svcgen_import::config());
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in OPTIONS {
            let values = matches.get_many::<String>(option.name);
            for value in values.into_iter().flatten() {
                option.set(&mut self.0, value).map_err(|complaint| {
                    clap::Error::raw(clap::error::ErrorKind::ValueValidation, complaint)
                })?;
            }
        }
        Ok(())
    }
}

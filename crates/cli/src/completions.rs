//! `svcgen completions`, and the answers to requests of the scripts that it prints.

mod bash;
mod typed;

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::env::{Elvish, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompleteEnv, Shell};

use crate::console::Console;
use crate::exit::{Exit, Failure};

pub(crate) use typed::Typed;

/// Prints the completion script for a shell
///
/// The script asks svcgen what may follow, so that operations and parameters
/// of a definition are completed, too: print it anew after an update.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen completions bash > ~/.local/share/bash-completion/completions/svcgen
  svcgen completions fish > ~/.config/fish/completions/svcgen.fish
  svcgen completions powershell >> $PROFILE
  echo 'source <(svcgen completions zsh)' >> ~/.zshrc
  echo 'eval (svcgen completions elvish | slurp)' >> ~/.elvish/rc.elv")]
pub(crate) struct Arguments {
    /// Shell
    shell: Shell,
}

/// The environment variable by which a script asks for completions; its value is the shell.
const VARIABLE: &str = "SVCGEN_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&bash::Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Prints the script.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let name = arguments.shell.to_string();
    let Some(shell) = SHELLS.completer(&name) else {
        return Err(format!("there is no script for {name}").into());
    };
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "svcgen", "svcgen", &called(), &mut script)
        .map_err(|error| format!("the script cannot be made: {error}"))?;
    Ok(console.write(script))
}

/// Returns the name or path by which svcgen was called, such that it works in every folder.
fn called() -> String {
    let called = env::args_os().next().map_or("svcgen".into(), PathBuf::from);
    let path = match env::current_dir() {
        Ok(folder) if called.components().count() > 1 => folder.join(called),
        _ => called,
    };
    path.to_string_lossy().into_owned()
}

/// Prints completions if a script asks for them; returns `false` otherwise.
///
/// # Errors
///
/// Returns an error if the shell is not known.
pub(crate) fn answer() -> clap::error::Result<bool> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let typed = Typed::now();
    let is_empty = typed.current().is_empty();
    let arguments = ["svcgen", "--"].map(OsStr::new).into_iter();
    let arguments = arguments.chain(typed.words().iter().map(OsStr::new));
    let folder = env::current_dir().ok();
    CompleteEnv::with_factory(|| command(is_empty))
        .var(VARIABLE)
        .shells(SHELLS)
        .try_complete(arguments, folder.as_deref())
}

/// Returns the command. If nothing is typed yet, options are offered only if there is nothing else.
fn command(is_empty: bool) -> Command {
    let command = crate::command();
    if !is_empty {
        return command;
    }
    let hidden = |command: Command| {
        command
            .disable_help_flag(true)
            .disable_version_flag(true)
            .mut_args(|argument| {
                let is_option = !argument.is_positional();
                argument.hide(is_option)
            })
    };
    hidden(command).mut_subcommands(hidden)
}

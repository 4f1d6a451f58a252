//! `svcgen completions`.

use clap::Args;
use clap_complete::Shell;

use crate::console::Console;
use crate::exit::Exit;

/// Prints the completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen completions bash > ~/.local/share/bash-completion/completions/svcgen
  svcgen completions fish > ~/.config/fish/completions/svcgen.fish
  svcgen completions zsh > ~/.zfunc/_svcgen
  svcgen completions powershell >> $PROFILE")]
pub(crate) struct Arguments {
    /// Shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut crate::command(),
        "svcgen",
        &mut script,
    );
    console.print(script)
}

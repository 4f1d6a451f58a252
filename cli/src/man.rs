//! `svcgen man`.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::console::Console;
use crate::exit::Exit;
use crate::files;

const EXAMPLES: &str = "\
Examples:
  svcgen man | man -l -
  svcgen man generate | man -l -
  svcgen man --out ~/.local/share/man/man1";

/// Prints the manual page of svcgen, or of one of its commands
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Command
    #[arg(value_name = "COMMAND")]
    name: Option<String>,

    /// Writes the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let mut command = crate::command().disable_help_subcommand(true);
    command.build();
    match (&arguments.out, &arguments.name) {
        (Some(folder), _) => {
            let commands = std::iter::once(&command).chain(command.get_subcommands());
            files::write_all(folder, commands.cloned().map(page), console)
        }
        (None, None) => console.print(page(command).1),
        (None, Some(name)) => match command.find_subcommand(name) {
            Some(command) => console.print(page(command.clone()).1),
            None => console.error(format_args!("`{name}` is no command of svcgen")),
        },
    }
}

/// The name of a page's file, and the page.
fn page(command: Command) -> (String, String) {
    let extra = command.get_after_help().map(ToString::to_string);
    let (described, has_verbs) = (
        command.get_long_about().is_some(),
        command.has_subcommands(),
    );
    let page = Man::new(command);
    let mut text = Vec::new();
    let render = |text: &mut Vec<u8>| -> io::Result<()> {
        page.render_title(text)?;
        page.render_name_section(text)?;
        page.render_synopsis_section(text)?;
        if described {
            page.render_description_section(text)?;
        }
        page.render_options_section(text)?;
        if has_verbs {
            page.render_subcommands_section(text)?;
        }
        sections(&extra.unwrap_or_default()).to_writer(text)
    };
    render(&mut text).expect("memory can be written to");
    (
        page.get_filename(),
        String::from_utf8(text).expect("the help is UTF-8"),
    )
}

/// The paragraphs after the help as sections of their own, line by line as they stand there.
fn sections(help: &str) -> Roff {
    let mut page = Roff::new();
    for paragraph in help.split("\n\n") {
        let (heading, lines) = paragraph.split_once(":\n").unwrap_or(("Notes", paragraph));
        page.control("SH", [heading.to_uppercase().as_str()]);
        page.control("nf", []);
        for line in lines.lines() {
            page.text([roman(line)]);
        }
        page.control("fi", []);
    }
    page
}

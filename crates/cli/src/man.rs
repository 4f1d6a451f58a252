//! `svcgen man`.

use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::files;

/// Prints the manual page of svcgen, or of one of its commands
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen man | man -l -
  svcgen man generate | man -l -
  svcgen man --out ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Command [default: svcgen itself]
    #[arg(value_name = "COMMAND")]
    name: Option<String>,

    /// Writes the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let mut command = crate::command().disable_help_subcommand(true);
    command.build();
    Ok(match (&arguments.out, &arguments.name) {
        (Some(folder), _) => {
            let commands = std::iter::once(&command).chain(command.get_subcommands());
            files::write_all(folder, commands.cloned().map(page), console)
        }
        (None, None) => console.write(page(command).1),
        (None, Some(name)) => match command.find_subcommand(name) {
            Some(command) => console.write(page(command.clone()).1),
            None => return Err(format!("`{name}` is not a subcommand of svcgen").into()),
        },
    })
}

/// Returns the file name of a page, and its text.
fn page(command: Command) -> (String, String) {
    let notes = command.get_after_help().map(ToString::to_string);
    let page = Man::new(command.after_help(Resettable::Reset));
    let mut text = Vec::new();
    let notes = sections(&notes.unwrap_or_default());
    let rendered = page.render(&mut text);
    rendered
        .and_then(|()| notes.to_writer(&mut text))
        .expect("memory can be written to");
    let text = String::from_utf8(text).expect("the help is UTF-8");
    (page.get_filename(), text)
}

/// Writes the paragraphs after the help as sections, line by line.
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

//! What people and programs are told. Nothing else in the command prints.

use std::cell::Cell;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use svcgen_codegen::Diagnostics;

use crate::exit::Exit;
use crate::json;

/// How the command speaks, whatever the verb.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Manners {
    /// Whether messages are coloured: by default on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: When,

    /// How messages are written to standard error: for people, or as JSON, one object a line in the shape of rustc's
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    message_format: Format,

    /// Takes warnings for errors: definitions with warnings are refused
    #[arg(long, global = true)]
    deny_warnings: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// Says what is wrong with a call, as its arguments ask for; or the help that it asks for.
pub(crate) fn tell_usage(error: &clap::Error) -> ExitCode {
    match error.use_stderr() && wants_json(env::args_os().skip(1)) {
        true => tell(&format!("{}\n", json::usage(&error.to_string()))),
        // If nobody listens, there is nobody to tell.
        false => drop(error.print()),
    }
    match error.use_stderr() {
        true => Exit::Failed.into(),
        false => Exit::Done.into(),
    }
}

/// Whether arguments that are no call ask for messages in JSON.
fn wants_json(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut arguments = arguments.take_while(|argument| argument != "--");
    let mut wants = false;
    while let Some(argument) = arguments.next() {
        if argument == "--message-format" {
            wants = arguments.next().is_some_and(|format| format == "json");
        } else if let Some(format) = argument
            .to_str()
            .and_then(|text| text.strip_prefix("--message-format="))
        {
            wants = format == "json";
        }
    }
    wants
}

/// Standard output for results, standard error for what is wrong.
#[derive(Debug)]
pub(crate) struct Console {
    colours: bool,
    format: Format,
    deny_warnings: bool,
    /// The rule that was spoken of first.
    spoken_of: Cell<Option<&'static str>>,
}

impl Console {
    pub fn new(manners: &Manners) -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colours = match (manners.color, manners.message_format) {
            (When::Always, _) => true,
            (When::Never, _) | (When::Auto, Format::Json) => false,
            (When::Auto, Format::Human) => stderr().is_terminal() && !unwanted,
        };
        Self {
            colours,
            format: manners.message_format,
            deny_warnings: manners.deny_warnings,
            spoken_of: Cell::new(None),
        }
    }

    /// Reports diagnostics: [`Exit::Found`] if they keep a definition from being used.
    pub fn report(&self, diagnostics: &Diagnostics) -> Exit {
        for diagnostic in diagnostics.iter() {
            match self.format {
                Format::Human => tell(&format!("{}\n\n", diagnostic.render(self.colours))),
                Format::Json => tell(&format!("{}\n", json::line(diagnostic, self.colours))),
            }
            let first = self.spoken_of.get().unwrap_or(diagnostic.code());
            self.spoken_of.set(Some(first));
        }
        if diagnostics.has_errors() {
            return Exit::Found;
        }
        if diagnostics.is_empty() || !self.deny_warnings {
            return Exit::Done;
        }
        self.say_error("--deny-warnings takes the warnings above for errors");
        Exit::Found
    }

    /// Says where more is to be read, if there was something wrong.
    pub fn close(&self) {
        if let (Some(code), Format::Human) = (self.spoken_of.get(), self.format) {
            tell(&format!(
                "For more information about a message, try `svcgen explain {code}`.\n"
            ));
        }
    }

    /// Says why something could not be done, in one sentence.
    pub fn error(&self, message: impl Display) -> Exit {
        self.say_error(&message.to_string());
        Exit::Failed
    }

    fn say_error(&self, message: &str) {
        match self.format {
            Format::Human => tell(&format!("error: {message}\n")),
            Format::Json => tell(&format!("{}\n", json::error(message))),
        }
    }

    /// Writes a result to standard output.
    pub fn print(&self, text: impl AsRef<[u8]>) -> Exit {
        let mut stdout = stdout().lock();
        match stdout
            .write_all(text.as_ref())
            .and_then(|()| stdout.flush())
        {
            Ok(()) => Exit::Done,
            // A reader that has seen enough, such as `head`, is no failure.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
            Err(error) => self.error(format_args!("standard output cannot be written: {error}")),
        }
    }
}

/// Standard error is the last resort: if it is closed there is nobody to tell.
fn tell(text: &str) {
    let _: io::Result<()> = stderr().lock().write_all(text.as_bytes());
}

//! All output of the command.

use std::cell::Cell;
use std::env;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

use clap::{Args, ColorChoice, ValueEnum};
use svcgen_codegen::{Diagnostic, Diagnostics, Severity};
use svcgen_language::diagnostic::sanitize;

use crate::exit::{Exit, Failure};
use crate::json;

/// The arguments that every subcommand takes.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct GlobalArguments {
    /// Colours messages; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// Format of messages; `json` is one object per line, as rustc writes them
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    message_format: Format,

    /// Refuses definitions with warnings
    #[arg(long, global = true)]
    deny_warnings: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
    /// No messages are printed.
    #[value(skip)]
    Silent,
}

/// Prints a usage error in the format given by the arguments, or the help.
pub(crate) fn print_usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && wants_json() {
        eprint(&format!("{}\n", json::usage(&error.to_string())));
    } else {
        // If the output is closed, there is nowhere to report it.
        drop(error.print());
    }
    if error.use_stderr() {
        Exit::Failed.into()
    } else {
        Exit::Done.into()
    }
}

/// Whether the arguments, which clap could not parse, ask for messages in JSON.
fn wants_json() -> bool {
    let arguments = env::args_os().take_while(|argument| argument != "--");
    let arguments: Vec<_> = arguments.collect();
    let mut pairs = arguments.windows(2);
    arguments.iter().any(|one| one == "--message-format=json")
        || pairs.any(|pair| pair[0] == "--message-format" && pair[1] == "json")
}

/// Prints results to standard output, and diagnostics and errors to standard error.
#[derive(Debug)]
pub(crate) struct Console {
    colours: bool,
    format: Format,
    deny_warnings: bool,
    /// The severity and code of the first error, or else of the first warning.
    first: Cell<Option<(Severity, &'static str)>>,
}

impl Console {
    pub fn new(global: &GlobalArguments) -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colours = match (global.color, global.message_format) {
            (ColorChoice::Always, _) => true,
            (ColorChoice::Auto, Format::Human) => stderr().is_terminal() && !unwanted,
            _ => false,
        };
        Self {
            colours,
            format: global.message_format,
            deny_warnings: global.deny_warnings,
            first: Cell::new(None),
        }
    }

    /// Creates a console that prints no diagnostics and no errors.
    pub fn silent() -> Self {
        Self::new(&GlobalArguments {
            color: ColorChoice::Never,
            message_format: Format::Silent,
            deny_warnings: false,
        })
    }

    /// Prints diagnostics. Returns [`Exit::Found`] for errors and, with `--deny-warnings`, for
    /// warnings.
    pub fn report(&self, diagnostics: &Diagnostics) -> Exit {
        for diagnostic in diagnostics.iter() {
            match self.format {
                Format::Human => eprint(&format!("{}\n\n", diagnostic.render(self.colours))),
                Format::Json => eprint(&format!("{}\n", json::line(diagnostic, self.colours))),
                Format::Silent => {}
            }
            let severity = diagnostic.severity();
            let is_worse =
                |first: (Severity, _)| first.0 != severity && severity == Severity::Error;
            if self.first.get().is_none_or(is_worse) {
                self.first.set(Some((severity, diagnostic.code())));
            }
        }
        if let Some(note) = diagnostics.left_out() {
            self.message("note", &note, "\n\n");
        }
        if diagnostics.has_errors() {
            return Exit::Found;
        }
        // Notes are not warnings.
        let is_warning = |one: &Diagnostic| one.severity() == Severity::Warning;
        if !diagnostics.iter().any(is_warning) || !self.deny_warnings {
            return Exit::Done;
        }
        let _ = self.error("the warnings above are errors because of --deny-warnings");
        Exit::Found
    }

    /// Refers to `svcgen explain`, if diagnostics were printed.
    pub fn close(&self) {
        if let (Some((_, code)), Format::Human) = (self.first.get(), self.format) {
            eprint(&format!(
                "For more information about a message, try `svcgen explain {code}`.\n"
            ));
        }
    }

    /// Prints warnings, which with `--deny-warnings` end the command.
    pub fn warn(&self, warnings: &Diagnostics) -> Result<(), Failure> {
        match self.report(warnings) {
            Exit::Done => Ok(()),
            exit => Err(exit.into()),
        }
    }

    /// Returns the exit code of a result, and prints the reason of a failure.
    pub fn ended(&self, result: Result<Exit, Failure>) -> Exit {
        match result {
            Ok(exit) | Err(Failure::Printed(exit)) => exit,
            // Errors in an included file are printed once, and fail every definition that includes
            // it.
            Err(Failure::Wrong(diagnostics)) => self.report(&diagnostics).max(Exit::Found),
            Err(Failure::Mistakes(mistakes)) => {
                for mistake in mistakes {
                    let _ = self.error(mistake);
                }
                Exit::Found
            }
            Err(Failure::Failed(complaint)) => self.error(complaint),
        }
    }

    /// Prints an error of one sentence.
    pub fn error(&self, message: impl Display) -> Exit {
        self.message("error", &shown(&message.to_string()), "\n");
        Exit::Failed
    }

    /// Prints the reason why nothing is imported. With `--strict`, warnings are reason enough.
    pub fn refuse_import(&self, diagnostics: &Diagnostics) -> Exit {
        let exit = self.report(diagnostics);
        if !diagnostics.has_errors() {
            let _ = self.error(
                "nothing was imported: a definition cannot express all of it, and `--strict` refuses that",
            );
        }
        exit.max(Exit::Found)
    }

    /// Prints a note of one sentence.
    pub fn note(&self, message: impl Display) {
        self.message("note", &shown(&message.to_string()), "\n");
    }

    fn message(&self, level: &str, message: &str, end: &str) {
        match self.format {
            Format::Human => eprint(&format!("{level}: {message}{end}")),
            Format::Json => eprint(&format!("{}\n", json::plain(level, message))),
            Format::Silent => {}
        }
    }

    /// Writes a text that belongs to an error or a note to standard error.
    pub fn tell(&self, text: &str) {
        eprint(&shown(text));
    }

    /// Adds an ANSI style to a text for standard error, if messages are coloured.
    pub fn styled(&self, style: &str, text: &str) -> String {
        let text = shown(text);
        if self.colours && !text.is_empty() {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text
        }
    }

    /// Writes a text with [`styled`](Self::styled) parts to standard error.
    pub fn tell_styled(&self, text: &str) {
        eprint(text);
    }

    /// Prints a result to standard output, with a `?` for each character that could change the text
    /// around it on a terminal. If no character may be lost, the caller escapes values before.
    pub fn print(&self, text: impl AsRef<str>) -> Exit {
        let hides = |c: char| svcgen_model::is_hidden(c) || c == '\r';
        let text = text.as_ref().replace("\r\n", "\n");
        self.write(text.replace(hides, "?"))
    }

    /// Writes a document to standard output, byte for byte.
    pub fn write(&self, document: impl AsRef<[u8]>) -> Exit {
        let mut stdout = stdout().lock();
        let document = document.as_ref();
        match stdout.write_all(document).and_then(|()| stdout.flush()) {
            Ok(()) => Exit::Done,
            // A reader that stops early, such as `head`, is not an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
            Err(error) => self.error(format_args!("standard output cannot be written: {error}")),
        }
    }
}

/// Makes a text safe to show on a terminal: paths and values in it may contain characters that
/// would change the text around them.
pub(crate) fn shown(text: &str) -> String {
    let lines = text.split('\n').map(sanitize);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a received text on one line, a long one shortened to its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 400;
    let words: Vec<_> = text.split_whitespace().collect();
    let mut line = shown(&words.join(" "));
    if let Some((end, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Writes to standard error. Errors are ignored, as they could not be reported.
fn eprint(text: &str) {
    let _: io::Result<()> = stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn what_others_sent_is_one_bounded_line() {
        assert_eq!(excerpt("  one\r\n two\t"), "one two");
        assert_eq!(excerpt(""), "");
        assert_eq!(excerpt("\u{1b}[31m"), super::shown("\u{1b}[31m"));
        for (text, count) in [
            ("é".repeat(401), 401),
            ("<p>x</p>\n".repeat(600), 401),
            ("é".repeat(400), 400),
        ] {
            let line = excerpt(&text);
            assert_eq!((line.chars().count(), line.lines().count()), (count, 1));
            assert_eq!(line.ends_with('…'), count == 401);
        }
    }
}

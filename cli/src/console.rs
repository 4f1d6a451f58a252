//! What people and programs are told. Nothing else in the command prints.

use std::env;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write, stderr, stdout};

use svcgen_codegen::Diagnostics;

use crate::exit::Exit;

/// Standard output for results, standard error for what is wrong.
#[derive(Debug)]
pub(crate) struct Console {
    colours: bool,
}

impl Console {
    pub fn new() -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            colours: stderr().is_terminal() && !unwanted,
        }
    }

    /// Reports diagnostics: [`Exit::Found`] if there is an error among them.
    pub fn report(&self, diagnostics: &Diagnostics) -> Exit {
        for diagnostic in diagnostics.iter() {
            tell(&format!("{}\n\n", diagnostic.render(self.colours)));
        }
        match diagnostics.has_errors() {
            true => Exit::Found,
            false => Exit::Done,
        }
    }

    /// Says why something could not be done, in one sentence.
    pub fn error(&self, message: impl Display) -> Exit {
        tell(&format!("error: {message}\n"));
        Exit::Failed
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

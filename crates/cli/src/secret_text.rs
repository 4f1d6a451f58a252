//! Secrets as arguments: given directly, in the environment, in a file, or typed.

use std::env;
use std::io::{IsTerminal, stderr};
use std::str::FromStr;

use svcgen::Secret;

use crate::files::interrupted_after;
use crate::input::bounded;

/// The source of a secret: `env:NAME`, a variable; `file:PATH`, the first line of a file;
/// `prompt:`, typed on the terminal; any other text is the secret itself.
#[derive(Debug, Clone)]
pub(crate) enum SecretText {
    Given(Secret<String>),
    Variable(String),
    File(String),
    Prompt,
}

impl FromStr for SecretText {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once(':') {
            Some(("env", name)) => Self::Variable(name.to_owned()),
            Some(("file", path)) => Self::File(path.to_owned()),
            Some(("prompt", "")) => Self::Prompt,
            _ => Self::Given(text.to_owned().into()),
        })
    }
}

impl SecretText {
    /// Reads the secret; `what` names it in prompts and messages.
    ///
    /// # Errors
    ///
    /// Returns an error if it is missing, or there is no terminal to ask for it. No error quotes
    /// it.
    pub fn read(&self, what: &str) -> Result<Secret<String>, String> {
        match self {
            Self::Given(text) => Ok(text.clone()),
            Self::Variable(name) => match env::var(name) {
                Ok(text) => Ok(text.into()),
                Err(env::VarError::NotPresent) => Err(format!(
                    "{what} should be in the environment variable {name}, which is not set"
                )),
                Err(env::VarError::NotUnicode(_)) => {
                    Err(format!("{what} in the variable {name} is not UTF-8"))
                }
            },
            Self::File(path) => {
                let file = std::fs::File::open(path).and_then(bounded);
                let bytes = file.map_err(|error| {
                    format!("{what} should be in the file {path}, which cannot be read: {error}")
                })?;
                let text = String::from_utf8(bytes)
                    .map_err(|_| format!("{what} in the file {path} is not UTF-8"))?;
                let line = text.lines().next().unwrap_or_default();
                Ok(line.to_owned().into())
            }
            Self::Prompt => prompt(what),
        }
    }
}

/// Whether there is a terminal to ask on.
pub(crate) fn can_prompt() -> bool {
    stderr().is_terminal()
}

/// Asks for a secret on the terminal, without echo.
fn prompt(what: &str) -> Result<Secret<String>, String> {
    if !can_prompt() {
        return Err(format!(
            "there is no terminal to ask for {what} on: give it as `env:NAME` or `file:PATH`"
        ));
    }
    let typed = interrupted_after(|| rpassword::prompt_password(format!("{what}: ")));
    let typed = typed.map_err(|error| format!("{what} cannot be asked for: {error}"))?;
    Ok(typed.into())
}

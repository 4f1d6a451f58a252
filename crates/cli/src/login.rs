//! Logins by a name and a password.

use std::str::FromStr;

use svcgen::Secret;

use crate::secret_text::SecretText;

/// A name and a password.
#[derive(Debug, Clone)]
pub(crate) struct Login {
    name: String,
    password: SecretText,
}

impl FromStr for Login {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, password) = text.split_once(':').unwrap_or((text, "prompt:"));
        Ok(Self {
            name: name.to_owned(),
            password: password.parse()?,
        })
    }
}

impl Login {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the password. `option` is the name of the option in messages.
    ///
    /// # Errors
    ///
    /// Returns an error if it is missing, or there is no terminal to ask for it.
    pub fn password(&self, option: &str) -> Result<Secret<String>, String> {
        self.password
            .read(&format!("the password of {} ({option})", self.name))
    }
}

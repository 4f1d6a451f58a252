//! The command line that is being completed.

use std::env;
use std::ffi::{OsStr, OsString};

use super::bash;

/// The words of a command line, and the index of the word that is being completed.
pub(crate) struct Typed {
    words: Vec<OsString>,
    index: usize,
}

impl Typed {
    /// Reads the command line that the script of a shell passes on.
    pub fn now() -> Self {
        if let Some(words) = bash::words() {
            let index = words.len() - 1;
            return Self { words, index };
        }
        let words = env::args_os().skip_while(|word| word != "--").skip(1);
        let mut words: Vec<_> = words.collect();
        let index = env::var("_CLAP_COMPLETE_INDEX").ok();
        let index = index.and_then(|index| index.parse().ok());
        let index = index.unwrap_or(words.len().saturating_sub(1));
        // Shells leave out an empty last word.
        if index == words.len() && index > 0 {
            words.push(OsString::new());
        }
        Self { words, index }
    }

    /// Returns all words.
    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Returns the typed text of the word that is being completed.
    pub fn current(&self) -> &OsStr {
        self.words
            .get(self.index)
            .map_or(OsStr::new(""), |word| word)
    }

    /// Returns all words except the one that is being completed.
    pub fn others(mut self) -> Vec<OsString> {
        if self.index < self.words.len() {
            self.words.remove(self.index);
        }
        self.words
    }
}

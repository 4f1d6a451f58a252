//! Definitions that are wrong, each with what is said of it, in the files of
//! `definitions/invalid/`. Tests of other crates include this module.

use std::fs;
use std::path::{Path, PathBuf};

/// A definition that is wrong.
#[derive(Debug)]
pub struct Invalid {
    /// The name of its file, if it had one.
    pub name: String,
    /// The definition.
    pub text: String,
    /// What is said of it.
    pub said: String,
}

/// What stands for a character that would not be seen.
const SHOWN: [(char, char); 3] = [('\u{7}', '␇'), ('\r', '␍'), ('\u{FEFF}', '␂')];

/// The files of a folder.
///
/// # Panics
///
/// When the folder cannot be read.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    files.sort();
    files
}

/// The definitions of a file.
///
/// # Panics
///
/// When the file cannot be read, or is not in the format.
pub fn read(path: &Path) -> Vec<Invalid> {
    let file = fs::read_to_string(path).expect("a file");
    let cases = file.strip_prefix("==== ").expect("a name");
    let case = |case: &str| {
        let (name, case) = case.split_once('\n').expect("a definition");
        let (text, said) = case.split_once("---- said\n").expect("what is said");
        let hidden =
            |text: String, (hidden, shown): (char, char)| text.replace(shown, &hidden.to_string());
        Invalid {
            name: name.to_owned(),
            text: SHOWN.into_iter().fold(text.to_owned(), hidden),
            said: said.trim_end_matches('\n').to_owned(),
        }
    };
    cases.split("\n==== ").map(case).collect()
}

/// The file of these definitions.
pub fn file(cases: &[Invalid]) -> String {
    let case = |case: &Invalid| {
        let shown =
            |text: String, (hidden, shown): (char, char)| text.replace(hidden, &shown.to_string());
        let text = SHOWN.into_iter().fold(case.text.clone(), shown);
        format!("==== {}\n{text}---- said\n{}\n", case.name, case.said)
    };
    cases.iter().map(case).collect::<Vec<_>>().join("\n")
}

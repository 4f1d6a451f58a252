//! Invalid definitions with their diagnostics, in the files of `definitions/invalid/`. Tests of
//! other crates include this module.

use std::fs;
use std::path::{Path, PathBuf};

/// An invalid definition.
#[derive(Debug)]
pub struct Invalid {
    /// The name of the file that it would have.
    pub name: String,
    /// The definition.
    pub text: String,
    /// The text of its diagnostics.
    pub said: String,
}

/// Visible replacements of invisible characters.
const SHOWN: [(char, char); 3] = [('\u{7}', '␇'), ('\r', '␍'), ('\u{FEFF}', '␂')];

/// Returns the files of a folder.
///
/// # Panics
///
/// The folder cannot be read.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .collect();
    files.sort();
    files
}

/// Returns the definitions of a file.
///
/// # Panics
///
/// The file cannot be read, or is not in the format.
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

/// Returns the text of a file with these definitions.
pub fn file(cases: &[Invalid]) -> String {
    let case = |case: &Invalid| {
        let shown =
            |text: String, (hidden, shown): (char, char)| text.replace(hidden, &shown.to_string());
        let text = SHOWN.into_iter().fold(case.text.clone(), shown);
        format!("==== {}\n{text}---- said\n{}\n", case.name, case.said)
    };
    cases.iter().map(case).collect::<Vec<_>>().join("\n")
}

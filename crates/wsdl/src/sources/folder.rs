//! The files next to a document, which may be documents saved from elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use svcgen_language::diagnostic::Source;

use super::address;
use super::facts::Facts;

/// The files of a folder.
#[derive(Debug)]
pub(crate) struct Folder {
    files: Vec<String>,
    /// The files by their names in lower case.
    by_name: HashMap<String, String>,
    /// The files that documents were saved as, by address, according to directories.
    saved: HashMap<String, String>,
    /// The files that were read; `None` for one that is not a document.
    peeked: HashMap<String, Option<(Arc<Source>, Facts)>>,
}

impl Folder {
    pub fn new(files: &[String]) -> Self {
        let mut files: Vec<_> = files.iter().map(|file| address::normal(file)).collect();
        files.sort_unstable();
        let by_name = files.iter().map(|file| {
            let name = address::file_name(file).to_lowercase();
            (name, file.clone())
        });
        Self {
            by_name: by_name.collect(),
            files,
            saved: HashMap::new(),
            peeked: HashMap::new(),
        }
    }

    /// The files that list where documents were saved.
    pub fn directories(&self) -> Vec<String> {
        self.ending_in(&[".map", ".discomap", ".svcmap"])
    }

    /// The files that are documents, judging by their names.
    pub fn documents(&self) -> Vec<String> {
        self.ending_in(&[".wsdl", ".xsd"])
    }

    fn ending_in(&self, ends: &[&str]) -> Vec<String> {
        let is_one = |file: &&String| {
            let name = file.to_lowercase();
            ends.iter().any(|end| name.ends_with(end))
        };
        self.files.iter().filter(is_one).cloned().collect()
    }

    /// Adds the entries of a directory.
    pub fn add_saved(&mut self, directory: &str, saved: &[(String, String)]) {
        for (address, file) in saved {
            if let Some(file) = address::join(directory, file) {
                self.saved.insert(address::normal(address), file);
            }
        }
    }

    /// The file that a document was saved as.
    pub fn saved(&self, address: &str) -> Option<String> {
        self.saved.get(address).cloned()
    }

    /// The file with a name, ignoring case.
    pub fn named(&self, name: &str) -> Option<String> {
        self.by_name.get(&name.to_lowercase()).cloned()
    }

    /// Stores the result of reading a file.
    pub fn peek(&mut self, file: &str, found: Option<(Arc<Source>, Facts)>) {
        self.peeked.insert(file.to_owned(), found);
    }

    /// The text of a file that was read, or `None` in `Some` if it is not a document; `None` if the
    /// file was not read.
    pub fn peeked(&self, file: &str) -> Option<Option<Arc<Source>>> {
        let found = self.peeked.get(file)?;
        Some(found.as_ref().map(|(source, _)| Arc::clone(source)))
    }

    /// The facts about a file that was read.
    pub fn facts(&self, file: &str) -> Option<&Facts> {
        let found = self.peeked.get(file)?.as_ref();
        found.map(|(_, facts)| facts)
    }
}

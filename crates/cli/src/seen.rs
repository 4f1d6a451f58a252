//! Watches the files that output is made from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use svcgen_codegen::{options_file_of, read_file};

use crate::input::{Inputs, Source};

/// The polling interval. Polling works on network mounts, and with every way in which editors save.
const INTERVAL: Duration = Duration::from_millis(200);

/// The contents of files other than definitions, as [`contents`] returns them; `None` if a file
/// cannot be read.
pub(crate) type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Reads files, and remembers them.
#[derive(Default)]
pub(crate) struct FilesRead(RefCell<Files>);

impl FilesRead {
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let read = read_file(path);
        let bytes = read.as_ref().ok().cloned();
        self.0.borrow_mut().insert(path.to_owned(), bytes);
        read
    }

    pub fn into_files(self) -> Files {
        self.0.into_inner()
    }
}

/// Definitions, or the reasons why they cannot be read.
pub(crate) type Definitions = Vec<Result<Source, String>>;

/// Returns the bytes of a file; for a folder, the paths in it with lengths and times of
/// modification. `None` if it cannot be read.
pub(crate) fn contents(path: &Path) -> Option<Vec<u8>> {
    if !path.is_dir() {
        return read_file(path).ok();
    }
    let mut entries = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).ok()?.flatten() {
            // A file that is removed meanwhile is not part of it.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                let (length, changed) = (metadata.len(), metadata.modified().ok());
                entries.push(format!("{:?} {length} {changed:?}\n", entry.path()));
            }
        }
    }
    entries.sort();
    Some(entries.concat().into_bytes())
}

/// The state at one time of the files that output is made from.
#[derive(PartialEq)]
struct Snapshot {
    definitions: Definitions,
    others: Files,
    /// The options files of both.
    options: Files,
}

impl Snapshot {
    /// Reads all definitions, and the other files that were needed so far.
    fn look(inputs: &Inputs, others: &Files) -> Self {
        let definitions = inputs.look();
        let read = |path: &PathBuf| (path.clone(), contents(path));
        let others = others.keys().map(read).collect();
        Self {
            options: options(&definitions, &others),
            definitions,
            others,
        }
    }
}

/// Returns the options file of each definition, by the path of the definition; its absence is
/// recorded, too.
fn options(definitions: &Definitions, others: &Files) -> Files {
    let named = definitions.iter().flatten().filter_map(Source::path);
    let all = named.chain(others.keys().map(PathBuf::as_path));
    let read = |path: &Path| read_file(&options_file_of(path)?).ok();
    all.map(|path| (path.to_owned(), read(path))).collect()
}

/// Calls `make` with the definitions, and again whenever they, their options or the other files
/// that `make` returned have changed. `pause` waits, and returns whether to continue. The first
/// call comes after a pause in which nothing changed, or at once. Standard input never changes, and
/// is refused.
pub(crate) fn whenever_changed(
    inputs: &Inputs,
    at_once: bool,
    mut make: impl FnMut(&Definitions) -> Files,
    mut pause: impl FnMut(Duration) -> bool,
) -> Result<(), &'static str> {
    if inputs.has_stdin() {
        return Err("standard input cannot be watched; name files");
    }
    let mut others = Files::new();
    let mut before = at_once.then(|| Snapshot::look(inputs, &others));
    let mut done = None;
    loop {
        let mut now = Snapshot::look(inputs, &others);
        // Two equal reads in a row: no file is being written.
        if before.as_ref() == Some(&now) && done.as_ref() != Some(&now) {
            others = make(&now.definitions);
            // Later states are compared with the contents that `make` used, so that files that have
            // changed since count.
            let mut options = options(&now.definitions, &others);
            options.extend(now.options);
            now.options = options;
            now.others.clone_from(&others);
            done = Some(now);
        } else {
            before = Some(now);
        }
        if !pause(INTERVAL) {
            return Ok(());
        }
    }
}

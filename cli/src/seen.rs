//! The files that something is made from, and when they change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use svcgen_codegen::{options_file_of, read_file};

use crate::input::{Inputs, Source};

/// The polling interval. Polling works on network mounts, and with every way in which editors save.
const INTERVAL: Duration = Duration::from_millis(200);

/// The contents of files other than definitions; `None` if a file cannot be read.
pub(crate) type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Definitions, or the reasons that they cannot be read.
pub(crate) type Definitions = Vec<Result<Source, String>>;

/// The files that something is made from, at one time.
#[derive(PartialEq)]
struct Seen {
    definitions: Definitions,
    others: Files,
    /// The options files of both.
    options: Files,
}

impl Seen {
    /// Reads all definitions, and the other files that were needed so far.
    fn look(inputs: &Inputs, others: &Files) -> Self {
        let definitions = inputs.look();
        let read = |path: &PathBuf| (path.clone(), read_file(path).ok());
        let others = others.keys().map(read).collect();
        Self {
            options: options(&definitions, &others),
            definitions,
            others,
        }
    }
}

/// The options file of each definition, by the path of the definition; its absence is recorded, too.
fn options(definitions: &Definitions, others: &Files) -> Files {
    let named = definitions.iter().flatten().filter_map(Source::path);
    let all = named.chain(others.keys().map(PathBuf::as_path));
    let read = |path: &Path| read_file(&options_file_of(path)?).ok();
    all.map(|path| (path.to_owned(), read(path))).collect()
}

/// Calls `make` with the definitions, and again whenever they, their options or the other files change that it returned, with their contents. `pause` waits, and says whether to go on.
/// The first call comes after a pause in which nothing changed, or at once.
pub(crate) fn whenever_changed(
    inputs: &Inputs,
    at_once: bool,
    mut make: impl FnMut(&Definitions) -> Files,
    mut pause: impl FnMut(Duration) -> bool,
) {
    let mut others = Files::new();
    let mut before = at_once.then(|| Seen::look(inputs, &others));
    let mut done = None;
    loop {
        let mut now = Seen::look(inputs, &others);
        // Two equal reads in a row: no file is being written.
        if before.as_ref() == Some(&now) && done.as_ref() != Some(&now) {
            others = make(&now.definitions);
            // Compare with what was made of them: files that changed since then count again.
            let mut options = options(&now.definitions, &others);
            options.extend(now.options);
            now.options = options;
            now.others.clone_from(&others);
            done = Some(now);
        } else {
            before = Some(now);
        }
        if !pause(INTERVAL) {
            return;
        }
    }
}

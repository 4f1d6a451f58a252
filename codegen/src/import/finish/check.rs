//! Lowers definitions that are not on the disk.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::Config;
use crate::data_sets::data_sets;
use crate::driver::{Mode, read_and_lower};
use crate::file::File;
use crate::include::included;

/// The texts of files by their names.
pub(crate) type Texts = HashMap<String, Rc<str>>;

/// Reads and lowers a file, after those that it includes; it keeps all of its diagnostics.
pub(super) fn check(name: &str, texts: &Texts) -> Rc<File> {
    file(Path::new(name), texts, &mut Vec::new())
}

fn file(path: &Path, texts: &Texts, open: &mut Vec<PathBuf>) -> Rc<File> {
    let mut file_of = File::new(&path.to_string_lossy(), path);
    let mode = Mode {
        is_included: !open.is_empty(),
        recovers: false,
        keeps_all: true,
    };
    open.push(path.to_owned());
    let text_of = |path: &Path| path.to_str().and_then(|path| texts.get(path));
    let text = text_of(path).map_or("", |text| text);
    read_and_lower(
        &mut file_of,
        text,
        &Config::new(),
        &mode,
        |definition, _, sink| {
            let before = open.clone();
            let files = included(
                definition,
                &before,
                sink,
                |_| Ok(()),
                |path| {
                    let known = text_of(path).map(|_| file(path, texts, open));
                    known.ok_or_else(|| "there is no such file".to_owned())
                },
            );
            let load = |path: &Path| {
                let text = text_of(path).map(|text| text.as_bytes().to_vec());
                text.ok_or_else(|| io::ErrorKind::NotFound.into())
            };
            (
                files,
                data_sets(definition, Path::new(""), sink, |_| Ok(()), load),
            )
        },
    );
    open.pop();
    Rc::new(file_of)
}

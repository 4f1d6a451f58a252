//! The Rust files of the product, without their tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of Rust.
pub(crate) struct Source {
    /// Its path in the repository.
    pub(crate) file: String,
    /// Its lines of code, without comments, blank lines and tests.
    pub(crate) code: Vec<String>,
}

impl Source {
    pub(crate) fn text(&self) -> String {
        self.code.join("\n")
    }
}

/// Returns the folders of the crates: `codegen`, and those in `crates`.
pub(crate) fn crates() -> Vec<String> {
    let mut folders: Vec<_> = fs::read_dir(repository().join("crates"))
        .unwrap()
        .map(|entry| format!("crates/{}", entry.unwrap().file_name().display()))
        .collect();
    folders.push("codegen".to_owned());
    folders.sort();
    folders
}

/// Returns the texts of the Rust files at a path, which is a file or a folder.
pub(crate) fn texts(path: &str) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    let mut open = vec![repository().join(path)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            open.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.insert(
                path.strip_prefix(repository()).unwrap().to_owned(),
                fs::read_to_string(&path).unwrap(),
            );
        }
    }
    assert!(!texts.is_empty(), "there is nothing at {path}");
    texts
}

/// Returns the Rust files at a path, which is a file or a folder, without those that are only
/// compiled for tests.
pub(crate) fn sources(path: &str) -> Vec<Source> {
    let texts = texts(path);
    let of_tests: Vec<_> = texts
        .iter()
        .flat_map(|(file, text)| {
            let modules = test_modules(text).into_iter();
            modules.map(|module| folder_of(file).join(module))
        })
        .collect();
    texts
        .iter()
        .filter(|(file, _)| {
            let module = file.with_extension("");
            !of_tests.iter().any(|tests| module.starts_with(tests))
        })
        .map(|(file, text)| Source {
            file: file.display().to_string(),
            code: code(text),
        })
        .collect()
}

/// Returns the folder of a file's modules.
fn folder_of(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap();
    if ["lib", "main", "mod"].iter().any(|root| name == *root) {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    }
}

/// Returns the modules in separate files that are declared for tests.
fn test_modules(text: &str) -> Vec<&str> {
    let mut modules = Vec::new();
    let mut is_of_tests = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[cfg(") {
            is_of_tests |= is_test_cfg(line);
        } else if let Some((_, name)) = line.split_once("mod ")
            && let Some(name) = name.strip_suffix(';')
            && is_of_tests
        {
            modules.push(name);
            is_of_tests = false;
        } else if !line.starts_with("#[") {
            is_of_tests = false;
        }
    }
    modules
}

fn is_test_cfg(line: &str) -> bool {
    line.starts_with("#[cfg(test") || line.starts_with("#[cfg(all(test")
}

/// Returns the lines of code, without items that are only for tests. As rustfmt formats the files,
/// an item ends at a line with its own indentation.
fn code(text: &str) -> Vec<String> {
    let mut code = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        if is_test_cfg(line.trim_start()) {
            if lines.next().is_some_and(|line| line.ends_with(';')) {
                continue;
            }
            for line in lines.by_ref() {
                let ends_here = line.len() - line.trim_start().len() == indent;
                if ends_here && ["}", "};"].contains(&line.trim_start()) {
                    break;
                }
            }
        } else if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            code.push(line.to_owned());
        }
    }
    code
}

//! The checks of the fuzz targets with their seeds and with everything that they ever found: the
//! name of each file in `fuzz/finds/<target>/` describes the finding.

use std::fs;
use std::path::Path;

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

fn check(target: &str, check: impl Fn(&[u8])) {
    let mut checked = 0;
    for folder in ["seeds", "finds"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fuzz")
            .join(folder)
            .join(target);
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a file").path();
            // This is shown when the check fails.
            println!("{}", path.display());
            check(&fs::read(&path).expect("a readable file"));
            checked += 1;
        }
    }
    assert!(checked > 0, "no seeds for {target}");
}

#[test]
fn bindings() {
    check("bindings", fuzz::bindings::check);
}

#[test]
fn forms() {
    check("forms", fuzz::forms::check);
}

#[test]
fn json() {
    check("json", fuzz::json::check);
}

#[test]
fn multipart() {
    check("multipart", fuzz::multipart::check);
}

#[test]
fn fast_path() {
    check("fast_path", fuzz::fast_path::check);
}

#[test]
fn verdicts() {
    check("verdicts", fuzz::verdicts::check);
}

#[test]
fn round_trips() {
    check("round_trip", fuzz::round_trip::check);
}

#[test]
fn signatures() {
    check("signatures", fuzz::signatures::check);
}

/// The digests of `tests/fuzz/differ` only depend on the code.
#[test]
fn digests() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let folders = ["bindings", "fast_path"].map(|name| seeds.join(name));
    let mutator =
        fuzz::digest::Mutator::of_folders(&folders.each_ref().map(|folder| folder.as_path()));
    let digests = || (0..200).map(|number| fuzz::digest::digest(&mutator.document(number)));
    let first: Vec<_> = digests().collect();
    assert!(digests().eq(first.iter().copied()));
    let different: std::collections::HashSet<_> = first.iter().collect();
    assert!(different.len() > 100, "{}", different.len());
}

#[test]
fn definitions() {
    check("definitions", fuzz::definitions::check);
}

#[test]
fn imports() {
    check("import", fuzz::import::check);
}

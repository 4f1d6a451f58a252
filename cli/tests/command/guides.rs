//! Pages of the book can be followed word for word, with a local server in the place of the host, and so can the README.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use follow::{Addresses, cargo_in_crate, file, follow, repository};

use crate::sessions::shell;

mod follow;
mod original;

pub use follow::cargo_run;
pub use original::original;

const HOST: &str = "https://shop.example.com";

/// Whether the programs that pages call are here.
fn has(programs: &[&str]) -> bool {
    let missing = |program: &&&str| Command::new(program).arg("--version").output().is_err();
    let missing = programs.iter().find(missing);
    if let Some(missing) = missing {
        eprintln!("skipped: there is no {missing} here");
    }
    missing.is_none()
}

/// What somebody writes into the definition.
const BY_HAND: &str = "  # Who ordered is in the token.\n  Order:\n    rust: Purchase\n";

fn edit(definition: &Path) {
    let text = fs::read_to_string(definition).unwrap();
    let edited = text.replacen("  Order:\n", BY_HAND, 1);
    assert_ne!(text, edited);
    fs::write(definition, edited).unwrap();
}

#[test]
fn a_service_is_replaced_as_the_guide_says() {
    if !has(&["curl"]) {
        return;
    }
    let is_newer = Arc::new(AtomicBool::new(false));
    let original = original::changing(Arc::clone(&is_newer));
    let home = tempfile::tempdir().unwrap();
    let addresses = Addresses::of_host(HOST, original);
    let (folder, commands) = follow("replace.md", home.path(), addresses, |command, folder| {
        if command.contains("--update") && !is_newer.swap(true, Ordering::Relaxed) {
            edit(&folder.join("service-defs/orders.yaml"));
        }
    });
    assert_eq!(commands, 29);
    let definition = fs::read_to_string(folder.join("service-defs/orders.yaml")).unwrap();
    assert!(definition.contains(BY_HAND), "{definition}");
}

#[test]
fn the_quick_start_goes_as_it_says() {
    if !has(&["curl"]) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let (_, commands) = follow("quick-start.md", home.path(), Addresses::none(), |_, _| {});
    assert_eq!(commands, 6);
}

#[test]
fn a_service_is_called_as_the_guide_says() {
    let home = tempfile::tempdir().unwrap();
    let addresses = Addresses::of_host(HOST, original());
    let (_, commands) = follow("call.md", home.path(), addresses, |_, _| {});
    assert_eq!(commands, 3);
}

#[cfg(unix)]
#[test]
fn the_program_for_production_runs_as_the_guide_says() {
    if !has(&["curl", "openssl"]) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let (_, commands) = follow("production.md", home.path(), Addresses::none(), |_, _| {});
    assert_eq!(commands, 6);
}

#[test]
fn the_example_of_the_readme_compiles() {
    let home = tempfile::tempdir().unwrap();
    let new = format!("svcgen new --path '{}' greeter", repository().display());
    let (code, said) = shell(home.path(), 0, &new);
    assert_eq!(code, 0, "{said}");
    let folder = home.path().join("greeter");
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let files: Vec<_> = readme
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(file)
        .collect();
    assert_eq!(files.len(), 3, "{files:?}");
    for (path, text) in files {
        fs::write(folder.join(path), text).unwrap();
    }
    let compiled = cargo_in_crate(&folder, &["check"]).output().unwrap();
    let said = String::from_utf8(compiled.stderr).unwrap();
    assert!(compiled.status.success() && said.is_empty(), "{said}");
}

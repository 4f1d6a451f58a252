//! Throw-away crates for rustc.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The features of the runtime that emitted code needs.
pub(crate) const RUNTIME: &[&str] = &[
    "data-sets",
    "decimal",
    "guid",
    "json",
    "sessions",
    "time",
    "time-zones",
];

/// A library crate.
pub(crate) struct Crate<'c> {
    /// The name of the package.
    pub(crate) name: &'c str,
    /// The edition of Rust.
    pub(crate) edition: &'c str,
    /// The features of the runtime that it depends on.
    pub(crate) runtime: &'c [&'c str],
    /// Its dependencies besides the runtime.
    pub(crate) beside: &'c [&'c str],
    /// The files in the package's folder with their texts; one of them is `src/lib.rs`.
    pub(crate) files: Vec<(&'c str, String)>,
}

/// Runs a subcommand of Cargo with options on a workspace of these crates.
///
/// They are compiled into the target folder of this workspace, so that their dependencies are
/// compiled once for all of them, and those of the derive macro are reused.
pub(crate) fn cargo(subcommand: &str, workspace: &str, crates: &[Crate<'_>]) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(workspace);
    for one in crates {
        let package = folder.join(one.name);
        write(&package.join("Cargo.toml"), &manifest(one));
        for (path, text) in &one.files {
            write(&package.join(path), text);
        }
    }
    let members: Vec<_> = crates.iter().map(|one| one.name).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[profile.dev]\ndebug = false\n"
    );
    write(&folder.join("Cargo.toml"), &manifest);
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(subcommand.split(' '))
        .args(["--offline", "--quiet", "--workspace"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("RUSTFLAGS")
        .env_remove("OUT_DIR")
        .output()
        .unwrap()
}

fn manifest(one: &Crate<'_>) -> String {
    let runtime = repository().join("crates/svcgen").canonicalize().unwrap();
    let testing = repository().join("crates/testing").canonicalize().unwrap();
    let mut manifest = format!(
        "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = {:?}\n\n[dependencies]\n\
         svcgen = {{ path = {runtime:?}, default-features = false, features = {:?} }}\n",
        one.name, one.edition, one.runtime
    );
    for package in one.beside {
        manifest += &format!("{package} = {{ path = \"../{package}\" }}\n");
    }
    manifest += &format!(
        "\n[dev-dependencies]\n\
         svcgen = {{ path = {runtime:?}, default-features = false }}\n\
         svcgen-testing = {{ path = {testing:?} }}\n"
    );
    manifest
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

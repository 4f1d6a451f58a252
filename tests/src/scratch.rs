//! Throw-away crates for rustc to judge.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A library crate that depends on svcgen.
#[derive(Debug)]
pub struct Crate<'c> {
    /// The name of the package.
    pub name: &'c str,
    /// The edition of Rust.
    pub edition: &'c str,
    /// Files beneath the package's folder with their texts; `src/lib.rs` is one of them.
    pub files: Vec<(&'c str, String)>,
}

/// Checks crates as a workspace in a folder, which keeps what is compiled for the next time.
pub fn check(folder: &Path, crates: &[Crate<'_>]) -> Output {
    for one in crates {
        let package = folder.join(one.name);
        write(&package.join("Cargo.toml"), &manifest(one));
        for (path, text) in &one.files {
            write(&package.join(path), text);
        }
    }
    let members: Vec<_> = crates.iter().map(|one| format!("{:?}", one.name)).collect();
    let members = members.join(", ");
    let workspace = format!("[workspace]\nresolver = \"2\"\nmembers = [{members}]\n");
    write(&folder.join("Cargo.toml"), &workspace);
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--offline", "--quiet", "--workspace"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .env_remove("OUT_DIR")
        .output()
        .unwrap()
}

fn manifest(one: &Crate<'_>) -> String {
    let runtime = repository().join("runtime").canonicalize().unwrap();
    format!(
        "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = {:?}\n\n[dependencies]\n\
         svcgen = {{ path = {runtime:?}, default-features = false, features = [\"derive\", \"client\", \"decimal\", \"guid\", \"time\"] }}\n",
        one.name, one.edition
    )
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

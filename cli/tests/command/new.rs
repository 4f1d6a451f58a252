//! `svcgen new`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{svcgen, svcgen_in};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// Runs Cargo in a crate that takes svcgen from this workspace, and everything else as this workspace does.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_BIN_EXE_svcgen"))
        .parent()
        .unwrap()
        .join("new-crates");
    Command::new(cargo)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap()
}

#[test]
fn the_crate_builds_and_its_test_passes_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let made = svcgen_in(folder.path(), &[&"new", &"weather-station"], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let folder = folder.path().join("weather-station");
    let workspace = workspace();
    let manifest = folder.join("Cargo.toml");
    let patched = format!(
        "{}\n[patch.crates-io]\nsvcgen = {{ path = {:?} }}\nsvcgen-codegen = {{ path = {:?} }}\n",
        fs::read_to_string(&manifest).unwrap(),
        workspace.join("runtime"),
        workspace.join("codegen"),
    );
    fs::write(&manifest, patched).unwrap();
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

    let formatted = cargo(&folder, &["fmt", "--check"]);
    assert!(
        formatted.status.success(),
        "{}",
        String::from_utf8_lossy(&formatted.stdout)
    );
    let tested = cargo(&folder, &["test", "--offline"]);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&tested.stdout),
        String::from_utf8_lossy(&tested.stderr),
    );
    assert!(tested.status.success(), "{stdout}\n{stderr}");
    assert!(
        stdout.contains("test tests::callers_are_greeted ... ok"),
        "{stdout}"
    );
    assert!(!stderr.contains("warning"), "{stderr}");
}

#[test]
fn the_definition_is_laid_out_and_keeps_to_the_schema_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        svcgen_in(folder.path(), &[&"new", &"Shop", &"--path", &"a/b"], b"").code,
        Some(0)
    );
    let definitions = folder.path().join("a/b/service-defs");
    let definition = definitions.join("shop.yaml");
    assert_eq!(
        svcgen(&[&"check", &"--deny-warnings", &definition]).code,
        Some(0)
    );
    let laid_out = svcgen(&[&"fmt", &"--check", &definition]);
    assert_eq!(laid_out.code, Some(0), "{}", laid_out.stdout);
    let schema = svcgen(&[
        &"schema",
        &"--check",
        &"--out",
        &definitions.join("svcgen.schema.json"),
    ]);
    assert_eq!(schema.code, Some(0));
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    let new = |path: &str| svcgen_in(folder.path(), &[&"new", &"shop", &"--path", &path], b"");
    assert_eq!(new("empty").code, Some(0));
    let again = new("empty");
    assert_eq!(again.code, Some(2));
    assert_eq!(
        again.stderr,
        "error: empty is not empty; nothing is overwritten\n"
    );
    let file = new("file");
    assert_eq!(file.code, Some(2));
    assert!(
        file.stderr.contains("file cannot be written to: "),
        "{file:?}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).unwrap(),
        "mine"
    );
}

#[test]
fn names_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "", "1st", "-x", "a b", "café", "../up", "match", "test", "svcgen", "a/b", "gen", "env",
        "io", "Tests",
    ] {
        let made = svcgen_in(folder.path(), &[&"new", &"--", &name], b"");
        assert_eq!(made.code, Some(2), "{name}: {made:?}");
        assert!(made.stderr.contains("error: "), "{name}: {made:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

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

/// Runs Cargo in a crate that takes svcgen from this workspace, and everything else as this workspace does: in the same target folder, what is
/// compiled for both alike is compiled once.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    Command::new(cargo)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_crate_builds_and_its_test_passes_without_a_warning() {
    let (alone, member) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = member.path().join("Cargo.toml");
    let shared = "[workspace]\nresolver = \"3\"\n\n[workspace.package]\nedition = \"2021\"\n\n[workspace.lints.rust]\nunused = \"warn\"\n";
    fs::write(&root, shared).unwrap();
    for (around, joins) in [(&alone, false), (&member, true)] {
        let made = svcgen_in(
            around.path(),
            &[&"new", &"weather-station", &"--path", &workspace()],
            b"",
        );
        assert_eq!(made.code, Some(0), "{made:?}");
        assert_eq!(made.stdout.contains("joined the workspace of "), joins);
        let folder = around.path().join("weather-station");
        let lock = if joins { around.path() } else { &folder };
        fs::copy(workspace().join("Cargo.lock"), lock.join("Cargo.lock")).unwrap();
        let formatted = cargo(&folder, &["fmt", "--check"]);
        assert!(formatted.status.success(), "{}", text(&formatted.stdout));
        let tested = cargo(&folder, &["test", "--offline"]);
        let (stdout, stderr) = (text(&tested.stdout), text(&tested.stderr));
        assert!(tested.status.success(), "{stdout}\n{stderr}");
        assert!(
            stdout.contains("test tests::callers_are_greeted ... ok"),
            "{stdout}"
        );
        assert!(!stderr.contains("warning"), "{stderr}");
    }
    let root = fs::read_to_string(root).unwrap();
    assert!(root.contains("\"weather-station\""), "{root}");
}

#[test]
fn a_checkout_that_is_none_and_a_workspace_that_cannot_be_joined_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let call = [&"new" as &dyn AsRef<_>, &"shop", &"--path", &"elsewhere"];
    let made = svcgen_in(folder.path(), &call, b"");
    assert_eq!(made.code, Some(2));
    assert!(
        made.stderr
            .starts_with("error: elsewhere is no checkout of svcgen: elsewhere/runtime: "),
        "{made:?}"
    );
    let root = folder.path().join("Cargo.toml");
    fs::write(root, "[workspace\n").unwrap();
    let made = svcgen_in(folder.path(), &[&"new", &"shop"], b"");
    assert_eq!(made.code, Some(2));
    assert!(made.stderr.contains("unclosed table"), "{made:?}");
}

#[test]
fn the_definition_is_laid_out_and_keeps_to_the_schema_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        svcgen_in(folder.path(), &[&"new", &"Shop", &"--out", &"a/b"], b"").code,
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
    let new = |path: &str| svcgen_in(folder.path(), &[&"new", &"shop", &"--out", &path], b"");
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
        file.stderr.contains("failed to create directory"),
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

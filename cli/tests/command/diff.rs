//! `svcgen diff`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Ended, RIGHT, WRONG, command, svcgen, svcgen_in};

const OLD: &str = "\
service: Shop
namespace: urn:example:shop
path: /Shop.asmx
operations:
  Find: { parameters: { name: string? }, result: Item }
  Count: { result: int }
types:
  Item: { elements: { Title: string } }
";

const NEW: &str = "\
service: Shop
namespace: urn:example:shop
path: /Shop.asmx
operations:
  Find: { parameters: { name: string?, count: int }, result: Item }
  Count: { doc: How many there are., result: int }
types:
  Item: { elements: { Title: string, Price: decimal? } }
";

/// A folder that holds both definitions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.yaml"), OLD).unwrap();
    fs::write(folder.path().join("new.yaml"), NEW).unwrap();
    folder
}

fn diff(folder: &Path, arguments: &[&str]) -> Ended {
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"diff"];
    all.extend(
        arguments
            .iter()
            .map(|argument| argument as &dyn AsRef<std::ffi::OsStr>),
    );
    svcgen_in(folder, &all, b"")
}

#[test]
fn changes_are_told_with_places_and_reasons() {
    let folder = folder();
    let told = diff(folder.path(), &["old.yaml", "new.yaml"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{told:?}");
    assert_eq!(told.stdout, include_str!("diff.txt"));
}

#[test]
fn programs_get_one_json_object() {
    let folder = folder();
    let told = diff(folder.path(), &["old.yaml", "new.yaml", "--format", "json"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{told:?}");
    assert_eq!(told.stdout, include_str!("diff.json"));
}

#[test]
fn the_classes_that_fail_are_chosen() {
    let folder = folder();
    let same = diff(folder.path(), &["old.yaml", "old.yaml", "--fail-on", "any"]);
    assert_eq!(
        (same.code, same.stdout.as_str()),
        (Some(0), "old.yaml -> old.yaml\n\nno changes\n")
    );
    let documented = OLD.replace("Count: {", "Count: { doc: How many.,");
    fs::write(folder.path().join("documented.yaml"), documented).unwrap();
    let added = OLD.replace("types:", "  Ping:\ntypes:");
    fs::write(folder.path().join("added.yaml"), added).unwrap();
    for (new, fail_on, code) in [
        ("new.yaml", "wire", 1),
        ("new.yaml", "depends", 1),
        ("new.yaml", "source", 1),
        ("new.yaml", "none", 0),
        ("documented.yaml", "wire,depends,source,rollout", 0),
        ("documented.yaml", "any", 1),
        ("added.yaml", "wire", 0),
        ("added.yaml", "wire,source", 1),
        ("added.yaml", "rollout", 1),
    ] {
        let told = diff(folder.path(), &["old.yaml", new, "--fail-on", fail_on]);
        assert_eq!(told.code, Some(code), "{new} --fail-on {fail_on}");
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = folder();
    fs::write(folder.path().join("wrong.yaml"), WRONG).unwrap();
    fs::write(folder.path().join("right.yaml"), RIGHT).unwrap();
    let wrong = diff(folder.path(), &["right.yaml", "wrong.yaml"]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stderr.contains("wrong.yaml:4:28"), "{wrong:?}");
    for (arguments, says) in [
        (
            &["old.yaml", "none.yaml"] as &[&str],
            "there is no file none.yaml",
        ),
        (&["old.yaml"], "<NEW>"),
        (
            &["old.yaml", "new.yaml", "--against", "git:main"],
            "cannot be used with",
        ),
        (
            &["old.yaml", "--against", "main"],
            "write it like `git:main`",
        ),
        (
            &["old.yaml", "new.yaml", "--fail-on", "wires"],
            "invalid value 'wires'",
        ),
        (
            &["old.yaml", "--against", "git:main"],
            "is in no working tree of git",
        ),
        (
            &["none.yaml", "--against", "git:main"],
            "there is no file none.yaml",
        ),
    ] {
        let told = diff(folder.path(), arguments);
        assert_eq!(told.code, Some(2), "{told:?}");
        assert!(told.stderr.contains(says), "{says}: {told:?}");
        assert_eq!(told.stdout, "");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    let identity = [
        "-c",
        "user.name=n",
        "-c",
        "user.email=e@example.com",
        "-c",
        "commit.gpgsign=false",
    ];
    git.current_dir(folder).args(identity).args(arguments);
    let output = git.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// A repository whose first commit, `v1`, has the old definition, and whose working tree has the new one.
fn repository() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let defs = root.path().join("service defs");
    fs::create_dir_all(&defs).unwrap();
    fs::create_dir_all(root.path().join("elsewhere")).unwrap();
    fs::write(defs.join("shop.yaml"), OLD).unwrap();
    git(root.path(), &["init", "--quiet"]);
    git(root.path(), &["add", "--all"]);
    git(root.path(), &["commit", "--quiet", "--message", "first"]);
    git(root.path(), &["tag", "v1"]);
    fs::write(defs.join("shop.yaml"), NEW).unwrap();
    fs::write(defs.join("new.yaml"), NEW).unwrap();
    root
}

#[test]
fn a_file_is_compared_with_itself_at_a_revision_from_anywhere() {
    let root = repository();
    for (from, file) in [
        ("", "service defs/shop.yaml"),
        ("service defs", "shop.yaml"),
        ("elsewhere", "../service defs/shop.yaml"),
    ] {
        for revision in ["git:v1", "git:HEAD"] {
            let told = diff(&root.path().join(from), &[file, "--against", revision]);
            assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{told:?}");
            let name = format!("{}:service defs/shop.yaml", &revision[4..]);
            assert!(
                told.stdout.starts_with(&format!("{name} -> {file}\n")),
                "{told:?}"
            );
            assert!(
                told.stdout.contains(&format!("old {name}:8:3"))
                    || told.stdout.contains("[parameter-added]")
            );
        }
    }
    let outside = std::env::temp_dir();
    let file = root.path().join("service defs/shop.yaml");
    let told = diff(&outside, &[file.to_str().unwrap(), "--against", "git:v1"]);
    assert_eq!(told.code, Some(1), "{told:?}");
}

#[test]
fn revisions_and_files_that_are_not_there_are_named() {
    let root = repository();
    let defs = root.path().join("service defs");
    for (file, revision, says) in [
        ("shop.yaml", "git:v9", "git knows no revision `v9` here"),
        (
            "shop.yaml",
            "git:--help",
            "git knows no revision `--help` here",
        ),
        (
            "new.yaml",
            "git:v1",
            "there is no service defs/new.yaml in `v1`",
        ),
    ] {
        let told = diff(&defs, &[file, "--against", revision]);
        assert_eq!(told.code, Some(2), "{told:?}");
        assert!(told.stderr.contains(says), "{told:?}");
    }
    let mut without_git = command(&[&"diff", &"shop.yaml", &"--against", &"git:v1"]);
    let told: Ended = without_git
        .current_dir(&defs)
        .env("PATH", "")
        .output()
        .unwrap()
        .into();
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("--against needs git"), "{told:?}");
}

#[test]
fn every_code_is_documented() {
    let readme = include_str!("../../README.md");
    let section = readme.split("## svcgen diff").nth(1).unwrap();
    let help = svcgen(&[&"diff", &"--help"]).stdout;
    for class in ["wire", "depends", "source", "rollout", "any", "none"] {
        assert!(help.contains(&format!("- {class}:")), "{help}");
        assert!(section.contains(&format!("| `{class}` |")), "{class}");
    }
}

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

/// Creates a folder with both definitions.
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
        (&["-", "-"], "standard input is one definition"),
        (
            &["old.yaml"],
            "name two definitions, or a revision of git to compare with: svcgen diff old.yaml --against HEAD",
        ),
        (&[], "svcgen diff FILE --against HEAD"),
        (
            &["old.yaml", "new.yaml", "old.yaml"],
            "name two definitions",
        ),
        (
            &["--against", "HEAD"],
            "name what to compare with `HEAD`: svcgen diff --against HEAD FILE...",
        ),
        (
            &["main", "new.yaml"],
            "there is no file main; a revision of git is named like this: svcgen diff new.yaml --against main",
        ),
        (
            &["new.yaml", "v1.2.0"],
            "svcgen diff new.yaml --against v1.2.0",
        ),
        (&["old.yaml", "--against", "git:"], "name a revision of git"),
        (
            &["old.yaml", "new.yaml", "--fail-on", "wires"],
            "invalid value 'wires'",
        ),
        (
            &["old.yaml", "--against", "main"],
            "is not in a working tree of git",
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

#[test]
fn what_is_wrong_with_a_file_that_both_sides_include_is_said_once() {
    let folder = folder();
    let including = |text: &str| text.replace("operations:", "include: [common.yaml]\noperations:");
    fs::write(folder.path().join("old.yaml"), including(OLD)).unwrap();
    fs::write(folder.path().join("new.yaml"), including(NEW)).unwrap();
    let common = "types: { Kind: { elements: { Name: strin } } }\n";
    fs::write(folder.path().join("common.yaml"), common).unwrap();
    let told = diff(folder.path(), &["old.yaml", "new.yaml"]);
    assert_eq!(told.code, Some(1));
    assert_eq!(
        told.stderr.matches("unknown type `strin`").count(),
        1,
        "{told:?}"
    );
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

/// Creates a repository whose first commit, `v1`, has the old definition, and whose working tree
/// has the new one.
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
        for revision in ["git:v1", "HEAD"] {
            let told = diff(&root.path().join(from), &[file, "--against", revision]);
            assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{told:?}");
            let revision = revision.trim_start_matches("git:");
            let name = format!("{revision}:service defs/shop.yaml");
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
fn several_files_are_compared_with_a_revision() {
    let root = repository();
    let defs = root.path().join("service defs");
    fs::write(defs.join("new.yaml"), NEW.replace("Count", "Amount")).unwrap();
    git(root.path(), &["add", "--all"]);
    git(root.path(), &["commit", "--quiet", "--message", "second"]);
    let told = diff(&defs, &["--against", "HEAD", "shop.yaml", "new.yaml"]);
    let said = "HEAD:service defs/shop.yaml -> shop.yaml\n\nno changes\nHEAD:service defs/new.yaml -> new.yaml\n\nno changes\n";
    assert_eq!(
        (told.code, told.stdout.as_str()),
        (Some(0), said),
        "{told:?}"
    );
    fs::write(defs.join("shop.yaml"), OLD).unwrap();
    let told = diff(&defs, &["--against", "HEAD", "shop.yaml", "new.yaml"]);
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

const INCLUDING: &str = "\
service: Shop
namespace: urn:example:shop
path: /Shop.asmx
include: [../types/item.yaml]
operations:
  Find: { result: Item }
";
const ITEM: &str = "\
include: [kind.yaml]
types:
  Item: { elements: { Title: string, Kind: Kind } }
";
const KIND: &str = "enums: { Kind: [Book] }\n";

/// Creates a repository whose first commit, `v1`, has a definition that includes files, which are
/// different in the working tree.
fn including() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (folder, file, text) in [
        ("defs", "shop.yaml", INCLUDING),
        ("types", "item.yaml", ITEM),
        ("types", "kind.yaml", KIND),
        ("", "Cargo.toml", ""),
    ] {
        fs::create_dir_all(root.path().join(folder)).unwrap();
        fs::write(root.path().join(folder).join(file), text).unwrap();
    }
    git(root.path(), &["init", "--quiet"]);
    git(root.path(), &["add", "--all"]);
    git(root.path(), &["commit", "--quiet", "--message", "first"]);
    git(root.path(), &["tag", "v1"]);
    let changed = [
        ("item.yaml", ITEM.replace("string", "token")),
        ("kind.yaml", KIND.replace("Book", "Book, Map")),
    ];
    for (file, text) in changed {
        fs::write(root.path().join("types").join(file), text).unwrap();
    }
    root
}

#[test]
fn what_is_included_is_compared_as_it_is_at_the_revision() {
    let root = including();
    let told = diff(root.path(), &["defs/shop.yaml", "--against", "git:v1"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""), "{told:?}");
    for part in [
        "the element `Title` of `Item` is `token` where it was `string`",
        "    old v1:types/item.yaml:3:23\n    new types/item.yaml:3:23\n",
        "the value `Map` of `Kind` is new",
        "    new types/kind.yaml:1:23\n",
    ] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
    let of_types = diff(
        &root.path().join("types"),
        &["kind.yaml", "--against", "git:v1", "--fail-on", "source"],
    );
    assert_eq!(of_types.code, Some(1), "{of_types:?}");
}

#[test]
fn a_type_may_move_into_an_included_file() {
    let root = including();
    let alone = INCLUDING.replace("include: [../types/item.yaml]\n", "")
        + "types: { Item: { elements: { Title: token, Kind: Kind } } }\nenums: { Kind: [Book, Map] }\n";
    fs::write(root.path().join("alone.yaml"), alone).unwrap();
    let told = diff(root.path(), &["alone.yaml", "defs/shop.yaml"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""), "{told:?}");
    assert!(told.stdout.ends_with("no changes\n"), "{told:?}");
}

#[test]
fn what_cannot_be_included_is_said_of_each_side() {
    let root = including();
    let definition = root.path().join("defs/shop.yaml");
    let outside = INCLUDING.replace("../types/item.yaml", "../../none.yaml");
    fs::write(&definition, outside).unwrap();
    let told = diff(root.path(), &["defs/shop.yaml", "--against", "git:v1"]);
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(
        told.stderr.contains("there is no such definition"),
        "{told:?}"
    );
    assert!(told.stderr.contains("--> defs/shop.yaml:4:11"), "{told:?}");
    git(
        root.path(),
        &["commit", "--quiet", "--all", "--message", "wrong"],
    );
    fs::write(&definition, INCLUDING).unwrap();
    let told = diff(root.path(), &["defs/shop.yaml", "--against", "git:HEAD"]);
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(
        told.stderr.contains("it is outside of the repository"),
        "{told:?}"
    );
    assert!(
        told.stderr.contains("--> HEAD:defs/shop.yaml:4:11"),
        "{told:?}"
    );
}

#[test]
fn each_side_has_the_options_of_its_folder() {
    let root = including();
    let whole = ["defs/shop.yaml", "--against", "git:v1"];
    assert!(
        diff(root.path(), &whole)
            .stdout
            .contains("users of the Rust client")
    );
    fs::write(root.path().join("types/item.yaml"), ITEM).unwrap();
    fs::write(root.path().join("Cargo.toml"), "").unwrap();
    let options = "services.Shop.client = false\nextern_path.string = 'crate::Text'\n";
    fs::write(root.path().join("svcgen.toml"), options).unwrap();
    let told = diff(root.path(), &whole).stdout;
    assert!(!told.contains("users of the Rust client"), "{told}");
    assert!(told.contains("[element-rust-type]"), "{told}");
    git(root.path(), &["add", "--all"]);
    git(root.path(), &["commit", "--quiet", "--message", "options"]);
    let told = diff(root.path(), &["defs/shop.yaml", "--against", "git:HEAD"]);
    assert!(told.stdout.ends_with("no changes\n"), "{told:?}");
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

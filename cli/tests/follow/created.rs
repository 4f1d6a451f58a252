//! Crates of `svcgen new` are built and tested.

use std::fs;
use std::path::Path;

use crate::cargo;
use crate::follow::repository;
use crate::shell::shell;

/// Makes a crate; what is said.
fn make(folder: &Path, arguments: &str) -> String {
    let checkout = repository().canonicalize().unwrap();
    let checkout = checkout.display();
    let (code, said) = shell(
        folder,
        0,
        &format!("svcgen new --path '{checkout}' {arguments}"),
    );
    assert_eq!(code, 0, "{said}");
    said
}

/// Formats and tests a crate, whose lock file is in a folder, without a warning.
fn assert_tested(folder: &Path, lock: &Path, test: &str) {
    fs::copy(repository().join("Cargo.lock"), lock.join("Cargo.lock")).unwrap();
    for arguments in [&["fmt", "--check"][..], &["test", "--offline"]] {
        let ran = cargo(folder, arguments).output().unwrap();
        let (stdout, stderr) = (
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr),
        );
        assert!(ran.status.success(), "{stdout}\n{stderr}");
        assert!(!stderr.contains("warning"), "{stderr}");
        let test = format!("test tests::{test} ... ok");
        assert!(arguments[0] == "fmt" || stdout.contains(&test), "{stdout}");
    }
}

#[test]
fn the_crate_builds_and_its_test_passes_without_a_warning() {
    let (alone, member) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shared = "[workspace]\nresolver = \"3\"\n\n[workspace.package]\nedition = \"2021\"\n\n[workspace.lints.rust]\nunused = \"warn\"\n";
    fs::write(member.path().join("Cargo.toml"), shared).unwrap();
    for (around, joins) in [(&alone, false), (&member, true)] {
        make(around.path(), "weather-station");
        let folder = around.path().join("weather-station");
        let lock = if joins { around.path() } else { &folder };
        assert_tested(&folder, lock, "callers_are_greeted");
    }
}

#[test]
fn a_crate_of_definitions_serves_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let definitions = repository().join("tests/definitions");
    let definitions = definitions.display();
    let from = format!(
        "--from '{definitions}/valid/orders.yaml' --from '{definitions}/lab/stock.yaml' depot"
    );
    make(folder.path(), &from);
    // Crates of one name would share what is built in the one target folder: `shop` is the guide's.
    let depot = folder.path().join("depot");
    assert_tested(&depot, &depot, "services_have_wsdls");
}

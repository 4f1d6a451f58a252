//! Crates of `svcgen new` are built and tested.

use std::fs;
use std::path::Path;

use crate::cargo;
use crate::follow::{cargo_in_crate, cargo_run, replace, repository};
use crate::shell::shell;

/// Creates a crate. Returns the output.
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

/// Fails if a crate with the lock file of another folder is not formatted, or its tests fail or
/// have warnings.
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
    // Crates of the same name would share files in the target folder; `shop` is the guide's.
    let depot = folder.path().join("depot");
    assert_tested(&depot, &depot, "services_have_wsdls");
}

const CLOCK: &str = "
service: Clock
namespace: urn:example:clock
path: /Clock.asmx
operations:
  Now: { bindings: [soap11], headers: { in: [Caller] }, result: Moment }
headers: { Caller: Caller }
types:
  Caller: { elements: { Name: string? } }
  Moment: { elements: { At: dateTime, Day: date, Price: decimal, Id: guid } }
";

#[test]
fn handlers_read_headers_as_shown_and_make_dates_of_today_and_new_guids() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("clock.yaml"), CLOCK).unwrap();
    make(home.path(), "--from clock.yaml clock");
    let clock = home.path().join("clock");
    let main = clock.join("src/main.rs");
    // The method in the comment, with its omissions filled in.
    replace(
        &main,
        "    // SOAP headers are an argument",
        "SOAP headers are an argument",
    );
    let text = fs::read_to_string(&main).unwrap();
    let (before, shown) = text.split_once("SOAP headers are an argument").unwrap();
    let (_, shown) = shown.split_once("\n    //\n").unwrap();
    let (method, after) = shown.split_once("\n}\n").unwrap();
    let method = method.replace("    // ", "    ");
    fs::write(&main, format!("{before}{method}\n}}\n{after}")).unwrap();
    replace(
        &main,
        ", …) -> … {",
        ") -> Result<clock::Moment, svcgen::Fault> {",
    );
    let body = "Ok(clock::Moment {
            at: chrono::Utc::now().into(),
            day: svcgen::chrono::Local::now().date_naive().into(),
            price: rust_decimal::dec!(1.50).into(),
            id: uuid::Uuid::new_v4().into(),
        }) // For";
    replace(
        &main,
        "… // A",
        &format!("let _ = caller;\n        {body} a"),
    );
    let (_serving, line) = cargo_run(&clock);
    let url = line
        .trim_start_matches("See ")
        .trim()
        .trim_end_matches('/')
        .to_owned();
    let call = format!("svcgen call clock.yaml Now --url {url}");
    let (code, said) = shell(home.path(), 0, &call);
    assert_eq!(code, 3, "{said}");
    assert!(
        said.contains("The SOAP header Caller is missing."),
        "{said}"
    );
    let (code, said) = shell(
        home.path(),
        0,
        &format!("{call} --soap-header Caller.Name=Ada"),
    );
    assert_eq!(code, 0, "{said}");
    for part in ["At: ", "Day: ", "Price: '1.50'", "Id: "] {
        assert!(said.contains(part), "{said}");
    }
}

/// Cargo prefixes each line of a build script's output with the name of the package, and prints the
/// lines again.
#[test]
fn what_is_wrong_with_a_definition_is_shown_once_by_cargo() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("clock.yaml"), CLOCK).unwrap();
    make(home.path(), "--from clock.yaml wrong-clock");
    let folder = home.path().join("wrong-clock");
    let definition = folder.join("service-defs/clock.yaml");
    replace(&definition, "result: Moment", "result: Momen");
    let built = cargo_in_crate(&folder, &["build"]).output().unwrap();
    assert!(!built.status.success());
    let said = String::from_utf8(built.stderr).unwrap();
    for line in [
        "  error[SVC015]: unknown type `Momen`",
        "  help: did you mean `Moment`?",
    ] {
        let shown = said.lines().filter(|one| *one == line);
        assert_eq!(shown.count(), 1, "{line}: {said}");
    }
    assert!(!said.contains("wrong-clock@"), "{said}");
}

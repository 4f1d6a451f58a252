//! `svcgen import`: loading, writing and merging; the contents of imports are tested with the
//! library, in `crates/import/tests/import/`.

mod addresses;
mod command_lines;
mod left_out;
mod network;
mod references;
mod sets;
mod several;
mod update;

use std::fs;
use std::path::{Path, PathBuf};

use svcgen_import::rules::Rule;

use crate::command;

/// The result of an import.
struct Imported {
    /// The exit code, standard error, and each file that was written, as one text.
    told: String,
    succeeded: bool,
}

/// Returns the folder of the library's tests.
fn of_library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/import")
}

/// Returns the WSDL of a small service.
fn calculator() -> String {
    fs::read_to_string(of_library().join("wsdl/calculator.wsdl")).unwrap()
}

/// Returns the text of a file.
fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Runs the command in a folder. Returns the exit code and the output.
fn svcgen_in(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = command(&[])
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(told).unwrap(),
    )
}

/// Runs `svcgen import` in a folder; the definitions are written to a separate folder.
fn import(folder: &Path, arguments: &[&str]) -> Imported {
    let out = tempfile::tempdir().unwrap();
    let output = command(&[&"import", &"--out", &out.path()])
        .current_dir(folder)
        // Ignores a proxy of this machine.
        .env("NO_PROXY", "*")
        .args(arguments)
        .output()
        .unwrap();
    let mut told = format!("exit code {}\n", output.status.code().unwrap());
    told += &String::from_utf8(output.stderr).unwrap();
    let files = out.path().read_dir().unwrap();
    let mut files: Vec<_> = files
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "svcgen.schema.json")
        .collect();
    files.sort();
    for name in files {
        // The first line as the library writes it.
        let text = text(out.path(), &name).replace(&modeline(""), "# Imported from ");
        told += &format!("\n=== {name}\n{text}");
    }
    Imported {
        told,
        succeeded: output.status.success(),
    }
}

/// Returns the first line of a definition, which names the schema for editors; `above` is the path
/// up to the folder of the schema.
fn modeline(above: &str) -> String {
    format!("# yaml-language-server: $schema={above}svcgen.schema.json\n# Imported from ")
}

#[test]
fn editors_find_the_schema_of_what_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("calculator.wsdl"), calculator()).unwrap();
    let (code, told) = svcgen_in(path, &["import", "--out", "defs", "calculator.wsdl"]);
    assert_eq!(code, 0, "{told}");
    let schema = svcgen_in(path, &["schema"]).1;
    assert_eq!(text(path, "defs/svcgen.schema.json"), schema);
    let definition = text(path, "defs/calculator.yaml");
    assert!(definition.starts_with(&modeline("")), "{definition}");
    let (code, told) = svcgen_in(path, &["fmt", "--check", "defs/calculator.yaml"]);
    assert_eq!(code, 0, "{told}");
    // A second import changes nothing.
    let (code, told) = svcgen_in(path, &["import", "--out", "defs", "calculator.wsdl"]);
    assert_eq!(code, 0, "{told}");
    assert!(!told.contains("wrote "), "{told}");

    let own = "service: S\nnamespace: urn:s\npath: /s\noperations: { A: }\n";
    fs::write(path.join("own.yaml"), own).unwrap();
    let wsdl = ["--from", "calculator.wsdl"];
    for (name, from, above) in [
        ("one", &wsdl[..], ""),
        (
            "both",
            &["--from", "own.yaml", "--from", "calculator.wsdl"],
            "../",
        ),
    ] {
        let (code, told) = svcgen_in(path, &[&["new"], from, &[name]].concat());
        assert_eq!(code, 0, "{told}");
        let defs = path.join(name).join("service-defs");
        assert_eq!(text(&defs, "svcgen.schema.json"), schema);
        let (folder, other) = if above.is_empty() {
            ("", None)
        } else {
            ("imported/", Some(text(&defs, "own.yaml")))
        };
        let definition = text(&defs, &format!("{folder}calculator.yaml"));
        assert!(definition.starts_with(&modeline(above)), "{definition}");
        assert!(other.is_none_or(|other| other == own));
    }
}

/// Fails unless the command accepts definitions.
fn assert_accepted(arguments: &[&str], definitions: &[PathBuf]) {
    let checked = command(&[]).args(arguments).args(definitions).output();
    let checked = checked.unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{arguments:?}: {said}");
}

/// Fails unless `svcgen check` accepts a definition and `svcgen fmt` would not change it.
fn assert_checks(definition: PathBuf) {
    let definitions = [definition];
    assert_accepted(&["check"], &definitions);
    assert_accepted(&["fmt", "--check"], &definitions);
}

#[test]
fn what_explains_a_difference_is_what_verifying_finds() {
    let row = Rule::Differs.row();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("example.wsdl"), row.wrong).unwrap();
    let verified = import(folder.path(), &["--verify", "example.wsdl"]);
    assert!(verified.told.contains(row.output), "{}", verified.told);
    let imported = import(folder.path(), &["example.wsdl"]);
    let written = imported.told.split_once("=== stock.yaml\n").unwrap().1;
    assert_eq!(written, row.right);
}

/// Returns the definitions that are written for the WSDLs of the library's tests, each with the
/// names of its group, its case and its file.
fn written() -> Vec<(String, String, String)> {
    let snapshots = of_library().join("snapshots").read_dir().unwrap();
    let mut all = Vec::new();
    for snapshot in snapshots {
        let text = fs::read_to_string(snapshot.unwrap().path()).unwrap();
        for case in text.split("\n== ").skip(1) {
            let (name, case) = case.split_once('\n').unwrap();
            for file in case.split("=== ").skip(1) {
                let (file, text) = file.split_once('\n').unwrap();
                let text = format!("{}\n", text.trim_end());
                all.push((name.to_owned(), file.to_owned(), text));
            }
        }
    }
    all
}

#[test]
fn files_are_loaded_as_the_library_is_told() {
    let all = written();
    for name in [
        "source-import",
        "source-import-backslash",
        "source-saved-by-visual-studio",
        "source-saved-without-map",
        "source-wsdl-import",
        "sets-typed",
    ] {
        let imported = import(&of_library().join("wsdl").join(name), &["service.wsdl"]);
        let expected = all.iter().filter(|(of, ..)| of == name);
        let mut expected: Vec<_> = expected
            .map(|(_, file, text)| format!("\n=== {file}\n{text}"))
            .collect();
        expected.sort();
        assert!(!expected.is_empty(), "{name}");
        let start = imported.told.find("\n=== ").unwrap();
        assert_eq!(
            imported.told[start..].trim_end(),
            expected.concat().trim_end(),
            "{name}"
        );
    }
    let missing = import(&of_library().join("wsdl"), &["source-import-missing.wsdl"]);
    assert!(
        missing.told.starts_with("exit code 1\nerror[SVC071]"),
        "{}",
        missing.told
    );
    assert!(
        missing.told.contains("there is no such file"),
        "{}",
        missing.told
    );
    let explained = "For more information about a message, try `svcgen explain SVC071`.\n";
    assert!(missing.told.ends_with(explained), "{}", missing.told);
}

#[test]
fn what_is_imported_is_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut definitions = Vec::new();
    for (case, file, text) in written() {
        let path = folder.path().join(case).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let is_definition = path.extension().is_some_and(|ending| ending == "yaml");
        definitions.extend(is_definition.then_some(path));
    }
    assert!(definitions.len() > 200, "{}", definitions.len());
    assert_accepted(&["fmt", "--check"], &definitions);
}

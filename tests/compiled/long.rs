//! Long code, which a build script writes to several files, with its types in modules.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use svcgen_codegen::Config;

use crate::CRATE;
use crate::scratch::{self, Crate, RUNTIME};

/// The build script, when the test below runs this binary again.
#[test]
fn child_build_script() {
    if let Some(definition) = env::var_os("SVCGEN_TEST_DEFINITION") {
        Config::new().build([definition]);
    }
}

/// Returns types of every kind that is written as a separate piece, with references across pieces.
fn definition() -> String {
    let operations = (0..40).map(|number| {
        format!(
            "  Do{number}: {{ parameters: {{ record: Record{number} }}, result: Record{} }}\n",
            299 - number
        )
    });
    let types = (0..300).map(|number| {
        let other = 299 - number;
        let more = match number {
            7 => "Total: { type: long }, Colour: Colour",
            8 => "Reach: { choice: { A: int, B: string } }",
            _ => "Note: string?",
        };
        format!("  Record{number}: {{ elements: {{ Id: int, Tags: \"string[]\", Other: Record{other}?, {more} }} }}\n")
    });
    let (operations, types): (String, String) = (operations.collect(), types.collect());
    format!(
        "service: Long\nnamespace: urn:long\npath: /Long.asmx\nbindings: [soap11]\noperations:\n{operations}types:\n{types}  \
         Derived: {{ extends: Record0, elements: {{ More: int }} }}\nenums:\n  Colour: [Red, Green]\n"
    )
}

/// Returns the files that a build script writes, under `src`.
fn written(options: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("long.yaml"), folder.path().join("out"));
    fs::create_dir(&out).unwrap();
    fs::write(&file, definition()).unwrap();
    fs::write(folder.path().join("svcgen.toml"), options).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "long::child_build_script", "--nocapture"])
        .env("SVCGEN_TEST_DEFINITION", file)
        .env("OUT_DIR", &out)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    let parts = fs::read_dir(out.join("long.parts")).unwrap();
    let parts = parts.map(|part| {
        let part = part.unwrap();
        let name = part.file_name().into_string().unwrap();
        (format!("src/long.parts/{name}"), text(&part.path()))
    });
    let mut files: Vec<_> = parts.collect();
    files.push(("src/long.rs".to_owned(), text(&out.join("long.rs"))));
    files
}

#[test]
fn long_code_compiles_without_a_warning() {
    let library = |visibility: &str| {
        format!(
            "{CRATE}/// A number.\npub type Number = i64;\n#[doc = \"Emitted.\"]\n{visibility} mod long;\n"
        )
    };
    let relative = "[extern_path]\nlong = \"super::Number\"\n";
    let crates = [
        ("long_public", "pub", relative.to_owned()),
        (
            "long_private",
            "pub(crate)",
            format!("visibility = \"pub(crate)\"\n{relative}"),
        ),
    ];
    let written = crates.each_ref().map(|(_, _, options)| written(options));
    for files in &written {
        let (_, whole) = files.last().unwrap();
        assert!(
            whole.contains("\nmod types_1 {") && !whole.contains("\nmod types_0 {"),
            "{whole}"
        );
    }
    let crates = crates.each_ref().into_iter().zip(&written);
    let crates = crates.map(|((name, visibility, _), files)| {
        let files = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.clone()));
        let library = ("src/lib.rs", library(visibility));
        Crate {
            name,
            edition: "2024",
            runtime: RUNTIME,
            beside: &[],
            files: files.chain([library]).collect(),
        }
    });
    let output = scratch::cargo("check --lib", "long", &crates.collect::<Vec<_>>());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

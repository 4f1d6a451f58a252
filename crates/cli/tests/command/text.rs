//! Characters that a terminal or reader must not be shown raw: control characters, and those that
//! set the text direction.

use std::ffi::OsStr;
use std::fs;

use crate::{Ended, svcgen_in};

/// A text with such characters, in the escapes of YAML.
const ESCAPED: &str =
    "safe \\u202E esrever \\u2066 x \\u200F y \\u061C z \\u001B[31m red \\u009B1m";

const RAW: &str = "\u{202E}\u{2066}\u{200F}\u{200E}\u{61C}\u{1B}\u{9B}";

fn definition(doc: &str) -> String {
    format!(
        "service: S\ndoc: \"{doc}\"\nnamespace: urn:s\npath: /s\noperations:\n  A: {{ doc: \"{doc}\", parameters: {{ x: T }} }}\n\
         types:\n  T: {{ doc: \"{doc}\", elements: {{ e: {{ type: E, doc: \"{doc}\" }} }} }}\n\
         enums:\n  E: [B]\nbindings: [soap11, http-post]\n"
    )
    .replace("x: T", "x: E")
    .replace("bindings", "allow: [SVC026]\nbindings")
}

#[track_caller]
fn assert_shown(what: &str, text: &str) {
    let hidden = |c: char| (c.is_control() && c != '\n') || RAW.contains(c);
    assert!(!text.contains(hidden), "{what}: {text:?}");
}

fn ended(folder: &std::path::Path, call: &str, code: i32) -> Ended {
    let arguments: Vec<_> = call.split(' ').collect();
    let arguments: Vec<_> = arguments
        .iter()
        .map(|one| one as &dyn AsRef<OsStr>)
        .collect();
    let ended = svcgen_in(folder, &arguments, b"");
    assert_eq!(ended.code, Some(code), "{call}: {ended:?}");
    assert_shown(call, &ended.stdout);
    assert_shown(call, &ended.stderr);
    ended
}

#[test]
fn documentation_is_shown_without_what_would_hide_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), definition(ESCAPED)).unwrap();
    for call in ["generate", "docs", "docs --format html", "samples"] {
        let written = ended(folder.path(), &format!("{call} s.yaml"), 0).stdout;
        assert!(
            call == "samples" || written.contains("esrever"),
            "{written}"
        );
    }
    // Programs read this output: nothing is lost.
    let wsdl = ended(folder.path(), "wsdl s.yaml", 0).stdout;
    assert!(
        wsdl.contains("safe &#x202E; esrever &#x2066; x &#x200F; y"),
        "{wsdl}"
    );
    let openapi = ended(folder.path(), "openapi s.yaml", 0).stdout;
    let openapi: serde_json::Value = serde_json::from_str(&openapi).unwrap();
    let description = openapi["info"]["description"].as_str().unwrap();
    assert!(description.starts_with("safe \u{202E} esrever \u{2066} x \u{200F} y \u{61C} z"));
}

#[test]
fn messages_show_names_and_lines_without_what_would_hide_them() {
    let folder = tempfile::tempdir().unwrap();
    let raw = "\u{202E}\u{2066}\u{200F}\u{61C}";
    let wrong = format!("{}x{raw}y: 1\n", definition(&format!("{raw} text")))
        .replace("urn:s", "\"urn:s\\u202E\\u001B\"");
    fs::write(folder.path().join("s.yaml"), wrong).unwrap();
    let strange = "no\u{202E}\u{1B}[31mfile";
    fs::write(folder.path().join(format!("{strange}.yaml")), crate::WRONG).unwrap();
    fs::write(folder.path().join("right.yaml"), crate::RIGHT).unwrap();
    for format in ["human", "json"] {
        for file in ["s", strange] {
            ended(
                folder.path(),
                &format!("check {file}.yaml --message-format {format}"),
                1,
            );
        }
        ended(
            folder.path(),
            &format!("check {strange} --message-format {format}"),
            2,
        );
    }
    let written = format!("generate right.yaml --out {strange}");
    ended(folder.path(), &written, 0);
    fs::write(
        folder.path().join(strange).join("s.rs"),
        format!("{raw}\u{1B}"),
    )
    .unwrap();
    ended(folder.path(), &format!("{written} --check"), 1);
    fs::copy(
        folder.path().join("right.yaml"),
        folder.path().join("c\u{200F}.yaml"),
    )
    .unwrap();
    for format in ["text", "json"] {
        ended(
            folder.path(),
            &format!("diff right.yaml c\u{200F}.yaml --format {format}"),
            0,
        );
    }
}

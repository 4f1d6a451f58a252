//! Definitions in other readers of YAML: PyYAML and libyaml, which read YAML 1.1, js-yaml and
//! ruamel.yaml. `crates/cli/tests/yaml/run` runs these readers.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use regex::Regex;

use crate::schema::{assert_keeps_to, schema};
use crate::svcgen;

/// Texts that a reader of YAML 1.1 or 1.2 reads as null, a boolean, a number, a time, or a key of
/// its own (the types of yaml.org/type).
static NO_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = [
        "~|null|Null|NULL",
        "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF",
        "[-+]?0b[0-1_]+|[-+]?0o?[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+",
        "[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?",
        "[-+]?(\\.[0-9]|[0-9][0-9_]*\\.)[0-9_]*([eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+",
        "[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)",
        "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \\t].*)?",
        "=|<<",
    ];
    Regex::new(&format!("^({})$", patterns.join("|"))).unwrap()
});

/// Numbers and booleans that all of them read alike.
static SAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\\.[0-9]*[1-9]|true|false)$").unwrap()
});

/// Panics at a plain scalar of a definition that some reader refuses, or reads as another value
/// than the others.
#[track_caller]
pub(crate) fn assert_read_alike(text: &str) {
    let mut in_flow = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.unwrap();
        match event {
            Event::MappingStart(style, ..) | Event::SequenceStart(style, ..) => {
                in_flow.push(style == StructureStyle::Flow);
            }
            Event::MappingEnd | Event::SequenceEnd => _ = in_flow.pop(),
            Event::Scalar(scalar, ScalarStyle::Plain, ..) if !span.is_empty() => {
                let is_alike = SAME.is_match(&scalar) || !NO_TEXT.is_match(&scalar);
                let is_refused = in_flow.contains(&true) && scalar.contains('?');
                // As a key, it means a merge to every reader.
                let is_merge = scalar == "<<";
                assert!(
                    (is_alike || is_merge) && !is_refused,
                    "{scalar:?} is plain in {text}"
                );
            }
            _ => {}
        }
    }
}

#[test]
fn what_is_imported_is_read_by_others_and_keeps_to_the_schema() {
    let schema = schema();
    let wsdls = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/import/wsdl");
    let mut count = 0;
    for entry in wsdls.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let path = if path.is_dir() {
            path.join("service.wsdl")
        } else {
            path
        };
        let folder = tempfile::tempdir().unwrap();
        svcgen(&[&"import", &"--offline", &"--out", &folder.path(), &path]);
        for written in folder.path().read_dir().unwrap() {
            let written = written.unwrap().path();
            if written.extension().is_some_and(|ending| ending == "yaml") {
                let definition = fs::read_to_string(&written).unwrap();
                assert_read_alike(&definition);
                assert_keeps_to(&schema, &written, &definition);
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

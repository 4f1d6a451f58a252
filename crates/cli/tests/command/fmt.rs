//! `svcgen fmt`.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use svcgen_codegen::Config;

use crate::other_readers::assert_read_alike;
use crate::{WRONG, definition, invalid, svcgen, svcgen_in};

/// Formats a text from standard input.
fn laid_out(text: &str) -> String {
    let ended = svcgen_in(
        Path::new("/"),
        &[&"fmt", &"--name", &"s.yaml", &"-"],
        text.as_bytes(),
    );
    assert_eq!(ended.code, Some(0), "{text}\n{ended:?}");
    ended.stdout
}

#[track_caller]
fn assert_layout(text: &str, expected: &str) {
    assert_eq!(laid_out(text), expected);
    assert_eq!(laid_out(expected), expected, "laid out once more");
}

#[test]
fn keys_of_the_file_get_the_order_of_the_language() {
    assert_layout(
        "# Licence\n\npath: /s\n# all operations\noperations: { A: }\nx-unknown: 1\nservice: S\n# where\nnamespace: urn:s\nbindings: [json]\nnet: Lab.S",
        "# Licence\n\nservice: S\nnet: Lab.S\n# where\nnamespace: urn:s\npath: /s\nbindings: [json]\n\n# all operations\noperations:\n  A:\n\nx-unknown: 1\n",
    );
}

#[test]
fn what_a_file_starts_with_is_not_torn_apart() {
    let about = "# The shop.\n#\n# It sells.\n\n# By the shop's people.\n";
    for gap in ["", "\n"] {
        assert_layout(
            &format!("{about}{gap}namespace: urn:s\n# its name\nservice: S\n"),
            &format!("{about}{gap}# its name\nservice: S\nnamespace: urn:s\n"),
        );
    }
    let same = format!("{about}service: S\nnamespace: urn:s\n");
    assert_layout(&same, &same);
}

#[test]
fn the_line_for_editors_stays_first() {
    let modeline = "# yaml-language-server: $schema=svcgen.schema.json\n";
    assert_layout(
        &format!("{modeline}path: /s\nservice: S\n"),
        &format!("{modeline}service: S\npath: /s\n"),
    );
}

#[test]
fn blocks_and_braces_stay_and_are_spaced_alike() {
    assert_layout(
        "service: S\ntypes:\n    A: {elements: {a: int,b :  string?,},  attributes: { }}\n    B:\n        elements:\n            list: [ ]\n\n\n            c: int\n",
        "service: S\n\ntypes:\n  A: { elements: { a: int, b: \"string?\" }, attributes: {} }\n  B:\n    elements:\n      list: []\n\n      c: int\n",
    );
    assert_layout(
        "enums:\n  A:\n  - x\n  -   y:\n       doc: d\n       rust: r\n  - - z\n    - z\n",
        "enums:\n  A:\n    - x\n    - y:\n        doc: d\n        rust: r\n    - - z\n      - z\n",
    );
}

#[test]
fn braces_that_do_not_fit_on_a_line_become_blocks() {
    let doc = "word ".repeat(20);
    let doc = doc.trim();
    assert_layout(
        &format!("types: {{ A: {{ doc: {doc}, elements: {{ a: int }} }}, B: }}\n"),
        &format!("types:\n  A:\n    doc: {doc}\n    elements: {{ a: int }}\n  B:\n")
            .replace("  A:\n", "  A:\n"),
    );
}

#[test]
fn empty_braces_stay_however_long_their_key_is() {
    let key = "a".repeat(200);
    let text = format!("types:\n  {key}: {{}}\n  b: []\n");
    assert_layout(&text, &text);
}

#[test]
fn quotes_stand_where_they_are_needed() {
    assert_layout(
        r#"operations:
  A: { result: 'int[]', doc: "plain", rust: 'true', action: "1.0", request: 'a, b', response: "a: b" }
  B: { result: "it's", doc: 'say "so"', action: "back\\slash", rust: "tab\t", request: "\u202E", response: '' }
  C:
    result: "int[]"
    doc: '# no comment'
    action: '-x'
    rust: no
    request: "no"
    response: '"'
"#,
        r##"operations:
  A: { result: "int[]", doc: plain, rust: "true", action: "1.0", request: "a, b", response: "a: b" }
  B: { result: it's, doc: say "so", action: back\slash, rust: "tab\t", request: "\u202E", response: "" }
  C:
    result: int[]
    doc: "# no comment"
    action: "-x"
    rust: "no"
    request: "no"
    response: '"'
"##,
    );
}

#[test]
fn what_yaml_1_1_takes_otherwise_is_quoted() {
    assert_layout(
        "service: S\ncache: 60\nx: [true, yes, 012, 0o7, 1:20, 1_0, 1.10, 1.5, -7, ~, 2026-11-28, 1e3, =]\noperations:\n  A: { result: string?, doc: 2 words }\n  B:\n    result: string?\n",
        "service: S\ncache: 60\nx: [true, \"yes\", \"012\", \"0o7\", \"1:20\", \"1_0\", \"1.10\", 1.5, -7, \"~\", \"2026-11-28\", \"1e3\", \"=\"]\n\noperations:\n  A: { result: \"string?\", doc: 2 words }\n  B:\n    result: string?\n",
    );
}

#[test]
fn texts_keep_their_lines() {
    let words = "six words of a long text ".repeat(6);
    assert_layout(
        &format!("doc: {words}\n     six\n\n   words\nservice: S # s\n"),
        &format!("service: S  # s\ndoc: {}\n  six\n\n  words\n", words.trim()),
    );
    assert_layout(
        "types:\n  A:\n     doc: |   # kept\n         one\n\n           two\n  B:\n     doc: >-\n        one\n        two\n\n         three\n         four\n\n  C: {doc: \"a\n\n   b\" # c\n   }\n  D:\n    doc: >\n\n\n      one\n      two",
        "types:\n  A:\n    doc: |  # kept\n      one\n\n        two\n  B:\n    doc: >-\n      one\n      two\n\n       three\n       four\n\n  C:\n    doc: \"a\n\n      b\"  # c\n  D:\n    doc: >\n\n\n      one\n      two\n",
    );
    assert_layout("doc: [a\rb]\n", "doc:\n  - a b\n");
    assert_layout(
        "types:\n  A:\n    doc: |2\n        one\n      two\n  B:\n    - 'a\n     b'\n    - a\n       # b\n",
        "types:\n  A:\n    doc: |2\n        one\n      two\n  B:\n    - 'a\n      b'\n    - a\n    # b\n",
    );
}

#[test]
fn comments_stay_with_what_they_are_about() {
    let text = "\
# about the service
service: S  # its name

# about all operations
operations:  # in order
  # about A
  A:  # its name
    # about parameters
    parameters:
      a: int  # first
      # after a
    # after parameters
    result: int
  # after A

  # before B
  B:

# at the end
";
    assert_layout(text, text);
    assert_layout(
        "operations: { # in order\n A: { # a\n  result: int # b\n }, B: [ # c\n ], # d\n # e\n} # f\n",
        "# in order\noperations:  # f\n  A:  # a\n    result: int  # b\n  # c\n  B: []  # d\n  # e\n",
    );
    let long = "word ".repeat(30);
    assert_layout(
        &format!(
            "enums:\n  A:\n    - {{ x: {{ doc: {long}}} }} # x\n    - {{ # y\n        y: }}\n"
        ),
        &format!("enums:\n  A:\n    # x\n    - x: {{ doc: {long}}}\n    # y\n    - {{ y: }}\n")
            .replace("x: { doc: ", "x:\n        doc: ")
            .replace(" }\n    # y", "\n    # y"),
    );
    assert_layout(
        "enums:\n  A:\n   - # a\n     x\n   # b\n   - y # c\n   # d\n# e\ntypes:\n",
        "# e\ntypes:\n\nenums:\n  A:\n    # a\n    - x\n    # b\n    - y  # c\n    # d\n",
    );
}

#[test]
fn anchors_stay_before_their_aliases() {
    assert_layout(
        "types:\n  A: { elements: &all {a: int} }\n  B: { elements: *all }\nservice: &s S\nnamespace: *s\n",
        "service: &s S\nnamespace: *s\n\ntypes:\n  A: { elements: &all { a: int } }\n  B: { elements: *all }\n",
    );
    let crossing =
        "types:\n  A: { elements: &all { a: int } }\n\noperations:\n  B: { parameters: *all }\n";
    assert_layout(crossing, crossing);
}

#[test]
fn line_ends_and_byte_order_marks_become_those_of_unix() {
    assert_layout(
        "\u{FEFF}service: S # s\r\n\r\n# t\r\ntypes:\r\n",
        "service: S  # s\n\n# t\ntypes:\n",
    );
}

#[test]
fn files_are_written_where_they_differ() {
    let folder = tempfile::tempdir().unwrap();
    let (odd, fine) = (
        folder.path().join("odd.yaml"),
        folder.path().join("fine.yaml"),
    );
    fs::write(&odd, "service:   S\n").unwrap();
    fs::write(&fine, "service: S\n").unwrap();
    let fmt = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| {
        svcgen_in(folder.path(), arguments, b"service:  T\n")
    };

    let checked = fmt(&[&"fmt", &"--check", &"odd.yaml", &"fine.yaml"]);
    assert_eq!(checked.code, Some(1));
    assert_eq!(
        checked.stdout,
        "stale odd.yaml\n--- odd.yaml\n+++ odd.yaml\n@@ -1 +1 @@\n-service:   S\n+service: S\nfresh fine.yaml\n"
    );
    assert_eq!(
        fs::read_to_string(&odd).unwrap(),
        "service:   S\n",
        "--check writes nothing"
    );

    let written = fmt(&[&"fmt", &"*.yaml"]);
    assert_eq!(
        (written.code, written.stdout.as_str()),
        (Some(0), "fresh fine.yaml\nwrote odd.yaml\n")
    );
    assert_eq!(fs::read_to_string(&odd).unwrap(), "service: S\n");
    assert_eq!(fmt(&[&"fmt", &"--check", &"*.yaml"]).code, Some(0));

    let stdin = fmt(&[&"fmt", &"--check", &"--name", &"t.yaml", &"-"]);
    assert_eq!(stdin.code, Some(1));
    assert!(stdin.stdout.starts_with("stale t.yaml\n"), "{stdin:?}");
}

#[test]
fn wrong_definitions_are_laid_out_and_what_is_no_yaml_is_reported() {
    assert!(laid_out(WRONG).contains("A: { result: itn }"));
    for text in [
        "service: [\n",
        "service: S\n---\nservice: S\n",
        "",
        "service: !tag S\n",
        "[1, 2]\n",
        ": a\n",
        "types: { [a]: b }\n",
    ] {
        let ended = svcgen_in(Path::new("/"), &[&"fmt", &"-"], text.as_bytes());
        assert_eq!(ended.code, Some(1), "{text}: {ended:?}");
        assert!(
            ended.stdout.is_empty() && ended.stderr.contains("error[SVC0"),
            "{ended:?}"
        );
    }
}

#[test]
fn the_definitions_of_this_repository_are_laid_out() {
    let checked = svcgen(&[&"fmt", &"--check", &definition("*.yaml")]);
    assert_eq!(checked.code, Some(0), "{}", checked.stdout);
}

/// Definitions that were written without care: every test definition, in its canonical layout or
/// not.
#[test]
fn every_test_definition_is_laid_out_once_and_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let definitions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions");
    for path in invalid::files(&definitions.join("valid")) {
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    for path in invalid::files(&definitions.join("invalid")) {
        for case in invalid::read(&path) {
            let name = format!("invalid-{}", case.name.replace('/', "-"));
            fs::write(folder.path().join(name), case.text).unwrap();
        }
    }
    // Some are not YAML, and are reported.
    let once = svcgen_in(folder.path(), &[&"fmt", &"*"], b"");
    assert!(!once.stderr.contains("is left as it is"), "{once:?}");
    let again = svcgen_in(folder.path(), &[&"fmt", &"--check", &"*"], b"");
    assert_eq!(again.stderr, once.stderr);
    assert!(!again.stdout.contains("stale "), "{}", again.stdout);
    for line in again.stdout.lines() {
        let path = folder.path().join(line.strip_prefix("fresh ").unwrap());
        assert_read_alike(&fs::read_to_string(path).unwrap());
    }
    let count = again.stdout.matches("fresh ").count();
    assert!(count > 30, "{count}");
}

/// A text in any notation of YAML.
fn scalar() -> impl Strategy<Value = String> {
    let texts = prop_oneof![
        "[a-z]{1,8}",
        "[ -~é🛒\\t]{0,20}",
        "[a-z #:,'\"\\[\\]{}|>&*!%@`-]{1,12}",
        Just("no".to_owned())
    ];
    let plain = proptest::sample::select(vec![
        "no",
        "On",
        "y",
        "~",
        "null",
        "=",
        "012",
        "0x1F",
        "1_000",
        "1:20",
        "1.10",
        "1.5",
        "-7",
        "1e3",
        ".inf",
        "2026-11-28",
        "string?",
        "Why not? 2 words",
        "12345678901234567890",
    ]);
    let quoted = (texts, 0..3).prop_map(|(text, form)| match form {
        0 => format!("'{}'", text.replace('\'', "''").replace('\t', " ")),
        1 => format!("{text:?}")
            .replace("\\u{", "\\\\u{")
            .replace("\\'", "'"),
        _ => format!(
            "\"{}\"",
            text.replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\t', "\\t")
        ),
    });
    prop_oneof![3 => quoted, 1 => plain.prop_map(str::to_owned)]
}

/// The gap between two tokens in braces: spaces, comments, line ends.
fn gap() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => " {0,3}",
        1 => "\n\n? {1,9}".prop_map(|gap| gap),
        1 => "[a-z ]{0,9}".prop_map(|text| format!("  # {text}\n   ")),
    ]
}

/// The elements of a type in braces, with gaps and comments wherever YAML allows them.
fn elements() -> impl Strategy<Value = String> {
    let element = (gap(), gap(), gap(), scalar(), "[a-z]{1,6}", gap());
    proptest::collection::vec(element, 0..5).prop_map(|elements| {
        let mut text = String::from("{");
        for (number, (before, after_key, inner, doc, rust, after)) in elements.into_iter().enumerate() {
            text.push_str(&format!(
                "{before}e{number}: {after_key}{{ type: string?,{inner} doc: {doc}, rust: {rust}{number}{after} }},"
            ));
        }
        text.push_str(" }");
        text
    })
}

/// Lines that may come before an entry at this indentation.
fn lines_before(indent: usize) -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just(String::new()),
        "[a-z#: ]{0,9}".prop_map(|text| format!("#{text}"))
    ];
    proptest::collection::vec((line, 0..indent + 3), 0..3).prop_map(|lines| {
        lines
            .into_iter()
            .map(|(line, indent)| format!("{}{line}\n", " ".repeat(indent)))
            .collect()
    })
}

fn random_definition() -> impl Strategy<Value = String> {
    let operation = (lines_before(2), "[a-z ]{0,12}", scalar(), any::<bool>());
    let types = proptest::collection::vec((lines_before(3), elements()), 1..4);
    (proptest::collection::vec(operation, 1..4), types, 1..6usize, any::<bool>(), lines_before(0)).prop_map(
        |(operations, types, indent, types_first, end)| {
            let pad = " ".repeat(indent);
            let mut sections = [String::from("operations:\n"), String::from("types:\n")];
            for (number, (before, comment, doc, block)) in operations.into_iter().enumerate() {
                let parameters = if block { format!("\n{pad}{pad} - soap11  # {comment}\n") } else { "[ soap12 ]\n".to_owned() };
                sections[0].push_str(&format!(
                    "{before}{pad}Op{number}: # {comment}\n{pad}{pad}doc: {doc}\n{pad}{pad}bindings: {parameters}"
                ));
            }
            for (number, (before, elements)) in types.into_iter().enumerate() {
                sections[1].push_str(&format!("{before}{pad}T{number}:\n{pad} elements: {elements}\n"));
            }
            if types_first {
                sections.reverse();
            }
            format!("path: /s\n{}namespace:   urn:s\nservice: S\n{end}", sections.concat())
        },
    )
}

fn comments(text: &str) -> Vec<String> {
    let options = granit_parser::Parser::new_from_str(text);
    let mut comments: Vec<_> = options
        .filter_map(|event| match event.unwrap().0 {
            granit_parser::Event::Comment(text, _) => Some(text.trim_end().to_owned()),
            _ => None,
        })
        .collect();
    comments.sort();
    comments
}

proptest! {
    #[test]
    fn any_layout_becomes_the_canonical_one(text in random_definition()) {
        let expected = Config::new().generate("s.yaml", &text);
        prop_assume!(expected.is_ok());
        let once = laid_out(&text);
        prop_assert_eq!(&laid_out(&once), &once);
        prop_assert_eq!(comments(&once), comments(&text), "{}", once);
        let code = Config::new().generate("s.yaml", &once).unwrap().code;
        prop_assert_eq!(code, expected.unwrap().code);
        prop_assert!(once.lines().all(|line| line == line.trim_end()));
        assert_read_alike(&once);
    }
}

/// The included files are a part of what the definition means.
#[test]
fn definitions_that_include_files_are_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let untidy = "path: '/s'\nservice: S\ninclude: [ types/common.yaml ]  # shared\nnamespace: urn:s\noperations: {A: {result: T}}\n";
    let tidy = "service: S\nnamespace: urn:s\npath: /s\ninclude: [types/common.yaml]  # shared\n\noperations:\n  A: { result: T }\n";
    fs::create_dir(folder.path().join("types")).unwrap();
    let included = folder.path().join("types/common.yaml");
    let definition = folder.path().join("s.yaml");
    let fmt = |files: &dyn AsRef<std::ffi::OsStr>, stdin: &str| {
        svcgen_in(folder.path(), &[&"fmt", files], stdin.as_bytes())
    };
    for types in [
        Some("types: { T: { elements: { a: int } } }\n"),
        Some("types: { T: { elements: { a: itn } } }\n"),
        Some("types: { T: [\n"),
        None,
    ] {
        match types {
            Some(types) => fs::write(&included, types).unwrap(),
            None => fs::remove_file(&included).unwrap(),
        }
        fs::write(&definition, untidy).unwrap();
        let told = fmt(&"s.yaml", "");
        assert_eq!(told.code, Some(0), "{types:?}: {told:?}");
        assert_eq!(fs::read_to_string(&definition).unwrap(), tidy);
        assert_eq!(fmt(&"-", untidy).stdout, tidy);
    }
    fs::write(&included, "types: {T: {elements: {a: int}}}\n").unwrap();
    let told = fmt(&"types/common.yaml", "");
    assert_eq!(told.code, Some(0), "{told:?}");
}

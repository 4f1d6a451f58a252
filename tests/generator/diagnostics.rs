//! The errors and warnings for definitions, with their places and texts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use svcgen_codegen::{Config, Diagnostic, Diagnostics, Generator, OPTIONS, Severity};
use svcgen_language::rules::RULES;
use svcgen_tests::invalid::{self, Invalid};

fn invalid_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/invalid")
}

fn invalid_definitions() -> Vec<Invalid> {
    let files = invalid::files(&invalid_folder());
    files.iter().flat_map(|path| invalid::read(path)).collect()
}

/// Returns the options that comments of a definition set: `# option bindings soap11`,
/// `# svcgen.toml: client = false`.
fn config(text: &str) -> Config {
    let asked = text
        .lines()
        .filter_map(|line| line.strip_prefix("# option "));
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("# svcgen.toml: "));
    let file = lines.collect::<Vec<_>>().join("\n");
    let config = Config::new().options_file("svcgen.toml", &file);
    asked.fold(config, |mut config, asked| {
        let (name, value) = asked.split_once(' ').unwrap();
        let option = OPTIONS.iter().find(|option| option.name == name).unwrap();
        option.set(&mut config, value).unwrap();
        config
    })
}

/// Returns the diagnostics for a definition that is next to the invalid ones.
fn diagnose(file: &str, text: &str) -> Diagnostics {
    let config = config(text);
    let load = |path: &Path| fs::read(invalid_folder().join(path));
    match Generator::new(&config, load).generate_bytes(file, text.as_bytes()) {
        Ok(output) => output.warnings,
        Err(diagnostics) => diagnostics,
    }
}

#[test]
fn messages_name_the_place_and_what_would_help() {
    for path in invalid::files(&invalid_folder()) {
        let mut cases = invalid::read(&path);
        let mut wrong = String::new();
        for case in &mut cases {
            let diagnostics = diagnose(&case.name, &case.text);
            assert!(!diagnostics.is_empty(), "{} is valid", case.name);
            let said = diagnostics.to_string().trim_end().to_owned();
            if said != case.said {
                wrong += &format!("==== {}\n{}\n---- now\n{said}\n", case.name, case.said);
                case.said = said;
            }
        }
        if !wrong.is_empty() && std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always")
        {
            fs::write(path, invalid::file(&cases)).unwrap();
        } else {
            assert!(wrong.is_empty(), "{}:\n{wrong}", path.display());
            assert!(fs::read_to_string(path).unwrap() == invalid::file(&cases));
        }
    }
}

#[test]
fn a_certain_fix_puts_right_what_it_is_for_and_breaks_nothing() {
    let mut fixes = 0;
    for Invalid { name, text, .. } in invalid_definitions() {
        let name = &*name;
        let before = diagnose(name, &text);
        let said = |one: &Diagnostic| (one.code(), one.message().into_owned());
        for (index, wrong) in before.iter().enumerate() {
            let suggestion = wrong.suggestion();
            let Some(fix) = suggestion.filter(|fix| fix.is_certain && fix.span.file == name) else {
                continue;
            };
            let mut fixed = text.clone();
            fixed.replace_range(fix.span.bytes.clone(), fix.replacement);
            let others = before
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let mut others: Vec<_> = others.map(|(_, one)| said(one)).collect();
            for left in diagnose(name, &fixed).iter() {
                let known = others.iter().position(|other| *other == said(left));
                let known = known.unwrap_or_else(|| panic!("{wrong}\nfixed, there is\n{left}"));
                others.swap_remove(known);
            }
            fixes += 1;
        }
    }
    assert!(fixes > 20, "{fixes}");
}

#[test]
fn every_rule_has_a_definition_that_breaks_it() {
    let mut codes: Vec<_> = Vec::new();
    for case in invalid_definitions() {
        let diagnostics = diagnose("x.yaml", &case.text);
        codes.extend(diagnostics.iter().map(|diagnostic| diagnostic.code()));
    }
    codes.push(
        Config::new()
            .generate_file("nowhere.yaml")
            .unwrap_err()
            .iter()
            .next()
            .unwrap()
            .code(),
    );
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
    assert_eq!(codes, rules);
}

/// Returns the diagnostics for the example of a rule. An included file follows the example, after a
/// comment such as `# common.yaml`.
fn diagnose_example(example: &str) -> Diagnostics {
    let config = config(example);
    let mut others = ["common.yaml", "stock.xsd"].into_iter().filter_map(|name| {
        let (example, other) = example.split_once(&format!("# {name}\n"))?;
        Some((example, name, other))
    });
    let (example, name, other) = others.next().unwrap_or((example, "", ""));
    let load = |path: &Path| {
        let is_it = path == Path::new(name);
        is_it
            .then(|| other.into())
            .ok_or(io::ErrorKind::NotFound.into())
    };
    match Generator::new(&config, load).generate_bytes("example.yaml", example.as_bytes()) {
        Ok(output) => output.warnings,
        Err(diagnostics) => diagnostics,
    }
}

#[test]
fn what_explains_a_rule_breaks_it_and_no_other() {
    for row in RULES.iter() {
        let wrong = diagnose_example(row.wrong);
        assert_eq!(wrong.to_string(), row.output, "output of {}", row.code);
        let codes: Vec<_> = wrong.iter().map(|diagnostic| diagnostic.code()).collect();
        assert_eq!(codes, [row.code], "{wrong}");
        assert_eq!(wrong.iter().next().unwrap().severity(), row.severity);
        let right = diagnose_example(row.right);
        assert!(right.is_empty(), "{}: {right}", row.code);
        assert!(
            row.title.ends_with('.') && row.why.ends_with('.'),
            "{}",
            row.code
        );
    }
}

#[test]
fn of_a_long_line_what_matters_is_shown() {
    let elements: String = (0..1_000).map(|n| format!("a{n}: q, b{n}: ä, ")).collect();
    let text = VALID.replace('\n', ", ") + "types: { T: { elements: {" + &elements + "} } }";
    let diagnostics = diagnose("x.yaml", &format!("{{ {text} }}"));
    assert_eq!(diagnostics.len(), 100);
    for diagnostic in diagnostics.iter() {
        let (line, column) = diagnostic.spans().next().unwrap().start;
        let shown = diagnostic.to_string();
        let place = format!("x.yaml:{line}:{column}\n");
        assert!(
            shown.contains(&place) && shown.len() < 5_000,
            "{place}{shown}"
        );
    }
}

const VALID: &str = "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { result: int } }\n";

/// Returns the line and column of the first diagnostic.
fn start(text: &str) -> (usize, usize) {
    let diagnostics = diagnose("x.yaml", text);
    let first = diagnostics.iter().next().expect("something is wrong");
    first.spans().next().expect("it has a span").start
}

#[test]
fn spans_are_exact() {
    assert_eq!(start(&VALID.replace("int", "itn")), (4, 28));
    assert_eq!(start(&VALID.replace("int", "\"itn\"")), (4, 28));
    assert_eq!(
        start(&VALID.replace("int", "itn").replace('\n', "\r\n")),
        (4, 28)
    );
    assert_eq!(
        start(&format!("\u{FEFF}{}", VALID.replace("urn:s", "x"))),
        (2, 12)
    );
    assert_eq!(start(&VALID.replace("A:", "\"😀\":")), (4, 15));
    assert_eq!(
        start(&VALID.replace("{ result: int }", "{ doc: 😀日本, result: itn }")),
        (4, 38)
    );
    assert_eq!(
        start(&format!("# 😀\n\n{}", VALID.replace("int", "\n    itn"))),
        (7, 5)
    );
    assert_eq!(
        start(&format!(
            "{VALID}types:\n  T: &t {{ elements: {{ a: nope }} }}\n  U: *t\n"
        )),
        (6, 26)
    );
}

#[test]
fn a_file_of_types_has_a_name_that_modules_can_have() {
    let text = "types: { Point: { elements: { X: int } } }\n";
    let codes: Vec<_> = diagnose("größen.yaml", text)
        .iter()
        .map(|diagnostic| diagnostic.code())
        .collect();
    assert_eq!(codes, ["SVC011"]);
}

#[test]
fn everything_wrong_is_reported_in_one_run() {
    let text = "service: 1\nnamespace: x\npath: y\nbindings: [z]\noperatoins:\noperations: { A: { result: nope }, A: , B: 5 }\n";
    let codes: Vec<_> = diagnose("x.yaml", text)
        .iter()
        .map(|diagnostic| diagnostic.code())
        .collect();
    assert_eq!(
        codes,
        [
            "SVC010", "SVC037", "SVC008", "SVC009", "SVC003", "SVC015", "SVC004", "SVC005"
        ]
    );
}

#[test]
fn what_follows_from_a_mistake_is_not_reported_beside_it() {
    let text = format!("{VALID}types: {{ T: 5 }}\nenums: {{ E: 7 }}\n").replace("int", "T");
    let diagnostics = diagnose("x.yaml", &text);
    assert_eq!(diagnostics.len(), 2, "{diagnostics}");
}

#[test]
fn warnings_do_not_keep_code_from_being_generated() {
    let text = VALID.replace(
        "result: int",
        "parameters: { p: { type: string, secret: true } }",
    );
    let output = Config::new().generate("x.yaml", &text).unwrap();
    let severities: Vec<_> = output
        .warnings
        .iter()
        .map(|diagnostic| diagnostic.severity())
        .collect();
    assert_eq!(severities, [Severity::Warning]);
    let chosen = text.replace("path: /s", "path: /s\nbindings: [soap11, http-get]");
    assert!(
        Config::new()
            .generate("x.yaml", &chosen)
            .unwrap()
            .warnings
            .is_empty()
    );
}

#[test]
fn a_definition_has_at_most_half_a_million_nodes() {
    let too_many = |items: usize| {
        // A list of 999 items, repeated by aliases, and further items. The document, the key and
        // the list are nodes, too.
        let again = "*a, ".repeat(498);
        let own = "x, ".repeat(items - 499_003);
        let text = format!("types: [&a [{}], {again}{own}]", "x, ".repeat(999));
        let said = diagnose("x.yaml", &text).to_string();
        said.contains("a definition has at most 500000 nodes")
    };
    assert!(!too_many(500_000));
    assert!(too_many(500_001));
}

#[test]
fn bombs_and_towers_are_refused_in_time() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..40 {
        let before = level - 1;
        let aliases = vec![format!("*a{before}"); 9].join(", ");
        bomb += &format!("a{level}: &a{level} [{aliases}]\n");
    }
    let wide = format!(
        "a: &a [{}]\nb: [{}]\n",
        "x, ".repeat(50_000),
        "*a, ".repeat(50_000)
    );
    let tower = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let block_tower: String = (0..5_000)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    for text in [bomb, wide, tower, block_tower] {
        let codes: Vec<_> = diagnose("x.yaml", &text)
            .iter()
            .map(|diagnostic| diagnostic.code())
            .collect();
        assert_eq!(codes, ["SVC002"]);
    }
}

#[test]
fn what_is_opened_without_an_end_is_refused_at_its_limit() {
    for opening in ["[", "{a: ", "[a: [", "- ", "? "] {
        let tower = opening.repeat(100_000);
        for text in [tower.clone(), format!("a:\n  {tower}")] {
            let diagnostics = diagnose("x.yaml", &text);
            let said: Vec<_> = diagnostics.iter().map(|one| one.message()).collect();
            assert_eq!(said, ["the definition is nested too deep"], "{opening}");
        }
    }
}

#[test]
fn what_aliases_nest_is_refused_at_the_same_limit() {
    let choices = |count: usize| {
        let choices = (1..=count)
            .map(|id| format!("      c{id}: &c{id} {{ choice: {{ a: *c{} }} }}\n", id - 1));
        let choices: String = choices.collect();
        format!(
            "{VALID}types:\n  T:\n    elements:\n      c0: &c0 {{ choice: {{ a: int }} }}\n{choices}"
        )
    };
    let codes = |count: usize| {
        let diagnostics = diagnose("x.yaml", &choices(count));
        diagnostics.iter().map(|one| one.code()).collect::<Vec<_>>()
    };
    // The file, its types, the type and its elements count as levels; each choice is two maps.
    assert!(!codes(61).contains(&"SVC002"));
    assert_eq!(codes(62), ["SVC002"]);
    assert_eq!(codes(400), ["SVC002"]);
}

#[test]
fn what_aliases_repeat_is_read_for_each_and_wrong_once() {
    let aliases = |count: usize, element: &str| {
        let aliases = (1..=count).map(|id| format!("  T{id}: *t\n"));
        let base = VALID.replace("result: int", "result: T0");
        let aliases: String = aliases.collect();
        format!("{base}types:\n  T0: &t {{ elements: {{ a: {element} }} }}\n{aliases}")
    };
    let described = Config::new()
        .describe("x.yaml", aliases(1_000, "int"))
        .unwrap();
    let unused = described.warnings.left_out().unwrap();
    assert!(
        unused.starts_with("900 more"),
        "none but the first is used: {unused}"
    );
    let diagnostics = diagnose("x.yaml", &aliases(1_000, "itn"));
    let told: Vec<_> = diagnostics
        .iter()
        .map(|one| (one.code(), one.spans().next().map(|span| span.start)))
        .collect();
    assert_eq!(told, [("SVC015", Some((6, 27)))]);
    let diagnostics = diagnose("x.yaml", &aliases(1_000, "[a]"));
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn names_are_suggested_until_that_would_take_too_long() {
    let elements: String = (0..200)
        .map(|id| format!("      e{id}: Thinkx{id}\n"))
        .collect();
    let types: String = (0..2_000)
        .map(|id| format!("  Thing{id}: {{ elements: {{ a: int }} }}\n"))
        .collect();
    let base = VALID.replace("result: int", "result: All");
    let text = format!("{base}types:\n  All:\n    elements:\n{elements}{types}");
    let diagnostics = diagnose("x.yaml", &text);
    assert_eq!(diagnostics.len(), 100);
    let suggested = diagnostics.iter().map(|one| one.suggestion().is_some());
    let suggested: Vec<_> = suggested.collect();
    let first = suggested.iter().take_while(|is| **is).count();
    assert!((10..100).contains(&first), "{first}");
    assert!(suggested[first..].iter().all(|is| !is));
}

#[test]
fn mistakes_of_one_kind_are_listed_up_to_a_hundred() {
    let keys: String = (0..10_000).map(|id| format!("k{id}: 1\n")).collect();
    let tags: String = (0..10_000).map(|id| format!("k{id}: !t 1\n")).collect();
    assert_eq!(diagnose("x.yaml", &format!("{VALID}{keys}")).len(), 100);
    let diagnostics = diagnose("x.yaml", &format!("{VALID}{tags}"));
    assert_eq!(diagnostics.len(), 100);
    let note = "100 more errors or warnings are not shown";
    assert_eq!(diagnostics.left_out().as_deref(), Some(note));
    assert!(diagnostics.to_string().ends_with(note));
}

#[test]
fn messages_hold_no_control_characters() {
    let name = "\"a\\e[31m\\x07b\"";
    for text in [
        VALID.replace("int", name),
        VALID.replace("A:", &format!("{name}:")),
        VALID.replace("service: S", &format!("service: {name}")),
        VALID.replace("urn:s", name),
        VALID.replace("path: /s", &format!("path: {name}")),
        VALID.replace("result", name),
        format!("{VALID}{name}: 1\n"),
        format!("{VALID}{name}: 1\n{name}: 2\n"),
        format!("{VALID}include: [{name}]\n"),
        format!(
            "{VALID}types: {{ {name}: {{ elements: {{ a: int }} }}, T: {{ elements: {{ a: \"a\\e[31m\\x07\" }} }} }}\n"
        ),
        format!("{VALID}bindings: [{name}]\n"),
        format!("{VALID}types: {name}\n"),
    ] {
        let diagnostics = diagnose("x.yaml", &text);
        let shown = diagnostics.to_string();
        assert!(
            !diagnostics.is_empty() && !shown.contains(['\u{1B}', '\u{7}']),
            "{shown:?}"
        );
    }
}

/// Rows over which parsers of Rust would recurse, or whose code would be repeated for every other
/// row.
#[test]
fn long_rows_are_refused() {
    let rust_type = |path: &str| {
        VALID.replace(
            "int }",
            &format!("\"int\" }} }}\ntypes: {{ T: {{ rust_type: \"{path}\" }} }}\n#"),
        )
    };
    let nested = format!("{}B{}", "A<".repeat(5000), ">".repeat(5000));
    for path in [vec!["a"; 5000].join("::"), nested] {
        let diagnostics = diagnose("x.yaml", &rust_type(&path));
        let codes: Vec<_> = diagnostics.iter().map(|one| one.code()).collect();
        assert_eq!(codes[0], "SVC011", "{codes:?}");
    }
    let heirs = |count: usize| {
        let heirs = (1..=count).map(|id| format!("  T{id}: {{ extends: T{} }}\n", id - 1));
        let base = VALID.replace("result: int", "result: T0");
        format!(
            "{base}types:\n  T0: {{ elements: {{ a: int }} }}\n{}",
            heirs.collect::<String>()
        )
    };
    assert!(diagnose("x.yaml", &heirs(64)).is_empty());
    let diagnostics = diagnose("x.yaml", &heirs(5000));
    let told: Vec<_> = diagnostics
        .iter()
        .map(|one| (one.code(), one.spans().next().map(|span| span.start)))
        .collect();
    assert_eq!(told, [("SVC021", Some((71, 19)))], "{diagnostics}");
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| {
        Config::new()
            .generate_file(path)
            .unwrap_err()
            .iter()
            .next()
            .unwrap()
            .message()
            .into_owned()
    };
    assert_eq!(
        message(folder.path()),
        "the definition is a folder; name the files in it"
    );
    assert_eq!(
        message(&folder.path().join("x.yaml")),
        "there is no such definition file"
    );
    #[cfg(unix)]
    for device in ["/dev/zero", "/dev/null"] {
        assert_eq!(
            message(Path::new(device)),
            "the definition cannot be read: it is a pipe, a device or a socket, not a file"
        );
    }
    let path = folder.path().join("latin1.yaml");
    fs::write(&path, b"service: S\xE9rvice\n").unwrap();
    assert_eq!(
        message(&path),
        "the definition is not UTF-8: byte 11 is wrong"
    );
    fs::write(&path, "# nothing\n").unwrap();
    assert_eq!(message(&path), "the definition is empty");
}

/// Pieces of YAML in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        ": ",
        ":",
        "\n",
        "\r\n",
        "  ",
        "    ",
        "\t",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\"",
        "'",
        " # ",
        "&a ",
        "*a",
        "!t ",
        "!!str ",
        "|",
        ">",
        "? ",
        "%",
        "@",
        "`",
        "é",
        "😀",
        "---\n",
        "...\n",
        "<<: *a",
        "\\",
        "\u{FEFF}",
        "\u{85}",
        "\u{2028}",
        "\r",
        "service: S\n",
        "namespace: urn:s\n",
        "path: /s\n",
        "operations:\n",
        "types:\n",
        "elements: ",
        "int?",
        "string[]",
        "A: ",
        "~",
        "null",
        "1.5",
        "doc: ",
        "allow: [SVC026]\n",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_wrong_has_a_place_in_the_text(text in pieces()) {
        let config = Config::new();
        let _ = config.recover("x.yaml", &text);
        for diagnostic in diagnose("x.yaml", &text).iter() {
            prop_assert!(!diagnostic.render(true).is_empty());
            let suggested = diagnostic.suggestion().map(|suggestion| suggestion.span);
            for span in diagnostic.spans().chain(suggested) {
                prop_assert!(text.get(span.bytes.clone()).is_some(), "{diagnostic}");
                prop_assert!(span.start <= span.end);
            }
        }
    }
}

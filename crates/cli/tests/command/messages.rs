//! The formats of messages: for people, with or without colours, and for programs.

use serde_json::Value;

use super::{WRONG, command, svcgen_in};

const WARNS: &str = "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { parameters: { p: { type: string, secret: true } } } }\n";

fn check(definition: &str, flags: &[&str]) -> super::Ended {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"check", &"-"];
    flags.iter().for_each(|flag| arguments.push(flag));
    svcgen_in(folder.path(), &arguments, definition.as_bytes())
}

#[test]
fn messages_are_coloured_when_that_is_asked_for() {
    let plain = check(WRONG, &[]).stderr;
    assert!(!plain.contains('\u{1b}'), "standard error is no terminal");
    assert!(plain.contains("try `svcgen explain SVC015`"), "{plain}");
    let coloured = check(WRONG, &["--color", "always"]).stderr;
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    assert_eq!(check(WRONG, &["--color", "never"]).stderr, plain);
    let bare = command(&[&"check", &"-", &"--color", &"sometimes"]).output();
    assert_eq!(bare.unwrap().status.code(), Some(2));
}

#[test]
fn an_error_is_explained_before_a_warning() {
    let definition = WARNS.replace(" } }\n", " }, B: { result: itn } }\n");
    let said = check(&definition, &[]).stderr;
    let (warning, error) = (said.find("warning[SVC020]"), said.find("error[SVC015]"));
    assert!(warning.is_some() && warning < error, "{said}");
    assert!(said.ends_with("try `svcgen explain SVC015`.\n"), "{said}");
    let said = check(WARNS, &[]).stderr;
    assert!(said.ends_with("try `svcgen explain SVC020`.\n"), "{said}");
}

#[test]
fn programs_read_one_object_a_line() {
    let definition = format!(
        "\u{FEFF}# é\r\n{}",
        WRONG
            .replace("A:", "\"日本\": {{ rust: a, result: nope }}, A:")
            .replace("{{", "{")
            .replace("}}", "}")
    );
    let ended = check(&definition, &["--message-format", "json"]);
    assert_eq!(ended.code, Some(1));
    let lines: Vec<Value> = ended
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{}", ended.stderr);
    for (line, wrong) in lines.iter().zip(["nope", "itn"]) {
        assert_eq!(line["code"]["code"], "SVC015");
        assert_eq!(line["level"], "error");
        assert_eq!(line["message"], format!("unknown type `{wrong}`"));
        let span = &line["spans"][0];
        assert_eq!(span["file_name"], "stdin.yaml");
        assert_eq!(span["line_start"], 5);
        let text: Vec<char> = span["text"][0]["text"].as_str().unwrap().chars().collect();
        let columns =
            [&span["column_start"], &span["column_end"]].map(|n| n.as_u64().unwrap() as usize - 1);
        assert_eq!(
            text[columns[0]..columns[1]].iter().collect::<String>(),
            wrong
        );
        let bytes = [&span["byte_start"], &span["byte_end"]].map(|n| n.as_u64().unwrap() as usize);
        assert_eq!(
            &definition[bytes[0]..bytes[1]],
            wrong,
            "bytes are those of the file"
        );
        assert!(
            line["rendered"]
                .as_str()
                .unwrap()
                .starts_with("error[SVC015]: ")
        );
    }
    let help = &lines[1]["children"][0];
    assert_eq!(help["level"], "help");
    assert_eq!(help["message"], "did you mean `int`?");
    assert_eq!(help["spans"][0]["suggested_replacement"], "int");
    assert_eq!(
        help["spans"][0]["suggestion_applicability"],
        "MaybeIncorrect"
    );
}

#[test]
fn what_is_no_diagnostic_is_an_object_too() {
    let folder = tempfile::tempdir().unwrap();
    let ended = svcgen_in(
        folder.path(),
        &[&"check", &"nowhere.yaml", &"--message-format=json"],
        b"",
    );
    assert_eq!(ended.code, Some(2));
    let line: Value = serde_json::from_str(&ended.stderr).unwrap();
    assert_eq!(
        (&line["level"], &line["code"]),
        (&"error".into(), &Value::Null)
    );
}

#[test]
fn warnings_can_be_denied() {
    let warned = check(WARNS, &[]);
    assert_eq!(warned.code, Some(0));
    assert!(
        warned.stderr.contains("warning[SVC020]"),
        "{}",
        warned.stderr
    );
    let denied = check(WARNS, &["--deny-warnings"]);
    assert_eq!(denied.code, Some(1));
    assert!(
        denied.stderr.contains("--deny-warnings"),
        "{}",
        denied.stderr
    );
    let folder = tempfile::tempdir().unwrap();
    let generated = svcgen_in(
        folder.path(),
        &[&"generate", &"-", &"--deny-warnings"],
        WARNS.as_bytes(),
    );
    assert_eq!((generated.code, generated.stdout.as_str()), (Some(1), ""));
}

#[test]
fn files_that_are_no_definitions_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str| svcgen_in(folder.path(), &[&"check", &name], b"");
    let utf16: Vec<u8> = WRONG.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xFF, 0xFE], utf16.as_slice()].concat();
    let mut huge = b"service: S\n#".to_vec();
    huge.resize(svcgen_language::text::MOST_BYTES + 1, b'x');
    let files: [(&str, &[u8], &str); 7] = [
        ("empty.yaml", b"", "error[SVC002]: the definition is empty"),
        (
            "latin1.yaml",
            b"service: Caf\xE9\n",
            "error[SVC001]: the definition is not UTF-8: byte 13 is wrong",
        ),
        (
            "utf16.yaml",
            &marked,
            "error[SVC001]: the definition is UTF-16",
        ),
        (
            "nul.yaml",
            &utf16,
            "error[SVC001]: a definition cannot hold the character U+0000",
        ),
        (
            "huge.yaml",
            &huge,
            "error[SVC001]: a definition has at most 16 MiB",
        ),
        (
            "tar.yaml",
            &[0x1F, 0x8B, 0x08],
            "error[SVC001]: the definition is not UTF-8: byte 2 is wrong",
        ),
        (
            "text.yaml",
            b"Just some text.\n",
            "error[SVC005]: expected a map",
        ),
    ];
    for (name, bytes, message) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let ended = check(name);
        assert_eq!(ended.code, Some(1), "{name}");
        assert!(ended.stderr.contains(message), "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains(name), "{name}: {}", ended.stderr);
    }
    assert!(check("latin1.yaml").stderr.contains("latin1.yaml:1:13"));
}

#[test]
fn a_wrong_call_is_an_object_too() {
    let json = "--message-format=json";
    for (arguments, message, help) in [
        (
            &["generate", json, "--cleint", "false", "s.yaml"] as &[&str],
            "unexpected argument '--cleint' found",
            "tip: a similar argument exists: '--client'",
        ),
        (
            &["--message-format", "json", "generate"],
            "the following required arguments were not provided: <FILE>...",
            "For more information, try '--help'.",
        ),
        (
            &["generte", "--message-format", "json"],
            "unrecognized subcommand 'generte'",
            "tip: a similar subcommand exists: 'generate'",
        ),
        (
            &["generate", "s.yaml", "--client", "perhaps", json],
            "invalid value 'perhaps' for '--client <true|false>': `perhaps` is neither `true` nor `false`",
            "For more information, try '--help'.",
        ),
        (
            &["diff", json, "s.yaml", "--against", "git:"],
            "invalid value 'git:' for '--against <REV>': name a revision of git: HEAD, main, v1.4.0",
            "For more information, try '--help'.",
        ),
    ] {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|argument| argument as &dyn AsRef<std::ffi::OsStr>)
            .collect();
        let ended = svcgen_in(&std::env::temp_dir(), &arguments, b"");
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(2), ""),
            "{ended:?}"
        );
        let said: Value = serde_json::from_str(&ended.stderr).unwrap();
        assert_eq!(said["$message_type"], "diagnostic");
        assert_eq!(said["level"], "error");
        assert_eq!(said["message"], message);
        let children = said["children"].as_array().unwrap();
        assert!(
            children
                .iter()
                .any(|child| child["message"] == help && child["level"] == "help")
        );
        let rendered = said["rendered"].as_str().unwrap();
        assert!(
            rendered.starts_with("error: ") && rendered.contains("--help"),
            "{rendered}"
        );
    }
    let for_people = command(&[&"generate", &"--", &json]).output().unwrap();
    assert_eq!(
        for_people.status.code(),
        Some(2),
        "it is the name of a file"
    );
    let help = command(&[&"generate", &"--help", &json]).output().unwrap();
    assert!(help.status.success() && help.stdout.starts_with(b"Generates "));
}

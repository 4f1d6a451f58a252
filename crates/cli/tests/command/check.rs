//! `svcgen check`.

use std::ffi::OsStr;
use std::fs;

use svcgen_language::text::MOST_BYTES;

use crate::{RIGHT, WRONG, definition, svcgen, svcgen_in};

#[test]
fn right_definitions_are_passed_in_silence() {
    let checked = svcgen(&[&"check", &definition("*.yaml")]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert_eq!(checked.stdout, "");
    assert_eq!(checked.stderr, "");
}

#[test]
fn all_mistakes_of_all_definitions_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.yaml", WRONG), ("b.yaml", RIGHT), ("c.yaml", WRONG)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let checked = svcgen_in(folder.path(), &[&"check", &"*.yaml"], b"");
    assert_eq!(checked.code, Some(1));
    for place in ["a.yaml:4:28", "c.yaml:4:28"] {
        assert!(checked.stderr.contains(place), "{checked:?}");
    }
    assert!(!checked.stderr.contains("b.yaml"));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        3,
        "nothing is written"
    );
}

#[test]
fn warnings_leave_a_definition_right() {
    let text = "service: S\nnamespace: urn:s\npath: /s\n\
                operations: { A: { parameters: { p: { type: string, secret: true } } } }\n";
    let checked = svcgen_in(
        std::env::temp_dir().as_path(),
        &[&"check", &"-"],
        text.as_bytes(),
    );
    assert_eq!(checked.code, Some(0));
    assert!(checked.stderr.contains("warning[SVC020]"), "{checked:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_worse_than_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), WRONG).unwrap();
    fs::write(folder.path().join("latin.yaml"), b"service: Caf\xE9\n").unwrap();
    let check = |files: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"check"];
        arguments.extend(files);
        svcgen_in(folder.path(), &arguments, b"")
    };
    let missing = check(&[&"missing.yaml", &"a.yaml"]);
    assert_eq!(missing.code, Some(2));
    assert!(
        missing
            .stderr
            .contains("error: there is no file missing.yaml\n"),
        "{missing:?}"
    );
    assert!(
        missing.stderr.contains("a.yaml:4:28"),
        "the others are checked: {missing:?}"
    );

    let directory = check(&[&"."]);
    assert_eq!(directory.code, Some(2));
    assert!(
        directory
            .stderr
            .contains(". is a folder; name the files in it"),
        "{directory:?}"
    );

    let unmatched = check(&[&"*.yml"]);
    assert_eq!(unmatched.code, Some(2));
    assert_eq!(unmatched.stderr, "error: no file matches `*.yml`\n");

    let no_pattern = check(&[&"a***b"]);
    assert_eq!(no_pattern.code, Some(2));
    assert!(
        no_pattern.stderr.contains("`a***b` is not a valid pattern"),
        "{no_pattern:?}"
    );

    let latin = check(&[&"latin.yaml"]);
    assert_eq!(latin.code, Some(1), "what the file holds is wrong");
    assert!(latin.stderr.contains("not UTF-8: byte 13"), "{latin:?}");
}

#[test]
fn a_file_that_looks_like_a_pattern_is_meant_itself() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a[1].yaml"), WRONG).unwrap();
    fs::write(folder.path().join("a1.yaml"), RIGHT).unwrap();
    let checked = svcgen_in(folder.path(), &[&"check", &"a[1].yaml"], b"");
    assert!(checked.stderr.contains("a[1].yaml:4:28"), "{checked:?}");
}

#[test]
fn a_file_that_is_named_twice_is_checked_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), WRONG).unwrap();
    let checked = svcgen_in(
        folder.path(),
        &[&"check", &"a.yaml", &"*.yaml", &"./a.yaml"],
        b"",
    );
    assert_eq!(
        checked.stderr.matches("error[SVC015]").count(),
        1,
        "{checked:?}"
    );
}

#[test]
fn standard_input_is_not_taken_for_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stdin.yaml"), WRONG).unwrap();
    let both = svcgen_in(
        folder.path(),
        &[&"check", &"-", &"stdin.yaml"],
        RIGHT.as_bytes(),
    );
    assert_eq!(both.code, Some(2), "{both:?}");
    assert!(both.stderr.contains("rename that with --name"), "{both:?}");
    let named = [
        &"check" as &dyn AsRef<std::ffi::OsStr>,
        &"-",
        &"--name=a.yaml",
        &"stdin.yaml",
    ];
    let named = svcgen_in(folder.path(), &named, RIGHT.as_bytes());
    assert_eq!(named.code, Some(1), "{named:?}");
    assert!(named.stderr.contains("stdin.yaml:4:28"), "{named:?}");
}

/// Terminals interpret control characters in file names, and compilers refuse comments with hidden
/// changes of the text direction.
#[cfg(unix)]
#[test]
fn names_of_files_are_shown_without_what_cannot_be_seen() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[31m\n\u{202e}.yaml";
    fs::write(folder.path().join(name), WRONG).unwrap();
    let checked = svcgen_in(folder.path(), &[&"check", &name], b"");
    assert!(
        checked.stderr.contains(" --> a?[31m??.yaml:4:28\n"),
        "{checked:?}"
    );
    fs::write(folder.path().join(name), RIGHT).unwrap();
    let generated = svcgen_in(folder.path(), &[&"generate", &name], b"");
    assert!(
        generated.stdout.contains(" from a?[31m??.yaml. Edit"),
        "{generated:?}"
    );
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.yaml");
    fs::write(folder.path().join(name), WRONG).unwrap();
    let checked = svcgen_in(folder.path(), &[&"check", &name], b"");
    assert_eq!(checked.code, Some(1));
    assert!(
        checked.stderr.contains("caf\u{FFFD}.yaml:4:28"),
        "{checked:?}"
    );
}

const INCLUDING: &str = "service: S\nnamespace: urn:s\npath: /s\ninclude: [common.yaml]\noperations: { A: { result: T } }\n";
const COMMON: &str = "types: { T: { elements: { a: int } } }\n#";

/// Returns [`COMMON`] with a comment that makes it this long.
fn common(bytes: usize) -> String {
    COMMON.to_owned() + &"-".repeat(bytes - COMMON.len())
}

#[test]
fn what_is_included_is_as_long_as_a_definition_at_most() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), INCLUDING).unwrap();
    let included = folder.path().join("common.yaml");
    for (bytes, code) in [(MOST_BYTES, 0), (MOST_BYTES + 1, 1)] {
        fs::write(&included, common(bytes)).unwrap();
        let subcommands = ["check", "fmt", "diff"];
        let read = if code == 0 {
            &subcommands[..1]
        } else {
            &subcommands
        };
        for subcommand in read {
            let once = [
                subcommand as &dyn AsRef<std::ffi::OsStr>,
                &"s.yaml",
                &"s.yaml",
            ];
            let ended = svcgen_in(folder.path(), &once, b"");
            assert_eq!(
                ended.code,
                Some(if *subcommand == "fmt" { 0 } else { code })
            );
            let refused = ended
                .stderr
                .contains("a definition has at most 16 MiB\n--> common.yaml");
            assert_eq!(refused, code == 1 && *subcommand != "fmt", "{ended:?}");
        }
    }
}

/// Pipes and endless files are opened neither as a definition nor as an included file.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(pipe.unwrap().success());
    fs::create_dir(folder.path().join("folder.yaml")).unwrap();
    let no_file = "it is a pipe, a device or a socket, not a file";
    for (path, complaint) in [
        ("pipe", no_file),
        ("/dev/zero", no_file),
        (
            "folder.yaml",
            "the definition is a folder; name the files in it",
        ),
    ] {
        let text = RIGHT.replace("path:", &format!("include: [{path}]\npath:"));
        fs::write(folder.path().join("a.yaml"), text).unwrap();
        let allowed: [&dyn AsRef<OsStr>; 4] = [&"check", &"a.yaml", &"--allow-include", &"/dev"];
        let included = svcgen_in(folder.path(), &allowed, b"");
        assert_eq!(included.code, Some(1), "{included:?}");
        assert!(included.stderr.contains(complaint), "{included:?}");
        for subcommand in ["check", "fmt", "wsdl"] {
            let named = svcgen_in(folder.path(), &[&subcommand, &path], b"");
            assert_eq!(named.code, Some(2), "{named:?}");
            let complaint = complaint.trim_start_matches("the definition ");
            assert!(named.stderr.contains(complaint), "{named:?}");
        }
    }
}

/// Creates a workspace of `a.yaml`, with `company/b.yaml` and `secret` next to it.
fn workspace() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(root.path().join(name), text).unwrap();
    for folder in ["workspace/defs", "workspace/types", "company"] {
        fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    write("workspace/Cargo.toml", "");
    write("workspace/defs/Cargo.toml", "");
    write("workspace/types/b.yaml", "types: { B: {} }\n");
    write("company/b.yaml", "include: [c.yaml]\ntypes: { B: {} }\n");
    write("company/c.yaml", "types: { C: {} }\n");
    write("secret", "root:hush:19000:\n");
    root
}

const ALLOWING: &str = "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\noperations: { A: { result: B } }\nallow: [SVC026]\ninclude: ";

#[test]
fn a_definition_includes_files_of_its_workspace_and_of_folders_that_are_allowed() {
    let root = workspace();
    let folder = root.path().join("workspace/defs");
    let check = |include: &str, more: &[&str]| {
        fs::write(folder.join("a.yaml"), format!("{ALLOWING}{include}\n")).unwrap();
        let arguments = ["check", "a.yaml"].iter().chain(more);
        let arguments: Vec<_> = arguments.map(|one| one as &dyn AsRef<OsStr>).collect();
        svcgen_in(&folder, &arguments, b"")
    };
    assert_eq!(check("[../types/b.yaml]", &[]).code, Some(0));
    let outside = check("[../../company/b.yaml]", &[]);
    assert_eq!(outside.code, Some(1), "{outside:?}");
    for words in [
        "cannot be included: it is outside of the workspace",
        "--allow-include ../company",
        "--> a.yaml:7:11",
    ] {
        assert!(outside.stderr.contains(words), "{outside:?}");
    }
    // A file that an allowed file includes from its own folder needs no flag of its own.
    let allowed = check(
        "[../../company/b.yaml]",
        &["--allow-include", "../../company"],
    );
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
    let other = check(
        "[../../company/b.yaml]",
        &["--allow-include", "../../compan"],
    );
    assert_eq!(other.code, Some(1), "{other:?}");
    let options = root.path().join("workspace/svcgen.toml");
    fs::remove_file(folder.join("Cargo.toml")).unwrap();
    for value in ["'../company'", "['../company']"] {
        fs::write(&options, format!("allow_include = {value}\n")).unwrap();
        assert_eq!(check("[../../company/b.yaml]", &[]).code, Some(0));
    }
    for command in ["wsdl", "docs", "samples", "openapi"] {
        let written = svcgen_in(&folder, &[&command, &"a.yaml"], b"");
        assert_eq!(written.code, Some(0), "{written:?}");
    }
}

#[test]
fn the_schema_of_a_set_is_read_where_files_may_be_included_from() {
    let root = workspace();
    let folder = root.path().join("workspace/defs");
    let schema = r#"<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema"><s:element name="B" m:IsDataSet="true" xmlns:m="urn:schemas-microsoft-com:xml-msdata" /></s:schema>"#;
    for place in ["workspace/types", "company"] {
        fs::write(root.path().join(place).join("b.xsd"), schema).unwrap();
    }
    let check = |path: &str, more: &[&str]| {
        let types = format!("[]\ntypes: {{ B: {{ data_set: {path} }} }}\n");
        fs::write(folder.join("a.yaml"), format!("{ALLOWING}{types}")).unwrap();
        let arguments = ["check", "a.yaml"].iter().chain(more);
        let arguments: Vec<_> = arguments.map(|one| one as &dyn AsRef<OsStr>).collect();
        svcgen_in(&folder, &arguments, b"")
    };
    let within = check("../types/b.xsd", &[]);
    assert_eq!(within.code, Some(0), "{within:?}");
    let outside = check("../../company/b.xsd", &[]);
    assert_eq!(outside.code, Some(1), "{outside:?}");
    assert!(outside.stderr.contains("it is outside of the workspace"));
    let allow = ["--allow-include", "../../company"];
    assert_eq!(check("../../company/b.xsd", &allow).code, Some(0));
    // Nothing of another file is shown.
    let secret = check("../../secret", &["--allow-include", "../.."]);
    assert!(secret.stderr.contains("it is not XML"), "{secret:?}");
    assert!(!secret.stderr.contains("hush"), "{secret:?}");
}

#[cfg(unix)]
#[test]
fn what_is_no_definition_is_not_quoted() {
    use std::os::unix::fs::symlink;
    let root = workspace();
    let folder = root.path().join("workspace/defs");
    symlink("../../secret", folder.join("outside.yaml")).unwrap();
    symlink("../../secret", folder.join("svcgen.toml")).unwrap();
    let secrets = [
        "root:hush:19000:\n",
        "type: hush\n",
        "{\"private\": \"hush\", \"private\": 1}",
        "-----BEGIN hush\n",
        "hush \u{7}\n",
    ];
    let check = |include: &str, format: &str| {
        fs::write(folder.join("a.yaml"), format!("{ALLOWING}[{include}]\n")).unwrap();
        let arguments: [&dyn AsRef<OsStr>; 4] = [&"check", &"a.yaml", &"--message-format", &format];
        let ended = svcgen_in(&folder, &arguments, b"");
        assert_ne!(ended.code, Some(0), "{ended:?}");
        assert!(!ended.stderr.contains("hush"), "{ended:?}");
        ended.stderr
    };
    let told = check("secret.yaml", "human");
    let complaint = "the file of options cannot be read: it is outside of the workspace";
    assert!(told.contains(complaint), "{told}");
    fs::remove_file(folder.join("svcgen.toml")).unwrap();
    for format in ["human", "json"] {
        let told = check("outside.yaml", format);
        assert!(told.contains("it is outside of the workspace"), "{told}");
        for bytes in secrets
            .map(str::as_bytes)
            .into_iter()
            .chain([&b"\xE9 hush"[..]])
        {
            fs::write(folder.join("secret.yaml"), bytes).unwrap();
            let told = check("secret.yaml", format);
            assert!(told.contains("does not begin as a definition"), "{told}");
        }
    }
}

#[test]
fn of_many_mistakes_a_hundred_are_shown_errors_first() {
    let folder = tempfile::tempdir().unwrap();
    // A hundred and fifty warnings come before as many errors.
    let types: String = (0..150).map(|id| format!("  T{id}: {{}}\n")).collect();
    let wrong: String = (0..150)
        .map(|id| format!("  U{id}: {{ elements: {{ a: Unknown{id} }} }}\n"))
        .collect();
    fs::write(
        folder.path().join("s.yaml"),
        format!("{RIGHT}types:\n{types}{wrong}"),
    )
    .unwrap();
    let human = svcgen_in(folder.path(), &[&"check", &"s.yaml"], b"");
    assert_eq!(human.stderr.matches("error[SVC015]").count(), 100);
    assert!(!human.stderr.contains("warning["), "{human:?}");
    assert!(
        human
            .stderr
            .contains("more errors or warnings are not shown"),
        "{human:?}"
    );
    let json: [&dyn AsRef<OsStr>; 4] = [&"check", &"s.yaml", &"--message-format", &"json"];
    let json = svcgen_in(folder.path(), &json, b"").stderr;
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(
        (json.lines().count(), &last["level"]),
        (101, &"note".into())
    );
}

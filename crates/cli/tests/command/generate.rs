//! `svcgen generate`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use svcgen_codegen::Config;

use crate::{Ended, RIGHT, WRONG, command, definition, svcgen, svcgen_in};

#[test]
fn one_definition_goes_to_stdout_with_the_text_of_every_other_door() {
    let path = definition("authenticator.yaml");
    let code = Config::new().generate_file(&path).unwrap().code;
    let generated = svcgen(&[&"generate", &path]);
    assert_eq!(generated.code, Some(0));
    assert_eq!(generated.stdout, code);
    assert_eq!(svcgen(&[&"generate", &"--out", &"-", &path]).stdout, code);
}

#[test]
fn a_definition_can_come_from_stdin() {
    let generate = |arguments: &[&dyn AsRef<OsStr>], text: &str| {
        svcgen_in(Path::new("/"), arguments, text.as_bytes())
    };
    let generated = generate(&[&"generate", &"--name", &"s.yaml", &"-"], RIGHT);
    assert_eq!(
        generated.stdout,
        Config::new().generate("s.yaml", RIGHT).unwrap().code
    );
    let wrong = generate(&[&"generate", &"--name", &"draft.yaml", &"-"], WRONG);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stderr.contains("draft.yaml:4:28"), "{wrong:?}");
    let unnamed = generate(&[&"generate", &"-", &"-"], WRONG);
    assert_eq!(
        unnamed.stderr.matches("stdin.yaml:4:28").count(),
        1,
        "{unnamed:?}"
    );
}

#[test]
fn options_are_those_of_the_generator() {
    let path = definition("authenticator.yaml");
    let config = Config::new()
        .client(false)
        .runtime("crate::rt")
        .extern_path("int", "crate::Int");
    let code = config.generate_file(&path).unwrap().code;
    for option in ["--extern-path", "--extern_path"] {
        let generated = svcgen(&[
            &"generate",
            &"--client",
            &"false",
            &"--runtime=crate::rt",
            &option,
            &"int=crate::Int",
            &path,
        ]);
        assert_eq!(generated.stdout, code, "{}", generated.stderr);
    }
    let wrong = svcgen(&[&"generate", &"--client", &"perhaps", &path]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("neither `true` nor `false`"));
}

#[test]
fn files_are_written_once_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("generated");
    let definitions = definition("*.yaml");
    let generate = |check: &[&dyn AsRef<OsStr>]| -> Ended {
        let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"generate", &"--out", &out, &definitions];
        arguments.extend(check);
        svcgen(&arguments)
    };

    let missing = generate(&[&"--check"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.stdout.contains("missing ") && !out.exists());

    let first = generate(&[]);
    assert_eq!(first.code, Some(0));
    assert_eq!(first.stdout.matches("wrote ").count(), 2);
    assert_eq!(generate(&[]).stdout.matches("fresh ").count(), 2);
    assert_eq!(generate(&[&"--check"]).code, Some(0));
    assert_eq!(
        fs::read_dir(&out).unwrap().count(),
        2,
        "no temporary file stays"
    );

    let path = out.join("authenticator.rs");
    let code = fs::read_to_string(&path).unwrap();
    let line = "    pub message: Option<String>,\n";
    let number = code[..code.find(line).unwrap()].lines().count() + 1;
    fs::write(&path, code.replace(line, "    pub message: String,\n")).unwrap();
    let stale = generate(&[&"--check"]);
    assert_eq!(stale.code, Some(1));
    let shown = &stale.stdout[stale.stdout.find("stale ").unwrap()..];
    let name = path.display();
    assert!(
        shown.starts_with(&format!(
            "stale {name}\n--- {name}\n+++ {name}\n@@ -{0},7 +{0},7 @@\n",
            number - 3
        )),
        "{shown}"
    );
    assert!(
        shown.contains("\n-    pub message: String,\n+    pub message: Option<String>,\n"),
        "{shown}"
    );
    assert_ne!(
        fs::read_to_string(&path).unwrap(),
        code,
        "--check writes nothing"
    );
}

#[test]
fn what_is_wrong_is_reported_for_all_and_the_others_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.yaml");
    fs::write(&wrong, WRONG).unwrap();
    let missing = folder.path().join("missing.yaml");
    let right = definition("authenticator.yaml");
    let copy = folder.path().join("copy.yaml");
    fs::copy(&right, &copy).unwrap();
    let generate = |files: &[&dyn AsRef<OsStr>]| {
        let out = folder.path().join("out");
        let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"generate", &"--out", &out];
        arguments.extend(files);
        svcgen(&arguments)
    };
    let generated = generate(&[&wrong, &missing, &right, &copy]);
    assert_eq!(generated.code, Some(2));
    let errors = generated.stderr;
    assert!(
        errors.contains("error[SVC015]: unknown type `itn`") && errors.contains("wrong.yaml:4:28"),
        "{errors}"
    );
    assert!(errors.contains("there is no file"), "{errors}");
    assert!(errors.contains("would both be written to"), "{errors}");
    let written = fs::read_to_string(folder.path().join("out/authenticator.rs")).unwrap();
    assert!(
        written.contains("from authenticator.yaml"),
        "the first of the two is written"
    );
    assert_eq!(generate(&[&wrong, &right]).code, Some(1));
}

#[test]
fn several_definitions_and_checks_need_a_folder() {
    let definitions = definition("*.yaml");
    for arguments in [&["--out", "-"] as &[&str], &[]] {
        let mut all: Vec<&dyn AsRef<OsStr>> = vec![&"generate", &definitions];
        all.extend(
            arguments
                .iter()
                .map(|argument| argument as &dyn AsRef<OsStr>),
        );
        let ended = svcgen(&all);
        assert_eq!(ended.code, Some(2));
        assert!(
            ended.stderr.contains("--out DIR") && ended.stdout.is_empty(),
            "{ended:?}"
        );
    }
    let path = definition("authenticator.yaml");
    assert_eq!(svcgen(&[&"generate", &"--check", &path]).code, Some(2));
    assert_eq!(
        svcgen(&[&"generate", &"--check", &"--out", &"-", &path]).code,
        Some(2)
    );
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let definition = definition("authenticator.yaml");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let directory = folder.path().join("directory");
    fs::create_dir_all(directory.join("authenticator.rs")).unwrap();
    for (out, path) in [
        (&file, "file/authenticator.rs"),
        (&directory, "directory/authenticator.rs"),
    ] {
        let written = svcgen(&[&"generate", &"--out", out, &definition]);
        assert_eq!(written.code, Some(2));
        assert!(
            written
                .stderr
                .contains(&format!("{path} cannot be written: ")),
            "{written:?}"
        );
    }
    let names: Vec<_> = fs::read_dir(&directory).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays: {names:?}");
    let checked = svcgen(&[&"generate", &"--check", &"--out", &directory, &definition]);
    assert_eq!(checked.code, Some(2));
    assert!(checked.stderr.contains("cannot be read: "), "{checked:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = command(&[&"generate", &definition("authenticator.yaml")])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let ended = command(&[&"generate", &definition("authenticator.yaml")])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("standard output cannot be written"));
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("authenticator.rs");
    fs::write(&target, "stale").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let written = svcgen(&[
        &"generate",
        &"--out",
        &folder.path(),
        &definition("authenticator.yaml"),
    ]);
    assert_eq!(written.code, Some(0));
    let text = fs::read_to_string(&target).unwrap();
    assert!(text.starts_with("// @generated"));
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_or_compared_through_a_link() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("s.yaml"), RIGHT).unwrap();
    fs::write(path("secret"), "hush").unwrap();
    fs::create_dir(path("real")).unwrap();
    // The folder may be a link.
    symlink("real", path("out")).unwrap();
    symlink("../secret", path("real/s.rs")).unwrap();
    symlink("s.yaml", path("link.yaml")).unwrap();
    let calls: [&[&dyn AsRef<OsStr>]; 4] = [
        &[&"generate", &"s.yaml", &"--out", &"out"],
        &[&"generate", &"s.yaml", &"--out", &"out", &"--check"],
        &[&"wsdl", &"s.yaml", &"--out", &"out/s.rs"],
        &[&"fmt", &"link.yaml"],
    ];
    for call in calls {
        let ended = svcgen_in(folder.path(), call, b"");
        assert_eq!(ended.code, Some(2), "{ended:?}");
        let complaint = "it is a symbolic link, which is not followed";
        assert!(ended.stderr.contains(complaint), "{ended:?}");
        assert!(!format!("{ended:?}").contains("hush"), "{ended:?}");
    }
    assert_eq!(fs::read_to_string(path("secret")).unwrap(), "hush");
    assert_eq!(fs::read_to_string(path("s.yaml")).unwrap(), RIGHT);
    fs::remove_file(path("real/s.rs")).unwrap();
    let written = svcgen_in(folder.path(), calls[0], b"");
    assert_eq!(written.stdout, "wrote out/s.rs\n", "{written:?}");
    let left: Vec<_> = fs::read_dir(path("real")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn included_files_are_generated_beside_what_includes_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let name = format!("../../tests/definitions/valid/{name}.yaml");
        Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
    };
    let (orders, common) = (path("orders"), path("common"));
    let generated = svcgen(&[&"generate", &"--out", &folder.path(), &orders, &common]);
    assert_eq!(generated.code, Some(0), "{generated:?}");
    for name in ["orders", "common", "places"] {
        let written = fs::read_to_string(folder.path().join(format!("{name}.rs"))).unwrap();
        let expected = Config::new().generate_file(path(name)).unwrap();
        assert_eq!(written, expected.code);
    }
    assert_eq!(generated.stdout.matches("wrote ").count(), 3);
    let alone = svcgen(&[&"generate", &orders]);
    assert!(alone.stdout.contains("pub use super::common::Address;"));
}

#[test]
fn a_file_where_a_folder_should_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), RIGHT).unwrap();
    let ended = svcgen_in(
        folder.path(),
        &[&"generate", &"s.yaml", &"--out", &"s.yaml"],
        b"",
    );
    assert_eq!(ended.code, Some(2));
    assert_eq!(
        ended.stderr,
        "error: s.yaml/s.rs cannot be written: s.yaml is not a folder\n"
    );
}

#[test]
fn a_file_that_is_to_be_made_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), RIGHT).unwrap();
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"generate", &"s.yaml", &"--out", &"src/s.rs"];
    let ended = svcgen_in(folder.path(), &arguments, b"");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("named like a file"), "{ended:?}");
    assert!(!folder.path().join("src").exists());
}

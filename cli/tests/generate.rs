//! `svcgen generate`, as it is called from a shell.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use svcgen_codegen::Config;

fn definition(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../service-defs")
        .join(name)
}

fn svcgen(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svcgen"));
    for argument in arguments {
        command.arg(argument.as_ref());
    }
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn one_definition_goes_to_stdout_with_the_text_of_every_other_door() {
    let path = definition("authenticator.yaml");
    let output = svcgen(&[&"generate", &path]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        Config::new().generate_file(&path).unwrap().code
    );
}

#[test]
fn options_are_those_of_the_generator() {
    let path = definition("authenticator.yaml");
    let output = svcgen(&[
        &"generate",
        &"--client",
        &"false",
        &"--runtime",
        &"crate::rt",
        &path,
    ]);
    let config = Config::new().client(false).runtime("crate::rt");
    assert_eq!(stdout(&output), config.generate_file(&path).unwrap().code);
    let output = svcgen(&[&"generate", &"--client", &"perhaps", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("neither `true` nor `false`"));
}

#[test]
fn files_are_written_once_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("generated");
    let files = [
        definition("authenticator.yaml"),
        definition("device_login_service.yaml"),
    ];
    let generate = |check: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"generate", &"--out", &out, &files[0], &files[1]];
        arguments.extend(check);
        svcgen(&arguments)
    };

    let missing = generate(&[&"--check"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stdout(&missing).contains("missing ") && !out.exists());

    let first = generate(&[]);
    assert_eq!(first.status.code(), Some(0));
    assert_eq!(stdout(&first).matches("wrote ").count(), 2);
    assert_eq!(stdout(&generate(&[])).matches("fresh ").count(), 2);
    assert_eq!(generate(&[&"--check"]).status.code(), Some(0));
    assert_eq!(
        fs::read_dir(&out).unwrap().count(),
        2,
        "no temporary file stays"
    );

    let path = out.join("authenticator.rs");
    let code = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        code.replace("pub message: Option<String>", "pub message: String"),
    )
    .unwrap();
    let stale = generate(&[&"--check"]);
    assert_eq!(stale.status.code(), Some(1));
    assert!(
        stdout(&stale).contains("\n-    pub message: String,\n+    pub message: Option<String>,\n"),
        "{}",
        stdout(&stale)
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
    fs::write(
        &wrong,
        "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { result: itn } }\n",
    )
    .unwrap();
    let missing = folder.path().join("missing.yaml");
    let right = definition("authenticator.yaml");
    let output = svcgen(&[
        &"generate",
        &"--out",
        &folder.path(),
        &wrong,
        &missing,
        &right,
        &right,
    ]);
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    assert!(
        errors.contains("error[SVC015]: unknown type `itn`") && errors.contains("wrong.yaml:4:28"),
        "{errors}"
    );
    assert!(
        errors.contains("there is no such definition file"),
        "{errors}"
    );
    assert!(errors.contains("would both be written to"), "{errors}");
    assert!(folder.path().join("authenticator.rs").exists());
}

#[test]
fn wrong_calls_end_with_2() {
    let path = definition("authenticator.yaml");
    assert_eq!(svcgen(&[&"generate"]).status.code(), Some(2));
    assert_eq!(svcgen(&[]).status.code(), Some(2));
    assert_eq!(svcgen(&[&"generate", &path, &path]).status.code(), Some(2));
    assert_eq!(
        svcgen(&[&"generate", &"--check", &path]).status.code(),
        Some(2)
    );
    let help = svcgen(&[&"generate", &"--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(stdout(&help).contains("Exit codes:"));
}

//! `svcgen wsdl`.

#[path = "../../../../tests/src/recorded/file.rs"]
#[allow(dead_code, reason = "no folders are written here")]
mod file;

use std::fs;
use std::path::Path;

use crate::{RIGHT, WRONG, definition, svcgen, svcgen_in};

/// Returns a recorded document of the original.
fn recorded(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/recorded/login/doc.txt");
    let mut exchanges = file::exchanges(path).into_iter();
    let exchange = exchanges.find(|exchange| exchange.name == format!("doc/{name}"));
    let answer = String::from_utf8(exchange.expect(name).response).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    body.to_owned()
}

const URL: &str = "--url=http://127.0.0.1:18080/";

#[test]
fn the_original_shape_is_the_recorded_one() {
    for (file, name) in [
        ("authenticator.yaml", "auth"),
        ("device_login_service.yaml", "device"),
    ] {
        let shape = "--shape=original";
        let ended = svcgen(&[
            &"wsdl",
            &URL,
            &shape,
            &"--no-documentation",
            &definition(file),
        ]);
        assert_eq!(
            ended.stdout,
            recorded(&format!("{name}-q-wsdl")),
            "{}",
            ended.stderr
        );
        let ended = svcgen(&[&"wsdl", &URL, &"--disco", &definition(file)]);
        assert_eq!(
            ended.stdout,
            recorded(&format!("{name}-q-disco")),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_file_is_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("authenticator.wsdl");
    let file = definition("authenticator.yaml");
    let write = || svcgen(&[&"wsdl", &file, &"--out", &out]);
    let check = || svcgen(&[&"wsdl", &file, &"--out", &out, &"--check"]);
    assert_eq!(check().code, Some(1));
    assert_eq!(write().code, Some(0));
    assert_eq!(check().code, Some(0));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains("<wsdl:documentation>Verifies credentials.</wsdl:documentation>"));
    assert!(text.contains("location=\"http://localhost/SvcDotNet/Authenticator.asmx\""));
    fs::write(&out, text + " ").unwrap();
    assert_eq!(check().code, Some(1));
}

#[test]
fn what_is_wrong_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = svcgen_in(folder.path(), &[&"wsdl", &"-"], WRONG.as_bytes());
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(1), ""));
    let types = b"types: { A: { elements: { B: int } } }\n";
    let types = svcgen_in(
        folder.path(),
        &[&"wsdl", &"--name", &"types.yaml", &"-"],
        types,
    );
    assert_eq!(types.code, Some(2), "{types:?}");
    assert!(
        types.stderr.contains("types.yaml holds only types"),
        "{types:?}"
    );
    for url in [
        "example.com",
        "ftp://example.com",
        "https://",
        "https:///x",
        "https://exa mple.com",
        "https://a@example.com",
        "https://example.com/\"",
        "https://example.com/?x",
        "",
    ] {
        for subcommand in ["wsdl", "openapi"] {
            let url = format!("--url={url}");
            let ended = svcgen(&[&subcommand, &url, &definition("authenticator.yaml")]);
            assert_eq!(
                (ended.code, ended.stdout.as_str()),
                (Some(2), ""),
                "{ended:?}"
            );
            assert!(ended.stderr.contains("'--url <URL>'"), "{ended:?}");
        }
    }
    for host in ["a b", "example.com/x", "\"", ""] {
        let host = format!("--host={host}");
        let ended = svcgen(&[&"samples", &host, &definition("authenticator.yaml")]);
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(2), ""),
            "{ended:?}"
        );
    }
}

/// If one of two definitions cannot be read, nothing is printed for the other.
#[test]
fn documents_are_of_all_that_was_named_or_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.yaml"), RIGHT).unwrap();
    let unused = format!("{RIGHT}enums: {{ Tone: [Plain] }}\n");
    fs::write(folder.path().join("warns.yaml"), unused).unwrap();
    for subcommand in ["wsdl", "docs", "samples", "openapi"] {
        let unreadable = svcgen_in(folder.path(), &[&subcommand, &"s.yaml", &"none.yaml"], b"");
        assert_eq!((unreadable.code, unreadable.stdout.as_str()), (Some(2), ""));
        let two = svcgen_in(folder.path(), &[&subcommand, &"s.yaml", &"warns.yaml"], b"");
        assert_eq!((two.code, two.stdout.as_str()), (Some(2), ""));
        let warns = svcgen_in(folder.path(), &[&subcommand, &"warns.yaml"], b"");
        assert_eq!(warns.code, Some(0));
        let strict: [&dyn AsRef<std::ffi::OsStr>; 3] =
            [&subcommand, &"--deny-warnings", &"warns.yaml"];
        let strict = svcgen_in(folder.path(), &strict, b"");
        assert_eq!(
            (strict.code, strict.stdout.as_str()),
            (Some(1), ""),
            "{subcommand}"
        );
    }
}

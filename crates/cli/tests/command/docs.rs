//! `svcgen docs`: the targets of links exist, and text stays text.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use crate::{definition, svcgen};

/// Returns the definitions of services in the tests.
fn definitions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/valid");
    let found = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    found
        .filter(|path| fs::read_to_string(path).unwrap().contains("\nservice:"))
        .collect()
}

fn docs(file: &Path, format: &str) -> String {
    let ended = svcgen(&[&"docs", &file, &"--format", &format]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended.stdout
}

/// Returns each text between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start)
        .skip(1)
        .map(|rest| rest.split(end).next().unwrap())
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let files: Vec<_> = definitions()
        .into_iter()
        .chain(iter::once(definition("device_login_service.yaml")))
        .collect();
    assert!(files.len() > 5);
    for file in files {
        let markdown = docs(&file, "markdown");
        let html = docs(&file, "html");
        let anchors = between(&markdown, "<a id=\"", "\"");
        for link in between(&markdown, "](#", ")") {
            assert!(anchors.contains(&link), "{link} in {}", file.display());
        }
        let anchors = between(&html, " id=\"", "\"");
        for link in between(&html, "href=\"#", "\"") {
            assert!(anchors.contains(&link), "{link} in {}", file.display());
        }
    }
}

#[test]
fn operations_types_samples_and_errors_are_there() {
    let file = definition("device_login_service.yaml");
    let markdown = docs(&file, "markdown");
    for part in [
        "# DeviceLoginService Web Service\n",
        "| `encryptedPassword` | `base64Binary` | optional, secret |  |\n",
        "Result: [`ForgotPasswordStatus`](#type-ForgotPasswordStatus)\n",
        "\n#### NoOp over SOAP 1.2\n\n```http\nPOST /SvcDotNet/Mobile/Services/DeviceLoginService.asmx HTTP/1.1\n",
        "| `NewsSearchSourceTypes` | list of [`SearchSourceType`](#type-SearchSourceType) | optional, items\\: SearchSourceType, nillable |  |\n",
        "- `OK` – Nothing failed.\n",
        "| The operation failed | 500, soap:Server | 500, soap:Receiver | 500, a line of text |\n",
        "<faultcode>soap:Server</faultcode>",
    ] {
        assert!(markdown.contains(part), "{part}");
    }
}

#[test]
fn hostile_documentation_is_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/valid");
    let file = folder.join("help_page.yaml");
    for format in ["markdown", "html"] {
        let document = docs(&file, format);
        // The page has a script of its own.
        let own = usize::from(format == "html");
        assert_eq!(document.matches("<script").count(), own);
        for tag in ["<img", "<svg", "</style><", "<a href=\"javascript"] {
            assert!(!document.contains(tag), "{tag} in {format}");
        }
        assert!(document.contains("&lt;script&gt;"));
    }
}

#[test]
fn a_file_is_written_and_held() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("docs/authenticator.html");
    let file = definition("authenticator.yaml");
    let call = |more: &str| {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"docs", &file, &"--format", &"html", &"--out", &out];
        if !more.is_empty() {
            arguments.push(&"--check");
        }
        svcgen(&arguments).code
    };
    assert_eq!(call("--check"), Some(1));
    assert_eq!(call(""), Some(0));
    assert_eq!(call("--check"), Some(0));
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.matches("<script").count() == 1 && !page.contains("src="));
}

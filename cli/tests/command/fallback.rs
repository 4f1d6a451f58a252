//! Crates of `svcgen new --fallback`: what is written. Others build and run them, in `follow/`.

use std::fs;

use crate::svcgen_in;

const DEFINITION: &str = "
service: Greeter
namespace: urn:example:greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: string? }, result: string? }
  Part: { parameters: { name: string? }, result: string? }
";

#[test]
fn the_crate_is_laid_out_and_has_the_features_of_its_url() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("greeter.yaml"), DEFINITION).unwrap();
    for (url, features) in [
        ("http://old.corp.example:8080", "[\"fallback\"]"),
        (
            "HTTPS://a-server-with-a-longer-name.department.corp.example",
            "[\"fallback\", \"tls\"]",
        ),
    ] {
        let out = folder.path().join(features.len().to_string());
        let call: [&dyn AsRef<_>; 8] = [
            &"new",
            &"--from",
            &"greeter.yaml",
            &"--fallback",
            &url,
            &"polite",
            &"--out",
            &out,
        ];
        let made = svcgen_in(folder.path(), &call, b"");
        assert_eq!(made.code, Some(0), "{made:?}");
        let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains(&format!(", features = {features} }}")),
            "{manifest}"
        );
        let main = out.join("src/main.rs");
        assert!(fs::read_to_string(&main).unwrap().contains(url));
        let formatted = std::process::Command::new("rustfmt")
            .args(["--check", "--edition", "2024"])
            .arg(&main)
            .output()
            .unwrap();
        let difference = String::from_utf8_lossy(&formatted.stdout);
        assert!(formatted.status.success(), "{difference}");
    }
}

#[test]
fn urls_that_name_no_server_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("greeter.yaml"), DEFINITION).unwrap();
    for (arguments, says) in [
        (
            &[
                "--from",
                "greeter.yaml",
                "--fallback",
                "http://old/Greeter.asmx",
            ][..],
            "requests keep their own path and query",
        ),
        (
            &["--from", "greeter.yaml", "--fallback", "old"],
            "give a URL such as http://old.corp.example:8080",
        ),
        (&["--fallback", "http://old"], "--from <ADDRESS>"),
    ] {
        let mut call: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"new", &"polite"];
        call.extend(arguments.iter().map(|argument| argument as &dyn AsRef<_>));
        let made = svcgen_in(folder.path(), &call, b"");
        assert_eq!(made.code, Some(2), "{made:?}");
        assert!(made.stderr.contains(says), "{made:?}");
        assert!(!folder.path().join("polite").exists());
    }
}

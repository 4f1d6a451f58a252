//! `svcgen new`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::original::original;
use crate::{svcgen, svcgen_in};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

#[test]
fn a_crate_joins_the_workspace_around_it() {
    let member = tempfile::tempdir().unwrap();
    let root = member.path().join("Cargo.toml");
    let shared = "[workspace]\nresolver = \"3\"\n\n[workspace.package]\nedition = \"2021\"\n\n[workspace.lints.rust]\nunused = \"warn\"\n";
    fs::write(&root, shared).unwrap();
    let call: [&dyn AsRef<_>; 4] = [&"new", &"weather-station", &"--path", &workspace()];
    let made = svcgen_in(member.path(), &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stdout.contains("joined the workspace of "), "{made:?}");
    let root = fs::read_to_string(root).unwrap();
    assert!(root.contains("\"weather-station\""), "{root}");
    let manifest = member.path().join("weather-station/Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    for inherited in ["edition.workspace = true", "[lints]\nworkspace = true"] {
        assert!(manifest.contains(inherited), "{manifest}");
    }
    // The profiles of the workspace apply.
    assert!(!manifest.contains("[profile."), "{manifest}");
    for folder in ["crates/svcgen", "crates/observe", "codegen"] {
        let path = format!("{{ path = {:?}", workspace().join(folder));
        assert!(manifest.contains(&path), "{manifest}");
    }
}

fn definition(name: &str) -> PathBuf {
    workspace().join("tests/definitions").join(name)
}

#[test]
fn what_definitions_need_comes_along() {
    let folder = tempfile::tempdir().unwrap();
    let (orders, stock) = (
        definition("valid/orders.yaml"),
        definition("lab/stock.yaml"),
    );
    let call: [&dyn AsRef<_>; 6] = [&"new", &"--from", &orders, &"--from", &stock, &"shop"];
    let made = svcgen_in(folder.path(), &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let shop = folder.path().join("shop");
    // The included files, and the schema of a set of tables.
    for (file, original) in [
        ("valid/orders.yaml", orders),
        ("valid/common.yaml", definition("valid/common.yaml")),
        ("lab/stock.yaml", stock),
    ] {
        let text = fs::read_to_string(shop.join("service-defs").join(file)).unwrap();
        assert_eq!(text, fs::read_to_string(original).unwrap());
    }
    assert!(shop.join("service-defs/schemas/stock.xsd").is_file());
    let formatted = std::process::Command::new("rustfmt")
        .args(["--check", "--edition", "2024", "build.rs", "src/main.rs"])
        .current_dir(&shop)
        .output()
        .unwrap();
    let difference = String::from_utf8_lossy(&formatted.stdout);
    assert!(formatted.status.success(), "{difference}");
}

#[test]
fn a_crate_has_the_features_and_crates_that_its_definition_needs() {
    let folder = tempfile::tempdir().unwrap();
    let makers = ["chrono", "rust_decimal", "uuid"];
    for (name, features, needed) in [
        (
            "valid/simple_types.yaml",
            &["decimal", "guid", "time"][..],
            &makers[..],
        ),
        ("lab/sessions.yaml", &["json", "sessions"], &[]),
        ("valid/time_zone.yaml", &["time", "time-zones"], &["chrono"]),
        ("lab/stock.yaml", &["data-sets"], &[]),
    ] {
        let out = folder.path().join(name);
        let call = [
            &"new" as &dyn AsRef<_>,
            &"--from",
            &definition(name),
            &"some-service",
            &"--out",
            &out,
        ];
        let made = svcgen_in(folder.path(), &call, b"");
        assert_eq!(made.code, Some(0), "{name}: {made:?}");
        let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
        let wanted = format!(", features = {features:?} }}");
        assert!(manifest.contains(&wanted), "{name}: {manifest}");
        let optimised = "\n[profile.release]\nlto = \"fat\"\ncodegen-units = 1\n";
        assert!(manifest.contains(optimised), "{name}: {manifest}");
        for maker in makers {
            let start = if needed.contains(&maker) { "" } else { "# " };
            let line = format!("\n{start}{maker} = {{ version");
            assert!(manifest.contains(&line), "{name}: {manifest}");
        }
    }
}

/// With other versions, a crate would have two copies of the same types.
#[test]
fn crates_are_of_the_versions_that_svcgen_takes() {
    let read = |path| fs::read_to_string(workspace().join(path)).unwrap();
    let (template, taken) = (
        read("crates/cli/templates/dependencies.template"),
        read("Cargo.toml"),
    );
    for name in [
        "chrono",
        "rust_decimal",
        "tokio",
        "tracing",
        "tracing-subscriber",
        "uuid",
    ] {
        let start = format!("{name} = {{ version = \"");
        let version = |text: &str| {
            let (_, rest) = text.split_once(&start).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        assert_eq!(version(&template), version(&taken), "{name}");
    }
}

#[test]
fn a_handler_shows_how_soap_headers_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let required = "service: Vault\nnamespace: urn:v\npath: /Vault.asmx\n\
                    operations: { Open: { bindings: [soap11], headers: { in: [Key] } } }\n\
                    headers: { Key: { type: string, required: true } }\n";
    fs::write(folder.path().join("vault.yaml"), required).unwrap();
    let headers = definition("lab/headers.yaml");
    let call: [&dyn AsRef<_>; 6] = [&"new", &"--from", &headers, &"--from", &"vault.yaml", &"a"];
    let made = svcgen_in(folder.path(), &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let main = fs::read_to_string(folder.path().join("a/src/main.rs")).unwrap();
    for shown in [
        "This is how Two reads Ticket:",
        "headers: wide_headers::TwoHeaders,",
        "let Some(ticket) = headers.ticket else {",
        "return Err(svcgen::Fault::client(\"The SOAP header Ticket is missing.\"));",
        "headers: vault::OpenHeaders,",
        "let key = headers.key;",
    ] {
        assert!(main.contains(shown), "{shown}: {main}");
    }
}

#[test]
fn a_crate_is_made_from_services_that_can_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let service = "service: NAME\nnamespace: urn:a\npath: /A.asmx\noperations: { Ping: }\n";
    for (file, text) in [
        ("a.yaml", service.replace("NAME", "A")),
        ("b.yaml", service.replace("NAME", "B").replace("/A", "/a")),
        ("std.yaml", service.replace("NAME", "Std")),
        (
            "types.yaml",
            "types: { T: { elements: { A: int } } }\n".to_owned(),
        ),
        (
            "wrong.yaml",
            service.replace("Ping:", "Ping: { result: Nothing }"),
        ),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    for (from, says) in [
        (&["a.yaml", "b.yaml"][..], "A and B both answer at /a.asmx"),
        (&["std.yaml"], "something else called `std`"),
        (&["types.yaml"], "the definition holds only types"),
        (&["wrong.yaml"], "unknown type `Nothing`"),
        (&["nowhere.yaml"], "there is no such definition file"),
        (
            &["https://example.com/A.asmx?wsdl"],
            "it is not loaded because of --offline",
        ),
    ] {
        let mut call: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"new", &"shop", &"--offline"];
        for file in from {
            call.extend([&"--from" as &dyn AsRef<_>, file]);
        }
        let made = svcgen_in(folder.path(), &call, b"");
        assert!(made.code > Some(0), "{from:?}: {made:?}");
        assert!(made.stderr.contains(says), "{from:?}: {made:?}");
        assert!(!folder.path().join("shop").exists(), "{from:?}");
    }
}

#[test]
fn a_checkout_that_is_none_and_a_workspace_that_cannot_be_joined_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let call = [&"new" as &dyn AsRef<_>, &"shop", &"--path", &"elsewhere"];
    let made = svcgen_in(folder.path(), &call, b"");
    assert_eq!(made.code, Some(2));
    assert!(
        made.stderr
            .starts_with("error: elsewhere is not a checkout of svcgen: elsewhere/crates/svcgen: "),
        "{made:?}"
    );
    let root = folder.path().join("Cargo.toml");
    fs::write(root, "[workspace\n").unwrap();
    let made = svcgen_in(folder.path(), &[&"new", &"shop"], b"");
    assert_eq!(made.code, Some(2));
    assert!(made.stderr.contains("unclosed table"), "{made:?}");
}

#[test]
fn the_definition_is_laid_out_and_keeps_to_the_schema_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        svcgen_in(folder.path(), &[&"new", &"Shop", &"--out", &"a/b"], b"").code,
        Some(0)
    );
    let definitions = folder.path().join("a/b/service-defs");
    let definition = definitions.join("shop.yaml");
    assert_eq!(
        svcgen(&[&"check", &"--deny-warnings", &definition]).code,
        Some(0)
    );
    let laid_out = svcgen(&[&"fmt", &"--check", &definition]);
    assert_eq!(laid_out.code, Some(0), "{}", laid_out.stdout);
    let schema = svcgen(&[
        &"schema",
        &"--check",
        &"--out",
        &definitions.join("svcgen.schema.json"),
    ]);
    assert_eq!(schema.code, Some(0));
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    let new = |path: &str| svcgen_in(folder.path(), &[&"new", &"shop", &"--out", &path], b"");
    assert_eq!(new("empty").code, Some(0));
    let again = new("empty");
    assert_eq!(again.code, Some(2));
    assert_eq!(
        again.stderr,
        "error: empty is not empty; nothing is overwritten\n"
    );
    let file = new("file");
    assert_eq!(file.code, Some(2));
    assert!(
        file.stderr.contains("failed to create directory"),
        "{file:?}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).unwrap(),
        "mine"
    );
}

#[test]
fn names_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "", "1st", "-x", "a b", "café", "../up", "match", "test", "svcgen", "a/b", "gen", "env",
        "process", "tracing", "Tests",
    ] {
        let made = svcgen_in(folder.path(), &[&"new", &"--", &name], b"");
        assert_eq!(made.code, Some(2), "{name}: {made:?}");
        assert!(made.stderr.contains("error: "), "{name}: {made:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_crate_is_made_from_the_address_of_a_service() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let url = format!("{}/Orders.asmx", original());
    let service = "service: A\nnamespace: urn:a\npath: /A.asmx\noperations: { Ping: }\n";
    fs::write(path.join("orders.yaml"), service).unwrap();
    let call = [&"new" as &dyn AsRef<_>, &"--from", &url, &"shop"];
    let made = svcgen_in(path, &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(
        made.stdout.contains("1 service with 3 operations"),
        "{made:?}"
    );
    let definition = fs::read_to_string(path.join("shop/service-defs/orders.yaml")).unwrap();
    assert!(
        definition.contains(&format!("# Imported from {url}")),
        "{definition}"
    );
    let main = fs::read_to_string(path.join("shop/src/main.rs")).unwrap();
    assert!(main.contains("OrdersServer::new(Application)"), "{main}");
    // Together with a definition whose file has the same name.
    let call = [
        &"new" as &dyn AsRef<_>,
        &"--from",
        &url,
        &"--from",
        &"orders.yaml",
        &"both",
    ];
    let made = svcgen_in(path, &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let build = fs::read_to_string(path.join("both/build.rs")).unwrap();
    for file in [
        "service-defs/orders.yaml",
        "service-defs/imported/orders.yaml",
    ] {
        assert!(build.contains(file), "{build}");
    }
    // No request is sent if the folder is not empty.
    let call = [
        &"new" as &dyn AsRef<_>,
        &"--from",
        &"http://127.0.0.1:1/A.asmx",
        &"shop",
    ];
    let made = svcgen_in(path, &call, b"");
    assert!(made.stderr.contains("shop is not empty"), "{made:?}");
}

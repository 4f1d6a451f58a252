//! Who never imports whom, in the generator and in the runtime.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files at a path: the file itself, or all beneath the folder.
fn sources(path: &str) -> Vec<(String, String)> {
    let path = repository().join(path);
    let mut files = Vec::new();
    let mut open = vec![path];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect::<Vec<_>>()
                .join("\n");
            files.push((path.display().to_string(), code));
        }
    }
    files.sort();
    files
}

/// Holds that no file at `path` speaks of any of `others`, as a path or as an import.
fn never(path: &str, others: &[&str]) {
    let sources = sources(path);
    assert!(!sources.is_empty(), "there is nothing at {path}");
    for (file, code) in sources {
        for other in others {
            let word = |at: usize| {
                code[..at]
                    .chars()
                    .next_back()
                    .is_some_and(|c| c.is_alphanumeric() || c == '_')
            };
            let found = code.match_indices(other).find(|(at, _)| !word(*at));
            assert!(found.is_none(), "{file} speaks of {other}");
        }
    }
}

#[test]
fn emitters_know_the_model_alone_and_cannot_fail() {
    let others = [
        "definition::",
        "diagnostic::",
        "sink::",
        "yaml::",
        "lower::",
        // Emitted code may speak of serde.
        "use serde",
        "granit_parser",
        "std::fs",
        "std::env",
        "-> Result<",
        "panic!",
    ];
    never("codegen/src/emit.rs", &others);
    never("codegen/src/emit", &others);
}

#[test]
fn the_model_imports_nothing() {
    never(
        "codegen/src/model.rs",
        &["crate::", "super::", "serde", "syn::", "proc_macro2::"],
    );
}

#[test]
fn the_model_depends_on_nothing() {
    let manifest = fs::read_to_string(repository().join("model/Cargo.toml")).unwrap();
    assert!(!manifest.contains("dependencies"));
}

/// Whether a file imports WSDLs, which have services and bindings of their own.
fn is_import(file: &str) -> bool {
    file.contains("codegen/src/import/")
}

#[test]
fn a_service_is_described_once() {
    let folders = ["codegen", "documents", "model", "runtime", "cli", "macros"];
    let product = folders
        .iter()
        .flat_map(|folder| sources(&format!("{folder}/src")));
    let product: Vec<_> = product.filter(|(file, _)| !is_import(file)).collect();
    for item in [
        "struct Operation<",
        "struct Operation ",
        "struct Bindings",
        "enum Binding ",
        "enum SimpleType ",
        "\"SOAP 1.1\"",
    ] {
        let files = product.iter().filter(|(_, code)| code.contains(item));
        let files: Vec<_> = files.map(|(file, _)| file).collect();
        assert!(files.len() <= 1, "{item} stands in {files:?}");
    }
}

#[test]
fn stages_know_only_what_is_before_them() {
    for definition in ["codegen/src/definition.rs", "codegen/src/definition"] {
        never(
            definition,
            &["model::", "lower::", "emit::", "print::", "diagnostic::"],
        );
    }
    never(
        "codegen/src/lower.rs",
        &["emit::", "print::", "std::fs", "quote::", "proc_macro2"],
    );
    never(
        "codegen/src/lower",
        &["emit::", "print::", "std::fs", "quote::", "proc_macro2"],
    );
    never("compare/src", &["std::fs", "std::env", "std::io"]);
    never("codegen/src/print.rs", &["crate::"]);
    never("codegen/src/naming.rs", &["crate::"]);
}

#[test]
fn one_file_of_the_generator_reads_and_writes_and_one_speaks_with_cargo() {
    for (file, code) in sources("codegen/src") {
        for (io, only) in [
            ("fs::", "disk.rs"),
            ("println!", "cargo.rs"),
            ("env::var", "cargo.rs"),
            ("process::exit", "cargo.rs"),
        ] {
            assert!(
                file.ends_with(only) || !code.contains(io),
                "{file} has {io}"
            );
        }
    }
}

/// The files of each binding, in the crates that treat bindings differently.
const BINDINGS: [(&str, [&str; 2]); 5] = [
    (
        "soap11",
        [
            "runtime/src/binding/soap11",
            "documents/src/binding/soap11.rs",
        ],
    ),
    (
        "soap12",
        [
            "runtime/src/binding/soap12",
            "documents/src/binding/soap12.rs",
        ],
    ),
    (
        "http_get",
        [
            "runtime/src/binding/http_get",
            "documents/src/binding/http_get.rs",
        ],
    ),
    (
        "http_post",
        [
            "runtime/src/binding/http_post",
            "documents/src/binding/http_post.rs",
        ],
    ),
    (
        "json",
        ["runtime/src/binding/json", "documents/src/binding/json"],
    ),
];

#[test]
fn bindings_never_import_each_other() {
    for (binding, files) in BINDINGS {
        let others = BINDINGS.into_iter().map(|(other, _)| other);
        let others: Vec<_> = others
            .filter(|other| *other != binding)
            .map(|other| format!("{other}::"))
            .collect();
        let others: Vec<_> = others.iter().map(String::as_str).collect();
        for file in files {
            never(file, &others);
        }
    }
}

/// A binding is added in its own folders, the list of bindings, and the two places where they are looked up.
#[test]
fn few_files_name_a_binding() {
    let crates = [
        "cli",
        "codegen",
        "compare",
        "documents",
        "macros",
        "model",
        "runtime",
    ];
    let own = BINDINGS.map(|(_, files)| files).concat();
    let names = ["Soap11", "Soap12", "HttpGet", "HttpPost", "Binding::Json"];
    let files = crates
        .iter()
        .flat_map(|name| sources(&format!("{name}/src")));
    let named = files.filter(|(file, code)| {
        let is_own = is_import(file) || own.iter().any(|own| file.contains(own));
        !is_own && names.iter().any(|name| code.contains(name))
    });
    let named: Vec<_> = named.map(|(file, _)| file).collect();
    let ends = [
        "documents/src/binding.rs",
        "model/src/binding.rs",
        "runtime/src/binding.rs",
    ];
    assert_eq!(named.len(), ends.len(), "{named:?}");
    for (file, end) in named.iter().zip(ends) {
        assert!(file.ends_with(end), "{file} names a binding");
    }
}

#[test]
fn xml_and_values_see_neither_http_nor_bindings() {
    let mut others = vec![
        "http::",
        "hyper",
        "tokio",
        "crate::binding",
        "crate::server",
        "crate::client",
        "crate::service",
    ];
    never("runtime/src/values.rs", &others);
    never("runtime/src/values", &others);
    others.push("values::");
    never("runtime/src/xml.rs", &others);
    never("runtime/src/xml", &others);
}

#[test]
fn server_and_client_never_see_each_other() {
    never(
        "runtime/src/server.rs",
        &["crate::client", "crate::transport", "client::"],
    );
    never(
        "runtime/src/client.rs",
        &["crate::server", "crate::serve", "server::"],
    );
}

//! Imports that are not allowed within a crate. The dependencies of crates are in `crates`.

use crate::sources::{crates, sources};

/// Fails if a file at `path` refers to any of `others`, by a path or an import.
fn never(path: &str, others: &[&str]) {
    let sources = sources(path);
    assert!(!sources.is_empty(), "there is nothing at {path}");
    for (file, code) in sources
        .into_iter()
        .map(|source| (source.file.clone(), source.text()))
    {
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
        // Emitted code may refer to serde.
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
    never(
        "codegen/src/model",
        &["crate::", "serde", "syn::", "proc_macro2::"],
    );
}

/// Whether a file reads or imports WSDLs, which have services and bindings of their own.
fn is_of_wsdl(file: &str) -> bool {
    ["crates/import/src/", "crates/wsdl/src/"]
        .iter()
        .any(|folder| file.contains(folder))
}

#[test]
fn a_service_is_described_once() {
    let product = crates()
        .into_iter()
        .flat_map(|folder| sources(&format!("{folder}/src")));
    let product: Vec<_> = product.filter(|source| !is_of_wsdl(&source.file)).collect();
    for item in [
        "struct Operation<",
        "struct Operation ",
        "struct Bindings",
        "enum Binding ",
        "enum SimpleType ",
        "\"SOAP 1.1\"",
    ] {
        let files = product.iter().filter(|source| source.text().contains(item));
        let files: Vec<_> = files.map(|source| &source.file).collect();
        assert!(files.len() <= 1, "{item} stands in {files:?}");
    }
}

#[test]
fn stages_know_only_what_is_before_them() {
    for definition in [
        "crates/language/src/definition.rs",
        "crates/language/src/definition",
    ] {
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
    never("crates/compare/src", &["std::fs", "std::env", "std::io"]);
    never("codegen/src/print.rs", &["crate::"]);
    never("crates/language/src/naming.rs", &["crate::"]);
}

#[test]
fn one_file_of_the_generator_reads_and_writes_and_one_speaks_with_cargo() {
    let folders = [
        "codegen/src",
        "crates/import/src",
        "crates/language/src",
        "crates/wsdl/src",
    ];
    for source in folders.into_iter().flat_map(sources) {
        let (file, code) = (&source.file, source.text());
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
            "crates/core/src/binding/soap/soap11.rs",
            "crates/documents/src/binding/soap11.rs",
        ],
    ),
    (
        "soap12",
        [
            "crates/core/src/binding/soap/soap12.rs",
            "crates/documents/src/binding/soap12.rs",
        ],
    ),
    (
        "http_get",
        [
            "crates/core/src/binding/http_get",
            "crates/documents/src/binding/http_get.rs",
        ],
    ),
    (
        "http_post",
        [
            "crates/core/src/binding/http_post",
            "crates/documents/src/binding/http_post.rs",
        ],
    ),
    (
        "json",
        [
            "crates/core/src/binding/json",
            "crates/documents/src/binding/json",
        ],
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

/// Code for a binding is only in its own folders, the list of bindings, and the two places that
/// look them up.
#[test]
fn few_files_name_a_binding() {
    let own = BINDINGS.map(|(_, files)| files).concat();
    let names = ["Soap11", "Soap12", "HttpGet", "HttpPost", "Binding::Json"];
    let files = crates()
        .into_iter()
        .flat_map(|folder| sources(&format!("{folder}/src")));
    let named = files.filter(|source| {
        let is_own = is_of_wsdl(&source.file) || own.iter().any(|own| source.file.contains(own));
        !is_own && names.iter().any(|name| source.text().contains(name))
    });
    let named: Vec<_> = named.map(|source| source.file).collect();
    let ends = [
        "crates/core/src/binding.rs",
        "crates/documents/src/binding.rs",
        "crates/model/src/binding.rs",
    ];
    assert_eq!(named.len(), ends.len(), "{named:?}");
    for (file, end) in named.iter().zip(ends) {
        assert!(file.ends_with(end), "{file} names a binding");
    }
}

/// The modules of the core for servers, and those for clients. Both are used in `fallback`,
/// `in_process`, and `endpoint/forward.rs`, which forwards requests to a fallback.
const SERVER: [&str; 11] = [
    "authentication",
    "callers",
    "documents",
    "endpoint",
    "layer",
    "router",
    "routing",
    "server",
    "server_options",
    "session",
    "session_store",
];
const CLIENT: [&str; 2] = ["client", "transport"];

#[test]
fn server_and_client_never_see_each_other() {
    for (side, other) in [(&SERVER[..], &CLIENT[..]), (&CLIENT, &SERVER)] {
        let names = other
            .iter()
            .flat_map(|name| [format!("crate::{name}::"), format!("crate::{name};")]);
        let names: Vec<_> = names.collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        for module in side {
            for source in sources("crates/core/src") {
                let module = format!("crates/core/src/{module}");
                if source.file.ends_with("/endpoint/forward.rs") {
                    continue;
                }
                if source.file == format!("{module}.rs")
                    || source.file.starts_with(&format!("{module}/"))
                {
                    never(&source.file, &names);
                }
            }
        }
    }
}

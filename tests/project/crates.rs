//! The dependencies between crates, by the metadata of Cargo.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::sources::{crates, repository, sources};

/// The dependencies of each crate on others of this repository, except in tests.
const EDGES: &[(&str, &[&str])] = &[
    (
        "svcgen",
        &[
            "svcgen-core",
            "svcgen-data-sets",
            "svcgen-http",
            "svcgen-macros",
            "svcgen-model",
            "svcgen-wire",
        ],
    ),
    (
        "svcgen-cli",
        &[
            "svcgen",
            "svcgen-attachments",
            "svcgen-codegen",
            "svcgen-compare",
            "svcgen-core",
            "svcgen-documents",
            "svcgen-import",
            "svcgen-language",
            "svcgen-messages",
            "svcgen-model",
            "svcgen-negotiate",
            "svcgen-prove",
            "svcgen-relay",
            "svcgen-replay",
            "svcgen-testing",
            "svcgen-ws",
        ],
    ),
    ("svcgen-attachments", &["svcgen-core", "svcgen-wire"]),
    ("svcgen-codegen", &["svcgen-language", "svcgen-model"]),
    ("svcgen-compare", &["svcgen-codegen", "svcgen-language"]),
    (
        "svcgen-core",
        &[
            "svcgen-documents",
            "svcgen-json",
            "svcgen-model",
            "svcgen-wire",
        ],
    ),
    ("svcgen-data-sets", &["svcgen-model", "svcgen-wire"]),
    ("svcgen-documents", &["svcgen-model"]),
    ("svcgen-http", &["svcgen-core", "svcgen-wire"]),
    (
        "svcgen-import",
        &[
            "svcgen-codegen",
            "svcgen-language",
            "svcgen-model",
            "svcgen-wsdl",
        ],
    ),
    ("svcgen-json", &["svcgen-model", "svcgen-wire"]),
    ("svcgen-language", &["svcgen-model"]),
    ("svcgen-macros", &["svcgen-codegen", "svcgen-import"]),
    (
        "svcgen-messages",
        &[
            "svcgen",
            "svcgen-attachments",
            "svcgen-codegen",
            "svcgen-import",
            "svcgen-language",
            "svcgen-model",
        ],
    ),
    ("svcgen-model", &[]),
    ("svcgen-negotiate", &["svcgen"]),
    ("svcgen-observe", &["svcgen-core", "svcgen-model"]),
    (
        "svcgen-prove",
        &[
            "svcgen",
            "svcgen-messages",
            "svcgen-model",
            "svcgen-replay",
            "svcgen-testing",
            "svcgen-wsdl",
        ],
    ),
    ("svcgen-relay", &["svcgen"]),
    (
        "svcgen-replay",
        &[
            "svcgen",
            "svcgen-attachments",
            "svcgen-messages",
            "svcgen-model",
            "svcgen-testing",
            "svcgen-wsdl",
        ],
    ),
    (
        "svcgen-signatures",
        &["svcgen-core", "svcgen-wire", "svcgen-ws"],
    ),
    ("svcgen-testing", &["svcgen-core", "svcgen-model"]),
    ("svcgen-wire", &["svcgen-model"]),
    ("svcgen-ws", &["svcgen-core", "svcgen-wire"]),
    ("svcgen-wsdl", &["svcgen-language", "svcgen-model"]),
];

static METADATA: LazyLock<Value> = LazyLock::new(|| {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--all-features"])
        .args(["--format-version", "1", "--manifest-path"])
        .arg(repository().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
});

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

/// Returns the packages of the repository in `codegen` and `crates`, by their names.
fn packages() -> BTreeMap<&'static str, &'static Value> {
    let all = METADATA["packages"].as_array().unwrap().iter();
    let of_product = all.filter(|package| {
        crates().iter().any(|folder| {
            package["source"].is_null()
                && text(package, "manifest_path").ends_with(&format!("/{folder}/Cargo.toml"))
        })
    });
    of_product
        .map(|package| (text(package, "name"), package))
        .collect()
}

/// Returns the dependencies of a package, except those of tests.
fn dependencies(package: &'static Value) -> BTreeSet<&'static str> {
    let all = package["dependencies"].as_array().unwrap().iter();
    let used = all.filter(|dependency| dependency["kind"] != "dev");
    used.map(|dependency| text(dependency, "name")).collect()
}

#[test]
fn crates_stand_on_those_below_them() {
    let packages = packages();
    let is_ours = |name: &&str| packages.contains_key(name);
    let edges: Vec<_> = packages
        .iter()
        .map(|(name, package)| {
            let ours: Vec<_> = dependencies(package).into_iter().filter(is_ours).collect();
            (*name, ours)
        })
        .collect();
    let listed: BTreeMap<_, _> = EDGES
        .iter()
        .map(|(name, on)| (*name, on.to_vec()))
        .collect();
    assert_eq!(edges, Vec::from_iter(listed));
}

/// Returns all dependencies of a package with all its features, except those through `leaving`.
fn closure(name: &str, leaving: &[&str]) -> BTreeSet<&'static str> {
    let nodes = METADATA["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeMap<_, _> = nodes.iter().map(|node| (text(node, "id"), node)).collect();
    let names: BTreeMap<_, _> = METADATA["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (text(package, "id"), text(package, "name")))
        .collect();
    let mut open = vec![text(packages()[name], "id")];
    let mut brought = BTreeSet::new();
    while let Some(id) = open.pop() {
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            let is_used = kinds.iter().any(|kind| kind["kind"] != "dev");
            let id = text(dependency, "pkg");
            if is_used && !leaving.contains(&names[id]) && brought.insert(id) {
                open.push(id);
            }
        }
    }
    brought.into_iter().map(|id| names[id]).collect()
}

#[test]
fn crates_without_input_and_output_bring_none() {
    // axum is only used for the types of its extensions.
    for (name, leaving, never) in [
        (
            "svcgen-model",
            &[][..],
            &["http", "tokio", "hyper", "serde"][..],
        ),
        ("svcgen-wire", &[], &["http", "tokio", "hyper"]),
        ("svcgen-documents", &[], &["http", "tokio", "hyper"]),
        ("svcgen-core", &["axum"], &["hyper", "rustls"]),
        (
            "svcgen-codegen",
            &[],
            &["http", "tokio", "hyper", "svcgen-wire"],
        ),
        (
            "svcgen-wsdl",
            &[],
            &["http", "tokio", "hyper", "svcgen-codegen"],
        ),
    ] {
        let brought = closure(name, leaving);
        for other in never {
            assert!(!brought.contains(other), "{name} brings {other}");
        }
    }
}

/// Whether a path or an import in a text refers to the internals of a crate.
fn names_internals(text: &str, of_crate: &str) -> bool {
    let start = format!("{of_crate}::");
    text.split(&start)
        .skip(1)
        .filter_map(|path| path.split(';').next())
        .any(|path| path.contains("internals::"))
}

/// The crates that use the `internals` of another.
const INTERNALS: &[(&str, &[&str])] = &[
    (
        "svcgen_wire",
        &[
            "crates/attachments",
            "crates/core",
            "crates/data-sets",
            "crates/json",
            "crates/signatures",
        ],
    ),
    (
        "svcgen_core",
        &[
            "crates/attachments",
            "crates/http",
            "crates/observe",
            "crates/signatures",
            "crates/testing",
            "crates/ws",
        ],
    ),
    ("svcgen_ws", &["crates/signatures"]),
];

#[test]
fn internals_stay_between_neighbours() {
    for (module, users) in INTERNALS {
        let using = crates().into_iter().filter(|folder| {
            let sources = sources(&format!("{folder}/src"));
            sources
                .iter()
                .any(|source| names_internals(&source.text(), module))
        });
        assert_eq!(using.collect::<Vec<_>>(), *users, "{module}");
    }
}

#[test]
fn our_crates_pin_each_other() {
    let packages = packages();
    for package in packages.values() {
        let dependencies = package["dependencies"].as_array().unwrap();
        for dependency in dependencies {
            let is_ours = packages.contains_key(text(dependency, "name"));
            let is_of_tests = dependency["kind"] == "dev";
            if is_ours && !is_of_tests {
                assert!(text(dependency, "req").starts_with('='), "{dependency}");
            }
        }
    }
}

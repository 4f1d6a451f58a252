//! The definitions of the repository, in the form that documents are written from.

use std::fs;
use std::path::{Path, PathBuf};

use svcgen_codegen::{Config, Described};
use svcgen_model::{At, Service};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(crate) fn describe(definition: &str) -> Described {
    let config = Config::new();
    let described = config.generator().describe(repository().join(definition));
    described.unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Calls a function with the name and the service of every valid definition that has one.
pub(crate) fn each_service(mut then: impl FnMut(&str, At<'_, Service<'_>>)) {
    for folder in [
        "service-defs",
        "tests/definitions/valid",
        "tests/definitions/lab",
        "tests/definitions/public",
    ] {
        let mut paths: Vec<_> = fs::read_dir(repository().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "yaml")
            })
            .collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap();
            let described = describe(&format!("{folder}/{name}"));
            described.with(|service| then(name, service));
        }
    }
}

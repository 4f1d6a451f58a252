//! Names of the files that are written.

use std::collections::HashSet;

use deunicode::deunicode;
use svcgen_language::naming::{self, Case};

/// Returns a file name, without its extension, for a service or a set of tables; it differs from
/// all names in `taken` and is added to them. `otherwise` is used for a name that has no letters.
pub fn file_stem(name: &str, otherwise: &str, taken: &mut HashSet<String>) -> String {
    let stem = naming::rust_name(&deunicode(name), Case::Value);
    let stem = stem.map_or_else(
        || otherwise.to_owned(),
        |stem| naming::unraw(&stem).trim_matches('_').to_owned(),
    );
    let numbered = (2..).map(|number| format!("{stem}_{number}"));
    let mut free = std::iter::once(stem.clone()).chain(numbered);
    free.find(|name| taken.insert(name.clone())).unwrap_or(stem)
}

//! The prefixes that schemas write namespaces with, which people know these by.

use std::collections::{HashMap, HashSet};

use crate::sources::SchemaDocument;

/// The most characters of a prefix that is a short name.
const MOST_CHARACTERS: usize = 16;

/// The first prefix of each namespace that tells something, and stands for no other namespace.
pub(super) fn of<'s>(documents: &[SchemaDocument<'s>]) -> HashMap<&'s str, &'s str> {
    let mut prefixes: HashMap<&'s str, &'s str> = HashMap::new();
    let mut uris = HashMap::new();
    let mut ambiguous = HashSet::new();
    for schema in documents {
        for declared in schema.node.namespaces() {
            let Some(prefix) = declared.name().filter(|name| is_telling(name)) else {
                continue;
            };
            let uri = declared.uri();
            if *uris.entry(prefix).or_insert(uri) != uri {
                ambiguous.insert(prefix);
            }
            prefixes.entry(uri).or_insert(prefix);
        }
    }
    prefixes.retain(|_, prefix| !ambiguous.contains(prefix));
    prefixes
}

/// Whether a prefix is none that tools make, or that every WSDL has.
fn is_telling(prefix: &str) -> bool {
    const NONE: [&str; 14] = [
        "impl", "intf", "my", "ns", "schema", "self", "svc", "target", "this", "tns", "types",
        "typens", "xml", "xsd",
    ];
    let length = prefix.chars().count();
    (2..=MOST_CHARACTERS).contains(&length)
        && prefix.starts_with(char::is_alphabetic)
        && prefix
            .chars()
            .all(|c| c.is_alphanumeric() || "-_".contains(c))
        && !prefix.ends_with(|last: char| last.is_ascii_digit())
        && !NONE.contains(&prefix)
}

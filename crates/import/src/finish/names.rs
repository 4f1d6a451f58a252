//! Rust names where none can be derived, or where two things would have the same.

use std::collections::HashSet;

use deunicode::deunicode;
use svcgen_language::naming::{self, Case};

use super::entry::{Entry, Kind};
use crate::draft::Draft;

/// Invents a Rust name where none can be derived. `taken` are the names in the same scope.
pub(super) fn made(entry: &Entry, case: Case, taken: &HashSet<String>) -> String {
    let ascii = deunicode(&entry.name);
    let name = naming::rust_name(&ascii, case).filter(|name| is_name(name, case));
    match name {
        Some(name) => other(naming::unraw(&name), case, "", taken),
        None if entry.name.is_empty() => other("Empty", case, "", taken),
        None => {
            let number = entry.path.last().map_or(1, |at| at + 1);
            other(&numbered(entry.kind, case, number), case, "", taken)
        }
    }
}

/// A numbered name for something whose name has no letters or digits.
fn numbered(kind: Kind, case: Case, number: usize) -> String {
    let word = match kind {
        Kind::Operation => "operation",
        Kind::Value => "value",
        Kind::Type | Kind::Enumeration => "type",
        Kind::Alternative => "alternative",
        _ => "field",
    };
    let name = format!("{word}_{number}");
    naming::rust_name(&name, case).unwrap_or(name)
}

/// A Rust name that is not taken: the name with `suffix`, then with a number.
pub(super) fn other(name: &str, case: Case, suffix: &str, taken: &HashSet<String>) -> String {
    let name = naming::unraw(name).trim_end_matches('_');
    // `_1` is a name that can be derived, but cannot be requested by `rust`.
    let name = if is_name(name, case) {
        name.to_owned()
    } else {
        let word = match case {
            Case::Type => "Value",
            Case::Value => "value",
            Case::Constant => "VALUE",
        };
        let joined = format!("{word}_{}", name.trim_start_matches('_'));
        naming::rust_name(&joined, case).unwrap_or(joined)
    };
    let with = |ending: &str| match case {
        Case::Type => format!("{name}{ending}"),
        Case::Value | Case::Constant if ending.is_empty() => name.clone(),
        Case::Value | Case::Constant => format!("{name}_{ending}"),
    };
    let first = with(suffix);
    if !taken.contains(&first) {
        return first;
    }
    let numbered = (2..).map(|number| with(&format!("{suffix}{number}")));
    let mut free = numbered.filter(|name| !taken.contains(name));
    free.next().unwrap_or(first)
}

fn is_name(name: &str, case: Case) -> bool {
    naming::asked_rust_name(naming::unraw(name), case).is_some()
}

/// The Rust name of an entry: the one that is given, or the one that is derived from its key.
pub(super) fn rust_name(key: &str, body: &Draft, case: Case) -> Option<String> {
    let asked = body.get("rust").and_then(Draft::text).map(str::to_owned);
    asked.or_else(|| naming::rust_name(key, case))
}

/// The names that an entry cannot have: those in the same scope and, for types, those of the items
/// that are generated for operations.
pub(super) fn taken(draft: &Draft, entry: &Entry, case: Case) -> HashSet<String> {
    let mut taken = HashSet::new();
    let mut add = |entries: &Draft| {
        for at in 0..entries.len() {
            let Some((key, body)) = entries.slot(at) else {
                continue;
            };
            // A value is a text, or a map from the text to its keys.
            let (key, body) = match (key, body.text(), body.entries()) {
                ("", Some(text), _) => (text, body),
                ("", None, [(text, body)]) => (text.as_str(), body),
                _ => (key, body),
            };
            taken.extend(rust_name(key, body, case));
        }
    };
    match entry.kind {
        Kind::Type | Kind::Enumeration | Kind::File => {
            for section in ["types", "enums"] {
                draft.get(section).into_iter().for_each(&mut add);
            }
            let operations = draft.get("operations").map_or(&[][..], Draft::entries);
            for (key, body) in operations {
                let Some(name) = rust_name(key, body, Case::Type) else {
                    continue;
                };
                for ending in [
                    "Request",
                    "Response",
                    "Headers",
                    "ResponseHeaders",
                    "FaultHeaders",
                ] {
                    taken.insert(format!("{name}{ending}"));
                }
            }
        }
        _ => {
            let Some((_, above)) = entry.path.split_last() else {
                return taken;
            };
            let mut within = draft;
            for slot in above {
                let Some((_, value)) = within.slot(*slot) else {
                    return taken;
                };
                within = value;
            }
            add(within);
        }
    }
    taken
}

/// Sets the Rust name of an entry.
pub(super) fn set(draft: &mut Draft, entry: &Entry, rust: &str) {
    if let (Kind::Value, Some((_, list))) = (entry.kind, entry.path.split_last())
        && let Some(list) = draft.at_path(list)
    {
        list.flow = false;
    }
    let Some(body) = draft.at_path(&entry.path) else {
        return;
    };
    match entry.kind {
        Kind::File => _ = body.set("rust", rust),
        Kind::Operation | Kind::Type => body.long("").set_first("rust", rust),
        Kind::Enumeration => body.long("values").set_first("rust", rust),
        Kind::Value => {
            if let Some(text) = body.text().map(str::to_owned) {
                let mut keys = Draft::flow_map();
                keys.set("rust", rust);
                let place = body.place;
                *body = Draft::map();
                body.place = place;
                body.push(text, keys);
            } else if let [(_, keys)] = body.entries_mut() {
                keys.long("").set("rust", rust);
            }
        }
        _ => _ = body.long("type").set("rust", rust),
    }
}

//! Keeps names that people chose: gives imported definitions the names of types and namespaces of
//! an existing definition.

use std::collections::HashMap;

use super::value::Value;

/// The keys whose texts are not the names of types; texts under other keys are.
const NO_TYPES: [&str; 8] = [
    "doc",
    "default",
    "fixed",
    "action",
    "namespace",
    "name",
    "uri",
    "path",
];

/// Renames the types and namespaces of an imported definition to the names that the files of a
/// definition have for them.
pub(super) fn as_in(files: &[Value], mut imported: Value) -> Value {
    let renamed = renamed_namespaces(files, &imported);
    if let Some(namespaces) = section(&mut imported, "namespaces") {
        rename_keys(namespaces, &renamed);
    }
    rename(&mut imported, &|key, text| {
        (key == "namespace").then(|| renamed.get(text).cloned())?
    });
    let known: HashMap<_, _> = files
        .iter()
        .flat_map(|file| types(file, &files[0]))
        .collect();
    let types = types(&imported, &imported);
    let renamed: HashMap<_, _> = types
        .into_iter()
        .filter_map(|(qualified, name)| Some((name, known.get(&qualified)?.clone())))
        .filter(|(name, other)| name != other)
        .collect();
    if renamed.is_empty() {
        return imported;
    }
    for name in ["types", "enums"] {
        if let Some(section) = section(&mut imported, name) {
            rename_keys(section, &renamed);
        }
    }
    rename(&mut imported, &|key, text| {
        let name = text.strip_prefix("optional ").unwrap_or(text);
        let (before, name) = text.split_at(text.len() - name.len());
        let (name, after) = name.split_at(name.find(['?', '[']).unwrap_or(name.len()));
        let other = renamed.get(name).filter(|_| !NO_TYPES.contains(&key))?;
        Some(format!("{before}{other}{after}"))
    });
    imported
}

fn section<'v>(value: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    let mut entries = value.entries_mut().iter_mut();
    entries.find_map(|(key, value)| (key == name).then_some(value))
}

/// Returns the short names of namespaces, by their URIs.
fn namespaces(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    let namespaces = value.get("namespaces").map_or(&[][..], Value::entries);
    namespaces.iter().filter_map(|(name, value)| {
        let uri = value.text().or_else(|| value.get("uri")?.text())?;
        Some((uri, name.as_str()))
    })
}

fn renamed_namespaces(files: &[Value], imported: &Value) -> HashMap<String, String> {
    let known: HashMap<_, _> = namespaces(&files[0]).collect();
    let renamed = namespaces(imported);
    let renamed =
        renamed.filter_map(|(uri, name)| Some((name.to_owned(), (*known.get(uri)?).to_owned())));
    renamed.collect()
}

/// Returns the keys of types and enumerations, by their namespaces and names on the wire.
fn types(file: &Value, service: &Value) -> Vec<((String, String), String)> {
    let uris: HashMap<_, _> = namespaces(file).map(|(uri, name)| (name, uri)).collect();
    let home = file.get("namespace").or_else(|| service.get("namespace"));
    let home = home.and_then(Value::text).unwrap_or_default();
    let sections = ["types", "enums"]
        .into_iter()
        .filter_map(|name| file.get(name));
    let types = sections.flat_map(Value::entries).map(|(key, value)| {
        let named = value.get("name").and_then(Value::text).unwrap_or(key);
        let short = value.get("namespace").and_then(Value::text);
        let uri = short.map_or(home, |short| uris.get(short).copied().unwrap_or(short));
        ((uri.to_owned(), named.to_owned()), key.clone())
    });
    types.collect()
}

fn rename_keys(value: &mut Value, names: &HashMap<String, String>) {
    for (key, _) in value.entries_mut() {
        if let Some(other) = names.get(key) {
            key.clone_from(other);
        }
    }
}

/// Replaces the texts for which a function of their key and text returns another one.
fn rename(value: &mut Value, other: &impl Fn(&str, &str) -> Option<String>) {
    for (key, value) in value.entries_mut() {
        match value {
            Value::Text(text) => {
                if let Some(other) = other(key, text) {
                    *text = other;
                }
            }
            _ => rename(value, other),
        }
    }
}

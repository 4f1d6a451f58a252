//! Maps a path in a draft to the operation, type or element that it points into.

use svcgen_language::naming::Case;

use crate::draft::Draft;

/// The kinds of entries that can be renamed, loosened or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The file, or a part of it that is none of the others.
    File,
    Operation,
    Type,
    Enumeration,
    /// A value of an enumeration.
    Value,
    Header,
    Fault,
    /// A parameter, a result or an element.
    Element,
    /// An element or a sequence that is an alternative of a choice.
    Alternative,
    Attribute,
    /// The text of a type.
    Text,
}

/// The innermost entry that contains the end of a path.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub kind: Kind,
    /// The path to it.
    pub path: Vec<usize>,
    /// The keys of that path, empty for items.
    pub keys: Vec<String>,
    /// Its own key; for a value of an enumeration, its text.
    pub name: String,
    /// The key within the entry that the path points into.
    pub part: Option<String>,
}

impl Entry {
    pub fn of(draft: &Draft, path: &[usize]) -> Self {
        let mut keys = Vec::new();
        let mut within = draft;
        for slot in path {
            let Some((key, value)) = within.slot(*slot) else {
                break;
            };
            keys.push(key.to_owned());
            within = value;
        }
        let (kind, length) = locate(&keys);
        let path = &path[..length];
        let found = path.iter().try_fold(draft, |within, slot| {
            within.slot(*slot).map(|(_, value)| value)
        });
        let text = found.and_then(|found| found.text().or_else(|| Some(found.slot(0)?.0)));
        let name = match kind {
            Kind::Value => text.unwrap_or_default().to_owned(),
            Kind::File => draft
                .get("service")
                .and_then(Draft::text)
                .unwrap_or_default()
                .to_owned(),
            _ => keys[length - 1].clone(),
        };
        Self {
            kind,
            path: path.to_vec(),
            name,
            part: keys.get(length).cloned(),
            keys: keys[..length].to_vec(),
        }
    }

    /// The section and key of the operation, the type or the like that it is or belongs to.
    pub fn owner(&self) -> (&str, &str) {
        let key = |at: usize| self.keys.get(at).map_or("", String::as_str);
        (key(0), key(1))
    }

    /// The case of its Rust name; `None` if it has no Rust name.
    pub fn case(&self, draft: &Draft) -> Option<Case> {
        match self.kind {
            Kind::File | Kind::Type | Kind::Enumeration | Kind::Alternative => Some(Case::Type),
            Kind::Value => {
                let owner = draft.get("enums")?.slot(self.path[1])?.1;
                let is_flags = owner.get("flags").and_then(Draft::text) == Some("true");
                Some(if is_flags { Case::Constant } else { Case::Type })
            }
            Kind::Operation | Kind::Header | Kind::Element | Kind::Attribute | Kind::Text => {
                Some(Case::Value)
            }
            Kind::Fault => None,
        }
    }

    /// Describes it in words.
    pub fn about(&self) -> String {
        let (section, owner) = self.owner();
        let whose = match section {
            "operations" => format!("the operation `{owner}`"),
            "types" => format!("the type `{owner}`"),
            "enums" => format!("the enumeration `{owner}`"),
            "headers" => format!("the header `{owner}`"),
            "faults" => format!("the fault `{owner}`"),
            _ => return "the service".to_owned(),
        };
        match (self.keys.len(), self.name.as_str()) {
            (0..=2, _) => whose,
            (3, "result") => format!("the result of {whose}"),
            (3, "text") => format!("the text of {whose}"),
            (_, name) => format!("`{name}` of {whose}"),
        }
    }
}

/// The kind of entry that a path of keys points into, and the number of keys that lead to it.
fn locate(keys: &[String]) -> (Kind, usize) {
    let keys: Vec<_> = keys.iter().map(String::as_str).collect();
    match keys.as_slice() {
        ["operations", _, "parameters" | "results", _, ..] => element(&keys, 4),
        ["operations", _, "result", ..] => element(&keys, 3),
        ["operations", _, ..] => (Kind::Operation, 2),
        ["types", _, "elements", _, ..] => element(&keys, 4),
        ["types", _, "attributes", _, ..] => (Kind::Attribute, 4),
        ["types", _, "text", ..] => (Kind::Text, 3),
        ["types", _, ..] => (Kind::Type, 2),
        ["enums", _, "values", "", ..] => (Kind::Value, 4),
        ["enums", _, "", ..] => (Kind::Value, 3),
        ["enums", _, ..] => (Kind::Enumeration, 2),
        ["headers", _, ..] => (Kind::Header, 2),
        ["faults", _, ..] => (Kind::Fault, 2),
        _ => (Kind::File, 0),
    }
}

/// The innermost element within choices and sequences.
fn element(keys: &[&str], outer: usize) -> (Kind, usize) {
    let mut found = (Kind::Element, outer);
    while let [group @ ("choice" | "sequence"), _, ..] = keys[found.1..] {
        let is_choice = group == "choice";
        let kind = if is_choice {
            Kind::Alternative
        } else {
            Kind::Element
        };
        found = (kind, found.1 + 2);
    }
    found
}

/// The name of the type of an element, a header or the like, and the suffix that makes it a list or
/// optional.
pub(super) fn type_of(shape: &Draft) -> Option<(&str, &str)> {
    let text = shape.text().or_else(|| shape.get("type")?.text())?;
    if let Some(name) = text.strip_prefix("optional ") {
        return Some((name, "?"));
    }
    Some(text.split_at(text.find(['?', '[']).unwrap_or(text.len())))
}

/// Visits the elements, parameters, results, attributes and texts of an entry of `operations` or
/// `types`, including those in choices and sequences.
pub(super) fn shapes<'d>(body: &'d Draft, visit: &mut impl FnMut(&'d Draft)) {
    for key in ["parameters", "results", "attributes", "elements"] {
        let entries = body.get(key).map_or(&[][..], Draft::entries);
        entries.iter().for_each(|(_, shape)| within(shape, visit));
    }
    for shape in ["result", "text"].iter().filter_map(|key| body.get(key)) {
        within(shape, visit);
    }
}

fn within<'d>(shape: &'d Draft, visit: &mut impl FnMut(&'d Draft)) {
    visit(shape);
    for group in ["choice", "sequence"]
        .iter()
        .filter_map(|key| shape.get(key))
    {
        group
            .entries()
            .iter()
            .for_each(|(_, shape)| within(shape, visit));
    }
}

/// Changes the elements, parameters, results, attributes and texts of an entry of `operations` or
/// `types`.
pub(super) fn change_shapes(body: &mut Draft, change: &mut impl FnMut(&mut Draft, Kind)) {
    for key in ["parameters", "results", "elements"] {
        change_entries(body.get_mut(key), Kind::Element, change);
    }
    change_entries(body.get_mut("attributes"), Kind::Attribute, change);
    for (key, kind) in [("result", Kind::Element), ("text", Kind::Text)] {
        if let Some(shape) = body.get_mut(key) {
            change_within(shape, kind, change);
        }
    }
}

/// Changes the entries of a map of elements.
pub(super) fn change_entries(
    entries: Option<&mut Draft>,
    kind: Kind,
    change: &mut impl FnMut(&mut Draft, Kind),
) {
    for (_, shape) in entries.into_iter().flat_map(Draft::entries_mut) {
        change_within(shape, kind, change);
    }
}

fn change_within(shape: &mut Draft, kind: Kind, change: &mut impl FnMut(&mut Draft, Kind)) {
    change_entries(shape.get_mut("choice"), Kind::Alternative, change);
    change_entries(shape.get_mut("sequence"), Kind::Element, change);
    change(shape, kind);
}

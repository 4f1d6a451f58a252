//! Finds the types, headers and faults that the operations of a draft reach.

use std::collections::{HashMap, HashSet};

use svcgen_language::definition::Definition;

use super::entry::{shapes, type_of};
use crate::draft::Draft;

/// The section of an item (`operations`, `types`, `enums`, `headers` or `faults`) and its key.
pub(super) type Item<'d> = (&'d str, &'d str);

/// A value of any type: it may be of every type in the file.
pub(super) const ANY_TYPE: Item<'_> = ("types", "");

/// The items that each item of a draft refers to.
#[derive(Debug)]
pub(super) struct References<'d>(HashMap<Item<'d>, Vec<Item<'d>>>);

impl<'d> References<'d> {
    pub fn of(draft: &'d Draft) -> Self {
        let mut of_names: HashMap<&str, Vec<Item<'d>>> = HashMap::new();
        for section in ["types", "enums"] {
            for (key, _) in section_of(draft, section) {
                of_names.entry(key).or_default().push((section, key));
            }
        }
        let one = |shape: &'d Draft| match type_of(shape) {
            Some(("anyType", _)) => vec![ANY_TYPE],
            Some((name, _)) => of_names.get(name).cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        let typed = |shape: &'d Draft| {
            let members = shape.get("facets").and_then(|facets| facets.get("union"));
            let members = members.into_iter().flat_map(slots).flat_map(one);
            one(shape).into_iter().chain(members).collect::<Vec<_>>()
        };
        let all = of_names.values().flatten().copied().collect();
        let mut references = HashMap::from([(ANY_TYPE, all)]);
        for section in ["operations", "types", "headers", "faults"] {
            for (key, body) in section_of(draft, section) {
                let mut held = Vec::new();
                match section {
                    "headers" | "faults" => held = typed(body),
                    _ => shapes(body, &mut |shape| held.extend(typed(shape))),
                }
                let base = body.get("extends").or_else(|| body.get("restricts"));
                if let Some(base) = base.and_then(Draft::text) {
                    held.push(("types", base));
                    // A type that extends another may be used in its place.
                    let derived = references.entry(("types", base)).or_insert_with(Vec::new);
                    derived.push((section, key));
                }
                let headers = body.get("headers").map_or(&[][..], Draft::entries);
                let headers = headers.iter().flat_map(|(_, names)| texts(names));
                held.extend(headers.map(|name| ("headers", name)));
                let faults = body.get("faults").into_iter().flat_map(texts);
                held.extend(faults.map(|name| ("faults", name)));
                references.entry((section, key)).or_default().extend(held);
            }
        }
        Self(references)
    }

    /// Returns the given items and all items that they reach.
    pub fn reached(&self, from: impl IntoIterator<Item = Item<'d>>) -> HashSet<Item<'d>> {
        let mut open: Vec<_> = from.into_iter().collect();
        let mut reached = HashSet::new();
        while let Some(item) = open.pop() {
            if reached.insert(item) {
                open.extend(self.0.get(&item).into_iter().flatten().copied());
            }
        }
        reached
    }

    /// The reverse references: from each item to those that refer to it.
    fn reversed(&self) -> Self {
        let mut back: HashMap<Item<'d>, Vec<Item<'d>>> = HashMap::new();
        for (from, held) in &self.0 {
            for to in held {
                back.entry(*to).or_default().push(*from);
            }
        }
        Self(back)
    }

    /// Returns the given items and all items that reach them.
    pub fn referring(&self, to: impl IntoIterator<Item = Item<'d>>) -> HashSet<Item<'d>> {
        self.reversed().reached(to)
    }

    /// The operations that reach any of the items, each with the index of the first such item.
    pub fn operations_to(&self, items: &[Item<'d>]) -> HashMap<&'d str, usize> {
        let reversed = self.reversed();
        let (mut seen, mut operations) = (HashSet::new(), HashMap::new());
        for (number, item) in items.iter().enumerate() {
            let mut open = vec![*item];
            while let Some(item) = open.pop() {
                if seen.insert(item) {
                    if item.0 == "operations" {
                        operations.entry(item.1).or_insert(number);
                    }
                    open.extend(reversed.0.get(&item).into_iter().flatten().copied());
                }
            }
        }
        operations
    }
}

/// Leaves out the items that no operation reaches.
pub(super) fn prune(draft: &mut Draft) {
    let references = References::of(draft);
    let operations = section_of(draft, "operations").iter();
    let reached = references.reached(operations.map(|(key, _)| ("operations", key.as_str())));
    let mut unused: HashMap<&str, HashSet<usize>> = HashMap::new();
    for section in ["types", "enums", "headers", "faults"] {
        for (at, (key, _)) in section_of(draft, section).iter().enumerate() {
            if !reached.contains(&(section, key.as_str())) {
                unused.entry(section).or_default().insert(at);
            }
        }
    }
    for (section, unused) in unused {
        if let Some(section) = draft.get_mut(section) {
            section.retain(|_, at| !unused.contains(&at));
        }
    }
    prune_namespaces(draft);
}

/// Leaves out the short names of namespaces that are not used.
pub(super) fn prune_namespaces(draft: &mut Draft) {
    let mut namespaces = HashSet::new();
    for section in ["operations", "types", "enums", "headers", "faults"] {
        draft
            .get(section)
            .into_iter()
            .for_each(|body| named(body, &mut namespaces));
    }
    if let Some(section) = draft.get_mut("namespaces") {
        section.retain(|key, _| namespaces.contains(key));
    }
}

/// The values of all keys `namespace`.
fn named(draft: &Draft, found: &mut HashSet<String>) {
    let mut at = 0;
    while let Some((key, value)) = draft.slot(at) {
        match value.text() {
            Some(name) if key == "namespace" => _ = found.insert(name.to_owned()),
            _ => named(value, found),
        }
        at += 1;
    }
}

/// The entries of a section of the file.
pub(super) fn section_of<'d>(draft: &'d Draft, section: &str) -> &'d [(String, Draft)] {
    draft.get(section).map_or(&[], Draft::entries)
}

fn texts(list: &Draft) -> impl Iterator<Item = &str> {
    slots(list).filter_map(Draft::text)
}

fn slots(list: &Draft) -> impl Iterator<Item = &Draft> {
    (0..list.len()).filter_map(|at| Some(list.slot(at)?.1))
}

/// Sorts the keys of the file, and leaves out empty sections.
pub(super) fn tidy(draft: &mut Draft) {
    let empty: HashSet<_> = (draft.entries().iter())
        .filter(|(key, value)| value.len() == 0 && value.text().is_none() && key != "operations")
        .map(|(key, _)| key.clone())
        .collect();
    draft.retain(|key, _| !empty.contains(key));
    draft.sort_by_key(|key| Definition::keys().iter().position(|known| *known == key));
}

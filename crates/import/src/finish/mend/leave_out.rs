//! Replaces what definitions cannot express: types become XML or text, and operations are left out.

use std::collections::{BTreeMap, HashMap, HashSet};

use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;

use crate::draft::Draft;
use crate::finish::entry::{Kind, change_entries, change_shapes, type_of};
use crate::finish::mend::Reason;
use crate::finish::reach::{Item, References, prune, section_of};

/// Makes an element XML of any kind, and removes the keys that describe its type.
pub(super) fn to_any(shape: &mut Draft, kind: Kind, comment: &str) {
    let is_group = shape.get("choice").is_some() || shape.get("sequence").is_some();
    let suffix = type_of(shape).map_or("", |(_, suffix)| suffix);
    let is_repeated = shape.get("list").and_then(Draft::text) == Some("unwrapped");
    let type_name = match (is_repeated, suffix.ends_with('?')) {
        (true, _) => "any[]",
        (false, true) if kind != Kind::Alternative => "any?",
        _ => "any",
    };
    let shape = shape.long("type");
    if is_group {
        shape.retain(|key, _| ["doc", "rust"].contains(&key));
        shape.set_first("any", "elements");
    } else {
        let kept = [
            "doc",
            "form",
            "name",
            "namespace",
            "required",
            "must_understand",
            "rust",
        ];
        shape.retain(|key, _| kept.contains(&key) || (is_repeated && key == "list"));
        shape.set_first("type", type_name);
    }
    shape.comment(comment);
    *shape = std::mem::take(shape).short("type");
}

/// The type that a type extends or restricts.
fn base_of(body: &Draft) -> Option<&str> {
    let base = body.get("extends").or_else(|| body.get("restricts"));
    base.and_then(Draft::text)
}

/// Adds the types that extend or restrict the types that are left out.
fn add_derived(draft: &Draft, unsaid: &mut BTreeMap<String, Reason>) {
    let mut derived: HashMap<&str, Vec<&str>> = HashMap::new();
    for (key, body) in section_of(draft, "types") {
        if let Some(base) = base_of(body) {
            derived.entry(base).or_default().push(key);
        }
    }
    let mut open: Vec<_> = unsaid.keys().cloned().collect();
    while let Some(base) = open.pop() {
        for key in derived.get(base.as_str()).into_iter().flatten() {
            if !unsaid.contains_key(*key) {
                let reason = format!("its base `{base}` is left out");
                let reason = unsaid[&base].with_text(reason);
                unsaid.insert((*key).to_owned(), reason);
                open.push((*key).to_owned());
            }
        }
    }
}

/// Leaves types and enumerations out: elements of complex types become XML of any kind, and those
/// of enumerations become text.
pub(super) fn types(draft: &mut Draft, mut unsaid: BTreeMap<String, Reason>, report: &Report<'_>) {
    if unsaid.is_empty() {
        return;
    }
    add_derived(draft, &mut unsaid);
    let mut enumerations = HashSet::new();
    for (section, rule, what) in [
        ("types", Rule::AsAny, "the type `{}` is imported as XML"),
        (
            "enums",
            Rule::Loosened,
            "the enumeration `{}` is imported as text",
        ),
    ] {
        let Some(entries) = draft.get_mut(section) else {
            continue;
        };
        for (key, body) in entries.entries() {
            let Some(reason) = unsaid.get(key) else {
                continue;
            };
            if section == "enums" {
                enumerations.insert(key.clone());
            }
            if let Some(place) = body.place {
                let message = format!("{}: {reason}", what.replace("{}", key));
                report.add(rule, place, message, Some(&reason.hint));
            }
        }
        entries.retain(|key, _| !unsaid.contains_key(key));
    }
    let mut change = |shape: &mut Draft, kind: Kind| {
        let Some((name, suffix)) = type_of(shape) else {
            return;
        };
        let Some(reason) = unsaid.get(name) else {
            return;
        };
        if enumerations.contains(name) {
            let text = format!("string{suffix}");
            let comment = format!("Imported as text instead of `{name}`: {reason}.");
            let shape = shape.long("type");
            shape.set("type", text);
            shape.retain(|key, _| !["default", "fixed"].contains(&key));
            *shape = std::mem::take(shape).short("type");
            shape.comment(comment);
        } else {
            let comment = format!("Imported as XML instead of `{name}`: {reason}.");
            to_any(shape, kind, &comment);
        }
    };
    for section in ["operations", "types"] {
        for (_, body) in draft
            .get_mut(section)
            .into_iter()
            .flat_map(Draft::entries_mut)
        {
            change_shapes(body, &mut change);
        }
    }
    for (section, kind) in [("headers", Kind::Header), ("faults", Kind::Fault)] {
        change_entries(draft.get_mut(section), kind, &mut change);
    }
    prune(draft);
}

/// Leaves out the operations that reach the given items. Returns whether any operation is left.
pub(super) fn operations(
    draft: &mut Draft,
    unreachable: &[((String, String), Reason)],
    report: &Report<'_>,
) -> bool {
    if unreachable.is_empty() {
        return true;
    }
    let items: Vec<Item<'_>> = (unreachable.iter())
        .map(|((section, key), _)| (section.as_str(), key.as_str()))
        .collect();
    let operations: HashMap<String, usize> = (References::of(draft).operations_to(&items))
        .into_iter()
        .map(|(key, number)| (key.to_owned(), number))
        .collect();
    let place = draft.place;
    let Some(entries) = draft.get_mut("operations") else {
        return false;
    };
    let mut comments = Vec::new();
    for (key, body) in entries.entries() {
        let Some(number) = operations.get(key) else {
            continue;
        };
        let ((section, item), reason) = &unreachable[*number];
        let needed = match section.as_str() {
            "operations" => String::new(),
            _ => format!("it needs `{item}`: "),
        };
        let message = format!("the operation `{key}` is left out: {needed}{reason}");
        comments.push(message.clone());
        if let Some(place) = body.place.or(place) {
            report.add_of_operation(
                Rule::OperationLeftOut,
                place,
                key,
                message,
                Some(&reason.hint),
            );
        }
    }
    entries.retain(|key, _| !operations.contains_key(key));
    comments
        .into_iter()
        .for_each(|comment| entries.comment(comment));
    let is_left = entries.len() > 0;
    prune(draft);
    is_left
}

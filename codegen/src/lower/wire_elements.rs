//! The elements and attributes of a type or of a request on the wire.

use std::collections::HashMap;

use svcgen_language::definition::{Entries, NodeId};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::model::{Element, Group, on_wire};

/// Pairs elements with their nodes. Inherited ones come first and have none.
pub(super) fn with_nodes<'e, T>(
    elements: &'e [Element],
    own: &Entries<T>,
) -> Vec<(&'e Element, Option<NodeId>)> {
    let inherited = elements.len().saturating_sub(own.0.len());
    let own = own.keys().map(|key| Some(key.node));
    let nodes = std::iter::repeat_n(None, inherited).chain(own);
    elements.iter().zip(nodes).collect()
}

/// Refuses elements with the same name on the wire, including alternatives of choices, and text in
/// several places. Inherited elements have no node.
pub(super) fn check_wire_elements(
    elements: &[(&Element, Option<NodeId>)],
    owner: &str,
    groups: &[Group],
    sink: &mut Sink,
) {
    let on_wire = elements.iter().flat_map(|(element, node)| {
        let elements = on_wire(element, groups).into_iter();
        elements.map(|element| (element, *node))
    });
    let names: Vec<_> = on_wire.collect();
    let mut texts = names.iter().filter(|(element, _)| element.characters);
    if let (Some((_, first)), Some((_, Some(node)))) = (texts.next(), texts.next()) {
        let message = format!("`{owner}` has text between its elements in two places");
        let pending = sink.add(Rule::TextBetween, *node, message);
        match first {
            Some(first) => pending.other(*first, "the other one"),
            None => pending.label("the other one comes from the type that is extended"),
        };
    }
    refuse_same_names(&names, "elements", owner, sink);
}

/// Refuses elements or attributes with the same name on the wire.
pub(super) fn refuse_same_names(
    all: &[(&Element, Option<NodeId>)],
    what: &str,
    owner: &str,
    sink: &mut Sink,
) {
    let mut seen: HashMap<_, Option<NodeId>> = HashMap::new();
    for (element, node) in all {
        let name = &element.name.xml;
        let Some(first) = seen.insert((name, element.form.own_namespace()), *node) else {
            continue;
        };
        let Some(node) = node else { continue };
        let message = format!("two {what} of `{owner}` are called `{name}`");
        let pending = sink.add(Rule::XmlNameClash, *node, message);
        match first {
            Some(first) => pending.other(first, "the other one"),
            None => pending.label("the other one comes from the type that is extended"),
        };
    }
}

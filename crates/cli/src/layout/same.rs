//! Compares the nodes and comments of two texts, regardless of their layout.

use svcgen_language::yaml::{Content, Node, Tree};

/// Whether two trees are equal except for the order of top-level keys and of comments.
pub(crate) fn holds(before: &Tree, after: &Tree) -> bool {
    comments(before) == comments(after) && entries(before) == entries(after)
}

fn comments(tree: &Tree) -> Vec<&str> {
    let comments = tree.comments.iter();
    let mut comments: Vec<_> = comments.map(|comment| comment.text.as_str()).collect();
    comments.sort_unstable();
    comments
}

/// Returns the nodes of each entry of a file, sorted by entry.
fn entries(tree: &Tree) -> Vec<Vec<(&str, &str)>> {
    let Content::Collection(file) = &tree.root.content else {
        return Vec::new();
    };
    let mut entries = vec![Vec::new(); file.slots.len()];
    for (slot, entry) in file.slots.iter().zip(&mut entries) {
        slot.nodes().for_each(|node| flatten(node, entry));
    }
    entries.sort_unstable();
    entries
}

fn flatten<'t>(node: &'t Node, nodes: &mut Vec<(&'t str, &'t str)>) {
    nodes.extend(node.anchor.as_deref().map(|anchor| ("anchor", anchor)));
    match &node.content {
        Content::Nothing => nodes.push(("nothing", "")),
        Content::Scalar { text, .. } => nodes.push(("text", text)),
        Content::Alias { name, .. } => nodes.push(("alias", name)),
        Content::Collection(collection) => {
            nodes.push((if collection.is_map { "map" } else { "list" }, ""));
            let within = collection.slots.iter().flat_map(|slot| slot.nodes());
            within.for_each(|node| flatten(node, nodes));
            nodes.push(("end", ""));
        }
    }
}

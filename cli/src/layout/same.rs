//! Whether two texts hold the same nodes and the same comments, whatever their layout.

use svcgen_codegen::yaml::{Content, Node, Tree};

/// Whether they do; only the keys of the file may stand in another order.
pub(crate) fn holds(before: &Tree, after: &Tree) -> bool {
    comments(before) == comments(after) && entries(before) == entries(after)
}

fn comments(tree: &Tree) -> Vec<&str> {
    let comments = tree.comments.iter();
    let mut comments: Vec<_> = comments.map(|comment| comment.text.as_str()).collect();
    comments.sort_unstable();
    comments
}

/// What the entries of a file say, sorted.
fn entries(tree: &Tree) -> Vec<Vec<(&str, &str)>> {
    let Content::Collection(file) = &tree.root.content else {
        return Vec::new();
    };
    let mut entries = vec![Vec::new(); file.slots.len()];
    for (slot, entry) in file.slots.iter().zip(&mut entries) {
        slot.nodes().for_each(|node| say(node, entry));
    }
    entries.sort_unstable();
    entries
}

fn say<'t>(node: &'t Node, said: &mut Vec<(&'t str, &'t str)>) {
    said.extend(node.anchor.as_deref().map(|anchor| ("anchor", anchor)));
    match &node.content {
        Content::Nothing => said.push(("nothing", "")),
        Content::Scalar { text, .. } => said.push(("text", text)),
        Content::Alias { name, .. } => said.push(("alias", name)),
        Content::Collection(collection) => {
            said.push((if collection.is_map { "map" } else { "list" }, ""));
            let nodes = collection.slots.iter().flat_map(|slot| slot.nodes());
            nodes.for_each(|node| say(node, said));
            said.push(("end", ""));
        }
    }
}

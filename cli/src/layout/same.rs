//! Whether two texts hold the same nodes and the same comments, whatever their layout.

use super::tree::{self, Collection, Content, Node};

/// Whether they do; only the keys of the file may stand in another order.
pub(super) fn holds(before: &str, after: &str) -> bool {
    match (said(before), said(after)) {
        (Ok(before), Ok(after)) => before == after,
        _ => false,
    }
}

/// The entries of a file and its comments, both sorted.
fn said(text: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let (file, comments) = tree::read(text)?;
    let mut comments: Vec<_> = comments.into_iter().map(|comment| comment.text).collect();
    comments.sort_unstable();
    let mut entries = slots(&file);
    entries.sort_unstable();
    Ok((entries, comments))
}

fn slots(collection: &Collection) -> Vec<String> {
    let slots = collection.slots.iter();
    slots
        .map(|slot| {
            let key = slot.key.as_ref().map(node).unwrap_or_default();
            format!("{key}: {}", node(&slot.value))
        })
        .collect()
}

fn node(node: &Node) -> String {
    let content = match &node.content {
        Content::Nothing => "nothing".to_owned(),
        Content::Scalar(scalar) => format!("{:?}", scalar.text),
        Content::Alias { name, .. } => format!("*{name}"),
        Content::Collection(collection) => {
            format!("{} {:?}", collection.is_map, slots(collection))
        }
    };
    format!("{:?} {content}", node.anchor)
}

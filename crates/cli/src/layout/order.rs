//! Sorts the top-level keys.

use std::collections::HashMap;

use svcgen_language::yaml::{Collection, Content, NodeId, Slot};

use super::comments::{Comment, Notes};

/// The comment that names the schema for editors.
const MODELINE: &str = "# yaml-language-server:";

/// The comments at the start of a file that belong to the file.
#[derive(Debug)]
pub(super) struct Header {
    pub comments: Vec<Comment>,
    /// Whether a blank line follows.
    pub blank: bool,
}

/// Returns the entries of a file in canonical order, or as written if the canonical order would
/// change the target of an alias.
pub(super) fn sort<'t>(file: &'t Collection, keys: &[String]) -> Vec<&'t Slot> {
    let mut ranks = Vec::new();
    for slot in &file.slots {
        let known = keys.iter().position(|key| Some(key.as_str()) == name(slot));
        ranks.push(known.or(ranks.last().copied().flatten()));
    }
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|at| ranks[*at]);
    let sorted: Vec<_> = order.into_iter().map(|at| &file.slots[at]).collect();
    if keep_aliases(sorted.iter().copied(), &mut HashMap::new()) {
        return sorted;
    }
    file.slots.iter().collect()
}

fn name(slot: &Slot) -> Option<&str> {
    match &slot.key.as_ref()?.content {
        Content::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// Takes the comments that a blank line separates from the first entry, and the comment for
/// editors; or all comments above the first entry if sorting moves that entry, so that the start of
/// a file stays together.
pub(super) fn take_header(file: &Collection, order: &[&Slot], notes: &mut Notes) -> Header {
    let (Some(first), Some(new_first)) = (file.slots.first(), order.first()) else {
        return Header {
            comments: Vec::new(),
            blank: false,
        };
    };
    let note = notes.of_mut(first);
    let ends_header = |at: &usize| {
        let next = note.above.get(at + 1);
        let blank_after = next.map_or(note.blank, |next| next.blank);
        blank_after || note.above[*at].text.starts_with(MODELINE)
    };
    let mut length = note.above.len();
    if std::ptr::eq(first, *new_first) {
        length = (0..length).rfind(ends_header).map_or(0, |last| last + 1);
    }
    let comments: Vec<_> = note.above.drain(..length).collect();
    let next = note.above.first_mut();
    let next = next.map_or(&mut note.blank, |next| &mut next.blank);
    let blank = std::mem::take(next) && !comments.is_empty();
    Header { comments, blank }
}

/// Whether each alias keeps its target if the slots are read in this order.
fn keep_aliases<'t>(
    slots: impl Iterator<Item = &'t Slot>,
    anchors: &mut HashMap<&'t str, NodeId>,
) -> bool {
    let mut nodes = slots.flat_map(Slot::nodes);
    nodes.all(|node| {
        if let Some(anchor) = &node.anchor {
            anchors.insert(anchor, node.id);
        }
        match &node.content {
            Content::Alias { name, target } => anchors.get(name.as_str()) == Some(&target.id),
            Content::Collection(within) => keep_aliases(within.slots.iter(), anchors),
            Content::Nothing | Content::Scalar { .. } => true,
        }
    })
}

//! The keys of a file in the order of the language.

use std::collections::{BTreeMap, HashMap};

use super::tree::{Collection, Comment, Content, Slot};

/// The line that tells an editor which schema a file keeps to.
const MODELINE: &str = "# yaml-language-server:";

/// The comments at the head of a file that are about all of it.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub comments: Vec<Comment>,
    /// Whether a blank line stands after it.
    pub blank: bool,
}

/// Sorts the entries of a file, unless that would put an alias before its anchor.
pub(super) fn sort(file: &mut Collection, keys: &[String]) -> Header {
    let header = take_header(file);
    let before = aliases(&file.slots);
    let mut ranks = Vec::new();
    for slot in &file.slots {
        let known = keys.iter().position(|key| Some(key.as_str()) == name(slot));
        ranks.push(known.or(ranks.last().copied().flatten()));
    }
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|at| ranks[*at]);
    apply(&mut file.slots, &order);
    if aliases(&file.slots) != before {
        let mut back = vec![0; order.len()];
        for (to, from) in order.into_iter().enumerate() {
            back[from] = to;
        }
        apply(&mut file.slots, &back);
    }
    header
}

fn name(slot: &Slot) -> Option<&str> {
    match &slot.key.as_ref()?.content {
        Content::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}

/// Puts the slots in an order: the number of the slot that comes first, and so on.
fn apply(slots: &mut Vec<Slot>, order: &[usize]) {
    let mut from: Vec<Option<Slot>> = slots.drain(..).map(Some).collect();
    slots.extend(order.iter().filter_map(|at| from[*at].take()));
}

/// Takes the comments that a blank line separates from the first entry, and the one for editors.
fn take_header(file: &mut Collection) -> Header {
    let Some(first) = file.slots.first_mut() else {
        return Header::default();
    };
    let mut length = 0;
    for at in 0..first.above.len() {
        let blank_after = first
            .above
            .get(at + 1)
            .map_or(first.blank, |next| next.blank);
        if blank_after || first.above[at].text.starts_with(MODELINE) {
            length = at + 1;
        }
    }
    let comments: Vec<_> = first.above.drain(..length).collect();
    let next = first
        .above
        .first_mut()
        .map_or(&mut first.blank, |next| &mut next.blank);
    let blank = std::mem::take(next) && !comments.is_empty();
    Header { comments, blank }
}

/// Where each alias stands in the text, and where its anchor does if the slots are read in this order.
fn aliases(slots: &[Slot]) -> BTreeMap<usize, Option<usize>> {
    let mut found = Aliases::default();
    found.read(slots);
    found.anchors_of_aliases
}

#[derive(Default)]
struct Aliases<'t> {
    anchors: HashMap<&'t str, usize>,
    anchors_of_aliases: BTreeMap<usize, Option<usize>>,
}

impl<'t> Aliases<'t> {
    fn read(&mut self, slots: &'t [Slot]) {
        for slot in slots {
            let nodes = slot.key.iter().chain([&slot.value]);
            for (part, node) in nodes.enumerate() {
                if let Some(anchor) = &node.anchor {
                    self.anchors.insert(anchor, 2 * slot.start.index() + part);
                }
                self.content(&node.content);
            }
        }
    }

    fn content(&mut self, content: &'t Content) {
        match content {
            Content::Alias { name, at } => {
                let anchor = self.anchors.get(name.as_str()).copied();
                self.anchors_of_aliases.insert(*at, anchor);
            }
            Content::Collection(collection) => self.read(&collection.slots),
            Content::Nothing | Content::Scalar(_) => {}
        }
    }
}

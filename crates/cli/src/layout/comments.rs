//! Assigns comments to entries and items.
//!
//! A comment at the end of a line belongs to the entry on that line; a comment on its own line to
//! the next entry, unless its indentation places it in the block before.

use std::collections::HashMap;

use svcgen_language::yaml::{self, Collection, Content, NodeId, Position, Slot, Tree};

/// A comment and its position.
#[derive(Debug)]
pub(super) struct Comment {
    /// The text, with its `#`.
    pub text: String,
    /// Whether a blank line precedes it.
    pub blank: bool,
    /// Whether it follows something else on its line.
    is_right: bool,
    start: Position,
}

/// The comments and blank lines around an entry or an item.
#[derive(Debug, Default)]
pub(super) struct Note {
    pub above: Vec<Comment>,
    /// Whether a blank line precedes it, after the comments.
    pub blank: bool,
    /// The comment at the end of its first line.
    pub right: Option<Comment>,
}

/// The notes of all entries and items.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By the first node of the entry or item.
    slots: HashMap<NodeId, Note>,
    /// Comments after the last slot, by the map or list.
    below: HashMap<NodeId, Vec<Comment>>,
}

/// Assigns every comment of a text.
pub(super) fn notes(text: &str, tree: &Tree, file: &Collection) -> Notes {
    let lines: Vec<_> = text.lines().collect();
    let mut notes = Notes::default();
    notes.note_blanks(file, &lines);
    for comment in &tree.comments {
        notes.place(tree.root.id, file, Comment::new(comment, &lines));
    }
    notes
}

impl Comment {
    fn new(comment: &yaml::Comment, lines: &[&str]) -> Self {
        let line = lines.get(comment.start.line - 1);
        Self {
            text: comment.text.clone(),
            blank: is_blank_before(comment.start, lines),
            is_right: !line.is_some_and(|line| line.trim_start().starts_with('#')),
            start: comment.start,
        }
    }
}

fn is_blank_before(place: Position, lines: &[&str]) -> bool {
    let before = place.line.checked_sub(2).and_then(|line| lines.get(line));
    before.is_some_and(|line| line.trim().is_empty())
}

impl Notes {
    pub fn of(&self, slot: &Slot) -> &Note {
        &self.slots[&slot.first().id]
    }

    pub fn of_mut(&mut self, slot: &Slot) -> &mut Note {
        self.slots.entry(slot.first().id).or_default()
    }

    /// Returns the comments after the last slot of a map or list.
    pub fn below(&self, collection: NodeId) -> &[Comment] {
        self.below.get(&collection).map_or(&[], Vec::as_slice)
    }

    /// Adds a note for every slot, with the blank line that precedes it.
    fn note_blanks(&mut self, collection: &Collection, lines: &[&str]) {
        for slot in &collection.slots {
            self.of_mut(slot).blank = is_blank_before(slot.first().start, lines);
            if let Content::Collection(within) = &slot.value.content {
                self.note_blanks(within, lines);
            }
        }
    }

    fn place(&mut self, around: NodeId, collection: &Collection, comment: Comment) {
        let slots = &collection.slots;
        let next = slots.partition_point(|slot| slot.first().start.byte < comment.start.byte);
        if let Some(before) = next.checked_sub(1).map(|before| &slots[before])
            && takes(before, &comment)
        {
            return self.place_within(before, comment);
        }
        match slots.get(next) {
            Some(slot) => self.of_mut(slot).above.push(comment),
            None => self.below.entry(around).or_default().push(comment),
        }
    }

    fn place_within(&mut self, slot: &Slot, comment: Comment) {
        let is_on_first_line = comment.is_right && comment.start.line == slot.first().start.line;
        let is_item = slot.key.is_none();
        let is_over = |within: &Collection| within.flow && comment.start.byte > slot.value.end.byte;
        let is_above = match &slot.value.content {
            Content::Collection(within) if !is_over(within) && !within.slots.is_empty() => {
                // A comment between a dash and the first entry moves above the dash: there is no
                // line for it.
                let is_before_all = comment.start.byte < within.slots[0].first().start.byte;
                if !is_before_all || !(is_item || is_on_first_line) {
                    return self.place(slot.value.id, within, comment);
                }
                is_item
            }
            _ => !comment.is_right,
        };
        let note = self.of_mut(slot);
        if is_above {
            note.above.push(comment);
        } else {
            // Only one comment fits next to a slot.
            note.above.extend(note.right.replace(comment));
        }
    }
}

/// Whether a comment between the starts of this slot and the next one belongs to this slot.
fn takes(slot: &Slot, comment: &Comment) -> bool {
    let end = slot.value.end;
    let is_within = comment.start.byte < end.byte;
    let is_beside = comment.is_right && comment.start.line <= end.line;
    is_within || is_beside || is_indented_under(slot, comment)
}

fn is_indented_under(slot: &Slot, comment: &Comment) -> bool {
    let Content::Collection(block) = &slot.value.content else {
        return false;
    };
    !block.flow
        && !comment.is_right
        && comment.start.column >= slot.value.start.column
        && comment.start.column > slot.first().start.column
}

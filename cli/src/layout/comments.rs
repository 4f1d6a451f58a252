//! Which entry or item a comment belongs to.
//!
//! A comment at the end of a line belongs to what stands there; one on a line of its own to what follows it, unless its
//! indentation says that it still belongs to the block before.

use super::tree::{Collection, Comment, Content, Slot};

/// Gives every comment its place.
pub(super) fn place(file: &mut Collection, comments: Vec<Comment>) {
    for comment in comments {
        file.place(comment);
    }
}

impl Collection {
    fn place(&mut self, comment: Comment) {
        let next = (self.slots).partition_point(|slot| slot.start.index() < comment.start.index());
        if let Some(before) = next.checked_sub(1).map(|before| &mut self.slots[before])
            && before.takes(&comment)
        {
            return before.place(comment);
        }
        match self.slots.get_mut(next) {
            Some(slot) => slot.above.push(comment),
            None => self.below.push(comment),
        }
    }

    /// Whether there is something in it, and the comment does not stand after its last brace.
    fn holds(&self, comment: &Comment) -> bool {
        let is_over = self.flow && comment.start.index() > self.end.index();
        !is_over && !self.slots.is_empty()
    }

    fn starts_after(&self, comment: &Comment) -> bool {
        let first = self.slots.first();
        first.is_some_and(|first| comment.start.index() < first.start.index())
    }
}

impl Slot {
    /// Whether a comment that stands after the start of this slot, and before the next one, is about it.
    fn takes(&self, comment: &Comment) -> bool {
        let is_within = comment.start.index() < self.end.index();
        let is_beside = comment.is_right && comment.start.line() <= self.end.line();
        is_within || is_beside || self.is_indented_under(comment)
    }

    fn is_indented_under(&self, comment: &Comment) -> bool {
        let Content::Collection(block) = &self.value.content else {
            return false;
        };
        !block.flow
            && !comment.is_right
            && comment.start.col() >= block.column
            && comment.start.col() > self.start.col()
    }

    fn place(&mut self, comment: Comment) {
        let is_on_first_line = comment.is_right && comment.start.line() == self.start.line();
        let is_item = self.key.is_none();
        match &mut self.value.content {
            Content::Collection(within) if within.holds(&comment) => {
                // What stands before the first item of an item has no line of its own there.
                match within.starts_after(&comment) && (is_item || is_on_first_line) {
                    false => within.place(comment),
                    true if is_item => self.above.push(comment),
                    true => self.place_right(comment),
                }
            }
            _ if comment.is_right => self.place_right(comment),
            _ => self.above.push(comment),
        }
    }

    /// Only one comment has room beside a slot.
    fn place_right(&mut self, comment: Comment) {
        if let Some(first) = self.right.replace(comment) {
            self.above.push(first);
        }
    }
}

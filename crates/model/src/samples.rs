//! How much of a type a sample shows: the same in documents and in sample messages.

use crate::at::At;
use crate::rows::ComplexType;

/// After this many values, no more objects are shown: the samples of types that contain each other
/// grow exponentially.
const MANY: usize = 1_000;

/// Objects in as many others are not shown: each level indents all that is in it.
const MOST_NESTED: usize = 32;

/// How many items a list shows, and a sequence that is repeated.
pub const SAMPLE_ITEMS: usize = 2;

/// How far a sample has come: the objects around what is shown next, and how many values there are.
#[derive(Debug, Default)]
pub struct SampleExtent<'m> {
    within: Vec<At<'m, ComplexType<'m>>>,
    count: usize,
}

impl<'m> SampleExtent<'m> {
    /// Counts a value.
    pub fn count(&mut self) {
        self.count += 1;
    }

    /// Of the types that an object may have, the one that is shown: one that is not around it
    /// already shows more.
    pub fn chosen(
        &self,
        types: impl Iterator<Item = At<'m, ComplexType<'m>>>,
    ) -> Option<At<'m, ComplexType<'m>>> {
        let mut types = types.peekable();
        let first = types.peek().copied();
        types.find(|one| !self.within.contains(one)).or(first)
    }

    /// Whether there is room for an object of this type: it is not in itself, nor in too many
    /// others, and not too much came before it.
    pub fn has_room_for(&self, complex: At<'m, ComplexType<'m>>) -> bool {
        self.count <= MANY && self.within.len() < MOST_NESTED && !self.within.contains(&complex)
    }

    /// Begins an object.
    pub fn enter(&mut self, complex: At<'m, ComplexType<'m>>) {
        self.within.push(complex);
    }

    /// Ends the object that was begun last.
    pub fn leave(&mut self) {
        self.within.pop();
    }
}

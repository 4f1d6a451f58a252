//! The extent of samples: the same in documents and in sample messages.

use crate::at::At;
use crate::rows::ComplexType;

/// The number of values after which no more objects are shown: the samples of types that contain
/// each other grow exponentially.
const MANY: usize = 1_000;

/// The maximum depth of nested objects: each level indents its whole content.
const MOST_NESTED: usize = 32;

/// The number of items shown for a list, and for a repeated sequence.
pub const SAMPLE_ITEMS: usize = 2;

/// The state of a sample: the objects around the next value, and the number of values so far.
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

    /// Chooses among the types that an object may have: preferably one that does not contain the
    /// object already, as it shows more.
    pub fn chosen(
        &self,
        types: impl Iterator<Item = At<'m, ComplexType<'m>>>,
    ) -> Option<At<'m, ComplexType<'m>>> {
        let mut types = types.peekable();
        let first = types.peek().copied();
        types.find(|one| !self.within.contains(one)).or(first)
    }

    /// Whether there is room for an object of this type: it is not within itself, nor too deep, and
    /// not too many values came before it.
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

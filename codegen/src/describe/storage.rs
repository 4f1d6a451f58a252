//! Where the slices of a description are kept while it borrows them.

use std::array;
use std::cell::{Cell, OnceCell};

use svcgen_documents::schema::{ComplexType, Element, Enumeration, Value};
use svcgen_documents::{Header, Operation};

/// What a description borrows, by kind.
#[derive(Default)]
pub(crate) struct Storage<'a> {
    pub operations: Arena<Operation<'a>>,
    pub elements: Arena<Element<'a>>,
    pub types: Arena<ComplexType<'a>>,
    pub enumerations: Arena<Enumeration<'a>>,
    pub values: Arena<Value<'a>>,
    pub headers: Arena<Header<'a>>,
    pub names: Arena<&'a str>,
}

/// Keeps slices where they are, so that others can refer to them while more come: chunks, each twice as long as the one before.
pub(crate) struct Arena<T> {
    chunks: [OnceCell<Chunk<T>>; 32],
    used: Cell<usize>,
}

type Chunk<T> = Box<[OnceCell<Vec<T>>]>;

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            chunks: array::from_fn(|_| OnceCell::new()),
            used: Cell::new(0),
        }
    }
}

impl<T> Arena<T> {
    /// Keeps a slice.
    pub fn keep(&self, slice: impl IntoIterator<Item = T>) -> &[T] {
        let slice: Vec<T> = slice.into_iter().collect();
        let number = self.used.get() + 1;
        self.used.set(number);
        let chunk = number.ilog2() as usize;
        let cells =
            self.chunks[chunk].get_or_init(|| (0..1 << chunk).map(|_| OnceCell::new()).collect());
        cells[number - (1 << chunk)].get_or_init(|| slice)
    }
}

#[cfg(test)]
mod tests {
    use super::Arena;

    #[test]
    fn slices_stay_where_they_are() {
        let arena = Arena::default();
        let kept: Vec<_> = (0..1000)
            .map(|number| arena.keep([number, number + 1]))
            .collect();
        assert!((0..1000).all(|number| kept[number] == [number, number + 1]));
    }
}

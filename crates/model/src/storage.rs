//! Storage for the rows of a model that is built at run time.

use std::array;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::facets::Facet;
use crate::rows::{
    ComplexType, Documentation, Element, Enumeration, Group, HeaderRule, Headers, Module,
    Operation, ScriptType, Value,
};

/// Owns everything that the rows of a module borrow.
#[derive(Debug, Default)]
pub struct Storage<'a> {
    /// Modules.
    pub modules: Arena<Module<'a>>,
    /// Lists of included modules.
    pub includes: Arena<&'a Module<'a>>,
    /// Documentation of modules.
    pub documentation: Arena<Documentation<'a>>,
    /// Lists of the documentation of included modules.
    pub included_documentation: Arena<&'a Documentation<'a>>,
    /// Operations.
    pub operations: Arena<Operation<'a>>,
    /// Elements, attributes and items of lists.
    pub elements: Arena<Element<'a>>,
    /// Choices.
    pub groups: Arena<Group<'a>>,
    /// Complex types.
    pub types: Arena<ComplexType<'a>>,
    /// Enumerations.
    pub enumerations: Arena<Enumeration<'a>>,
    /// Values of enumerations.
    pub values: Arena<Value<'a>>,
    /// SOAP headers.
    pub headers: Arena<Headers<'a>>,
    /// Rules of headers.
    pub rules: Arena<HeaderRule>,
    /// Indexes of faults.
    pub indexes: Arena<usize>,
    /// Names of lists over SOAP, and over HTTP GET and POST.
    pub list_names: Arena<(&'a str, &'a str)>,
    /// The types that callers over JSON know.
    pub script_types: Arena<ScriptType<'a>>,
    /// Facets.
    pub facets: Arena<(Facet, &'a str)>,
    /// Texts.
    pub texts: Arena<&'a str>,
}

/// Owns slices at fixed addresses, so that they can be borrowed while more are added. Its chunks
/// double in length.
#[derive(Debug)]
pub struct Arena<T> {
    chunks: [OnceLock<Chunk<T>>; 32],
    used: AtomicUsize,
}

type Chunk<T> = Box<[OnceLock<Vec<T>>]>;

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            chunks: array::from_fn(|_| OnceLock::new()),
            used: AtomicUsize::new(0),
        }
    }
}

impl<T> Arena<T> {
    /// Adds a slice.
    ///
    /// # Panics
    ///
    /// The arena contains 2³² slices already.
    pub fn keep(&self, slice: impl IntoIterator<Item = T>) -> &[T] {
        let slice: Vec<T> = slice.into_iter().collect();
        let number = self.used.fetch_add(1, Ordering::Relaxed) + 1;
        let chunk = number.ilog2() as usize;
        let cells =
            self.chunks[chunk].get_or_init(|| (0..1 << chunk).map(|_| OnceLock::new()).collect());
        cells[number - (1 << chunk)].get_or_init(|| slice)
    }

    /// Adds one value.
    ///
    /// # Panics
    ///
    /// The arena contains 2³² slices already.
    pub fn keep_one(&self, value: T) -> &T {
        &self.keep([value])[0]
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

//! What reads the children of every type.
//!
//! Most messages hold the expected elements in the expected order, without attributes: [`Tokens::take_named`] takes them whole.
//! Whatever else comes is read token by token. Both ways see the same documents as well-formed, call the same fields and count the same limits.

use svcgen_model::{self as model, Choice, ComplexType, Kind};

use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::fast_path::FastPath;
use crate::xml::namespaces::Namespace;
use crate::xml::tokens::{Open, Result, Tokens};

/// What the children of an element may be.
#[derive(Clone, Copy)]
pub(crate) struct Children<'t> {
    /// The elements, in the order in which they are expected.
    pub(crate) elements: &'t [model::Element<'t>],
    /// The choices among them.
    pub(crate) choices: &'t [Choice<'t>],
    pub(crate) kind: Kind,
}

impl<'t> Children<'t> {
    /// What may stand in an object.
    pub(crate) fn of(complex: &ComplexType<'t>) -> Self {
        Self {
            elements: complex.elements,
            choices: complex.choices,
            kind: complex.kind,
        }
    }

    /// Any number of such elements.
    pub(crate) fn items(item: &'t [model::Element<'t>; 1]) -> Self {
        Self {
            elements: item,
            choices: &[],
            kind: Kind::List,
        }
    }
}

impl<'i> Tokens<'i> {
    /// What else may stand there than the child that is expected first: reads up to the next child that has an expected name and namespace. `None` is the end tag of the parent.
    // Called, so that what it needs does not crowd the registers of the fast path.
    #[inline(never)]
    pub(crate) fn other(
        &mut self,
        path: &FastPath<'i>,
        rest: &'i [u8],
        elements: &[model::Element<'_>],
        next: usize,
    ) -> Result<Option<usize>> {
        if self.take_end(path, rest) {
            return Ok(None);
        }
        let mut later = (next + 1)..elements.len();
        match later.find(|index| self.take_named(path, elements[*index].name, rest)) {
            Some(index) => Ok(Some(index)),
            None => self.any(path, elements, next),
        }
    }

    /// Skips children that are not expected, or refuses them if the reading is strict.
    #[inline(never)]
    fn any(
        &mut self,
        path: &FastPath<'i>,
        elements: &[model::Element<'_>],
        next: usize,
    ) -> Result<Option<usize>> {
        let parent = path.parent;
        let namespace = self.namespace_of_children(&parent);
        while self.child()? {
            match self.known(namespace, elements, next) {
                Some(index) if index >= next || !self.strict => return Ok(Some(index)),
                None if !self.strict => drop(self.skip()?),
                _ => return Err(self.unexpected_child(&parent, &elements[next..])),
            }
        }
        Ok(None)
    }

    /// The index of the name of the element that was opened last, if it has this namespace.
    fn known(
        &self,
        namespace: Namespace,
        elements: &[model::Element<'_>],
        next: usize,
    ) -> Option<usize> {
        let open = self.open.last()?;
        if !self.namespaces.same(open.namespace, namespace) {
            return None;
        }
        let local_name = self.local_name_of(open);
        let is_it = |element: &model::Element<'_>| element.name == local_name;
        let (before, after) = elements.split_at(next);
        let later = after.iter().position(is_it).map(|index| next + index);
        later.or_else(|| before.iter().position(is_it))
    }

    /// The element that was opened last is none that strict reading allows here.
    #[cold]
    fn unexpected_child(&self, parent: &Open, allowed: &[model::Element<'_>]) -> ReadError {
        let may_follow = match allowed {
            [] => "No further element may stand there.".to_owned(),
            _ => format!("Elements that may: {}.", names(allowed)),
        };
        let message = format!(
            "The element '{}' of namespace '{}' is not expected at this place in '{}'. {may_follow}",
            self.local_name(),
            self.namespace(),
            self.local_name_of(parent),
        );
        self.error_at_element(ReadErrorKind::Value, message)
    }
}

/// Which children may come next, and which have been read.
pub(crate) struct Order<'t> {
    children: Children<'t>,
    /// The index of the first one that is expected.
    pub(crate) next: usize,
    seen: Seen,
}

impl<'t> Order<'t> {
    pub(crate) fn of(children: Children<'t>) -> Self {
        Self {
            children,
            next: 0,
            seen: Seen::default(),
        }
    }

    /// Goes on to a child. Returns whether it is to be read: of those that may occur only once, the first one is.
    #[inline]
    pub(crate) fn admits(&mut self, index: usize) -> bool {
        match self.children.kind {
            Kind::Record => {
                let admitted = self.seen.insert(index);
                if admitted {
                    self.next = index + 1;
                }
                admitted
            }
            Kind::List => true,
            Kind::Other => self.admits_among_others(index),
        }
    }

    #[inline(never)]
    fn admits_among_others(&mut self, index: usize) -> bool {
        let (repeated, place, after) = self.children.place(index);
        let admitted = self.seen.insert(place) || repeated;
        if admitted {
            self.next = after;
        }
        admitted
    }
}

impl Children<'_> {
    /// Whether the child may occur more than once, the index that stands for it, one for all alternatives of a choice, and the index of the first child that may follow it.
    fn place(&self, index: usize) -> (bool, usize, usize) {
        let choice = self.choices.iter().find(|choice| choice.contains(index));
        let (repeated, first, end) = match choice {
            Some(choice) => (choice.repeated, choice.first, choice.end),
            None => (self.elements[index].repeated, index, index + 1),
        };
        (repeated, first, if repeated { first } else { end })
    }
}

/// The names of elements, for people.
pub(crate) fn names(elements: &[model::Element<'_>]) -> String {
    let names: Vec<_> = elements.iter().map(|element| element.name).collect();
    names.join(", ")
}

/// Which fields were read.
#[derive(Default)]
struct Seen {
    first: u64,
    /// Those from index 64 on.
    more: Vec<u64>,
}

impl Seen {
    /// Returns whether it is new.
    #[inline]
    fn insert(&mut self, index: usize) -> bool {
        if index >= 64 {
            return self.insert_far(index);
        }
        let bit = 1 << index;
        let new = self.first & bit == 0;
        self.first |= bit;
        new
    }

    #[cold]
    fn insert_far(&mut self, index: usize) -> bool {
        let word = index / 64 - 1;
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        let bit = 1 << (index % 64);
        let new = self.more[word] & bit == 0;
        self.more[word] |= bit;
        new
    }
}

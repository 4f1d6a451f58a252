//! Which child of an object or a list comes next, where it is not the one that is expected first.

use svcgen_model::{self as model, Choice, ComplexType, Kind};

use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::fast_path::FastPath;
use crate::xml::namespaces::Namespace;
use crate::xml::tokens::{Open, Result, Tokens};

/// The children that an element may have.
#[derive(Clone, Copy)]
pub(crate) struct Children<'t> {
    /// The elements, in their order.
    pub(crate) elements: &'t [model::Element<'t>],
    /// The choices among them.
    pub(crate) choices: &'t [Choice<'t>],
    pub(crate) kind: Kind,
}

impl<'t> Children<'t> {
    /// The children of an object.
    pub(crate) fn of(complex: &ComplexType<'t>) -> Self {
        Self {
            elements: complex.elements,
            choices: complex.choices,
            kind: complex.kind,
        }
    }

    /// The items of a list.
    pub(crate) fn items(item: &'t model::Element<'t>) -> Self {
        Self {
            elements: std::slice::from_ref(item),
            choices: &[],
            kind: Kind::List,
        }
    }
}

impl<'i> Tokens<'i> {
    /// Reads up to the next child that has an expected name and namespace, if the child expected first does not follow. Returns `None` after the end tag of the parent.
    // Not inlined, so that the fast path keeps its registers.
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
            None => self.any(elements, next),
        }
    }

    /// Skips unexpected children, or refuses them if reading is strict.
    #[inline(never)]
    fn any(&mut self, elements: &[model::Element<'_>], next: usize) -> Result<Option<usize>> {
        let Some(parent) = self.open.last().copied() else {
            return Ok(None);
        };
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

    /// The index of the innermost open element among `elements`, if it has this namespace.
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

    /// The error that strict reading does not allow the innermost open element here.
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
    /// The index of the child expected first.
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

    /// Of a record whose first elements were read.
    pub(crate) fn after(read: usize, elements: &'t [model::Element<'t>]) -> Self {
        let mut order = Self::of(Children {
            elements,
            choices: &[],
            kind: Kind::Record,
        });
        order.next = read;
        order.seen.first = 1u64
            .checked_shl(read as u32)
            .map_or(u64::MAX, |bit| bit - 1);
        order
    }

    pub(crate) fn elements(&self) -> &'t [model::Element<'t>] {
        self.children.elements
    }

    /// Counts a child. Returns whether it is to be read: of a child that may occur once, only the first occurrence is.
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
    /// Whether a child may occur more than once; its index, or for all alternatives of a choice that of the first one; and the index of the first child that may follow.
    fn place(&self, index: usize) -> (bool, usize, usize) {
        let choice = self.choices.iter().find(|choice| choice.contains(index));
        let (repeated, first, end) = match choice {
            Some(choice) => (choice.repeated, choice.first, choice.end),
            None => (self.elements[index].repeated, index, index + 1),
        };
        (repeated, first, if repeated { first } else { end })
    }
}

/// The names of elements, for messages.
pub(crate) fn names(elements: &[model::Element<'_>]) -> String {
    let names: Vec<_> = elements.iter().map(|element| element.name).collect();
    names.join(", ")
}

/// A set of indexes, one bit each.
#[derive(Default)]
struct Seen {
    first: u64,
    /// The indexes from 64 on.
    more: Vec<u64>,
}

impl Seen {
    /// Adds an index. Returns whether it is new.
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

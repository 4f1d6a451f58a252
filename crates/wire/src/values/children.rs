//! Finds the next child of an object or a list if it is not the expected one.

use std::ops::Range;

use svcgen_model::{self as model, ComplexType, Form, Group, Kind};

use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::fast_path::FastPath;
use crate::xml::scopes::Rows;
use crate::xml::tokens::{Attribute, Open, Result, Tokens};

/// The children that an element may have.
#[derive(Clone, Copy)]
pub(crate) struct Children<'t> {
    /// The elements, in their order.
    pub(crate) elements: &'t [model::Element<'t>],
    /// The choices and sequences among them.
    pub(crate) groups: &'t [Group<'t>],
    pub(crate) kind: Kind,
    /// Whether they may occur in any order.
    pub(crate) unordered: bool,
    /// Whether they are parameters or results.
    pub(crate) is_message: bool,
}

impl<'t> Children<'t> {
    /// The children of an object.
    pub const fn of(complex: &ComplexType<'t>) -> Self {
        Self {
            elements: complex.elements,
            groups: complex.groups,
            kind: complex.kind,
            unordered: complex.unordered,
            is_message: complex.is_message,
        }
    }

    /// The items of a list.
    pub(crate) fn items(item: &'t model::Element<'t>) -> Self {
        Self {
            elements: std::slice::from_ref(item),
            groups: &[],
            kind: Kind::List,
            unordered: false,
            is_message: false,
        }
    }
}

impl<'i> Tokens<'i> {
    /// The index of an attribute among those of a type.
    pub(crate) fn index_of_attribute(
        &self,
        of: &ComplexType<'i>,
        attribute: &Attribute<'_>,
    ) -> Option<usize> {
        let declared = self.scopes.map(|scopes| of.scope.within(scopes.service).0);
        let namespace = self.namespaces.name(attribute.namespace);
        let is_it = |row: &model::Element<'_>| {
            let expected = match row.form {
                Form::Default => "",
                form => form.of_attribute(declared.unwrap_or_default()),
            };
            row.name == attribute.local_name && namespace == expected && row.wildcard.is_none()
        };
        of.attributes.iter().position(is_it)
    }

    /// Reads up to the next child that has an expected name and namespace; called if the expected
    /// child does not follow. Returns `None` after the end tag of the parent.
    // Not inlined, so that the fast path keeps its registers.
    #[inline(never)]
    pub(crate) fn other(
        &mut self,
        path: &FastPath<'i>,
        rest: &'i [u8],
        order: &Order<'_, '_>,
    ) -> Result<Option<usize>> {
        let (elements, next) = (order.elements(), order.next);
        if self.take_end(path, rest) {
            return Ok(None);
        }
        let mut later = (next + 1)..elements.len();
        match later.find(|index| self.take_named(path, elements[*index].name, rest)) {
            Some(index) => Ok(Some(index)),
            None => self.any(order),
        }
    }

    /// Skips unexpected children, unless a wildcard takes them, or refuses them if reading is
    /// strict.
    #[inline(never)]
    fn any(&mut self, order: &Order<'_, '_>) -> Result<Option<usize>> {
        let Some(parent) = self.open.last().copied() else {
            return Ok(None);
        };
        while self.child()? {
            match self.among(&parent, order, order.first())? {
                None => drop(self.skip()?),
                known => return Ok(known),
            }
        }
        Ok(None)
    }

    /// The index of the innermost open element among the expected ones, or of the wildcard for it.
    /// Strict reading requires an index of at least `next`.
    fn among(&self, parent: &Open, order: &Order<'_, '_>, next: usize) -> Result<Option<usize>> {
        let known = self.known(parent, order);
        let known = known.or_else(|| self.wildcard(parent, order));
        if self.strict && known.is_none_or(|index| index < next) {
            return Err(self.unexpected_child(parent, &order.allowed(next)));
        }
        Ok(known)
    }

    /// The index of the innermost open element among the expected ones, in this order if reading is
    /// strict.
    pub(super) fn known_child(&self, order: &Order<'_, '_>) -> Result<Option<usize>> {
        match self.open.iter().rev().nth(1) {
            Some(parent) => self.among(parent, order, order.first()),
            None => Ok(None),
        }
    }

    /// The index of the innermost open element among the expected ones, in any order.
    pub(super) fn known_part(&self, order: &Order<'_, '_>) -> Result<Option<usize>> {
        match self.open.iter().rev().nth(1) {
            Some(parent) => self.among(parent, order, 0),
            None => Ok(None),
        }
    }

    /// The error for an innermost open element that belongs to another alternative than the chosen
    /// one.
    #[cold]
    pub(super) fn not_admitted(&self, order: &Order<'_, '_>) -> ReadError {
        match self.open.iter().rev().nth(1) {
            Some(parent) => self.unexpected_child(parent, &order.allowed(order.first())),
            None => self.unfinished(),
        }
    }

    /// The index of the innermost open element among the expected ones, from the next one on first.
    fn known(&self, parent: &Open, order: &Order<'_, '_>) -> Option<usize> {
        let open = self.open.last()?;
        let (local_name, elements) = (self.local_name_of(open), order.elements());
        if let Some(rows) = order.rows {
            return self.known_by_namespace(open, rows, order);
        }
        if !self.namespaces.same(open.namespace, parent.namespace) {
            return None;
        }
        let is_it =
            |element: &model::Element<'_>| element.name == local_name && !element.characters;
        let (before, after) = elements.split_at(order.next);
        let later = after.iter().position(is_it);
        let later = later.map(|index| order.next + index);
        later.or_else(|| before.iter().position(is_it))
    }

    #[cold]
    fn known_by_namespace(
        &self,
        open: &Open,
        rows: Rows<'_>,
        order: &Order<'_, '_>,
    ) -> Option<usize> {
        // Items may have other names than their rows.
        let (elements, next) = (order.elements(), order.next);
        let (local_name, namespace) = (
            self.local_name_of(open),
            self.namespaces.name(open.namespace),
        );
        let is_it = |index: &usize| {
            let element = &elements[*index];
            element.name == local_name && !element.characters && rows.admit(*index, namespace)
        };
        let mut later = next..elements.len();
        later.find(is_it).or_else(|| (0..next).find(is_it))
    }

    /// The index of the wildcard for the innermost open element: the first one that allows its
    /// namespace, or else the first one, as in .NET.
    fn wildcard(&self, parent: &Open, order: &Order<'_, '_>) -> Option<usize> {
        let elements = order.elements();
        let first = elements.iter().position(|one| one.wildcard.is_some())?;
        let parent = self.namespaces.name(parent.namespace);
        let own = order.rows.map_or(parent, |rows| rows.declared.0);
        let namespace = self.namespace();
        let mut others = elements[first..].iter();
        let fits = others.position(|one| one.is_wildcard_for(namespace, own));
        Some(first + fits.unwrap_or(0))
    }

    /// The error of strict reading for an innermost open element that is not allowed here.
    #[cold]
    fn unexpected_child(&self, parent: &Open, allowed: &[&str]) -> ReadError {
        let may_follow = if allowed.is_empty() {
            "No further element may stand there.".to_owned()
        } else {
            format!("Elements that may: {}.", allowed.join(", "))
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

/// The children that may come next, and those that have been read.
pub(crate) struct Order<'t, 'i> {
    children: Children<'t>,
    /// The same elements with their namespaces, if these may differ from that of the parent.
    pub(crate) rows: Option<Rows<'i>>,
    /// The index of the next expected child.
    pub(crate) next: usize,
    seen: Seen,
}

impl<'t, 'i> Order<'t, 'i> {
    pub fn of(children: Children<'t>, rows: Option<Rows<'i>>) -> Self {
        Self {
            children,
            rows,
            next: 0,
            seen: Seen::default(),
        }
    }

    /// The order in a record whose first elements were read.
    pub(crate) fn after(read: usize, elements: &'t [model::Element<'t>], is_message: bool) -> Self {
        let children = Children {
            elements,
            groups: &[],
            kind: Kind::Record,
            unordered: false,
            is_message,
        };
        let mut order = Self::of(children, None);
        order.next = read;
        order.seen.first = 1u64
            .checked_shl(read as u32)
            .map_or(u64::MAX, |bit| bit - 1);
        order
    }

    /// The index of the first child that is allowed here.
    fn first(&self) -> usize {
        if self.children.unordered {
            0
        } else {
            self.next
        }
    }

    pub(crate) fn elements(&self) -> &'t [model::Element<'t>] {
        self.children.elements
    }

    /// Counts a child. Returns whether it is to be read: of a child that may occur once only the
    /// first occurrence, but every occurrence of a list in a type. If the child is in a choice or a
    /// sequence, sets `going_on` to the number of repeated ones around it whose current item it
    /// continues.
    #[inline]
    pub(crate) fn admits(&mut self, index: usize, going_on: &mut usize) -> bool {
        match self.children.kind {
            Kind::Record => {
                let admitted = self.seen.insert(index);
                if admitted {
                    self.next = index + 1;
                }
                admitted || self.children.reads_again(index)
            }
            Kind::List => true,
            Kind::Mixed | Kind::Other => self.admits_among_others(index, going_on),
        }
    }

    /// Counts a text between elements, which may occur anywhere, as an item of its choice. Returns
    /// the index of its row.
    pub(crate) fn admit_text(&mut self, going_on: &mut usize) -> Option<usize> {
        let mut elements = self.elements().iter();
        let index = elements.position(|element| element.characters)?;
        let next = self.next;
        self.admits_among_others(index, going_on);
        self.next = next;
        Some(index)
    }

    #[inline(never)]
    fn admits_among_others(&mut self, index: usize, going_on: &mut usize) -> bool {
        let place = self.place(index);
        *going_on = place.going_on;
        if let Some(range) = place.begun_item.filter(|_| place.fits) {
            self.seen.remove(range);
        }
        if place.fits {
            self.next = place.next;
            self.seen.insert(index);
        }
        let is_seen = self.seen.holds(index..index + 1);
        place.fits || (is_seen && self.children.reads_again(index))
    }

    /// The place of a child, given the children that have been read.
    fn place(&self, index: usize) -> Placed {
        let is_repeated = self.children.elements[index].repeated;
        let is_seen = self.seen.holds(index..index + 1);
        let mut place = Placed {
            fits: is_repeated || !is_seen,
            begun_item: None,
            going_on: usize::MAX,
            next: if is_repeated { index } else { index + 1 },
        };
        let groups = self.children.groups.iter();
        let around = groups.filter(|group| group.contains(index));
        let mut repeated = around.clone().filter(|group| group.repeated).count();
        let mut branch = index..index + 1;
        for group in around.rev() {
            let Group { first, end, .. } = *group;
            // In a repeated group, the order shows where an item ends.
            let conflicts = match group.is_sequence() {
                true if repeated > 0 => self.seen.holds(branch.end..end),
                true => false,
                false => self.seen.holds(first..branch.start) || self.seen.holds(branch.end..end),
            };
            place.fits &= !conflicts;
            if !group.is_sequence() && place.next >= branch.end {
                place.next = end;
            }
            branch = first..end;
            if group.repeated {
                repeated -= 1;
                place.next = first;
                if !place.fits || !self.seen.holds(branch.clone()) {
                    place.fits = true;
                    place.begun_item = Some(branch.clone());
                    place.going_on = repeated;
                }
            }
        }
        place
    }

    /// The names of the elements from an index on that are still allowed, for messages.
    fn allowed(&self, from: usize) -> Vec<&'t str> {
        let elements = self.elements();
        let allowed = from..elements.len();
        let allowed = allowed.filter(|index| !elements[*index].characters);
        let allowed = allowed.filter(|index| self.place(*index).fits);
        allowed.map(|index| elements[index].name).collect()
    }
}

impl Children<'_> {
    /// Whether a later occurrence of a child that may occur once is also read, as in .NET.
    #[cold]
    fn reads_again(&self, index: usize) -> bool {
        let element = &self.elements[index];
        element.collection || (element.is_list() && !self.is_message)
    }
}

/// The place of a child among its siblings.
struct Placed {
    /// Whether it continues the children that have been read, or begins an item.
    fits: bool,
    /// The elements of the outermost repeated choice or sequence in which it begins an item.
    begun_item: Option<Range<usize>>,
    /// The number of repeated choices and sequences around that one.
    going_on: usize,
    /// The index of the child that is expected next.
    next: usize,
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

    /// Whether any index of a range is in the set.
    fn holds(&self, range: Range<usize>) -> bool {
        let mut words = std::iter::once(&self.first).chain(&self.more).zip(0..);
        words.any(|(word, number)| word & bits(number, &range) != 0)
    }

    /// Removes the indexes of a range.
    fn remove(&mut self, range: Range<usize>) {
        let words = std::iter::once(&mut self.first).chain(&mut self.more);
        words
            .zip(0..)
            .for_each(|(word, number)| *word &= !bits(number, &range));
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

/// The bits of a range of indexes within one word of the set.
fn bits(number: usize, range: &Range<usize>) -> u64 {
    let bit = |index: usize| index.saturating_sub(number * 64).min(64) as u32;
    let below = |bit| 1_u64.checked_shl(bit).map_or(u64::MAX, |one| one - 1);
    below(bit(range.end)) & !below(bit(range.start))
}

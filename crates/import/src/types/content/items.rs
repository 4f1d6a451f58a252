//! The items of a type, in the order of its elements.

use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::schema::{Element, Name, Particle, Wildcard};

/// An item of a type, in the order of its elements. Groups without an effect are removed.
#[derive(Debug)]
pub(super) enum Item<'m, 's> {
    Element {
        element: &'m Element<'s>,
        min: u32,
        max: Option<u32>,
    },
    Any {
        wildcard: &'m Wildcard<'s>,
        min: u32,
        max: Option<u32>,
    },
    Group(Group<'m, 's>),
}

#[derive(Debug)]
pub(super) struct Group<'m, 's> {
    pub is_choice: bool,
    pub items: Vec<Item<'m, 's>>,
    pub is_optional: bool,
    pub is_repeated: bool,
    /// The minimum and maximum number of occurrences, if it is repeated.
    pub counts: Counts,
    /// The head of a substitution group that the definition declares again.
    pub head: Option<&'s str>,
    pub doc: Option<&'m str>,
    pub place: DocumentSpan,
    /// Descriptions of what the definition accepts beyond the schema.
    pub losses: Vec<String>,
}

impl Group<'_, '_> {
    /// Whether text can be another of its alternatives.
    pub fn is_place_for_text(&self) -> bool {
        self.is_choice && self.is_repeated && self.head.is_none()
    }
}

/// The minimum and maximum number of occurrences: `minOccurs` and `maxOccurs`.
pub(super) type Counts = (u32, Option<u32>);

/// Any number of times.
pub(super) const ANY_NUMBER: Counts = (0, None);

/// Whether an item may be absent.
pub(super) fn may_be_absent(item: &Item<'_, '_>) -> bool {
    match item {
        Item::Element { min, .. } | Item::Any { min, .. } => *min == 0,
        Item::Group(group) => group.is_optional || (group.is_repeated && group.counts.0 == 0),
    }
}

/// Combines items into one that occurs as often as a particle states. A single item gets that
/// number of occurrences itself.
pub(super) fn repeated<'m, 's>(
    mut items: Vec<Item<'m, 's>>,
    is_choice: bool,
    particle: &'m Particle<'_>,
    losses: Vec<String>,
) -> Item<'m, 's> {
    let (outer_min, outer_max) = (particle.min, particle.max);
    if items.len() == 1 && losses.is_empty() {
        match &mut items[0] {
            Item::Element { min, max, .. } | Item::Any { min, max, .. } => {
                *min = min.saturating_mul(outer_min);
                *max = max
                    .zip(outer_max)
                    .map(|(one, other)| one.saturating_mul(other));
                return items.remove(0);
            }
            Item::Group(group) if outer_max == Some(1) => {
                group.is_optional |= outer_min == 0;
                if outer_min == 0 {
                    group.counts.0 = 0;
                }
                return items.remove(0);
            }
            Item::Group(group) if group.is_choice && group.head.is_none() => {
                let (min, max) = match (group.is_repeated, group.is_optional) {
                    (true, _) => group.counts,
                    (false, true) => (0, Some(1)),
                    (false, false) => (1, Some(1)),
                };
                if has_gaps((min, max), (outer_min, outer_max)) {
                    group.losses.push(COUNTED.to_owned());
                }
                let max = max.zip(outer_max);
                group.counts = (
                    min.saturating_mul(outer_min),
                    max.map(|(one, other)| one.saturating_mul(other)),
                );
                group.is_optional |= outer_min == 0;
                group.is_repeated = true;
                return items.remove(0);
            }
            Item::Group(_) => {}
        }
    }
    let is_repeated = outer_max != Some(1);
    Item::Group(Group {
        is_choice,
        items,
        is_optional: outer_min == 0,
        is_repeated,
        counts: (outer_min, outer_max),
        head: None,
        doc: particle.doc.as_deref(),
        place: particle.place,
        losses,
    })
}

/// The message where something with counted occurrences is within something that is repeated.
pub(super) const COUNTED: &str =
    "the schema counts what is repeated within this: a definition counts all together";

/// Whether the possible numbers of occurrences have gaps between the minimum and the maximum, for
/// something that occurs `within` times in something that occurs `outer` times.
fn has_gaps(within: Counts, outer: Counts) -> bool {
    let times = u64::from(outer.0);
    let least_of_more = (times + 1) * u64::from(within.0);
    let is_more = outer.1.is_none_or(|most| most > outer.0);
    let most = match within.1 {
        Some(most) => times * u64::from(most),
        None if times > 0 => return false,
        None => 0,
    };
    is_more && most + 1 < least_of_more
}

/// Collects the names of all elements, with repetitions.
pub(super) fn names_of<'s>(items: &[Item<'_, 's>], names: &mut Vec<Name<'s>>) {
    for item in items {
        match item {
            Item::Element { element, .. } => names.push(element.name),
            Item::Any { .. } => {}
            Item::Group(group) => names_of(&group.items, names),
        }
    }
}

/// Combines adjacent elements of one name into one that occurs as often as all of them.
pub(super) fn in_rows<'m, 's>(items: Vec<Item<'m, 's>>) -> Vec<Item<'m, 's>> {
    let mut rows: Vec<Item<'m, 's>> = Vec::with_capacity(items.len());
    for item in items {
        if let Item::Element { element, min, max } = item
            && let Some(Item::Element {
                element: last,
                min: least,
                max: most,
            }) = rows.last_mut()
            && last.is_same(element)
        {
            *least = least.saturating_add(min);
            *most = most.zip(max).map(|(one, other)| one.saturating_add(other));
            continue;
        }
        rows.push(item);
    }
    rows
}

pub(super) fn place_of(items: &[Item<'_, '_>]) -> DocumentSpan {
    match &items[0] {
        Item::Element { element, .. } => element.place,
        Item::Any { wildcard, .. } => wildcard.place,
        Item::Group(group) => group.place,
    }
}

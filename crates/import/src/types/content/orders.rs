//! Orders of elements that definitions cannot express, and their replacements.

use std::collections::{HashMap, HashSet};

use svcgen_wsdl::schema::{Element, Name, Wildcard};

use super::items::{ANY_NUMBER, Group, Item, place_of};

/// All elements of the items, each once, as the alternatives of a repeated choice.
pub(super) fn in_any_order<'m, 's>(items: Vec<Item<'m, 's>>) -> Item<'m, 's> {
    let message = "an element stands at several places: in a definition all of them stand in any order, any number of times";
    choice_of(items, message)
}

/// Elements with text between them: text becomes an alternative of the repeated choice, if there is
/// one. Beside other elements this loses the place of the text, as in ASMX.
pub(super) fn mixed<'m, 's>(mut items: Vec<Item<'m, 's>>, is_like_asmx: bool) -> Vec<Item<'m, 's>> {
    let Some(place) = place_for_text(&items) else {
        let message = "text stands between elements: in a definition these stand in any order, any number of times";
        return vec![choice_of(items, message)];
    };
    if !matches!(items[place], Item::Group(_)) {
        let only = items.remove(place);
        let mut choice = choice_of(vec![only], "");
        if let Item::Group(group) = &mut choice {
            group.losses.clear();
        }
        items.insert(place, choice);
    }
    if items.len() > 1
        && !is_like_asmx
        && let Item::Group(group) = &mut items[place]
    {
        let message = "text beside other elements is read and written among these";
        group.losses.push(message.to_owned());
    }
    items
}

/// The index of the only item that text can be an alternative of.
pub(super) fn place_for_text(items: &[Item<'_, '_>]) -> Option<usize> {
    let is_place = |item: &Item<'_, '_>| match item {
        Item::Group(group) => group.is_place_for_text(),
        Item::Element { min, max, .. } => (*min, *max) == (0, None),
        Item::Any { .. } => false,
    };
    let mut places = (0..items.len()).filter(|at| is_place(&items[*at]));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// The maximum number of elements that are merged.
const MOST_MERGED: usize = 200;

/// Merges the elements of alternatives that share some into one sequence that contains each once,
/// in an order that is consistent with all alternatives. `None` if there is no such order.
pub(super) fn merged<'m, 's>(items: &[Item<'m, 's>]) -> Option<Vec<Item<'m, 's>>> {
    let mut all = Vec::new();
    keys_of(items, &mut all);
    if all.len() > MOST_MERGED {
        return None;
    }
    let mut after: HashMap<Name<'s>, HashSet<Name<'s>>> = HashMap::new();
    let mut parts = HashMap::new();
    order(items, false, &mut after, &mut parts)?;
    let required = always_there(items, false);
    let mut written: Vec<Name<'s>> = Vec::new();
    while written.len() < parts.len() {
        // The first one that follows none of the remaining ones.
        let is_next = |name: &&Name<'s>| {
            let is_left = |other: &Name<'s>| !written.contains(other);
            !written.contains(name)
                && !after
                    .get(*name)
                    .is_some_and(|before| before.iter().any(is_left))
        };
        let next = *all.iter().find(is_next)?;
        written.push(next);
    }
    let items = written.into_iter().map(|key| {
        let (part, max) = parts[&key];
        let min = u32::from(required.contains(&key));
        match part {
            Member::Element(element) => Item::Element { element, min, max },
            Member::Any(wildcard) => Item::Any { wildcard, min, max },
        }
    });
    Some(items.collect())
}

/// A member of a merged sequence.
#[derive(Clone, Copy)]
enum Member<'m, 's> {
    Element(&'m Element<'s>),
    Any(&'m Wildcard<'s>),
}

impl<'m, 's> Member<'m, 's> {
    fn of(item: &Item<'m, 's>) -> Option<(Self, Option<u32>)> {
        match item {
            Item::Element { element, max, .. } => Some((Self::Element(element), *max)),
            Item::Any { wildcard, max, .. } => Some((Self::Any(wildcard), *max)),
            Item::Group(_) => None,
        }
    }

    /// The name of an element, or the namespaces of a wildcard without a local name.
    fn key(self) -> Name<'s> {
        match self {
            Self::Element(element) => element.name,
            Self::Any(wildcard) => Name {
                namespace: wildcard.namespaces,
                local: "",
            },
        }
    }

    /// Whether one member can represent both.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Element(one), Self::Element(other)) => one.type_ref == other.type_ref,
            (Self::Any(_), Self::Any(_)) => true,
            _ => false,
        }
    }
}

/// Collects the keys of all members, with repetitions.
fn keys_of<'s>(items: &[Item<'_, 's>], keys: &mut Vec<Name<'s>>) {
    for item in items {
        match (Member::of(item), item) {
            (Some((part, _)), _) => keys.push(part.key()),
            (None, Item::Group(group)) => keys_of(&group.items, keys),
            (None, _) => {}
        }
    }
}

/// Records which elements follow which; `None` if they cannot be one sequence.
fn order<'m, 's>(
    items: &[Item<'m, 's>],
    is_choice: bool,
    after: &mut HashMap<Name<'s>, HashSet<Name<'s>>>,
    parts: &mut HashMap<Name<'s>, (Member<'m, 's>, Option<u32>)>,
) -> Option<()> {
    let mut before = HashSet::new();
    for item in items {
        let mut keys = Vec::new();
        keys_of(std::slice::from_ref(item), &mut keys);
        if let Some((part, max)) = Member::of(item) {
            let (known, most) = *parts.entry(part.key()).or_insert((part, max));
            if !known.is_like(part) || most != max {
                return None;
            }
        }
        if let Item::Group(group) = item {
            if group.is_repeated || group.head.is_some() {
                return None;
            }
            order(&group.items, group.is_choice, after, parts)?;
        }
        if is_choice {
            continue;
        }
        for key in &keys {
            after.entry(*key).or_default().extend(&before);
        }
        before.extend(keys);
    }
    Some(())
}

/// The elements that occur in each sequence that a group allows.
fn always_there<'s>(items: &[Item<'_, 's>], is_choice: bool) -> HashSet<Name<'s>> {
    let each = items.iter().map(|item| match item {
        Item::Element { element, min, .. } if *min > 0 => HashSet::from([element.name]),
        Item::Any { wildcard, min, .. } if *min > 0 => HashSet::from([Member::Any(wildcard).key()]),
        Item::Group(group) if !group.is_optional && !group.is_repeated => {
            always_there(&group.items, group.is_choice)
        }
        _ => HashSet::new(),
    });
    let joined = each.reduce(|one, other| {
        if is_choice {
            one.intersection(&other).copied().collect()
        } else {
            one.union(&other).copied().collect()
        }
    });
    joined.unwrap_or_default()
}

fn choice_of<'m, 's>(items: Vec<Item<'m, 's>>, message: &str) -> Item<'m, 's> {
    let place = place_of(&items);
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let mut has_any = false;
    let mut open: Vec<_> = items.into_iter().rev().collect();
    while let Some(item) = open.pop() {
        match item {
            Item::Element { element, .. } => {
                if seen.insert(element.name) {
                    all.push(Item::Element {
                        element,
                        min: 1,
                        max: Some(1),
                    });
                }
            }
            Item::Any { wildcard, .. } => {
                if !std::mem::replace(&mut has_any, true) {
                    all.push(Item::Any {
                        wildcard,
                        min: 0,
                        max: Some(1),
                    });
                }
            }
            Item::Group(group) => open.extend(group.items.into_iter().rev()),
        }
    }
    Item::Group(Group {
        is_choice: true,
        items: all,
        is_optional: true,
        is_repeated: true,
        counts: ANY_NUMBER,
        head: None,
        doc: None,
        place,
        losses: vec![message.to_owned()],
    })
}

//! What of one side is what of the other: by names, and by likeness where a name is gone and another has come.

use std::collections::{HashMap, HashSet};

use crate::model::{ComplexType, Enumeration, Model};
use crate::naming;

/// The members of two lists, told apart by their names.
pub(super) struct Matched<'a, T> {
    pub both: Vec<(&'a T, &'a T)>,
    /// Probably one thing under another name.
    pub renamed: Vec<(&'a T, &'a T)>,
    pub removed: Vec<&'a T>,
    pub added: Vec<&'a T>,
}

/// Matches two lists. What is `alike` but for its name was probably renamed: if the names are near, or if there is no other candidate.
pub(super) fn matched<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
    alike: impl Fn(&'a T, &'a T) -> bool,
) -> Matched<'a, T> {
    let by_name = |list: &'a [T]| -> HashMap<&'a str, &'a T> {
        list.iter().map(|member| (name(member), member)).collect()
    };
    let (old_by_name, new_by_name) = (by_name(old), by_name(new));
    let both = old
        .iter()
        .filter_map(|member| Some((member, *new_by_name.get(name(member))?)))
        .collect();
    let mut removed: Vec<_> = old
        .iter()
        .filter(|member| !new_by_name.contains_key(name(member)))
        .collect();
    let mut added: Vec<_> = new
        .iter()
        .filter(|member| !old_by_name.contains_key(name(member)))
        .collect();
    let mut renamed = Vec::new();
    removed.retain(|gone| {
        let candidates: Vec<_> = (0..added.len())
            .filter(|index| alike(gone, added[*index]))
            .collect();
        let names = candidates.iter().map(|index| name(added[*index]));
        let near = naming::nearest(name(gone), names);
        let found = candidates.iter().copied().find(|index| match near {
            Some(near) => name(added[*index]) == near,
            None => candidates.len() == 1,
        });
        if let Some(index) = found {
            renamed.push((*gone, added.remove(index)));
        }
        found.is_none()
    });
    Matched {
        both,
        renamed,
        removed,
        added,
    }
}

/// Whether what stands in both lists stands there in another order.
pub(super) fn is_reordered<'a, T: 'a>(
    both: &[(&'a T, &'a T)],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> bool {
    let place = |wanted: &str| new.iter().position(|member| name(member) == wanted);
    !both.iter().map(|(_, new)| place(name(new))).is_sorted()
}

/// The types that are on both sides: their old numbers with their new ones.
pub(super) struct Pairs {
    pub complex: HashSet<(usize, usize)>,
    pub enumerations: HashSet<(usize, usize)>,
}

impl Pairs {
    pub fn new(old: &Model, new: &Model) -> Self {
        Self {
            complex: pairs(
                &old.complex_types,
                &new.complex_types,
                &complex_types(old, new),
            ),
            enumerations: pairs(
                &old.enumerations,
                &new.enumerations,
                &enumerations(old, new),
            ),
        }
    }
}

fn pairs<T>(old: &[T], new: &[T], matched: &Matched<'_, T>) -> HashSet<(usize, usize)> {
    let number = |list: &[T], wanted: &T| {
        let mut members = list.iter();
        members.position(|member| std::ptr::eq(member, wanted))
    };
    let all = matched.both.iter().chain(&matched.renamed);
    all.filter_map(|(one, other)| Some((number(old, one)?, number(new, other)?)))
        .collect()
}

/// The complex types of two models. Types that hold elements of the same names are alike.
pub(super) fn complex_types<'m>(old: &'m Model, new: &'m Model) -> Matched<'m, ComplexType> {
    matched(
        &old.complex_types,
        &new.complex_types,
        |complex| &complex.name.xml,
        |old, new| !member_names(old).is_empty() && member_names(old) == member_names(new),
    )
}

fn member_names(complex: &ComplexType) -> Vec<&str> {
    let members = complex.attributes.iter().chain(&complex.text);
    members
        .chain(&complex.elements)
        .map(|member| member.name.xml.as_str())
        .collect()
}

/// The enumerations of two models. Those with half of their values in common are alike.
pub(super) fn enumerations<'m>(old: &'m Model, new: &'m Model) -> Matched<'m, Enumeration> {
    matched(
        &old.enumerations,
        &new.enumerations,
        |enumeration| &enumeration.name.xml,
        |old, new| {
            let has = |wanted: &str| new.values.iter().any(|value| value.name.xml == wanted);
            let common = old.values.iter().filter(|value| has(&value.name.xml));
            2 * common.count() >= old.values.len().max(new.values.len())
        },
    )
}

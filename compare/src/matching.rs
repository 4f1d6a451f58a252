//! What of one side is what of the other: by names, and by likeness where a name is gone and another has come.

use std::collections::{HashMap, HashSet};

use svcgen_codegen::model::{ComplexType, Model};

/// The most pairs of what is gone and what has come that are looked at for renames: beyond, everything is gone or new.
const MOST_PAIRS: usize = 10_000;

/// The members of two lists, by their indexes.
pub(crate) struct Matched {
    /// Those on both sides in the order of the old one, some of them probably renamed.
    pub both: Vec<(usize, usize)>,
    pub removed: Vec<usize>,
    pub added: Vec<usize>,
}

impl Matched {
    /// Whether a member of the old side is one of the new side.
    pub fn has(&self, old: usize, new: usize) -> bool {
        self.both.binary_search(&(old, new)).is_ok()
    }
}

/// Matches two lists. What is `alike` but for its name was probably renamed: if the names are near, or if there is no other candidate.
pub(crate) fn matched<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
    alike: impl Fn(&'a T, &'a T) -> bool,
) -> Matched {
    let names = new.iter().enumerate();
    let new_by_name: HashMap<_, _> = names.map(|(index, member)| (name(member), index)).collect();
    let (mut both, mut removed) = (Vec::new(), Vec::new());
    for (index, member) in old.iter().enumerate() {
        match new_by_name.get(name(member)) {
            Some(other) => both.push((index, *other)),
            None => removed.push(index),
        }
    }
    let known: HashSet<_> = both.iter().map(|(_, new)| *new).collect();
    let mut added: Vec<_> = (0..new.len())
        .filter(|index| !known.contains(index))
        .collect();
    if removed.len() * added.len() > MOST_PAIRS {
        return Matched {
            both,
            removed,
            added,
        };
    }
    removed.retain(|gone| {
        let candidates = added.iter().copied();
        let candidates: Vec<_> = candidates
            .filter(|come| alike(&old[*gone], &new[*come]))
            .collect();
        let names = candidates.iter().map(|come| name(&new[*come]));
        let near = svcgen_codegen::nearest(name(&old[*gone]), names);
        let found = candidates.iter().find(|come| match near {
            Some(near) => name(&new[**come]) == near,
            None => candidates.len() == 1,
        });
        if let Some(found) = found {
            both.push((*gone, *found));
            added.retain(|come| come != found);
        }
        found.is_none()
    });
    both.sort_unstable();
    Matched {
        both,
        removed,
        added,
    }
}

/// The complex types of two models. Types that hold elements of the same names are alike.
pub(crate) fn complex_types(old: &Model, new: &Model) -> Matched {
    matched(
        &old.complex_types,
        &new.complex_types,
        |complex| &complex.name.xml,
        |old, new| old.fields().next().is_some() && names(old).eq(names(new)),
    )
}

/// The enumerations of two models. Those with half of their values in common are alike.
pub(crate) fn enumerations(old: &Model, new: &Model) -> Matched {
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

fn names(complex: &ComplexType) -> impl Iterator<Item = &str> {
    complex.fields().map(|field| field.name.xml.as_str())
}

//! Matches items of the old definition with those of the new one, by name, and guesses which were renamed.

use std::collections::{HashMap, HashSet};

use svcgen_codegen::model::{Absence, ComplexType, Element, ListForm, Method, Model, TypeRef};

/// The most pairs of a removed and an added item among which renames are looked for, since the time grows with the pairs.
const MOST_PAIRS: usize = 10_000;

/// The items of two lists, by index.
pub(crate) struct Matched {
    /// The items in both lists, in the order of the old one; those with different names were probably renamed.
    pub both: Vec<(usize, usize)>,
    pub removed: Vec<usize>,
    pub added: Vec<usize>,
}

impl Matched {
    /// Whether an item of the old list matches one of the new list.
    pub fn has(&self, old: usize, new: usize) -> bool {
        self.both.binary_search(&(old, new)).is_ok()
    }
}

/// Matches two lists by name. Of the others, those that are `alike` were probably renamed, if their names are similar or if there is
/// no other candidate.
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
    if removed.len() * added.len() <= MOST_PAIRS {
        removed.retain(|was| {
            let candidates = added.iter().copied();
            let candidates: Vec<_> = candidates
                .filter(|is| alike(&old[*was], &new[*is]))
                .collect();
            let names = candidates.iter().map(|is| name(&new[*is]));
            let renamed = match svcgen_codegen::nearest(name(&old[*was]), names) {
                Some(near) => candidates.iter().find(|is| name(&new[**is]) == near),
                None => candidates.first().filter(|_| candidates.len() == 1),
            };
            if let Some(is) = renamed {
                both.push((*was, *is));
                added.retain(|other| other != is);
            }
            renamed.is_none()
        });
        both.sort_unstable();
    }
    Matched {
        both,
        removed,
        added,
    }
}

/// Matches operations. Those with the same parameters and results, of which there are any, are alike.
pub(crate) fn operations(old: &Model, new: &Model) -> Matched {
    let signature = |model: &Model, operation: &Method| {
        let typed = |element: &Element| (element.name.xml.clone(), notation(model, element));
        let parameters: Vec<_> = operation.request.elements.iter().map(typed).collect();
        let results = operation.result_elements();
        let results = results.map(|result| notation(model, result));
        (parameters, results.collect::<Vec<_>>())
    };
    matched(
        old.operations(),
        new.operations(),
        |operation| &operation.name.xml,
        |was, is| {
            let has_results = was.result_elements().next().is_some();
            let is_empty = was.request.elements.is_empty() && !has_results;
            !is_empty && signature(old, was) == signature(new, is)
        },
    )
}

/// Matches complex types. Those whose fields have the same names are alike.
pub(crate) fn complex_types(old: &Model, new: &Model) -> Matched {
    matched(
        &old.complex_types,
        &new.complex_types,
        |complex| &complex.key,
        |old, new| old.fields().next().is_some() && names(old).eq(names(new)),
    )
}

/// Matches enumerations. Those that share half of their values are alike.
pub(crate) fn enumerations(old: &Model, new: &Model) -> Matched {
    matched(
        &old.enumerations,
        &new.enumerations,
        |enumeration| &enumeration.key,
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

/// The type of an element, as in a definition.
pub(crate) fn notation(model: &Model, element: &Element) -> String {
    if let Some(wildcard) = &element.wildcard {
        let what = match &element.type_ref {
            _ if wildcard.of_attributes => "attributes",
            TypeRef::List(_) => "elements",
            _ => "element",
        };
        let namespaces = match &*wildcard.namespaces {
            "" => String::new(),
            namespaces => format!(" of `{namespaces}`"),
        };
        return format!("`any: {what}`{namespaces}");
    }
    let mark = match element.absence {
        Absence::Required => "",
        _ => "?",
    };
    let unwrapped = match &element.type_ref {
        TypeRef::List(list) => match list.form {
            ListForm::Wrapped => "",
            ListForm::Collection => " (a collection)",
            ListForm::Unwrapped => " (unwrapped)",
            ListForm::Text => " (a text)",
        },
        _ => "",
    };
    let written = type_notation(model, &element.type_ref);
    format!("`{written}{mark}`{unwrapped}")
}

fn type_notation(model: &Model, type_ref: &TypeRef) -> String {
    match type_ref {
        TypeRef::Complex(id) => model.complex_types[id.0].name.xml.clone(),
        TypeRef::Enumeration(id) => model.enumerations[id.0].name.xml.clone(),
        TypeRef::Choice(id) if model.choices[id.0].is_sequence => "sequence".to_owned(),
        TypeRef::Choice(_) => "choice".to_owned(),
        TypeRef::List(list) => {
            let mark = if list.nillable_items { "?" } else { "" };
            format!("{}{mark}[]", type_notation(model, &list.item_type))
        }
        type_ref => type_ref
            .simple()
            .map_or("", |simple| simple.name())
            .to_owned(),
    }
}

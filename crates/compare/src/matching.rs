//! Matches items of the old definition with those of the new one, by name and namespace, and
//! guesses renames.

use std::collections::{HashMap, HashSet};

use svcgen_codegen::model::{
    Absence, ComplexType, Element, ListForm, Method, Model, Name, TypeRef, WildcardOf,
};

use crate::member::Member;

/// The maximum number of pairs of a removed and an added item that are checked for renames, since
/// the time grows with the pairs.
const MOST_PAIRS: usize = 10_000;

/// The items of two lists, by index.
pub(crate) struct Matched {
    /// The items in both lists, in the order of the old one; those with different names were
    /// probably renamed.
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

/// The identity of an item: a name, and a text that distinguishes items with the same name.
type Identity<'a> = (&'a str, Option<&'a str>);

/// Matches two lists by name.
pub(crate) fn matched<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
    alike: impl Fn(&'a T, &'a T) -> bool,
) -> Matched {
    matched_by(old, new, &[&|item| (name(item), None)], &name, alike)
}

/// Matches two lists by each of `identities` in turn; later ones apply to the items that earlier
/// ones leave. Of the others, those that are `alike` were probably renamed, if their names are
/// similar or if there is no other candidate.
fn matched_by<'a, T>(
    old: &'a [T],
    new: &'a [T],
    identities: &[&dyn Fn(&'a T) -> Identity<'a>],
    name: impl Fn(&'a T) -> &'a str,
    alike: impl Fn(&'a T, &'a T) -> bool,
) -> Matched {
    let mut both = Vec::new();
    let mut removed: Vec<_> = (0..old.len()).collect();
    let mut added: Vec<_> = (0..new.len()).collect();
    for identity in identities {
        let others = added.iter().rev();
        let mut others: HashMap<_, _> = others.map(|is| (identity(&new[*is]), *is)).collect();
        removed.retain(|was| match others.remove(&identity(&old[*was])) {
            Some(is) => {
                both.push((*was, is));
                false
            }
            None => true,
        });
        let known: HashSet<_> = both.iter().map(|(_, is)| *is).collect();
        added.retain(|is| !known.contains(is));
    }
    if removed.len() * added.len() <= MOST_PAIRS {
        removed.retain(|was| {
            let candidates = added.iter().copied();
            let candidates: Vec<_> = candidates
                .filter(|is| alike(&old[*was], &new[*is]))
                .collect();
            let names = candidates.iter().map(|is| name(&new[*is]));
            let renamed = match svcgen_language::naming::nearest(name(&old[*was]), names) {
                Some(near) => candidates.iter().find(|is| name(&new[**is]) == near),
                None => candidates.first().filter(|_| candidates.len() == 1),
            };
            if let Some(is) = renamed {
                both.push((*was, *is));
                added.retain(|other| other != is);
            }
            renamed.is_none()
        });
    }
    both.sort_unstable();
    Matched {
        both,
        removed,
        added,
    }
}

/// Matches operations. Those with the same parameters and results are alike, unless they have none.
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

/// Matches members: those that remain the same field in Rust before others with their name.
pub(crate) fn members<'m>(
    old: &[Member<'m>],
    new: &[Member<'m>],
    alike: impl Fn(&Member<'m>, &Member<'m>) -> bool,
) -> Matched {
    let name = |member: &Member<'m>| member.element.name.xml.as_str();
    matched_by(
        old,
        new,
        &[
            &|member| (name(member), member.namespace()),
            &|member| (name(member), Some(&member.element.name.rust)),
            &|member| (name(member), None),
        ],
        name,
        alike,
    )
}

/// Matches types: by their names on the wire, then by their names in definitions, then by name in
/// any namespace.
fn types<'m, T>(
    old: &'m [T],
    new: &'m [T],
    known: impl Fn(&'m T) -> (&'m Name, Option<&'m str>),
    alike: impl Fn(&'m T, &'m T) -> bool,
) -> Matched {
    let name = |item| known(item).0.xml.as_str();
    matched_by(
        old,
        new,
        &[
            &|item| (name(item), known(item).1),
            &|item| (&known(item).0.key, None),
            &|item| (name(item), None),
        ],
        name,
        alike,
    )
}

/// Matches complex types. Those whose fields have the same names are alike.
pub(crate) fn complex_types(old: &Model, new: &Model) -> Matched {
    types(
        &old.complex_types,
        &new.complex_types,
        |complex| (&complex.name, complex.scope.namespace.as_deref()),
        |old, new| old.fields().next().is_some() && names(old).eq(names(new)),
    )
}

/// Matches enumerations. Those that share half of their values are alike.
pub(crate) fn enumerations(old: &Model, new: &Model) -> Matched {
    types(
        &old.enumerations,
        &new.enumerations,
        |enumeration| (&enumeration.name, enumeration.namespace.as_deref()),
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

/// The type of an element, as written in a definition.
pub(crate) fn notation(model: &Model, element: &Element) -> String {
    if let Some(wildcard) = &element.wildcard {
        let what = match &element.type_ref {
            _ if wildcard.of == WildcardOf::Attributes => "attributes",
            TypeRef::List(_) => "elements",
            _ => "element",
        };
        let namespaces = match &*wildcard.namespaces {
            "" => String::new(),
            namespaces => format!(" of `{namespaces}`"),
        };
        return match wildcard.of {
            WildcardOf::Text => format!("`any`{namespaces}"),
            WildcardOf::Attributes | WildcardOf::Elements => format!("`any: {what}`{namespaces}"),
        };
    }
    if element.characters {
        return "`any: text`".to_owned();
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
        TypeRef::Complex(id) => model.complex_types[id.0].name.key.clone(),
        TypeRef::Enumeration(id) => model.enumerations[id.0].name.key.clone(),
        TypeRef::Group(id) => model.groups[id.0].kind.name().to_owned(),
        TypeRef::List(list) => {
            let mark = if list.nillable_items { "?" } else { "" };
            format!("{}{mark}[]", type_notation(model, &list.item_type))
        }
        TypeRef::Dictionary(dictionary) => {
            let mark = if dictionary.nullable_values { "?" } else { "" };
            format!("{}{mark}{{}}", type_notation(model, &dictionary.value_type))
        }
        type_ref => type_ref
            .simple()
            .map_or("", |simple| simple.name())
            .to_owned(),
    }
}

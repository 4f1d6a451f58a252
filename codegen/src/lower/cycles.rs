//! Types that hold themselves: which values need a `Box`, and which types have no values at all.

use super::Lower;
use crate::model::{Absence, Choice, ComplexType, Element, FamilyMember, TypeRef};
use crate::rules::Rule;

/// What holds values directly, without a list between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Type(usize),
    Family(usize),
    Choice(usize),
}

/// All holders, and what each holds.
struct Holders<'t> {
    types: &'t [Option<ComplexType>],
    choices: &'t [Choice],
}

impl Lower<'_> {
    /// Boxes optional elements through which a type holds itself, and refuses types that hold themselves through required ones.
    pub(super) fn break_cycles(&mut self, types: &mut [Option<ComplexType>]) {
        let holders = Holders {
            types,
            choices: &self.choices,
        };
        let infinite: Vec<_> = (0..types.len())
            .filter(|id| holders.needs_itself(*id))
            .collect();
        let boxed_elements: Vec<Vec<bool>> = (0..types.len())
            .map(|id| {
                holders
                    .elements(id)
                    .map(|element| holders.is_boxed(id, element))
                    .collect()
            })
            .collect();
        let boxed_members: Vec<Vec<bool>> = (0..types.len())
            .map(|id| {
                let members = holders.members(id).iter();
                members
                    .map(|member| holders.leads_back(member.complex_type.0, Holder::Family(id)))
                    .collect()
            })
            .collect();
        let boxed_alternatives: Vec<Vec<bool>> = (0..self.choices.len())
            .map(|id| {
                let alternatives = self.choices[id].alternatives.iter();
                alternatives
                    .map(|alternative| match holders.held(alternative) {
                        Some(Holder::Type(next)) => holders.leads_back(next, Holder::Choice(id)),
                        _ => false,
                    })
                    .collect()
            })
            .collect();
        for (complex, boxed) in types.iter_mut().zip(boxed_elements) {
            let elements = complex.iter_mut().flat_map(|complex| &mut complex.elements);
            elements
                .zip(boxed)
                .for_each(|(element, boxed)| element.boxed = boxed);
        }
        for (complex, boxed) in types.iter_mut().zip(boxed_members) {
            let family = complex
                .iter_mut()
                .filter_map(|complex| complex.family.as_mut());
            let members = family.flat_map(|family| &mut family.members);
            members
                .zip(boxed)
                .for_each(|(member, boxed)| member.boxed = boxed);
        }
        for (choice, boxed) in self.choices.iter_mut().zip(boxed_alternatives) {
            let alternatives = choice.alternatives.iter_mut();
            alternatives
                .zip(boxed)
                .for_each(|(element, boxed)| element.boxed |= boxed);
        }
        for id in infinite {
            let (key, _) = &self.definition.types.0[id];
            self.error(
                Rule::InfiniteType,
                key.node,
                format!("`{}` holds itself without end", key.value),
            )
            .hint("let one of the elements on the way be absent (`T?`), or be a list (`T[]`)");
        }
    }
}

impl<'t> Holders<'t> {
    fn elements(&self, id: usize) -> impl Iterator<Item = &'t Element> + use<'t> {
        self.types[id].iter().flat_map(|complex| &complex.elements)
    }

    fn members(&self, id: usize) -> &'t [FamilyMember] {
        let family = self.types[id]
            .as_ref()
            .and_then(|complex| complex.family.as_ref());
        family.map_or(&[], |family| &family.members)
    }

    /// What an element holds; nothing if its type is of another file, which knows nothing of this one.
    fn held(&self, element: &Element) -> Option<Holder> {
        match element.type_ref {
            TypeRef::Complex(next) if next.0 >= self.types.len() => None,
            TypeRef::Complex(next) if self.members(next.0).is_empty() => Some(Holder::Type(next.0)),
            TypeRef::Complex(next) => Some(Holder::Family(next.0)),
            TypeRef::Choice(choice) => Some(Holder::Choice(choice.0)),
            _ => None,
        }
    }

    /// Families and choices box their own variants.
    fn is_boxed(&self, id: usize, element: &Element) -> bool {
        let Some(Holder::Type(next)) = self.held(element) else {
            return false;
        };
        element.absence != Absence::Required && self.leads_back(next, Holder::Type(id))
    }

    /// Everything that a value may hold.
    fn all(&self, holder: Holder) -> Vec<Holder> {
        match holder {
            Holder::Type(id) => self
                .elements(id)
                .filter_map(|element| self.held(element))
                .collect(),
            Holder::Family(id) => {
                let members = self.members(id).iter();
                members
                    .map(|member| Holder::Type(member.complex_type.0))
                    .collect()
            }
            Holder::Choice(id) => {
                let alternatives = self.choices[id].alternatives.iter();
                alternatives
                    .filter_map(|element| self.held(element))
                    .collect()
            }
        }
    }

    /// What a default value holds: a family its first member, a choice its first alternative.
    fn needed(&self, holder: Holder) -> Vec<Holder> {
        match holder {
            Holder::Type(id) => {
                let required = self
                    .elements(id)
                    .filter(|element| element.absence == Absence::Required);
                required.filter_map(|element| self.held(element)).collect()
            }
            Holder::Family(_) => self.all(holder).into_iter().take(1).collect(),
            Holder::Choice(id) => {
                let first = self.choices[id].alternatives.first();
                first
                    .and_then(|element| self.held(element))
                    .into_iter()
                    .collect()
            }
        }
    }

    fn needs_itself(&self, id: usize) -> bool {
        let holder = Holder::Type(id);
        reaches(self.needed(holder), holder, |next| self.needed(next))
    }

    fn leads_back(&self, from: usize, to: Holder) -> bool {
        reaches(vec![Holder::Type(from)], to, |next| self.all(next))
    }
}

/// Whether one of the `open` holders is `to`, or leads there.
fn reaches(mut open: Vec<Holder>, to: Holder, next: impl Fn(Holder) -> Vec<Holder>) -> bool {
    let mut seen = open.clone();
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        for holder in next(at) {
            if !seen.contains(&holder) {
                seen.push(holder);
                open.push(holder);
            }
        }
    }
    false
}

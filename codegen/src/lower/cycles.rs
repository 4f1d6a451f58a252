//! Types that hold themselves: which values need a `Box`, and which types have no values at all.

use super::Lower;
use super::components::components;
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
        let infinite = holders.that_need_themselves();
        let held = components(holders.count(), |node| holders.onward(node, Holders::all));
        let leads_back = |from, to| held[holders.node(from)] == held[holders.node(to)];
        let boxed_elements: Vec<Vec<bool>> = (0..types.len())
            .map(|id| {
                holders
                    .elements(id)
                    .map(|element| match holders.held(element) {
                        Some(held @ Holder::Type(_)) => {
                            element.absence != Absence::Required
                                && leads_back(held, Holder::Type(id))
                        }
                        // Families and choices box their own variants.
                        _ => false,
                    })
                    .collect()
            })
            .collect();
        let boxed_members: Vec<Vec<bool>> = (0..types.len())
            .map(|id| {
                let members = holders.members(id).iter();
                members
                    .map(|member| {
                        leads_back(Holder::Type(member.complex_type.0), Holder::Family(id))
                    })
                    .collect()
            })
            .collect();
        let boxed_alternatives: Vec<Vec<bool>> = (0..self.choices.len())
            .map(|id| {
                let alternatives = self.choices[id].alternatives.iter();
                alternatives
                    .map(|alternative| match holders.held(alternative) {
                        Some(held @ Holder::Type(_)) => leads_back(held, Holder::Choice(id)),
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

    /// The types that are within themselves, without end.
    fn that_need_themselves(&self) -> Vec<usize> {
        let needed = components(self.count(), |node| self.onward(node, Self::needed));
        let mut sizes = vec![0; needed.len()];
        needed.iter().for_each(|component| sizes[*component] += 1);
        let own = |id: &usize| self.needed(Holder::Type(*id)).contains(&Holder::Type(*id));
        let ids = 0..self.types.len();
        ids.filter(|id| sizes[needed[*id]] > 1 || own(id)).collect()
    }

    fn count(&self) -> usize {
        2 * self.types.len() + self.choices.len()
    }

    /// The number of a holder among all: types, then families, then choices.
    fn node(&self, holder: Holder) -> usize {
        match holder {
            Holder::Type(id) => id,
            Holder::Family(id) => self.types.len() + id,
            Holder::Choice(id) => 2 * self.types.len() + id,
        }
    }

    fn onward(&self, node: usize, next: impl Fn(&Self, Holder) -> Vec<Holder>) -> Vec<usize> {
        let types = self.types.len();
        let holder = match node.checked_sub(types) {
            None => Holder::Type(node),
            Some(id) if id < types => Holder::Family(id),
            Some(id) => Holder::Choice(id - types),
        };
        let onward = next(self, holder).into_iter();
        onward.map(|holder| self.node(holder)).collect()
    }
}

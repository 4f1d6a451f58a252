//! Recursive types: finds the values that need a `Box`, and the types that have no finite value.

use svcgen_language::definition::Definition;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::components::components;
use super::context::Pass;
use crate::model::{Absence, ComplexType, Element, Group, TypeRef};

/// Numbers the holders of values: types, then their families, then choices and sequences.
pub(super) struct Holders {
    /// Whether each type has a family with members.
    has_family: Vec<bool>,
}

/// The kinds of values that a holder may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// All values, including those in lists.
    Any,
    /// All values that are in no list.
    Direct,
    /// The values that are in no list and in no box.
    Inline,
    /// The values of its default value: of a family its first member, of a choice its first
    /// alternative.
    Default,
}

/// Boxes optional elements of recursive types, and refuses types that are recursive through
/// required elements.
pub(super) fn break_cycles(pass: &mut Pass<'_, '_>, types: &mut [Option<ComplexType>]) {
    let all: Vec<_> = types.iter().map(Option::as_ref).collect();
    let holders = Holders::new(&all);
    let needed = holders.edges(&all, &pass.items.groups, Held::Default);
    let component = components(&holders.edges(&all, &pass.items.groups, Held::Direct));
    // Families and choices box their own variants.
    let is_sequence: Vec<_> = pass
        .items
        .groups
        .iter()
        .map(|one| one.is_sequence())
        .collect();
    let leads_back = |element: &Element, holder: usize| {
        let held = holders.object(element, &is_sequence);
        held.is_some_and(|held| component[held] == component[holder])
    };
    for (id, complex) in types.iter_mut().enumerate() {
        let Some(complex) = complex else { continue };
        for element in &mut complex.elements {
            element.boxed = element.absence != Absence::Required && leads_back(element, id);
        }
        let families = complex.family.iter_mut();
        for member in families.flat_map(|family| &mut family.members) {
            member.boxed = component[member.complex_type.0] == component[holders.family(id)];
        }
    }
    for (id, group) in pass.items.groups.iter_mut().enumerate() {
        let is_choice = !group.is_sequence();
        for alternative in &mut group.elements {
            let is_boxed = is_choice || alternative.absence != Absence::Required;
            alternative.boxed |= is_boxed && leads_back(alternative, holders.group(id));
        }
    }
    refuse_infinite_types(pass.context.definition, &needed, pass.sink);
}

/// Refuses types that contain themselves. `needed` lists the holders in the default value of each
/// holder.
fn refuse_infinite_types(definition: &Definition, needed: &[Vec<usize>], sink: &mut Sink) {
    let component = components(needed);
    let mut sizes = vec![0; component.len()];
    component.iter().for_each(|number| sizes[*number] += 1);
    for (id, key) in definition.types.keys().enumerate() {
        if sizes[component[id]] > 1 || needed[id].contains(&id) {
            let message = format!("`{}` holds itself without end", key.value);
            sink.add(Rule::InfiniteType, key.node, message)
                .hint("let one of the elements on the way be absent (`T?`), or be a list (`T[]`)");
        }
    }
}

impl Holders {
    pub fn new(types: &[Option<&ComplexType>]) -> Self {
        let has_family = types.iter().map(|complex| {
            let family = complex.and_then(|complex| complex.family.as_ref());
            family.is_some_and(|family| !family.members.is_empty())
        });
        Self {
            has_family: has_family.collect(),
        }
    }

    pub fn family(&self, id: usize) -> usize {
        self.has_family.len() + id
    }

    pub fn group(&self, id: usize) -> usize {
        2 * self.has_family.len() + id
    }

    /// Returns the holder in an element; `None` if its type is not among the numbered ones.
    pub fn held(&self, element: &Element) -> Option<usize> {
        self.number(&element.type_ref)
    }

    /// Returns the object in an element: a complex type without a family, or one of the choices
    /// that are sequences.
    pub fn object(&self, element: &Element, is_sequence: &[bool]) -> Option<usize> {
        let held = self.held(element)?;
        let is_object = match held.checked_sub(self.group(0)) {
            Some(group) => is_sequence[group],
            None => held < self.family(0),
        };
        is_object.then_some(held)
    }

    fn number(&self, type_ref: &TypeRef) -> Option<usize> {
        match type_ref {
            TypeRef::Complex(id) if *self.has_family.get(id.0)? => Some(self.family(id.0)),
            TypeRef::Complex(id) => Some(id.0),
            TypeRef::Group(id) => Some(self.group(id.0)),
            _ => None,
        }
    }

    /// Returns the holders that each holder holds.
    pub fn edges(
        &self,
        types: &[Option<&ComplexType>],
        groups: &[Group],
        which: Held,
    ) -> Vec<Vec<usize>> {
        let most = if which == Held::Default {
            1
        } else {
            usize::MAX
        };
        let is_held = |element: &&Element| match which {
            Held::Any | Held::Direct => true,
            Held::Inline => !element.boxed,
            Held::Default => element.absence == Absence::Required,
        };
        let held = |elements: &mut dyn Iterator<Item = &Element>| {
            let elements = elements.filter(is_held);
            let held = elements.filter_map(|element| match &element.type_ref {
                type_ref if which == Held::Any => self.number(type_ref.innermost()),
                type_ref => self.number(type_ref),
            });
            held.collect()
        };
        let of_types = types.iter().map(|complex| {
            let mut elements = complex.iter().flat_map(|complex| &complex.elements);
            held(&mut elements)
        });
        let of_families = types.iter().map(|complex| {
            let families = complex.iter().filter_map(|complex| complex.family.as_ref());
            let members = families.flat_map(|family| &family.members).take(most);
            let members = members.filter(|member| which != Held::Inline || !member.boxed);
            members.map(|member| member.complex_type.0).collect()
        });
        let of_groups = groups.iter().map(|group| {
            let most = if group.is_sequence() {
                usize::MAX
            } else {
                most
            };
            held(&mut group.elements.iter().take(most))
        });
        of_types.chain(of_families).chain(of_groups).collect()
    }
}

//! Recursive types: which values need a `Box`, and which types have no finite value.

use super::components::components;
use super::context::Pass;
use crate::definition::Definition;
use crate::model::{Absence, Choice, ComplexType, Element, TypeRef};
use crate::rules::Rule;
use crate::sink::Sink;

/// Numbers what holds values directly, not in a list: types, then their families, then choices.
struct Holders {
    /// Whether each type has a family with members.
    has_family: Vec<bool>,
}

/// Boxes optional elements of recursive types, and refuses types that are recursive by required elements.
pub(super) fn break_cycles(pass: &mut Pass<'_, '_>, types: &mut [Option<ComplexType>]) {
    let holders = Holders::new(types);
    let needed = holders.edges(types, &pass.items.choices, true);
    let component = components(&holders.edges(types, &pass.items.choices, false));
    // Families and choices box their own variants.
    let leads_back = |element: &Element, holder: usize| {
        let held = holders
            .held(element)
            .filter(|held| *held < holders.family(0));
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
    for (id, choice) in pass.items.choices.iter_mut().enumerate() {
        for alternative in &mut choice.alternatives {
            alternative.boxed |= leads_back(alternative, holders.choice(id));
        }
    }
    refuse_infinite_types(pass.context.definition, &needed, pass.sink);
}

/// `needed` is what a default value of each holder holds.
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
    fn new(types: &[Option<ComplexType>]) -> Self {
        let has_family = types.iter().map(|complex| {
            let family = complex.as_ref().and_then(|complex| complex.family.as_ref());
            family.is_some_and(|family| !family.members.is_empty())
        });
        Self {
            has_family: has_family.collect(),
        }
    }

    fn family(&self, id: usize) -> usize {
        self.has_family.len() + id
    }

    fn choice(&self, id: usize) -> usize {
        2 * self.has_family.len() + id
    }

    /// What an element holds; nothing if its type is of another file, which cannot refer to this one.
    fn held(&self, element: &Element) -> Option<usize> {
        match element.type_ref {
            TypeRef::Complex(id) if *self.has_family.get(id.0)? => Some(self.family(id.0)),
            TypeRef::Complex(id) => Some(id.0),
            TypeRef::Choice(id) => Some(self.choice(id.0)),
            _ => None,
        }
    }

    /// What each holder may hold, or what its default value holds: that of a family its first member, of a choice its first alternative.
    fn edges(
        &self,
        types: &[Option<ComplexType>],
        choices: &[Choice],
        by_default: bool,
    ) -> Vec<Vec<usize>> {
        let most = if by_default { 1 } else { usize::MAX };
        let held = |elements: &mut dyn Iterator<Item = &Element>| {
            elements.filter_map(|element| self.held(element)).collect()
        };
        let of_types = types.iter().map(|complex| {
            let elements = complex.iter().flat_map(|complex| &complex.elements);
            held(&mut elements.filter(|one| !by_default || one.absence == Absence::Required))
        });
        let of_families = types.iter().map(|complex| {
            let families = complex.iter().filter_map(|complex| complex.family.as_ref());
            let members = families.flat_map(|family| &family.members).take(most);
            members.map(|member| member.complex_type.0).collect()
        });
        let of_choices = choices.iter();
        let of_choices = of_choices.map(|choice| held(&mut choice.alternatives.iter().take(most)));
        of_types.chain(of_families).chain(of_choices).collect()
    }
}

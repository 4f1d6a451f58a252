//! The content of types and messages: sequences, choices, wildcards and text between elements.

mod entries;
mod flatten;
mod items;
mod orders;

use std::collections::HashMap;

use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Complex, Content, Derivation, Kind, Particle, Term, TypeId, TypeRef};

use super::super::draft::Draft;
use super::facts::each_element;
use super::{Holder, Types};
use entries::text_with;
use items::{Item, place_of};
use orders::{mixed, place_for_text};

/// The maximum number of types in a chain of extensions.
const MOST_BASES: usize = 64;

impl<'m, 's> Types<'m, 's> {
    /// The elements of a message; `None` if it has other content.
    pub(super) fn members_of(
        &mut self,
        complex: &'m Complex<'s>,
        holder: &Holder<'s>,
    ) -> Option<Vec<(String, Draft)>> {
        let is_plain = complex.derivation == Derivation::None
            && !complex.is_abstract
            && complex.attributes.is_empty()
            && complex.any_attribute.is_none();
        if !is_plain {
            return None;
        }
        match &complex.content {
            Content::Empty if !complex.is_mixed => Some(Vec::new()),
            Content::Elements(Particle {
                term: Term::All(_), ..
            }) => None,
            Content::Elements(particle) => {
                let mut items = Vec::new();
                self.flatten(particle, holder, &mut items);
                if complex.is_mixed {
                    // Text with any XML is a type.
                    if items.iter().all(|item| matches!(item, Item::Any { .. })) {
                        return None;
                    }
                    items = mixed(items, self.is_like_asmx);
                }
                Some(self.entries(items, holder, complex.is_mixed))
            }
            _ => None,
        }
    }

    /// Writes the elements of a type, or the text between them.
    pub(super) fn content(
        &mut self,
        draft: &mut Draft,
        id: TypeId,
        complex: &'m Complex<'s>,
        holder: &Holder<'s>,
    ) {
        let mut items = Vec::new();
        let mut is_unordered = false;
        if let Content::Elements(particle) = &complex.content {
            is_unordered = matches!(particle.term, Term::All(_));
            self.flatten(particle, holder, &mut items);
        }
        let is_any = |item: &Item<'_, '_>| matches!(item, Item::Any { .. });
        let is_mixed = complex.is_mixed && self.takes_text(id);
        if is_mixed && items.iter().all(is_any) {
            let text = match items[..] {
                [] => Draft::from("string"),
                [Item::Any { wildcard, min, max }] => text_with(wildcard, (min, max)),
                _ => {
                    let message =
                        "text and XML of any kind are allowed: the schema says where which XML is";
                    self.lose(draft, Rule::Loosened, place_of(&items), message, None);
                    Draft::from("any")
                }
            };
            draft.set("text", text);
            return;
        }
        if is_mixed {
            items = mixed(items, self.is_like_asmx);
        }
        self.leave_out_inherited(draft, id, &mut items);
        if items.is_empty() {
            return;
        }
        if is_unordered && !is_mixed {
            let extends = |id: &TypeId| self.extended(*id).is_some();
            let is_group = |item: &Item<'_, '_>| matches!(item, Item::Group(_));
            let obstacle = if extends(&id) || self.schemas.derived(id).iter().any(extends) {
                Some("a type that extends another one")
            } else if items.iter().any(is_group) {
                Some("choices and sequences")
            } else {
                None
            };
            if let Some(obstacle) = obstacle {
                let message = format!(
                    "the schema lets its elements stand in any order: all orders are read, and not said of {obstacle}"
                );
                let place = self.schemas.get(id).place;
                self.lose(draft, Rule::LeftOut, place, &message, None);
            } else {
                draft.set("unordered", true);
            }
        }
        let entries = self.entries(items, holder, is_mixed);
        let elements = draft.set("elements", Draft::map());
        for (key, written) in entries {
            elements.push(key, written);
        }
    }

    /// Leaves out elements that the type also inherits.
    fn leave_out_inherited(
        &mut self,
        draft: &mut Draft,
        id: TypeId,
        items: &mut Vec<Item<'m, 's>>,
    ) {
        let schemas: &'m _ = self.schemas;
        let mut inherited = HashMap::new();
        let mut next = self.extended(id);
        for _ in 0..MOST_BASES {
            let Some(base) = next else { break };
            if let Kind::Complex(complex) = &schemas.get(base).kind {
                each_element(complex, &mut |element, _| {
                    inherited.insert(element.name, element.type_ref);
                });
            }
            next = self.extended(base);
        }
        if inherited.is_empty() {
            return;
        }
        items.retain(|item| {
            let Item::Element { element, .. } = item else {
                return true;
            };
            let is_again = inherited.get(&element.name) == Some(&element.type_ref);
            if is_again {
                let message = format!(
                    "the element `{}` is left out: it stands in the type that this one extends, too",
                    element.name.local
                );
                self.lose(draft, Rule::LeftOut, element.place, &message, None);
            }
            !is_again
        });
    }

    /// Whether this type of a mixed hierarchy gets the text between elements: text is declared
    /// once, on the base, or on an extending type if only that has a place for it.
    fn takes_text(&self, id: TypeId) -> bool {
        let mut row = vec![id];
        while let Some(base) = row.last().and_then(|id| self.extended(*id))
            && row.len() < MOST_BASES
        {
            row.push(base);
        }
        for one in row.iter().rev() {
            let is_mixed = |id: TypeId| match &self.schemas.get(id).kind {
                Kind::Complex(complex) => complex.is_mixed,
                Kind::Simple(_) => false,
            };
            let mut derived = self.schemas.derived(*one).iter();
            if is_mixed(*one)
                && (self.has_place_for_text(*one)
                    || !derived.any(|id| is_mixed(*id) && self.has_place_for_text(*id)))
            {
                return *one == id;
            }
        }
        false
    }

    fn has_place_for_text(&self, id: TypeId) -> bool {
        let schemas: &'m _ = self.schemas;
        let Kind::Complex(complex) = &schemas.get(id).kind else {
            return false;
        };
        let Content::Elements(particle) = &complex.content else {
            return false;
        };
        let mut items = Vec::new();
        let holder = self.holder(String::new(), self.home);
        self.flatten(particle, &holder, &mut items);
        place_for_text(&items).is_some()
    }

    fn extended(&self, id: TypeId) -> Option<TypeId> {
        match &self.schemas.get(id).kind {
            Kind::Complex(complex) => match complex.derivation {
                Derivation::Extension(TypeRef::Declared(base)) => Some(base),
                _ => None,
            },
            Kind::Simple(_) => None,
        }
    }
}

//! Which types a service speaks of: of included files, perhaps not all.

use std::collections::HashSet;

use crate::model::{ComplexTypeId, Element, EnumerationId, Model, Operation, TypeRef};

/// The types that can stand in messages, and all of the file itself.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub complex_types: HashSet<ComplexTypeId>,
    pub enumerations: HashSet<EnumerationId>,
}

/// What can be reached from the types and operations of a file.
pub(super) fn reach(model: &Model) -> Reach {
    let mut reach = Reach::default();
    let mut open: Vec<ComplexTypeId> = Vec::new();
    let own = (0..model.complex_types.len()).map(ComplexTypeId);
    open.extend(own.filter(|id| model.complex_types[id.0].included.is_none()));
    let own = (0..model.enumerations.len()).map(EnumerationId);
    reach
        .enumerations
        .extend(own.filter(|id| model.enumerations[id.0].included.is_none()));
    let structs = model.operations().flat_map(Operation::structs);
    let results = model
        .operations()
        .filter_map(|operation| operation.result.as_ref());
    let elements = structs.flat_map(|complex| complex.fields());
    for element in elements.chain(results.map(|result| &result.element)) {
        reach.element(model, element, &mut open);
    }
    while let Some(id) = open.pop() {
        if reach.complex_types.insert(id) {
            let complex = &model.complex_types[id.0];
            let members = complex.family.iter().flat_map(|family| &family.members);
            open.extend(
                members
                    .map(|member| member.complex_type)
                    .chain(complex.extends),
            );
            for element in complex.fields() {
                reach.element(model, element, &mut open);
            }
        }
    }
    reach
}

impl Reach {
    fn element(&mut self, model: &Model, element: &Element, open: &mut Vec<ComplexTypeId>) {
        self.type_ref(model, &element.type_ref, open);
    }

    fn type_ref(&mut self, model: &Model, type_ref: &TypeRef, open: &mut Vec<ComplexTypeId>) {
        match type_ref {
            TypeRef::Complex(id) => open.push(*id),
            TypeRef::Enumeration(id) => {
                self.enumerations.insert(*id);
            }
            TypeRef::Choice(id) => {
                for alternative in &model.choices[id.0].alternatives {
                    self.element(model, alternative, open);
                }
            }
            TypeRef::List(list) => self.type_ref(model, &list.item_type, open),
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
        }
    }
}

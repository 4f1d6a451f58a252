//! Which messages hold which types.

use std::collections::BTreeMap;

use super::operations;
use crate::model::{Bindings, ComplexTypeId, Element, EnumerationId, Method, Model, TypeRef};

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Request,
    Answer,
}

impl Role {
    /// What stands in such messages.
    pub fn parts(self) -> &'static str {
        match self {
            Self::Request => "parameters",
            Self::Answer => "results",
        }
    }
}

/// Messages: those of an operation that go one way, with the bindings that they go over.
pub(super) type Uses = BTreeMap<(String, Role), Bindings>;

/// The messages that hold each type and each enumeration of a model, by their numbers.
pub(super) struct Reach {
    /// Of a type that others extend, those that hold these too.
    pub complex: Vec<Uses>,
    /// The same without what types hold that extend it.
    values: Vec<Uses>,
    pub enumerations: Vec<Uses>,
}

impl Reach {
    pub fn new(model: &Model, bases: &[Option<usize>]) -> Self {
        let mut reach = Self {
            complex: vec![Uses::new(); model.complex_types.len()],
            values: Vec::new(),
            enumerations: vec![Uses::new(); model.enumerations.len()],
        };
        for operation in operations(model) {
            reach.operation(model, operation);
        }
        reach.values.clone_from(&reach.complex);
        reach.bases(bases);
        reach
    }

    /// The messages that hold values of these types themselves.
    pub fn of_values(&self, types: impl Iterator<Item = usize>) -> Uses {
        let mut all = Uses::new();
        for id in types {
            merge(&mut all, &self.values[id]);
        }
        all
    }

    fn operation(&mut self, model: &Model, operation: &Method) {
        let all = operation.bindings;
        let soap = all.and(Bindings::SOAP);
        let [request, headers, response_headers] = operation.structs();
        let structs = [
            (request, Role::Request, all),
            (headers, Role::Request, soap),
            (response_headers, Role::Answer, soap),
        ];
        for (complex, role, bindings) in structs {
            let elements = complex.map_or(&[][..], |complex| &complex.elements);
            self.elements(model, elements, &uses_of(operation, role, bindings));
        }
        if let Some(result) = operation.result_type() {
            self.type_ref(model, result, &uses_of(operation, Role::Answer, all));
        }
        for fault in model.service.iter().flat_map(|service| &service.faults) {
            if operation.faults.contains(&fault.name) {
                self.complex(model, fault.detail, &uses_of(operation, Role::Answer, soap));
            }
        }
    }

    fn elements(&mut self, model: &Model, elements: &[Element], uses: &Uses) {
        for element in elements {
            self.type_ref(model, &element.type_ref, uses);
        }
    }

    fn type_ref(&mut self, model: &Model, type_ref: &TypeRef, uses: &Uses) {
        match type_ref {
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
            TypeRef::Complex(id) => self.complex(model, *id, uses),
            TypeRef::Enumeration(EnumerationId(id)) => {
                merge(&mut self.enumerations[*id], uses);
            }
            TypeRef::Choice(id) => {
                self.elements(model, &model.choices[id.0].alternatives, uses);
            }
            TypeRef::List(list) => self.type_ref(model, &list.item_type, uses),
        }
    }

    fn complex(&mut self, model: &Model, ComplexTypeId(id): ComplexTypeId, uses: &Uses) {
        if !merge(&mut self.complex[id], uses) {
            return;
        }
        let complex = &model.complex_types[id];
        for members in [&complex.attributes, &complex.elements] {
            self.elements(model, members, uses);
        }
        if let Some(text) = &complex.text {
            self.type_ref(model, &text.type_ref, uses);
        }
        for member in complex.family.iter().flat_map(|family| &family.members) {
            self.complex(model, member.complex_type, uses);
        }
    }

    /// What a type has of the types that it extends is in every message that it is in.
    fn bases(&mut self, bases: &[Option<usize>]) {
        for id in 0..self.complex.len() {
            let uses = self.complex[id].clone();
            for base in ancestors(bases, id) {
                merge(&mut self.complex[base], &uses);
            }
        }
    }
}

/// The messages of one operation that go one way.
pub(super) fn uses_of(operation: &Method, role: Role, bindings: Bindings) -> Uses {
    Uses::from([((operation.name.xml.clone(), role), bindings)])
}

/// Whether anything was new.
fn merge(into: &mut Uses, uses: &Uses) -> bool {
    let mut is_new = false;
    for (message, bindings) in uses {
        let known = into.entry(message.clone()).or_insert(Bindings::NONE);
        let all = known.or(*bindings);
        is_new |= all != *known;
        *known = all;
    }
    is_new
}

/// The messages that both sides have.
pub(super) fn in_both(old: &Uses, new: &Uses) -> Uses {
    let known = old.iter().filter_map(|(message, bindings)| {
        let bindings = bindings.and(*new.get(message)?);
        Some((message.clone(), bindings))
    });
    known.collect()
}

/// The type that each type extends, by their numbers.
pub(super) fn bases(model: &Model) -> Vec<Option<usize>> {
    let types = model.complex_types.iter();
    types.map(|complex| Some(complex.extends?.0)).collect()
}

/// The types that a type extends, the nearest first.
pub(super) fn ancestors(bases: &[Option<usize>], id: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(bases[id], |id| bases[*id])
}

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
pub(super) struct Reach<'m> {
    model: &'m Model,
    /// Of a type that others extend, those that hold these too.
    pub complex: Vec<Uses>,
    /// The same without what types hold that extend it.
    values: Vec<Uses>,
    pub enumerations: Vec<Uses>,
}

impl<'m> Reach<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut reach = Self {
            model,
            complex: vec![Uses::new(); model.complex_types.len()],
            values: Vec::new(),
            enumerations: vec![Uses::new(); model.enumerations.len()],
        };
        for operation in operations(model) {
            reach.operation(operation);
        }
        reach.values.clone_from(&reach.complex);
        reach.add_bases();
        reach
    }

    /// The types that a type extends, the nearest first.
    pub fn ancestors(&self, id: usize) -> impl Iterator<Item = usize> + use<'m> {
        let types = &self.model.complex_types;
        let base = |id: usize| Some(types[id].extends?.0);
        std::iter::successors(base(id), move |id| base(*id))
    }

    /// The messages that hold values of these types themselves.
    pub fn of_values(&self, types: impl Iterator<Item = usize>) -> Uses {
        let mut all = Uses::new();
        for id in types {
            merge(&mut all, &self.values[id]);
        }
        all
    }

    fn operation(&mut self, operation: &'m Method) {
        let all = operation.bindings;
        let soap = all.and(Bindings::SOAP);
        let [request, headers, response_headers] = operation.structs();
        let structs = [
            (request, Role::Request, all),
            (headers, Role::Request, soap),
            (response_headers, Role::Answer, soap),
        ];
        for (complex, role, bindings) in structs {
            let elements = complex.into_iter().flat_map(|complex| &complex.elements);
            self.elements(elements, &uses_of(operation, role, bindings));
        }
        if let Some(result) = operation.result_type() {
            self.type_ref(result, &uses_of(operation, Role::Answer, all));
        }
        for fault in self
            .model
            .service
            .iter()
            .flat_map(|service| &service.faults)
        {
            if operation.faults.contains(&fault.name) {
                self.complex(fault.detail, &uses_of(operation, Role::Answer, soap));
            }
        }
    }

    fn elements(&mut self, elements: impl IntoIterator<Item = &'m Element>, uses: &Uses) {
        for element in elements {
            self.type_ref(&element.type_ref, uses);
        }
    }

    fn type_ref(&mut self, type_ref: &TypeRef, uses: &Uses) {
        match type_ref {
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
            TypeRef::Complex(id) => self.complex(*id, uses),
            TypeRef::Enumeration(EnumerationId(id)) => {
                merge(&mut self.enumerations[*id], uses);
            }
            TypeRef::Choice(id) => {
                self.elements(&self.model.choices[id.0].alternatives, uses);
            }
            TypeRef::List(list) => self.type_ref(&list.item_type, uses),
        }
    }

    fn complex(&mut self, ComplexTypeId(id): ComplexTypeId, uses: &Uses) {
        if !merge(&mut self.complex[id], uses) {
            return;
        }
        let complex = &self.model.complex_types[id];
        self.elements(complex.fields(), uses);
        for member in complex.family.iter().flat_map(|family| &family.members) {
            self.complex(member.complex_type, uses);
        }
    }

    /// What a type has of the types that it extends is in every message that it is in.
    fn add_bases(&mut self) {
        for id in 0..self.complex.len() {
            let uses = self.complex[id].clone();
            for base in self.ancestors(id) {
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

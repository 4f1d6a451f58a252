//! Which messages reach which types.

use svcgen_codegen::model::{
    Bindings, ComplexTypeId, Element, EnumerationId, Method, Model, TypeRef,
};

use crate::message::Direction;
use crate::usage::{Uses, merge, uses_of};

/// The messages that hold each type and each enumeration of a model, by their numbers.
pub(crate) struct Reachability<'m> {
    model: &'m Model,
    /// Of a type that others extend, those that hold these too.
    pub complex: Vec<Uses>,
    /// The same without what types hold that extend it.
    values: Vec<Uses>,
    pub enumerations: Vec<Uses>,
}

impl<'m> Reachability<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut reach = Self {
            model,
            complex: vec![Uses::new(); model.complex_types.len()],
            values: Vec::new(),
            enumerations: vec![Uses::new(); model.enumerations.len()],
        };
        for operation in model.operations() {
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
            (request, Direction::Request, all),
            (headers, Direction::Request, soap),
            (response_headers, Direction::Response, soap),
        ];
        for (complex, direction, bindings) in structs {
            let elements = complex.into_iter().flat_map(|complex| &complex.elements);
            self.elements(elements, &uses_of(operation, direction, bindings));
        }
        if let Some(result) = operation.result_type() {
            self.type_ref(result, &uses_of(operation, Direction::Response, all));
        }
        for fault in self
            .model
            .service
            .iter()
            .flat_map(|service| &service.faults)
        {
            if operation.faults.contains(&fault.name) {
                self.complex(fault.detail, &uses_of(operation, Direction::Response, soap));
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

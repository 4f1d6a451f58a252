//! The messages that contain each type.

use svcgen_codegen::model::{
    Bindings, ComplexTypeId, Element, EnumerationId, Method, Model, SimpleType, TypeRef,
};

use crate::message::{Direction, Messages, merge, messages_of};

/// The messages that contain each type and each enumeration of a model, by index.
pub(crate) struct Reachability<'m> {
    model: &'m Model,
    /// The messages that contain values of a type, or of one that extends it.
    pub complex: Vec<Messages>,
    /// The messages that contain values of the type itself.
    values: Vec<Messages>,
    pub enumerations: Vec<Messages>,
    /// The messages that contain a value of any type.
    objects: Messages,
}

impl<'m> Reachability<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut reach = Self {
            model,
            complex: Vec::new(),
            values: vec![Messages::new(); model.complex_types.len()],
            enumerations: vec![Messages::new(); model.enumerations.len()],
            objects: Messages::new(),
        };
        for operation in model.operations() {
            reach.operation(operation);
        }
        reach.complex.clone_from(&reach.values);
        for (id, messages) in reach.values.iter().enumerate() {
            for base in ancestors(model, id) {
                merge(&mut reach.complex[base], messages);
            }
        }
        reach
    }

    /// Returns the messages that contain values of these types themselves.
    pub fn of_values(&self, types: &[usize]) -> Messages {
        let mut all = Messages::new();
        for id in types {
            merge(&mut all, &self.values[*id]);
        }
        all
    }

    fn operation(&mut self, operation: &'m Method) {
        let all = operation.bindings;
        let soap = all.and(Bindings::SOAP);
        let [request, results, headers, response_headers, fault_headers] = operation.structs();
        let structs = [
            (request, Direction::Request, all),
            (results, Direction::Response, all),
            (headers, Direction::Request, soap),
            (response_headers, Direction::Response, soap),
            (fault_headers, Direction::Response, soap),
        ];
        for (complex, direction, bindings) in structs {
            let elements = complex.into_iter().flat_map(|complex| &complex.elements);
            self.elements(elements, &messages_of(operation, direction, bindings));
        }
        let response = |bindings| messages_of(operation, Direction::Response, bindings);
        if let Some(result) = operation.result_type() {
            self.type_ref(result, &response(all));
        }
        let faults = self
            .model
            .service
            .iter()
            .flat_map(|service| &service.faults);
        for fault in faults.filter(|fault| operation.faults.contains(&fault.name)) {
            self.type_ref(&fault.detail.type_ref, &response(soap));
        }
    }

    fn elements(&mut self, elements: impl IntoIterator<Item = &'m Element>, messages: &Messages) {
        for element in elements {
            self.type_ref(&element.type_ref, messages);
        }
    }

    fn type_ref(&mut self, type_ref: &TypeRef, messages: &Messages) {
        match type_ref {
            TypeRef::Simple(SimpleType::AnyType) => {
                if !merge(&mut self.objects, messages) {
                    return;
                }
                for id in 0..self.model.complex_types.len() {
                    self.complex(ComplexTypeId(id), messages);
                }
                let enumerations = self.enumerations.iter_mut();
                enumerations.for_each(|known| _ = merge(known, messages));
            }
            TypeRef::Simple(_) | TypeRef::Custom(..) => {}
            TypeRef::Complex(id) => self.complex(*id, messages),
            TypeRef::Enumeration(EnumerationId(id)) => {
                merge(&mut self.enumerations[*id], messages);
            }
            TypeRef::Group(id) => self.elements(&self.model.groups[id.0].elements, messages),
            TypeRef::List(list) => self.type_ref(&list.item_type, messages),
            TypeRef::Dictionary(dictionary) => self.type_ref(&dictionary.value_type, messages),
        }
    }

    fn complex(&mut self, ComplexTypeId(id): ComplexTypeId, messages: &Messages) {
        // Types may be recursive.
        if !merge(&mut self.values[id], messages) {
            return;
        }
        let complex = &self.model.complex_types[id];
        self.elements(complex.fields(), messages);
        for member in complex.family.iter().flat_map(|family| &family.members) {
            self.complex(member.complex_type, messages);
        }
    }
}

/// The types whose members a type has, the nearest first: those that it extends, and not those that
/// it restricts.
pub(crate) fn inherited_types(model: &Model, id: usize) -> impl Iterator<Item = usize> {
    let base = |id: &usize| Some(model.complex_types[*id].inherits()?.0);
    std::iter::successors(base(&id), base)
}

/// The types that a type extends or restricts, the nearest first.
fn ancestors(model: &Model, id: usize) -> impl Iterator<Item = usize> {
    let base = |id: &usize| Some(model.complex_types[*id].extends?.0);
    std::iter::successors(base(&id), base)
}

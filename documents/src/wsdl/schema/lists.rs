//! The names of the types of lists.

use svcgen_model::{At, Element, Service, TypeAt, array_name};

use super::{Declared, Schema, global_scope, namespace_of};
use crate::types::header_elements;
use crate::wsdl::names::numbered;

impl<'a> Schema<'a> {
    /// Names the types of lists in the messages of a service, in the order in which .NET imports them: messages before roots, types of items before
    /// those of their lists, members of a type before what follows it.
    pub fn name_arrays(&mut self, service: At<'a, Service<'a>>) {
        let scope = self.service;
        for operation in service.operations() {
            let (request, response) = (operation.parameters(), operation.response());
            let (requests, responses) = (request.scope.within(scope), response.scope.within(scope));
            let parameters = request.elements().map(|element| (element, requests));
            let results = operation.results().map(|element| (element, responses));
            let others = header_elements(operation).chain(operation.faults());
            let others = others.map(|element| (element, global_scope(element, scope)));
            self.name_arrays_in(parameters.chain(results).chain(others));
        }
        let roots = service
            .operations()
            .filter_map(|operation| operation.result());
        self.name_arrays_in(roots.map(|result| (result, scope)));
    }

    fn name_arrays_in(
        &mut self,
        elements: impl Iterator<Item = (At<'a, Element<'a>>, Declared<'a>)>,
    ) {
        enum Step<'a> {
            Visit(TypeAt<'a>, Declared<'a>),
            Name(At<'a, Element<'a>>, &'a str),
        }
        let visit = |(element, declared): (At<'a, Element<'a>>, _)| {
            Step::Visit(element.type_at(), declared)
        };
        let mut steps: Vec<_> = elements.map(visit).collect();
        steps.reverse();
        while let Some(step) = steps.pop() {
            match step {
                Step::Name(item, namespace) => _ = self.array_name(item, namespace),
                Step::Visit(list @ TypeAt::List(item), declared) => {
                    let namespace = namespace_of(list, declared);
                    let inner = Step::Visit(item.type_at(), (namespace, declared.1));
                    steps.extend([Step::Name(item, namespace), inner]);
                }
                Step::Visit(TypeAt::Complex(complex), _) => {
                    let declared = complex.scope.within(self.service);
                    if !self.visited.insert((declared.0, complex.name)) {
                        continue;
                    }
                    let derived = self.types.derived(complex).map(TypeAt::Complex);
                    steps.extend(derived.map(|derived| Step::Visit(derived, declared)));
                    let members = steps.len();
                    let elements = complex.elements().map(|element| (element, declared));
                    steps.extend(elements.map(visit));
                    steps[members..].reverse();
                }
                Step::Visit(..) => {}
            }
        }
    }

    /// The name of the type of a list, with a number if the name is taken.
    pub(super) fn array_name(&mut self, item: At<'a, Element<'a>>, namespace: &'a str) -> String {
        let name = array_name(&item_name(item));
        let name = numbered(name, |name| {
            match self.arrays.get(&(namespace, name.clone())) {
                Some(known) => is_same_item(*known, item),
                None => !self.defined.contains(&(namespace, name.as_str())),
            }
        });
        self.arrays.insert((namespace, name.clone()), item);
        name
    }
}

/// Whether two list items are equal. Their rows may differ: an included module has its own.
fn is_same_item(one: At<'_, Element<'_>>, other: At<'_, Element<'_>>) -> bool {
    one.name == other.name
        && one.form == other.form
        && one.absence == other.absence
        && one.occurs == other.occurs
        && is_same_type(one.type_at(), other.type_at())
}

pub(super) fn is_same_type(one: TypeAt<'_>, other: TypeAt<'_>) -> bool {
    match (one, other) {
        (TypeAt::List(one), TypeAt::List(other)) => is_same_item(one, other),
        _ => one == other,
    }
}

/// The name of the type of items.
fn item_name(item: At<'_, Element<'_>>) -> String {
    match item.type_at() {
        TypeAt::List(inner) => array_name(&item_name(inner)),
        type_at => type_at.name().to_owned(),
    }
}

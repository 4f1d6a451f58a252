//! The types of encoded messages: elements in no namespace, arrays that restrict the one of SOAP
//! encoding.

use std::collections::HashSet;

use svcgen_model::{
    At, ComplexType, Element, ElementForm, Operation, Service, TypeAt, Types, array_name,
    elements_of, namespace_of,
};

use super::{Declared, Schema};
use crate::wsdl::WSDL;
use crate::wsdl::arrays::SOAP_ENCODING;

/// The namespace of a type, if it has one of its own, and its name.
pub(super) type QualifiedName<'a> = (Option<&'a str>, &'a str);

/// The names of the types in encoded messages of a service, and of those in literal ones, including
/// results over HTTP GET and POST.
pub(super) fn held<'a>(
    service: At<'a, Service<'a>>,
    types: &Types<'a>,
) -> [HashSet<QualifiedName<'a>>; 2] {
    let (encoded, literal): (Vec<_>, Vec<_>) = service
        .operations()
        .partition(|operation| operation.encoded.is_some());
    let results = encoded.iter().filter(|each| each.bindings.has_form());
    let results = results.filter_map(|operation| operation.result());
    let literal = literal
        .iter()
        .flat_map(|operation| elements_of(service, *operation));
    let literal: Vec<_> = literal.chain(results).collect();
    let encoded = encoded
        .iter()
        .flat_map(|operation| elements_of(service, *operation));
    let names = |elements| {
        let reached = types.reach(elements).definitions.into_iter();
        reached.map(TypeAt::qualified_name).collect()
    };
    [names(encoded.collect::<Vec<_>>()), names(literal)]
}

impl<'a> Schema<'a> {
    /// Whether a value of any type may be of this type: .NET separates the types of encoded and of
    /// literal messages.
    pub(super) fn may_hold(&self, definition: TypeAt<'a>) -> bool {
        let [own, others] = if self.is_encoded { [0, 1] } else { [1, 0] };
        let name = definition.qualified_name();
        self.held[own].contains(&name) || !self.held[others].contains(&name)
    }

    /// Writes types of encoded messages, which are all in one namespace.
    pub fn encoded<T>(&mut self, types: &'a str, write: impl FnOnce(&mut Self) -> T) -> T {
        let literal = std::mem::replace(&mut self.service, (types, ElementForm::Unqualified));
        self.is_encoded = true;
        let written = write(self);
        self.is_encoded = false;
        self.service = literal;
        written
    }

    /// The namespace of a type, and the form of its elements.
    pub(super) fn scope_of(&self, complex: At<'a, ComplexType<'a>>) -> Declared<'a> {
        if self.is_encoded {
            return self.service;
        }
        complex.scope.within(self.service)
    }

    pub(super) fn namespace_of(&self, type_at: TypeAt<'a>, declared: Declared<'a>) -> &'a str {
        if self.is_encoded {
            return self.service.0;
        }
        namespace_of(type_at, declared)
    }

    /// The name of the type of a list with these items.
    pub(super) fn array_name(&mut self, item: At<'a, Element<'a>>, namespace: &'a str) -> String {
        if !self.is_encoded {
            return self.arrays.name(item, namespace);
        }
        match item.type_at() {
            TypeAt::List(inner) => array_name(&self.array_name(inner, namespace)),
            type_at => array_name(type_at.name()),
        }
    }

    /// Writes the elements of messages in document style as types.
    pub(super) fn encoded_messages(&mut self, operation: At<'a, Operation<'a>>) {
        let (parameters, response) = (operation.parameters(), operation.response());
        self.message_type(parameters.row().name, parameters.elements());
        if !operation.one_way {
            self.message_type(response.row().name, operation.results());
        }
    }

    fn message_type(&mut self, name: &str, elements: impl Iterator<Item = At<'a, Element<'a>>>) {
        let declared = self.service;
        self.within(declared.0, |schema| {
            schema.xml().start("s:complexType", &[("name", name)]);
            let mut elements = elements.peekable();
            if elements.peek().is_some() {
                schema.sequence(|schema| {
                    elements.for_each(|element| schema.declared(element, declared));
                });
            }
            schema.xml().end();
        });
        self.follow();
    }

    /// Writes the type of an array (WSDL 1.1 §2.2).
    pub(super) fn encoded_array(&mut self, name: &str, item: At<'a, Element<'a>>) {
        self.import(SOAP_ENCODING);
        self.import(WSDL);
        let item = self.type_of(item.type_at(), self.service);
        let array = [
            ("wsdl:arrayType", &*format!("{item}[]")),
            ("ref", "soapenc:arrayType"),
        ];
        self.xml().nested(&[
            ("s:complexType", &[("name", name)]),
            ("s:complexContent", &[("mixed", "false")]),
            ("s:restriction", &[("base", "soapenc:Array")]),
            ("s:attribute", &array),
        ]);
    }
}

//! The messages of a WSDL.

use std::collections::HashSet;

use svcgen_model::{At, ComplexType, Element, ElementForm, Operation};

use super::schema::Schema;
use super::{Shape, Wsdl, abstract_types, is_array_in_forms};
use crate::binding::in_wsdl;
use crate::xml::Xml;
use svcgen_model::header_elements;

impl<'a> Wsdl<'a> {
    /// Writes all messages; adds the declarations that they refer to to the schema.
    pub fn messages(&self, schema: &mut Schema<'a>) -> Xml {
        let mut xml = Xml::part(1);
        let operations = self.service.operations();
        let soap = operations.filter(|operation| operation.bindings.has_soap());
        let mut faults = HashSet::new();
        for operation in soap {
            schema.messages(operation);
            self.soap_messages(&mut xml, operation, schema);
            self.header_messages(&mut xml, operation, schema);
            for fault in operation.faults().filter(|each| faults.insert(each.name)) {
                let element = schema.prefixed(schema.global_namespace(fault), fault.name);
                let part = ("fault", "element", element);
                message(&mut xml, self.names.fault(fault.name), [part]);
            }
        }
        for (binding, described) in in_wsdl().filter(|(binding, _)| !binding.is_soap()) {
            let kind = described.messages();
            for operation in self.operations_over(binding) {
                self.form_messages(&mut xml, kind, operation, schema);
            }
        }
        xml
    }

    fn soap_messages(
        &self,
        xml: &mut Xml,
        operation: At<'a, Operation<'a>>,
        schema: &mut Schema<'a>,
    ) {
        let (request, response) = (operation.parameters(), operation.response());
        let parts = self.parts(operation, request, request.elements(), false, schema);
        message(xml, &format!("{}SoapIn", operation.name), parts);
        if !operation.one_way {
            let only = !operation.has_results();
            let parts = self.parts(operation, response, operation.results(), only, schema);
            message(xml, &format!("{}SoapOut", operation.name), parts);
        }
    }

    /// The parts of a message of an operation: its element or, in other styles, the parameters or
    /// results; `only` is whether it has a single result.
    fn parts(
        &self,
        operation: At<'a, Operation<'a>>,
        wrapper: At<'a, ComplexType<'a>>,
        elements: impl Iterator<Item = At<'a, Element<'a>>>,
        only: bool,
        schema: &mut Schema<'a>,
    ) -> Vec<(String, &'static str, String)> {
        let (namespace, _) = wrapper.scope.within(self.service.scope());
        if operation.is_rpc() {
            // The alternatives of a choice are parts, too: rpc style has no choices.
            let part = |element: At<'a, Element<'a>>| {
                let name = match operation.encoded {
                    Some(types) => schema.encoded(types, |schema| schema.part_type(element)),
                    None => schema.part_type(element),
                };
                (element.name.to_owned(), "type", name)
            };
            return elements.map(part).collect();
        }
        if operation.is_bare() {
            // Parts are named as in the original's code: parameters, and the method with its
            // result.
            let part = |element: At<'a, Element<'a>>| {
                let row = element.row();
                let name = if only {
                    format!("{}Result", operation.name)
                } else {
                    row.field_name().to_owned()
                };
                if row.wildcard.is_some() {
                    // The type in the original's WSDL is in no schema.
                    return match self.options.shape {
                        Shape::Portable => (name, "type", "s:anyType".to_owned()),
                        Shape::Original => (name, "type", "tns:any".to_owned()),
                    };
                }
                let namespace = row.form.of_element((namespace, ElementForm::Qualified));
                (name, "element", schema.prefixed(namespace, row.name))
            };
            return elements.map(part).collect();
        }
        let (kind, name) = match operation.encoded {
            Some(types) => ("type", schema.prefixed(types, wrapper.name)),
            None => ("element", schema.prefixed(namespace, wrapper.name)),
        };
        vec![("parameters".to_owned(), kind, name)]
    }

    fn header_messages(
        &self,
        xml: &mut Xml,
        operation: At<'a, Operation<'a>>,
        schema: &mut Schema<'a>,
    ) {
        let mut seen = HashSet::new();
        for header in header_elements(operation) {
            if seen.insert(header.name) {
                let (of, part) = match operation.encoded {
                    Some(types) => {
                        let part = schema.encoded(types, |schema| schema.part_type(header));
                        ("type", part)
                    }
                    None => {
                        let namespace = schema.global_namespace(header);
                        ("element", schema.prefixed(namespace, header.name))
                    }
                };
                let name = self.names.header(operation.name, header.name);
                message(xml, name, [(header.name, of, part)]);
            }
        }
    }

    fn form_messages(
        &self,
        xml: &mut Xml,
        kind: &str,
        operation: At<'a, Operation<'a>>,
        schema: &mut Schema<'a>,
    ) {
        let parameters = operation.parameters().elements().map(|element| {
            let type_name = if is_array_in_forms(element) {
                schema.prefixed(abstract_types(self.service.namespace), "StringArray")
            } else {
                "s:string".to_owned()
            };
            (element.field_name(), "type", type_name)
        });
        message(xml, &format!("{}{kind}In", operation.name), parameters);
        let body = operation.result_over_http().map(|result| {
            if result.type_ref.is_document() {
                return ("Body", "", String::new());
            }
            let namespace = operation.root_namespace.unwrap_or(self.service.scope().0);
            match schema.root((namespace, operation.root), result) {
                Some(root) => ("Body", "element", schema.prefixed(namespace, &root)),
                None => ("Body", "type", schema.part_type(result)),
            }
        });
        message(xml, &format!("{}{kind}Out", operation.name), body);
    }
}

/// Writes a message; a part is a name, `element` or `type`, and the name of the element or type, or
/// nothing for any XML.
fn message<N: AsRef<str>>(
    xml: &mut Xml,
    name: &str,
    parts: impl IntoIterator<Item = (N, &'static str, String)>,
) {
    xml.element("wsdl:message", &[("name", name)], |xml| {
        for (name, kind, value) in parts {
            let attributes = [("name", name.as_ref()), (kind, &*value)];
            let count = if kind.is_empty() { 1 } else { 2 };
            xml.empty("wsdl:part", &attributes[..count]);
        }
    });
}

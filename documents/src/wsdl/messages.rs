//! The messages of a WSDL.

use std::collections::HashSet;

use svcgen_model::{At, Binding, Element, Operation};

use super::schema::Schema;
use super::{Wsdl, is_array_in_forms};
use crate::binding::documented;
use crate::types::header_elements;
use crate::xml::Xml;

impl<'a> Wsdl<'a> {
    /// Writes all messages; adds what they refer to to the schema.
    pub fn messages(&self, schema: &mut Schema<'a>) -> Xml {
        let mut xml = Xml::part(1);
        let operations = self.service.operations();
        let soap = operations.filter(|operation| operation.bindings.has_soap());
        for operation in self.service.operations() {
            let parameters = operation.parameters();
            let messages = parameters.elements().chain(operation.results());
            let others = header_elements(operation).chain(operation.faults());
            schema.name_arrays(messages.chain(others));
        }
        let operations = self.service.operations();
        schema.name_arrays(operations.filter_map(|operation| operation.result()));
        let mut faults = HashSet::new();
        for operation in soap {
            schema.messages(operation);
            self.soap_messages(&mut xml, operation, schema);
            self.header_messages(&mut xml, operation);
            for fault in operation.faults().filter(|each| faults.insert(each.name)) {
                let element = format!("tns:{}", fault.name);
                let part = ("fault", "element", element);
                message(&mut xml, self.names.fault(fault.name), [part]);
            }
        }
        for binding in Binding::ALL.into_iter().filter(|each| !each.is_soap()) {
            let kind = documented(binding).messages();
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
        let input = format!("{}SoapIn", operation.name);
        let output = format!("{}SoapOut", operation.name);
        let parameters = operation.parameters();
        if operation.is_rpc() {
            // The alternatives of a choice are parts, too: rpc style has no choices.
            let mut part =
                |element: At<'a, Element<'a>>| (element.name, "type", schema.part_type(element));
            message(xml, &input, parameters.elements().map(&mut part));
            if !operation.one_way {
                message(xml, &output, operation.results().map(&mut part));
            }
            return;
        }
        if operation.is_bare() {
            let part = |element: At<'a, Element<'a>>| {
                let name = element.row().name;
                (name, "element", format!("tns:{name}"))
            };
            message(xml, &input, parameters.elements().map(part));
            if !operation.one_way {
                message(xml, &output, operation.results().map(part));
            }
            return;
        }
        let part = |element| ("parameters", "element", format!("tns:{element}"));
        message(xml, &input, [part(parameters.name)]);
        if !operation.one_way {
            message(xml, &output, [part(operation.response.name)]);
        }
    }

    fn header_messages(&self, xml: &mut Xml, operation: At<'a, Operation<'a>>) {
        let mut seen = HashSet::new();
        for header in header_elements(operation) {
            if seen.insert(header.name) {
                let element = format!("tns:{}", header.name);
                let name = self.names.header(operation.name, header.name);
                message(xml, name, [(header.name, "element", element)]);
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
            let array = self.prefixes.forms.filter(|_| is_array_in_forms(element));
            let type_name = array.map(|prefix| format!("{prefix}:StringArray"));
            let type_name = type_name.unwrap_or_else(|| "s:string".to_owned());
            (element.field_name(), "type", type_name)
        });
        message(xml, &format!("{}{kind}In", operation.name), parameters);
        let body = operation.result().map(|result| {
            if schema.root(operation.root, result) {
                ("Body", "element", format!("tns:{}", operation.root))
            } else {
                ("Body", "type", schema.part_type(result))
            }
        });
        message(xml, &format!("{}{kind}Out", operation.name), body);
    }
}

/// Writes a message; a part is a name, `element` or `type`, and the name of that.
fn message<'a>(
    xml: &mut Xml,
    name: &str,
    parts: impl IntoIterator<Item = (&'a str, &'a str, String)>,
) {
    xml.element("wsdl:message", &[("name", name)], |xml| {
        for (name, kind, value) in parts {
            xml.empty("wsdl:part", &[("name", name), (kind, &value)]);
        }
    });
}

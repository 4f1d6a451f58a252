//! The messages of a WSDL.

use std::collections::HashSet;

use svcgen_model::{At, Binding, Element, Operation, Service};

use super::names::MessageNames;
use super::types::Types;
use super::{Prefixes, is_array_in_forms};
use crate::binding::documented;
use crate::types::header_elements;
use crate::xml::Xml;

/// What the messages are written from.
pub(super) struct Messages<'m, 'a> {
    pub service: At<'a, Service<'a>>,
    pub names: &'m MessageNames<'a>,
    pub prefixes: Prefixes,
}

impl<'a> Messages<'_, 'a> {
    /// All messages; `types` gets what they refer to.
    pub fn write(&self, types: &mut Types<'a>) -> Xml {
        let mut xml = Xml::part(1);
        let operations = self.service.operations();
        let soap = operations.filter(|operation| operation.bindings.has_soap());
        let mut faults = HashSet::new();
        for operation in soap {
            types.messages(operation);
            self.soap(&mut xml, operation, types);
            self.headers(&mut xml, operation);
            for fault in operation.faults().filter(|each| faults.insert(each.name)) {
                let element = format!("tns:{}", fault.name);
                let part = ("fault", "element", element);
                message(&mut xml, self.names.fault(fault.name), [part]);
            }
        }
        for binding in Binding::ALL.into_iter().filter(|each| !each.is_soap()) {
            let kind = documented(binding).messages();
            for operation in self.service.operations_over(binding) {
                form(&mut xml, kind, operation, self.prefixes, types);
            }
        }
        xml
    }

    fn soap(&self, xml: &mut Xml, operation: At<'a, Operation<'a>>, types: &mut Types<'a>) {
        let input = format!("{}SoapIn", operation.name);
        let output = format!("{}SoapOut", operation.name);
        let parameters = operation.parameters();
        if operation.is_rpc() {
            // One of a choice is a part too, for want of a way to say it.
            let mut part =
                |element: At<'a, Element<'a>>| (element.name, "type", types.part_type(element));
            message(xml, &input, parameters.elements().map(&mut part));
            if !operation.one_way {
                message(xml, &output, operation.result().map(&mut part));
            }
            return;
        }
        let part = |element| ("parameters", "element", format!("tns:{element}"));
        message(xml, &input, [part(parameters.name)]);
        if !operation.one_way {
            message(xml, &output, [part(operation.response)]);
        }
    }

    fn headers(&self, xml: &mut Xml, operation: At<'a, Operation<'a>>) {
        let mut seen = HashSet::new();
        for header in header_elements(operation) {
            if seen.insert(header.name) {
                let element = format!("tns:{}", header.name);
                let name = self.names.header(operation.name, header.name);
                message(xml, name, [(header.name, "element", element)]);
            }
        }
    }
}

/// A message of parts: their names, and whether an element or a type is in them.
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

/// The messages of an operation over a binding for forms.
fn form<'a>(
    xml: &mut Xml,
    kind: &str,
    operation: At<'a, Operation<'a>>,
    prefixes: Prefixes,
    types: &mut Types<'a>,
) {
    let parameters = operation.parameters().elements().map(|element| {
        let array = prefixes.forms.filter(|_| is_array_in_forms(element));
        let type_name = array.map(|prefix| format!("{prefix}:StringArray"));
        let type_name = type_name.unwrap_or_else(|| "s:string".to_owned());
        (element.name, "type", type_name)
    });
    message(xml, &format!("{}{kind}In", operation.name), parameters);
    if operation.one_way {
        return;
    }
    let body = operation.result().map(|result| {
        if types.root(operation.root, result) {
            ("Body", "element", format!("tns:{}", operation.root))
        } else {
            ("Body", "type", types.part_type(result))
        }
    });
    message(xml, &format!("{}{kind}Out", operation.name), body);
}

//! The messages of a WSDL.

use std::collections::{HashMap, HashSet};

use svcgen_model::{At, Binding, Element, Operation, Service};

use super::types::Types;
use super::{Wsdl, ending, is_array_in_forms, numbered};
use crate::types::header_elements;
use crate::xml::Xml;

/// The messages, and the names of those of headers and faults.
pub(super) struct Messages<'a> {
    service: At<'a, Service<'a>>,
    /// By operation and header.
    headers: HashMap<(&'a str, &'a str), String>,
    faults: HashMap<&'a str, String>,
}

impl<'a> Messages<'a> {
    /// Names the messages of headers and faults so that no two messages of the service have one name.
    pub fn new(service: At<'a, Service<'a>>) -> Self {
        let kinds = ["Soap", "HttpGet", "HttpPost"].into_iter();
        let ends = kinds.flat_map(|kind| [format!("{kind}In"), format!("{kind}Out")]);
        let ends: Vec<_> = ends.collect();
        let names = service.operations().map(|operation| operation.name);
        let named = names.flat_map(|name| ends.iter().map(move |end| format!("{name}{end}")));
        let mut taken: HashSet<_> = named.collect();
        let mut free = |wanted| numbered(wanted, |name| taken.insert(name.clone()));
        let (mut headers, mut faults) = (HashMap::new(), HashMap::new());
        for operation in service.operations() {
            for header in header_elements(operation) {
                headers
                    .entry((operation.name, header.name))
                    .or_insert_with(|| free(format!("{}{}", operation.name, header.name)));
            }
            for fault in operation.faults() {
                (faults.entry(fault.name)).or_insert_with(|| free(fault.name.to_owned()));
            }
        }
        Self {
            service,
            headers,
            faults,
        }
    }

    /// The name of the message that carries a header of an operation.
    pub fn header(&self, operation: At<'a, Operation<'a>>, header: &'a str) -> &str {
        let name = self.headers.get(&(operation.name, header));
        name.map_or("", String::as_str)
    }

    /// The name of the message that carries a fault's detail.
    pub fn fault(&self, fault: &'a str) -> &str {
        self.faults.get(fault).map_or("", String::as_str)
    }

    /// All messages; `types` gets what they refer to.
    pub fn write(&self, wsdl: &Wsdl<'a>, types: &mut Types<'a>) -> Xml {
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
                message(&mut xml, self.fault(fault.name), [part]);
            }
        }
        for binding in [Binding::HttpGet, Binding::HttpPost] {
            for operation in self.service.operations_over(binding) {
                form(&mut xml, ending(binding), operation, wsdl, types);
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
                let name = self.header(operation, header.name);
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
    wsdl: &Wsdl<'a>,
    types: &mut Types<'a>,
) {
    let parameters = operation.parameters().elements().map(|element| {
        let array = wsdl.prefixes.forms.filter(|_| is_array_in_forms(element));
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

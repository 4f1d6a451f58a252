//! The messages of a WSDL.

use std::collections::{HashMap, HashSet};

use svcgen_model::{At, Binding, Element, Operation, Service};

use super::types::Types;
use super::{Wsdl, ending, is_array_in_forms};
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
    pub fn new(service: At<'a, Service<'a>>) -> Self {
        let mut messages = Self {
            service,
            headers: HashMap::new(),
            faults: HashMap::new(),
        };
        messages.name();
        messages
    }

    /// Names the messages of headers and faults so that no two messages of the service have one name.
    fn name(&mut self) {
        let kinds = ["Soap", "HttpGet", "HttpPost"].into_iter();
        let ends = kinds.flat_map(|kind| [format!("{kind}In"), format!("{kind}Out")]);
        let ends: Vec<_> = ends.collect();
        let names = self.service.operations().map(|operation| operation.name);
        let named = names.flat_map(|name| ends.iter().map(move |end| format!("{name}{end}")));
        let mut taken: HashSet<_> = named.collect();
        let mut free = |wanted: String| {
            let numbered = (1..).map(|number| format!("{wanted}{number}"));
            let mut names = std::iter::once(wanted.clone()).chain(numbered);
            names
                .find(|name| taken.insert(name.clone()))
                .unwrap_or_default()
        };
        for operation in self.service.operations() {
            for header in header_elements(operation) {
                self.headers
                    .entry((operation.name, header.name))
                    .or_insert_with(|| free(format!("{}{}", operation.name, header.name)));
            }
            for fault in operation.faults() {
                (self.faults.entry(fault.name)).or_insert_with(|| free(fault.name.to_owned()));
            }
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
                let part = ("fault", "element", element.as_str());
                message(&mut xml, self.fault(fault.name), &[part]);
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
        if operation.is_rpc() {
            rpc(xml, &input, operation.parameters().elements(), types);
        } else {
            let element = format!("tns:{}", operation.parameters.name);
            message(xml, &input, &[("parameters", "element", &element)]);
        }
        match (operation.one_way, operation.is_rpc()) {
            (true, _) => {}
            (false, true) => rpc(xml, &output, operation.result().into_iter(), types),
            (false, false) => {
                let element = format!("tns:{}", operation.response);
                message(xml, &output, &[("parameters", "element", &element)]);
            }
        }
    }

    fn headers(&self, xml: &mut Xml, operation: At<'a, Operation<'a>>) {
        let mut seen = HashSet::new();
        for header in header_elements(operation) {
            if seen.insert(header.name) {
                let element = format!("tns:{}", header.name);
                let name = self.header(operation, header.name);
                message(xml, name, &[(header.name, "element", &element)]);
            }
        }
    }
}

/// A message of parts: their names, and whether an element or a type is in them.
fn message(xml: &mut Xml, name: &str, parts: &[(&str, &str, &str)]) {
    xml.element("wsdl:message", &[("name", name)], |xml| {
        for (name, kind, value) in parts {
            xml.empty("wsdl:part", &[("name", name), (kind, value)]);
        }
    });
}

/// A message in the style rpc: a part for each element. One of a choice is a part too, for want of a way to say it.
fn rpc<'a>(
    xml: &mut Xml,
    name: &str,
    elements: impl Iterator<Item = At<'a, Element<'a>>>,
    types: &mut Types<'a>,
) {
    let parts: Vec<_> = elements
        .map(|element| (element.name, types.part_type(element)))
        .collect();
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, value)| (*name, "type", value.as_str()))
        .collect();
    message(xml, name, &parts);
}

/// The messages of an operation over a binding for forms.
fn form<'a>(
    xml: &mut Xml,
    kind: &str,
    operation: At<'a, Operation<'a>>,
    wsdl: &Wsdl<'a>,
    types: &mut Types<'a>,
) {
    let array = wsdl
        .prefixes
        .forms
        .map(|prefix| format!("{prefix}:StringArray"));
    let parameters = operation.parameters().elements().map(|element| {
        let array = array.as_deref().filter(|_| is_array_in_forms(element));
        (element.name, "type", array.unwrap_or("s:string"))
    });
    let parameters: Vec<_> = parameters.collect();
    message(xml, &format!("{}{kind}In", operation.name), &parameters);
    if operation.one_way {
        return;
    }
    let body = operation.result().map(|result| {
        if types.root(operation.root, result) {
            ("element", format!("tns:{}", operation.root))
        } else {
            ("type", types.part_type(result))
        }
    });
    let body: Vec<_> = body
        .iter()
        .map(|(kind, value)| ("Body", *kind, value.as_str()))
        .collect();
    message(xml, &format!("{}{kind}Out", operation.name), &body);
}

//! The messages of a WSDL.

use std::collections::{HashMap, HashSet};

use super::types::Types;
use super::{Wsdl, is_array_in_forms};
use crate::description::{Binding, Description, Operation};
use crate::schema::{Content, Element};
use crate::xml::Xml;

/// The messages, and the names of those of headers and faults.
pub(super) struct Messages<'a> {
    description: &'a Description<'a>,
    /// By operation and header.
    headers: HashMap<(&'a str, &'a str), String>,
    faults: HashMap<&'a str, String>,
}

impl<'a> Messages<'a> {
    pub fn new(description: &'a Description<'a>) -> Self {
        let mut messages = Self {
            description,
            headers: HashMap::new(),
            faults: HashMap::new(),
        };
        messages.name();
        messages
    }

    /// Names the messages of headers and faults so that no two messages of the service have one name.
    fn name(&mut self) {
        let operations = self.description.operations;
        let kinds = ["Soap", "HttpGet", "HttpPost"].into_iter();
        let ends = kinds.flat_map(|kind| [format!("{kind}In"), format!("{kind}Out")]);
        let ends: Vec<_> = ends.collect();
        let names = operations.iter().map(|operation| operation.name);
        let named = names.flat_map(|name| ends.iter().map(move |end| format!("{name}{end}")));
        let mut taken: HashSet<_> = named.collect();
        let mut free = |wanted: String| {
            let numbered = (1..).map(|number| format!("{wanted}{number}"));
            let mut names = std::iter::once(wanted.clone()).chain(numbered);
            names
                .find(|name| taken.insert(name.clone()))
                .unwrap_or_default()
        };
        for operation in operations {
            for header in operation.headers.iter().chain(operation.response_headers) {
                self.headers
                    .entry((operation.name, header.name))
                    .or_insert_with(|| free(format!("{}{}", operation.name, header.name)));
            }
            for fault in operation.faults {
                (self.faults.entry(fault)).or_insert_with(|| free((*fault).to_owned()));
            }
        }
    }

    /// The name of the message that carries a header of an operation.
    pub fn header(&self, operation: &Operation<'a>, header: &'a str) -> &str {
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
        let operations = self.description.operations.iter();
        let soap =
            operations.filter(|operation| operation.bindings.soap11 || operation.bindings.soap12);
        let mut faults = HashSet::new();
        for operation in soap {
            types.messages(operation);
            self.soap(&mut xml, operation, types);
            self.headers(&mut xml, operation);
            for fault in operation
                .faults
                .iter()
                .filter(|fault| faults.insert(**fault))
            {
                message(
                    &mut xml,
                    self.fault(fault),
                    &[("fault", "element", &format!("tns:{fault}"))],
                );
            }
        }
        for (binding, kind) in [
            (Binding::HttpGet, "HttpGet"),
            (Binding::HttpPost, "HttpPost"),
        ] {
            for operation in self.description.operations_over(binding) {
                form(&mut xml, kind, operation, wsdl, types);
            }
        }
        xml
    }

    fn soap(&self, xml: &mut Xml, operation: &'a Operation<'a>, types: &mut Types<'a>) {
        let input = format!("{}SoapIn", operation.name);
        let output = format!("{}SoapOut", operation.name);
        if operation.rpc {
            rpc(xml, &input, operation.parameters, types);
        } else {
            let element = format!("tns:{}", operation.request);
            message(xml, &input, &[("parameters", "element", &element)]);
        }
        match (operation.one_way, operation.rpc) {
            (true, _) => {}
            (false, true) => rpc(xml, &output, operation.result.as_slice(), types),
            (false, false) => {
                let element = format!("tns:{}", operation.response);
                message(xml, &output, &[("parameters", "element", &element)]);
            }
        }
    }

    fn headers(&self, xml: &mut Xml, operation: &Operation<'a>) {
        let mut seen = HashSet::new();
        for header in operation.headers.iter().chain(operation.response_headers) {
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
fn rpc<'a>(xml: &mut Xml, name: &str, elements: &[Element<'a>], types: &mut Types<'a>) {
    let single = elements.iter().flat_map(|element| match element.content {
        Content::Choice(alternatives) => alternatives,
        _ => std::slice::from_ref(element),
    });
    let parts: Vec<_> = single
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
    operation: &'a Operation<'a>,
    wsdl: &Wsdl<'a>,
    types: &mut Types<'a>,
) {
    let array = wsdl
        .prefixes
        .forms
        .map(|prefix| format!("{prefix}:StringArray"));
    let parameters = operation.parameters.iter().map(|element| {
        let array = array.as_deref().filter(|_| is_array_in_forms(element));
        (element.name, "type", array.unwrap_or("s:string"))
    });
    let parameters: Vec<_> = parameters.collect();
    message(xml, &format!("{}{kind}In", operation.name), &parameters);
    if operation.one_way {
        return;
    }
    let body = operation.result.map(|result| match types.root(operation) {
        Some(root) => ("element", format!("tns:{root}")),
        None => ("type", types.part_type(&result)),
    });
    let body: Vec<_> = body
        .iter()
        .map(|(kind, value)| ("Body", *kind, value.as_str()))
        .collect();
    message(xml, &format!("{}{kind}Out", operation.name), &body);
}

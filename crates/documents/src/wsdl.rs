//! WSDL 1.1, from which other stacks generate clients.

mod arrays;
mod messages;
mod schema;

use std::collections::HashSet;

use svcgen_model::{
    Arena, At, Binding, Element, MicrosoftType, Operation, Service, SimpleType, TypeAt, Types,
};

use crate::binding::{InWsdl, in_wsdl, message_name};
use crate::escape::percent_encoded;
use crate::message_names::MessageNames;
use crate::shape::Shape;
use crate::xml::{DECLARATION, Xml};
use arrays::{SOAP_ENCODING, abstract_types, write_arrays};
use schema::{NamespaceSchema, Schema};

const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";

/// WS-Policy in the version that .NET and Java read.
const POLICY: &str = "http://schemas.xmlsoap.org/ws/2004/09/policy";

/// The assertion that messages are in MTOM (WS-MTOMPolicy §2).
const MTOM: &str = "http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization";

const UTILITY: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// Options for writing a WSDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WsdlOptions {
    /// The shape.
    pub shape: Shape,
    /// Whether the WSDL contains the documentation of the definition.
    pub documentation: bool,
    /// Whether a policy of the bindings over SOAP allows messages in MTOM.
    pub mtom: bool,
}

impl Default for WsdlOptions {
    fn default() -> Self {
        Self {
            shape: Shape::Portable,
            documentation: true,
            mtom: false,
        }
    }
}

/// Returns the URL of the schema of a typed set, for a service at an address.
fn schema_address(address: &str, name: &str) -> String {
    format!("{address}?schema={}", percent_encoded(name))
}

/// Returns the schema of a typed set of a service, by its name, as a document.
pub fn schema_of_set(service: At<'_, Service<'_>>, name: &str) -> Option<String> {
    let types = Types::of(service);
    let mut sets = types
        .definitions()
        .filter_map(|definition| match definition {
            TypeAt::Complex(complex) => complex.data_set,
            _ => None,
        });
    let set = sets.find(|set| set.name == name)?;
    Some(format!("{}\n{}", DECLARATION, set.schema))
}

/// Returns the name of a port, which is also the name of its binding.
pub(crate) fn port(service: At<'_, Service<'_>>, described: &dyn InWsdl) -> String {
    format!("{}{}", service.name, described.port())
}

/// Returns the WSDL of a service that is called at `address`, such as
/// `http://example.com/Greeter.asmx`.
pub fn wsdl(service: At<'_, Service<'_>>, address: &str, options: WsdlOptions) -> String {
    let infixes = in_wsdl().map(|(_, described)| described.messages());
    let wsdl = Wsdl {
        service,
        options,
        names: MessageNames::new(service, &infixes.collect::<Vec<_>>()),
    };
    wsdl.write(address)
}

/// A binding, and its description in WSDL.
type Described = (Binding, &'static dyn InWsdl);

struct Wsdl<'a> {
    service: At<'a, Service<'a>>,
    options: WsdlOptions,
    names: MessageNames<'a>,
}

impl<'a> Wsdl<'a> {
    fn write(&self, address: &str) -> String {
        let rows = Arena::default();
        let mut schema = Schema::new(self.service, &rows, self.options);
        let messages = self.messages(&mut schema);
        let prefixes = (0..schema.parts.len()).map(|number| format!("xmlns:s{number}"));
        let prefixes: Vec<_> = prefixes.collect();
        let mut namespaces = vec![
            ("xmlns:soapenc", SOAP_ENCODING),
            ("xmlns:soap12", "http://schemas.xmlsoap.org/wsdl/soap12/"),
        ];
        let parts = prefixes.iter().zip(&schema.parts);
        let others = parts.filter(|(_, part)| {
            !part.namespace.is_empty() && part.namespace != self.service.namespace
        });
        namespaces.extend(others.map(|(prefix, part)| (prefix.as_str(), &*part.namespace)));
        namespaces.extend([
            ("xmlns:http", "http://schemas.xmlsoap.org/wsdl/http/"),
            ("xmlns:tns", self.service.namespace),
            ("xmlns:mime", "http://schemas.xmlsoap.org/wsdl/mime/"),
            ("xmlns:tm", "http://microsoft.com/wsdl/mime/textMatching/"),
            ("xmlns:s", "http://www.w3.org/2001/XMLSchema"),
            ("xmlns:soap", "http://schemas.xmlsoap.org/wsdl/soap/"),
            ("targetNamespace", self.service.namespace),
            ("xmlns:wsdl", WSDL),
        ]);
        let mut xml = Xml::document();
        xml.element("wsdl:definitions", &namespaces, |xml| {
            self.documentation(xml, self.service.documentation());
            self.mtom_policy(xml);
            xml.element("wsdl:types", &[], |xml| self.schemas(xml, &schema, address));
            xml.insert(&messages);
            self.port_types(xml);
            self.bindings(xml);
            self.service(xml, address);
        });
        xml.finish().into()
    }

    /// Writes the policy that allows messages in MTOM.
    fn mtom_policy(&self, xml: &mut Xml) {
        if self.options.mtom {
            let policy = [
                ("wsu:Id", "Mtom"),
                ("xmlns:wsu", UTILITY),
                ("xmlns:wsp", POLICY),
            ];
            let assertion = [("wsp:Optional", "true"), ("xmlns:wsoma", MTOM)];
            xml.nested(&[
                ("wsp:Policy", &policy),
                ("wsoma:OptimizedMimeSerialization", &assertion),
            ]);
        }
    }

    fn schemas(&self, xml: &mut Xml, schema: &Schema<'_>, address: &str) {
        let forms = abstract_types(self.service.namespace);
        let has_forms = schema.parts.iter().any(|part| part.namespace == forms);
        let mut operations = self.service.operations();
        let is_encoded = operations.any(|operation| operation.encoded.is_some());
        let is_own = |part: &&NamespaceSchema<'_>| {
            let is_written = !is_encoded || !part.xml.is_empty();
            part.namespace != MicrosoftType::NAMESPACE && part.namespace != forms && is_written
        };
        for part in schema.parts.iter().filter(is_own) {
            let mut attributes = vec![("targetNamespace", &*part.namespace)];
            attributes.retain(|(_, namespace)| !namespace.is_empty());
            if self.service.is_qualified() {
                attributes.insert(0, ("elementFormDefault", "qualified"));
            }
            xml.element("s:schema", &attributes, |xml| {
                for namespace in &part.imports {
                    xml.empty("s:import", &[("namespace", namespace)]);
                }
                let is_original = self.options.shape == Shape::Original;
                for set in part.sets.iter().filter(|_| is_original) {
                    let location = schema_address(address, set.name);
                    let attributes = [("schemaLocation", &*location), ("namespace", set.namespace)];
                    xml.empty("s:import", &attributes);
                }
                xml.insert(&part.xml);
            });
        }
        if !schema.microsoft.is_empty() {
            microsoft_schema(xml, &schema.microsoft);
        }
        if self.options.shape == Shape::Portable {
            self.schemas_of_sets(xml, schema);
        }
        if has_forms {
            write_arrays(xml, &forms, self.options.shape);
        }
    }

    /// Writes the schemas of typed sets unchanged, each once, except for those in a namespace that
    /// has a schema already.
    fn schemas_of_sets(&self, xml: &mut Xml, schema: &Schema<'_>) {
        let mut seen = HashSet::new();
        let sets = schema.parts.iter().flat_map(|part| &part.sets);
        for set in sets.filter(|set| seen.insert((set.namespace, set.name))) {
            let mut parts = schema.parts.iter();
            if parts.all(|part| part.namespace != set.namespace) {
                xml.line_of(|out| out.text(set.schema));
            }
        }
    }

    /// Returns the operations in the port type of a binding. Over HTTP GET and POST, ASMX answers
    /// calls of operations with several results, but does not describe them.
    fn operations_over(&self, binding: Binding) -> impl Iterator<Item = At<'a, Operation<'a>>> {
        let operations = self.service.operations_over(binding);
        operations.filter(move |operation| binding.is_soap() || !operation.has_results_for_soap())
    }

    /// Returns the bindings with a port.
    fn ports(&self) -> impl Iterator<Item = Described> {
        in_wsdl().filter(|(binding, _)| self.operations_over(*binding).next().is_some())
    }

    /// Returns the binding whose port type a binding shares: the first binding with the same
    /// messages and operations.
    fn port_type(&self, (binding, described): Described) -> Described {
        let over = |binding| self.operations_over(binding);
        let is_it = |(other, other_described): &Described| {
            other_described.messages() == described.messages() && over(*other).eq(over(binding))
        };
        in_wsdl().find(is_it).unwrap_or((binding, described))
    }

    fn port_types(&self, xml: &mut Xml) {
        let ports = self.ports();
        for port in ports.filter(|port| self.port_type(*port).0 == port.0) {
            let name = self::port(self.service, port.1);
            xml.element("wsdl:portType", &[("name", &name)], |xml| {
                for operation in self.operations_over(port.0) {
                    self.port_operation(xml, port, operation);
                }
            });
        }
    }

    fn port_operation(
        &self,
        xml: &mut Xml,
        (binding, described): Described,
        operation: At<'a, Operation<'a>>,
    ) {
        let kind = described.messages();
        let message = |end| format!("tns:{}{kind}{end}", operation.name);
        let name = operation.wsdl_name.unwrap_or(operation.name);
        let order = parameter_order(operation).filter(|_| binding.is_soap());
        let mut attributes = vec![("name", name)];
        attributes.extend(order.iter().map(|order| ("parameterOrder", order.as_str())));
        xml.element("wsdl:operation", &attributes, |xml| {
            self.documentation(xml, operation.documentation());
            let part = |xml: &mut Xml, direction, end| {
                let message = message(end);
                let mut attributes = message_name(operation);
                attributes.push(("message", &message));
                xml.empty(direction, &attributes);
            };
            part(xml, "wsdl:input", "In");
            // Over HTTP GET and POST, a one-way operation is an operation without a result.
            if operation.one_way && binding.is_soap() {
                return;
            }
            part(xml, "wsdl:output", "Out");
            // Only SOAP has faults.
            for fault in operation.faults().filter(|_| binding.is_soap()) {
                let message = format!("tns:{}", self.names.fault(fault.name));
                xml.empty("wsdl:fault", &[("name", fault.name), ("message", &message)]);
            }
        });
    }

    fn bindings(&self, xml: &mut Xml) {
        for (binding, described) in self.ports() {
            let name = port(self.service, described);
            let (_, port_type) = self.port_type((binding, described));
            let port_type = format!("tns:{}", port(self.service, port_type));
            let attributes = [("name", name.as_str()), ("type", &port_type)];
            xml.element("wsdl:binding", &attributes, |xml| {
                if self.options.mtom && binding.is_soap() {
                    let policy = [("URI", "#Mtom"), ("xmlns:wsp", POLICY)];
                    xml.empty("wsp:PolicyReference", &policy);
                }
                described.write_binding(xml, self.service);
                for operation in self.operations_over(binding) {
                    let name = operation.wsdl_name.unwrap_or(operation.name);
                    xml.element("wsdl:operation", &[("name", name)], |xml| {
                        let shape = self.options.shape;
                        described.write_operation(xml, self.service, operation, &self.names, shape);
                    });
                }
            });
        }
    }

    fn service(&self, xml: &mut Xml, address: &str) {
        xml.element("wsdl:service", &[("name", self.service.name)], |xml| {
            self.documentation(xml, self.service.documentation());
            for (_, described) in self.ports() {
                let name = port(self.service, described);
                let target = format!("tns:{name}");
                let attributes = [("name", name.as_str()), ("binding", &target)];
                xml.element("wsdl:port", &attributes, |xml| {
                    let name = format!("{}:address", described.prefix());
                    xml.empty(&name, &[("location", address)]);
                });
            }
        });
    }

    fn documentation(&self, xml: &mut Xml, words: Option<&str>) {
        let Some(words) = words.filter(|_| self.options.documentation) else {
            return;
        };
        // The original declares the prefix again.
        let attributes: &[_] = match self.options.shape {
            Shape::Portable => &[],
            Shape::Original => &[("xmlns:wsdl", WSDL)],
        };
        xml.start("wsdl:documentation", attributes);
        xml.end_with(|out| out.escaped(words));
    }
}

/// Returns the order of the parameters of a method in rpc style, if a parameter is also a result: a
/// `ref` parameter (WSDL 1.1 §2.4.6).
fn parameter_order(operation: At<'_, Operation<'_>>) -> Option<String> {
    let names = |elements: &[Element<'_>]| -> Vec<String> {
        elements.iter().map(|each| each.name.to_owned()).collect()
    };
    let mut order = names(operation.parameters.elements);
    let results = names(operation.response.elements);
    let returned = operation.result.as_ref().map(|result| result.name);
    if !operation.is_rpc() || !results.iter().any(|result| order.contains(result)) {
        return None;
    }
    let results = results.into_iter();
    let results = results.filter(|result| Some(result.as_str()) != returned);
    let others: Vec<_> = results.filter(|result| !order.contains(result)).collect();
    order.extend(others);
    Some(order.join(" "))
}

/// Whether a parameter is an array in forms, as bytes in base64 are, with a decimal number for each
/// byte.
fn is_array_in_forms(element: At<'_, Element<'_>>) -> bool {
    element.repeated
        || matches!(
            element.type_at(),
            TypeAt::List(_) | TypeAt::Simple(SimpleType::Base64Binary)
        )
}

fn microsoft_schema(xml: &mut Xml, used: &HashSet<SimpleType>) {
    let attributes = [
        ("elementFormDefault", "qualified"),
        ("targetNamespace", MicrosoftType::NAMESPACE),
    ];
    xml.element("s:schema", &attributes, |xml| {
        let known = SimpleType::ALL.iter();
        let known = known.filter(|simple| used.contains(simple));
        for (simple, known) in known.filter_map(|simple| Some((simple, simple.row().microsoft?))) {
            xml.element("s:simpleType", &[("name", simple.name())], |xml| {
                xml.element("s:restriction", &[("base", known.base)], |xml| {
                    if let Some(pattern) = known.pattern {
                        xml.empty("s:pattern", &[("value", pattern)]);
                    }
                });
            });
        }
    });
}

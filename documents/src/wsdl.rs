//! WSDL 1.1: what other stacks make their callers from.

mod arrays;
mod messages;
mod types;

use crate::description::{Binding, Description, Operation};
use crate::schema::{Content, Element};
use crate::simple::{MICROSOFT, MICROSOFT_TYPES};
use crate::xml::Xml;
use arrays::{Arrays, SOAP_ENCODING, abstract_types};
pub use arrays::{encoding_schema, forms_schema};
use messages::Messages;
use types::Types;

/// How a WSDL is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WsdlOptions {
    /// Its shape.
    pub shape: Shape,
    /// Whether it holds the definition's documentation.
    pub documentation: bool,
    /// Whether the portable shape takes the schemas of arrays in forms from `?schema=forms` and `?schema=encoding` below the address,
    /// where a server has them, as zeep loads them from nowhere else. In a file, they are part of it.
    pub apart: bool,
}

impl Default for WsdlOptions {
    fn default() -> Self {
        Self {
            shape: Shape::Portable,
            documentation: true,
            apart: false,
        }
    }
}

impl WsdlOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes this shape.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Writes the definition's documentation, or leaves it out.
    #[must_use]
    pub fn with_documentation(mut self, documentation: bool) -> Self {
        self.documentation = documentation;
        self
    }

    /// Takes the schemas of arrays in forms from documents of their own, or holds them.
    #[must_use]
    pub fn with_schemas_apart(mut self, apart: bool) -> Self {
        self.apart = apart;
        self
    }
}

/// The shape of a WSDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// The original's, changed where other stacks would need help: the schema of SOAP's encoding that `StringArray` restricts is at
    /// hand (zeep and Java would fetch it), nothing to say is an empty sequence (Perl's SOAP::WSDL cannot call an empty type), types
    /// have their documentation, and any XML may hold what no schema knows.
    #[default]
    Portable,
    /// What ASMX writes, to the byte.
    Original,
}

/// The prefixes of the namespaces that not every service needs.
#[derive(Clone, Copy)]
struct Prefixes {
    forms: Option<&'static str>,
    microsoft: &'static str,
}

/// A port: its binding, the end of its name, and the prefix of its extension elements.
struct Port {
    binding: Binding,
    ending: &'static str,
    prefix: &'static str,
}

const PORTS: [Port; 4] = [
    Port {
        binding: Binding::Soap11,
        ending: "Soap",
        prefix: "soap",
    },
    Port {
        binding: Binding::Soap12,
        ending: "Soap12",
        prefix: "soap12",
    },
    Port {
        binding: Binding::HttpGet,
        ending: "HttpGet",
        prefix: "http",
    },
    Port {
        binding: Binding::HttpPost,
        ending: "HttpPost",
        prefix: "http",
    },
];

/// The WSDL of a service that is called at `address`, such as `http://example.com/Greeter.asmx`.
pub fn wsdl(description: &Description<'_>, address: &str, options: WsdlOptions) -> String {
    Wsdl::new(description, options).write(address)
}

struct Wsdl<'a> {
    description: &'a Description<'a>,
    options: WsdlOptions,
    prefixes: Prefixes,
    messages: Messages<'a>,
}

impl<'a> Wsdl<'a> {
    fn new(description: &'a Description<'a>, options: WsdlOptions) -> Self {
        let forms = (description.operations.iter())
            .filter(|operation| operation.bindings.http_get || operation.bindings.http_post)
            .flat_map(|operation| operation.parameters)
            .any(is_array_in_forms);
        Self {
            description,
            options,
            prefixes: Prefixes {
                forms: forms.then_some("s1"),
                microsoft: if forms { "s2" } else { "s1" },
            },
            messages: Messages::new(description),
        }
    }

    fn write(&self, address: &str) -> String {
        let mut types = Types::new(self.description, self.options, self.prefixes);
        let messages = self.messages.write(self, &mut types);
        let abstract_types = abstract_types(self.description.namespace);
        let microsoft = format!("xmlns:{}", self.prefixes.microsoft);
        let mut namespaces = vec![
            ("xmlns:soapenc", SOAP_ENCODING),
            ("xmlns:soap12", "http://schemas.xmlsoap.org/wsdl/soap12/"),
        ];
        if self.prefixes.forms.is_some() {
            namespaces.push(("xmlns:s1", &abstract_types));
        }
        if !types.microsoft.is_empty() {
            namespaces.push((&microsoft, MICROSOFT));
        }
        namespaces.extend([
            ("xmlns:http", "http://schemas.xmlsoap.org/wsdl/http/"),
            ("xmlns:tns", self.description.namespace),
            ("xmlns:mime", "http://schemas.xmlsoap.org/wsdl/mime/"),
            ("xmlns:tm", "http://microsoft.com/wsdl/mime/textMatching/"),
            ("xmlns:s", "http://www.w3.org/2001/XMLSchema"),
            ("xmlns:soap", "http://schemas.xmlsoap.org/wsdl/soap/"),
            ("targetNamespace", self.description.namespace),
            ("xmlns:wsdl", "http://schemas.xmlsoap.org/wsdl/"),
        ]);
        let mut xml = Xml::document();
        xml.element("wsdl:definitions", &namespaces, |xml| {
            self.documentation(xml, self.description.documentation);
            xml.element("wsdl:types", &[], |xml| {
                self.schemas(xml, types, &abstract_types, address);
            });
            xml.insert(messages);
            self.port_types(xml);
            self.bindings(xml);
            self.service(xml, address);
        });
        xml.finish()
    }

    fn schemas(&self, xml: &mut Xml, types: Types<'_>, abstract_types: &str, address: &str) {
        let microsoft = types.microsoft.clone();
        let mut attributes = vec![("targetNamespace", self.description.namespace)];
        if self.description.qualified {
            attributes.insert(0, ("elementFormDefault", "qualified"));
        }
        xml.element("s:schema", &attributes, |xml| {
            if !microsoft.is_empty() {
                xml.empty("s:import", &[("namespace", MICROSOFT)]);
            }
            xml.insert(types.finish());
        });
        if !microsoft.is_empty() {
            microsoft_schema(xml, |name| microsoft.contains(name));
        }
        if self.prefixes.forms.is_some() {
            self.arrays(address).write(xml, abstract_types);
        }
    }

    fn arrays<'w>(&self, address: &'w str) -> Arrays<'w> {
        match self.options.shape {
            Shape::Original => Arrays::Original,
            Shape::Portable if self.options.apart => Arrays::Apart(address),
            Shape::Portable => Arrays::Whole,
        }
    }

    /// The ports that any operation is offered at.
    fn ports(&self) -> impl Iterator<Item = &'static Port> {
        (PORTS.iter()).filter(|port| {
            self.description
                .operations_over(port.binding)
                .next()
                .is_some()
        })
    }

    /// The end of the name of a port's type: SOAP 1.2 shares that of SOAP 1.1, if it offers the same operations.
    fn port_type(&self, port: &Port) -> &'static str {
        let over = |binding| {
            let operations = self.description.operations_over(binding);
            operations.map(|operation| operation.name)
        };
        match port.binding {
            Binding::Soap12 if over(Binding::Soap11).eq(over(Binding::Soap12)) => "Soap",
            _ => port.ending,
        }
    }

    fn port_types(&self, xml: &mut Xml) {
        for port in self
            .ports()
            .filter(|port| self.port_type(port) == port.ending)
        {
            let name = format!("{}{}", self.description.name, port.ending);
            xml.element("wsdl:portType", &[("name", &name)], |xml| {
                for operation in self.description.operations_over(port.binding) {
                    self.port_operation(xml, port, operation);
                }
            });
        }
    }

    fn port_operation(&self, xml: &mut Xml, port: &Port, operation: &Operation<'a>) {
        let kind = if port.binding.is_soap() {
            "Soap"
        } else {
            port.ending
        };
        let message = |end| format!("tns:{}{kind}{end}", operation.name);
        xml.element("wsdl:operation", &[("name", operation.name)], |xml| {
            self.documentation(xml, operation.documentation);
            xml.empty("wsdl:input", &[("message", &message("In"))]);
            if operation.one_way {
                return;
            }
            xml.empty("wsdl:output", &[("message", &message("Out"))]);
            for fault in self.faults(port, operation) {
                let message = format!("tns:{}", self.messages.fault(fault));
                xml.empty("wsdl:fault", &[("name", fault), ("message", &message)]);
            }
        });
    }

    /// The faults of an operation over a binding; forms have none.
    fn faults<'o>(&self, port: &Port, operation: &Operation<'o>) -> &'o [&'o str] {
        match port.binding.is_soap() {
            true => operation.faults,
            false => &[],
        }
    }

    fn bindings(&self, xml: &mut Xml) {
        for port in self.ports() {
            let name = format!("{}{}", self.description.name, port.ending);
            let port_type = format!("tns:{}{}", self.description.name, self.port_type(port));
            let attributes = [("name", name.as_str()), ("type", &port_type)];
            xml.element("wsdl:binding", &attributes, |xml| {
                match port.binding {
                    Binding::HttpGet => xml.empty("http:binding", &[("verb", "GET")]),
                    Binding::HttpPost => xml.empty("http:binding", &[("verb", "POST")]),
                    _ => {
                        let transport = "http://schemas.xmlsoap.org/soap/http";
                        let name = format!("{}:binding", port.prefix);
                        xml.empty(&name, &[("transport", transport)]);
                    }
                }
                for operation in self.description.operations_over(port.binding) {
                    xml.element(
                        "wsdl:operation",
                        &[("name", operation.name)],
                        |xml| match port.binding.is_soap() {
                            true => self.soap_operation(xml, port, operation),
                            false => form_operation(xml, port, operation),
                        },
                    );
                }
            });
        }
    }

    fn soap_operation(&self, xml: &mut Xml, port: &Port, operation: &Operation<'a>) {
        let name = |end| format!("{}:{end}", port.prefix);
        let style = if operation.rpc { "rpc" } else { "document" };
        let action = [("soapAction", operation.action), ("style", style)];
        xml.empty(&name("operation"), &action);
        let mut body = vec![("use", "literal")];
        if operation.rpc {
            body.push(("namespace", self.description.namespace));
        }
        let messages = [
            ("wsdl:input", operation.headers),
            ("wsdl:output", operation.response_headers),
        ];
        let sent = if operation.one_way { 1 } else { 2 };
        for (direction, headers) in messages.into_iter().take(sent) {
            xml.element(direction, &[], |xml| {
                xml.empty(&name("body"), &body);
                for header in headers {
                    let message = format!("tns:{}", self.messages.header(operation, header.name));
                    let header = [
                        ("message", message.as_str()),
                        ("part", header.name),
                        ("use", "literal"),
                    ];
                    xml.empty(&name("header"), &header);
                }
            });
        }
        for fault in self.faults(port, operation) {
            xml.element("wsdl:fault", &[("name", fault)], |xml| {
                xml.empty(&name("fault"), &[("name", fault), ("use", "literal")]);
            });
        }
    }

    fn service(&self, xml: &mut Xml, address: &str) {
        xml.element("wsdl:service", &[("name", self.description.name)], |xml| {
            self.documentation(xml, self.description.documentation);
            for port in self.ports() {
                let name = format!("{}{}", self.description.name, port.ending);
                let binding = format!("tns:{name}");
                let attributes = [("name", name.as_str()), ("binding", &binding)];
                xml.element("wsdl:port", &attributes, |xml| {
                    let name = format!("{}:address", port.prefix);
                    xml.empty(&name, &[("location", address)]);
                });
            }
        });
    }

    fn documentation(&self, xml: &mut Xml, words: Option<&str>) {
        if let Some(words) = words.filter(|_| self.options.documentation) {
            xml.text("wsdl:documentation", words);
        }
    }
}

/// The operation of a binding for forms.
fn form_operation(xml: &mut Xml, port: &Port, operation: &Operation<'_>) {
    let location = format!("/{}", operation.name);
    xml.empty("http:operation", &[("location", &location)]);
    xml.element("wsdl:input", &[], |xml| match port.binding {
        Binding::HttpGet => xml.empty("http:urlEncoded", &[]),
        _ => xml.empty(
            "mime:content",
            &[("type", "application/x-www-form-urlencoded")],
        ),
    });
    if !operation.one_way {
        xml.element("wsdl:output", &[], |xml| {
            if operation.result.is_some() {
                xml.empty("mime:mimeXml", &[("part", "Body")]);
            }
        });
    }
}

/// Whether a parameter is an array in forms. Bytes are: one decimal number each.
fn is_array_in_forms(element: &Element<'_>) -> bool {
    element.repeated
        || matches!(
            element.content,
            Content::List(_) | Content::Type("base64Binary")
        )
}

fn microsoft_schema(xml: &mut Xml, used: impl Fn(&str) -> bool) {
    let attributes = [
        ("elementFormDefault", "qualified"),
        ("targetNamespace", MICROSOFT),
    ];
    xml.element("s:schema", &attributes, |xml| {
        for known in MICROSOFT_TYPES.iter().filter(|known| used(known.name)) {
            xml.element("s:simpleType", &[("name", known.name)], |xml| {
                xml.element("s:restriction", &[("base", known.base)], |xml| {
                    if let Some(pattern) = known.pattern {
                        xml.empty("s:pattern", &[("value", pattern)]);
                    }
                });
            });
        }
    });
}

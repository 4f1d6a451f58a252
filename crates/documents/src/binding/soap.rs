//! The parts common to both versions of SOAP.

use std::iter::once;

use svcgen_model::{At, Element, Headers, MicrosoftType, Operation, Service, TypeAt, elements_of};

use super::{Documented, FaultOf, InWsdl, message_name, response, with_body};
use crate::markup::encoded::Encoding;
use crate::markup::{Markup, Samples};
use crate::message_names::MessageNames;
use crate::shape::Shape;
use crate::template::Template;
use crate::xml::Xml;

const XSI: (&str, &str) = ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
const XSD: (&str, &str) = ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema");

/// The prefix of the text of a Server fault.
pub(super) const FAULT_TEXT: &str = "Server was unable to process request. ---> ";

/// The properties of a version of SOAP.
pub(super) struct Version {
    pub port: &'static str,
    pub prefix: &'static str,
    pub content_type: &'static str,
    /// The namespace of the envelope.
    pub namespace: &'static str,
    /// The namespace of its encoding.
    pub encoding: &'static str,
    /// Whether the header `SOAPAction` selects the operation.
    pub has_action_header: bool,
    /// The declaration that a response in rpc style adds.
    pub rpc: Option<(&'static str, &'static str)>,
    /// Writes a Server fault; the argument writes its detail.
    pub write_fault: WriteFault,
}

type WriteFault = for<'d> fn(&mut Markup<'d>, &mut dyn FnMut(&mut Markup<'d>));

impl Documented for Version {
    fn wsdl(&self) -> Option<&dyn InWsdl> {
        Some(self)
    }

    fn request<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template {
        let path = samples.path;
        let action = if self.has_action_header {
            format!("SOAPAction: \"{}\"\n", operation.action)
        } else {
            String::new()
        };
        let content_type = self.content_type;
        let parameters = operation.parameters();
        let body = self.message(samples, operation, None, operation.headers(), |markup| {
            if let Some(encoding) = self.encoding_of(operation) {
                return markup.encoded(encoding, parameters, parameters.elements(), None);
            }
            if operation.is_bare() {
                return parts(markup, samples, parameters.elements());
            }
            markup.wrapper(parameters, operation.style, |markup, place| {
                markup.elements(parameters, place);
            });
        });
        with_body(
            &format!("POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {content_type}\n"),
            &action,
            &body,
        )
    }

    fn response<'d>(&self, samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) -> Template {
        if operation.one_way {
            return with_body("HTTP/1.1 202 Accepted\n", "", &Template::default());
        }
        let rpc = self.rpc.filter(|_| operation.is_rpc());
        let headers = operation.response_headers();
        let body = self.message(samples, operation, rpc, headers, |markup| {
            if let Some(encoding) = self.encoding_of(operation) {
                let result = operation.result().filter(|_| operation.is_rpc());
                let result = result.map(|result| result.row().name);
                return markup.encoded(encoding, operation.response(), operation.results(), result);
            }
            if operation.is_bare() {
                return parts(markup, samples, operation.results());
            }
            let response = operation.response();
            markup.wrapper(response, operation.style, |markup, place| {
                match operation.result() {
                    Some(result) if !operation.has_results() => markup.element(result, place),
                    _ => markup.elements(response, place),
                }
            });
        });
        response("200 OK", self.content_type, &body)
    }

    fn failure<'d>(&self, samples: &'d Samples<'d>, fault: Option<FaultOf<'d>>) -> Template {
        let operation = fault.map(|(operation, _)| operation);
        let encoding = operation.and_then(|operation| self.encoding_of(operation));
        let headers = operation.and_then(At::<Operation<'_>>::fault_headers);
        let encoded = encoding.filter(|_| headers.is_some());
        let declared = encoded.map_or_else(Vec::new, |encoding| self.declared(samples, encoding));
        let body = self.envelope(samples, &declared, (headers, encoding), &[], |markup| {
            markup.around("soap:Fault", &[], |markup| {
                (self.write_fault)(markup, &mut |markup| {
                    if let Some((_, detail)) = fault {
                        markup.one(detail, samples.outermost());
                    }
                });
            });
        });
        response("500 Internal Server Error", self.content_type, &body)
    }

    fn request_data<'o>(&self, operation: At<'o, Operation<'o>>) -> Vec<(&'static str, &'o str)> {
        let action = self.has_action_header.then_some(operation.row().action);
        let action = action.map(|action| ("soap-action", action));
        let data = [
            ("envelope", self.namespace),
            ("content-type", self.content_type),
        ];
        data.into_iter().chain(action).collect()
    }
}

impl InWsdl for Version {
    fn port(&self) -> &'static str {
        self.port
    }

    fn messages(&self) -> &'static str {
        "Soap"
    }

    fn prefix(&self) -> &'static str {
        self.prefix
    }

    fn write_binding(&self, xml: &mut Xml, service: At<'_, Service<'_>>) {
        let transport = ("transport", "http://schemas.xmlsoap.org/soap/http");
        let name = format!("{}:binding", self.prefix);
        let mut operations = service.operations();
        let is_rpc_service = service.literal_namespace.is_some();
        if is_rpc_service
            || operations.all(|operation| !operation.bindings.has_soap() || operation.is_rpc())
        {
            xml.empty(&name, &[transport, ("style", "rpc")]);
        } else {
            xml.empty(&name, &[transport]);
        }
    }

    fn write_operation(
        &self,
        xml: &mut Xml,
        service: At<'_, Service<'_>>,
        operation: At<'_, Operation<'_>>,
        names: &MessageNames<'_>,
        shape: Shape,
    ) {
        let name = |end: &str| format!("{}:{end}", self.prefix);
        let style = if operation.is_rpc() {
            "rpc"
        } else {
            "document"
        };
        let mut action = vec![("soapAction", operation.action), ("style", style)];
        // In SOAP 1.2 the action is optional if the element in the Body identifies the operation.
        if !self.has_action_header && !is_named_by_element(service, operation) {
            action.push(("soapActionRequired", "true"));
        }
        xml.empty(&name("operation"), &action);
        let sent = elements(operation.headers());
        let mut answered = elements(operation.response_headers());
        let mut of_faults = elements(operation.fault_headers());
        // ASMX lists the headers of faults in the output, again if answers have them, too. A header
        // of a fault is inside of another header.
        if shape == Shape::Original || (sent.is_empty() && answered.is_empty()) {
            answered.append(&mut of_faults);
        }
        let messages = [
            ("wsdl:input", operation.parameters(), &sent),
            ("wsdl:output", operation.response(), &answered),
        ];
        let directions = if operation.one_way { 1 } else { 2 };
        for (direction, message, headers) in messages.into_iter().take(directions) {
            let (namespace, _) = operation.declares(message.scope, service.row());
            let encoded = operation.encoded.is_some();
            let mut body = vec![("use", if encoded { "encoded" } else { "literal" })];
            let is_said = (encoded || operation.is_rpc()) && !namespace.is_empty();
            body.extend(is_said.then_some(("namespace", namespace)));
            body.extend(encoded.then_some(("encodingStyle", self.encoding)));
            let header = |xml: &mut Xml, tag: &str, header: &str, within: &dyn Fn(&mut Xml)| {
                let message = format!("tns:{}", names.header(operation.name, header));
                let mut attributes = vec![("message", message.as_str()), ("part", header), body[0]];
                attributes.extend(encoded.then_some(("encodingStyle", self.encoding)));
                // For a literal header, ASMX writes it only in SOAP 1.2.
                let says = is_said && operation.is_rpc() && (encoded || !self.has_action_header);
                attributes.extend(says.then_some(("namespace", namespace)));
                xml.element(&name(tag), &attributes, within);
            };
            xml.element(direction, &message_name(operation), |xml| {
                xml.empty(&name("body"), &body);
                for one in headers {
                    let of_faults = std::mem::take(&mut of_faults);
                    header(xml, "header", one.name, &|xml| {
                        for fault in &of_faults {
                            header(xml, "headerfault", fault.name, &|_| {});
                        }
                    });
                }
            });
        }
        for fault in operation.faults() {
            xml.element("wsdl:fault", &[("name", fault.name)], |xml| {
                xml.empty(&name("fault"), &[("name", fault.name), ("use", "literal")]);
            });
        }
    }
}

/// The elements of headers.
fn elements<'d>(headers: Option<At<'d, Headers<'d>>>) -> Vec<At<'d, Element<'d>>> {
    let headers = headers.into_iter();
    headers.flat_map(|one| one.fields().elements()).collect()
}

impl Version {
    /// The encoding of the messages of an operation, if they are encoded.
    fn encoding_of<'d>(&self, operation: At<'d, Operation<'d>>) -> Option<Encoding<'d>> {
        Some(Encoding {
            types: operation.row().encoded?,
            is_soap12: !self.has_action_header,
        })
    }

    /// A message of an operation; `rpc` is one more namespace declaration or none.
    fn message<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        rpc: Option<(&str, &str)>,
        headers: Option<At<'d, Headers<'d>>>,
        body: impl FnOnce(&mut Markup<'d>),
    ) -> Template {
        let mut more = Vec::new();
        let mut on_body = Vec::new();
        let encoding = self.encoding_of(operation);
        if let Some(encoding) = encoding {
            more = self.declared(samples, encoding);
            if self.has_action_header {
                on_body.push(("soap:encodingStyle", self.encoding));
            }
            let mut reached = samples
                .types
                .reach(elements_of(samples.service, operation))
                .elements
                .into_iter();
            let is_microsoft = |element: At<'_, Element<'_>>| matches!(element.type_at(), TypeAt::Simple(simple) if simple.row().microsoft.is_some());
            if reached.any(is_microsoft) {
                more.push(("xmlns:q1", MicrosoftType::NAMESPACE));
            }
        }
        more.extend(rpc);
        self.envelope(samples, &more, (headers, encoding), &on_body, body)
    }

    /// The declarations in the envelope of an encoded message.
    fn declared<'d>(
        &self,
        samples: &'d Samples<'d>,
        encoding: Encoding<'d>,
    ) -> Vec<(&'d str, &'d str)> {
        Vec::from([
            ("xmlns:soapenc", self.encoding),
            ("xmlns:tns", samples.service.row().namespace),
            ("xmlns:types", encoding.types),
        ])
    }

    /// An envelope, with more namespace declarations and with attributes of the Body.
    fn envelope<'d>(
        &self,
        samples: &'d Samples<'d>,
        more: &[(&str, &str)],
        (headers, encoding): (Option<At<'d, Headers<'d>>>, Option<Encoding<'d>>),
        on_body: &[(&str, &str)],
        body: impl FnOnce(&mut Markup<'d>),
    ) -> Template {
        let declarations = once(("xmlns:soap", self.namespace)).chain(more.iter().copied());
        let declarations: Vec<_> = declarations.chain([XSI, XSD]).collect();
        let mut markup = samples.markup();
        markup.around("soap:Envelope", &declarations, |markup| {
            if let Some(headers) = headers {
                markup.around("soap:Header", &[], |markup| {
                    if let Some(encoding) = encoding {
                        return markup.encoded_headers(encoding, headers);
                    }
                    for (element, rule) in headers.elements() {
                        let place = if rule.must_understand {
                            samples
                                .outermost()
                                .with_attributes(&[("soap:mustUnderstand", "1")])
                        } else {
                            samples.outermost()
                        };
                        markup.one(element, place);
                    }
                });
            }
            markup.around("soap:Body", on_body, body);
        });
        markup.finish()
    }
}

/// Whether only requests of this operation have its element in the Body, according to ASMX: several
/// bare elements do not count as one.
fn is_named_by_element<'m>(service: At<'m, Service<'m>>, operation: At<'m, Operation<'m>>) -> bool {
    let element = |operation: At<'m, Operation<'m>>| {
        let is_one = !operation.is_bare() || operation.parameters.elements.len() == 1;
        is_one.then(|| operation.row().request_element(service.row()))
    };
    let mut others = service.operations().filter(|other| *other != operation);
    !others.any(|other| element(other) == element(operation))
}

/// Writes the elements of a bare message.
fn parts<'d>(
    markup: &mut Markup<'d>,
    samples: &'d Samples<'d>,
    parts: impl Iterator<Item = At<'d, Element<'d>>>,
) {
    for part in parts {
        markup.element(part, samples.outermost());
    }
}

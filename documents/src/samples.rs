//! Samples of messages: what goes over the wire, with placeholders for values.
//!
//! ```
//! use svcgen_documents::samples;
//! use svcgen_model::SimpleType::{Boolean, String};
//! use svcgen_model::TypeRef::Simple;
//! use svcgen_model::{At, Binding, Bindings, Module, Service, complex_type, element, operation};
//!
//! static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
//!     "Logins",
//!     "urn:x",
//!     "/Logins.asmx",
//!     &[operation("Login", "urn:x/Login", complex_type("Login", &[element("username", Simple(String)).omitted()]), "LoginResponse")
//!         .result(element("LoginResult", Simple(Boolean)), "boolean")
//!         .over(Bindings::of(&[Binding::HttpGet]))],
//! ));
//!
//! let service = At::service(&MODULE, None).unwrap();
//! let login = service.operations().next().unwrap();
//! let samples = samples::of(service, login, "localhost");
//! assert_eq!(samples[0].binding, Binding::HttpGet);
//! assert_eq!(samples[0].request.as_str(), "GET /Logins.asmx/Login?username=string HTTP/1.1\nHost: localhost\n");
//! ```

mod markup;
mod template;

pub use template::{Piece, Template};

use std::iter::once;

use svcgen_model::{At, Binding, Element, Headers, Operation, Service, SimpleType, TypeAt};

use crate::escape::percent_encoded;
use crate::types::Types;
use markup::{Markup, Place};

/// What a call over a binding looks like: start line, headers, an empty line and the body, lines ending in LF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The binding.
    pub binding: Binding,
    /// What the caller sends.
    pub request: Template,
    /// What a call that goes well is answered with.
    pub response: Template,
}

/// A fault that an operation answers over a version of SOAP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultSample<'d> {
    /// The name of the fault, which is that of the element of its detail.
    pub name: &'d str,
    /// The version.
    pub binding: Binding,
    /// What the caller is answered.
    pub response: Template,
}

/// A sample for each binding that an operation is offered over. `host` is that of the URL, with its port.
pub fn of(
    service: At<'_, Service<'_>>,
    operation: At<'_, Operation<'_>>,
    host: &str,
) -> Vec<Sample> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let offered = operation.bindings.iter();
    offered
        .map(|binding| Sample {
            binding,
            request: writer.request(operation, binding, host),
            response: writer.response(operation, binding),
        })
        .collect()
}

/// A sample for each fault of an operation, over each version of SOAP that it is offered over.
pub fn faults<'d>(
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
) -> Vec<FaultSample<'d>> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let mut samples = Vec::new();
    for detail in operation.faults() {
        for binding in operation.bindings.iter() {
            samples.extend(version(binding).map(|version| FaultSample {
                name: detail.name,
                binding,
                response: writer.fault(version, Some(detail)),
            }));
        }
    }
    samples
}

/// How a failure is answered over each binding that some operation is offered over.
pub fn failures(service: At<'_, Service<'_>>) -> Vec<(Binding, Template)> {
    let types = &Types::of(service);
    let writer = Writer { service, types };
    let failure = |binding| match version(binding) {
        Some(version) => writer.fault(version, None),
        None => {
            let mut text = Template::default();
            text.placeholder("string");
            with_body(&failed("text/plain; charset=utf-8"), "", &text)
        }
    };
    let bindings = service.bindings().iter();
    bindings
        .map(|binding| (binding, failure(binding)))
        .collect()
}

/// What is particular to a version of SOAP.
struct Version {
    is_11: bool,
    content_type: &'static str,
    /// The namespace of the envelope.
    namespace: &'static str,
}

fn version(binding: Binding) -> Option<Version> {
    let (content_type, namespace) = match binding {
        Binding::Soap11 => (
            "text/xml; charset=utf-8",
            "http://schemas.xmlsoap.org/soap/envelope/",
        ),
        Binding::Soap12 => (
            "application/soap+xml; charset=utf-8",
            "http://www.w3.org/2003/05/soap-envelope",
        ),
        Binding::HttpGet | Binding::HttpPost => return None,
    };
    Some(Version {
        is_11: binding == Binding::Soap11,
        content_type,
        namespace,
    })
}

const XSI: (&str, &str) = ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
const XSD: (&str, &str) = ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema");
const RPC: (&str, &str) = ("xmlns:rpc", "http://www.w3.org/2003/05/soap-rpc");

struct Writer<'d> {
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
}

impl<'d> Writer<'d> {
    fn request(&self, operation: At<'d, Operation<'d>>, binding: Binding, host: &str) -> Template {
        let path = percent_encoded(self.service.path);
        let name = percent_encoded(operation.name);
        if let Some(version) = version(binding) {
            let action = if version.is_11 {
                format!("SOAPAction: \"{}\"\n", operation.action)
            } else {
                String::new()
            };
            let content_type = version.content_type;
            return with_body(
                &format!("POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {content_type}\n"),
                &action,
                &self.request_message(operation, version),
            );
        }
        let fields = fields(operation);
        if binding == Binding::HttpPost {
            let start = format!(
                "POST {path}/{name} HTTP/1.1\nHost: {host}\nContent-Type: application/x-www-form-urlencoded\n"
            );
            return with_body(&start, "", &fields);
        }
        let mut request = Template::default();
        request.text(&format!("GET {path}/{name}"));
        if !fields.as_str().is_empty() {
            request.text("?");
        }
        request.append(&fields);
        request.text(&format!(" HTTP/1.1\nHost: {host}\n"));
        request
    }

    fn response(&self, operation: At<'d, Operation<'d>>, binding: Binding) -> Template {
        let (content_type, body) = match (version(binding), operation.result()) {
            (Some(_), _) if operation.one_way => {
                return with_body("HTTP/1.1 202 Accepted\n", "", &Template::default());
            }
            (Some(version), _) => (
                version.content_type,
                self.response_message(operation, version),
            ),
            (None, Some(result)) => ("text/xml; charset=utf-8", self.root(operation.root, result)),
            (None, None) => return with_body("HTTP/1.1 200 OK\n", "", &Template::default()),
        };
        let start = format!("HTTP/1.1 200 OK\nContent-Type: {content_type}\n");
        with_body(&start, "", &body)
    }

    /// A fault of the server, with a detail or with an empty one.
    fn fault(&self, version: Version, detail: Option<At<'d, Element<'d>>>) -> Template {
        let text = "Server was unable to process request. ---> ";
        let content = |markup: &mut Markup<'d>| {
            if let Some(detail) = detail {
                markup.one(detail.name, detail, self.outermost());
            }
        };
        let fault = |markup: &mut Markup<'d>| {
            if version.is_11 {
                markup.line("faultcode", &[], "soap:Server", "");
                markup.line("faultstring", &[], text, "string");
                return markup.around("detail", &[], content);
            }
            markup.around("soap:Code", &[], |markup| {
                markup.line("soap:Value", &[], "soap:Receiver", "");
            });
            markup.around("soap:Reason", &[], |markup| {
                markup.line("soap:Text", &[("xml:lang", "en")], text, "string");
            });
            markup.around("soap:Detail", &[], content);
        };
        let body = self.message(&version, None, None, |markup| {
            markup.around("soap:Fault", &[], fault);
        });
        with_body(&failed(version.content_type), "", &body)
    }

    fn request_message(&self, operation: At<'d, Operation<'d>>, version: Version) -> Template {
        let parameters = operation.parameters();
        self.message(&version, None, operation.headers(), |markup| {
            markup.wrapper(parameters.name, self.wrapper(operation), |markup, place| {
                markup.elements(parameters, place)
            });
        })
    }

    fn response_message(&self, operation: At<'d, Operation<'d>>, version: Version) -> Template {
        let rpc = (operation.is_rpc() && !version.is_11).then_some(RPC);
        self.message(&version, rpc, operation.response_headers(), |markup| {
            markup.wrapper(
                operation.response,
                self.wrapper(operation),
                |markup, place| {
                    let result = operation.result().into_iter();
                    result.for_each(|result| markup.element(result, place));
                },
            );
        })
    }

    /// An envelope, which may declare one more namespace.
    fn message(
        &self,
        version: &Version,
        more: Option<(&str, &str)>,
        headers: Option<At<'d, Headers<'d>>>,
        body: impl FnOnce(&mut Markup<'d>),
    ) -> Template {
        let declarations = once(("xmlns:soap", version.namespace)).chain(more);
        let declarations: Vec<_> = declarations.chain([XSI, XSD]).collect();
        let mut markup = Markup::new(self.service, self.types);
        markup.around("soap:Envelope", &declarations, |markup| {
            if let Some(headers) = headers {
                markup.around("soap:Header", &[], |markup| self.headers(headers, markup));
            }
            markup.around("soap:Body", &[], body);
        });
        markup.finish()
    }

    fn headers(&self, headers: At<'d, Headers<'d>>, markup: &mut Markup<'d>) {
        for (element, rule) in headers.elements() {
            let place = if rule.must_understand {
                self.outermost().saying(&[("soap:mustUnderstand", "1")])
            } else {
                self.outermost()
            };
            markup.one(element.name, element, place);
        }
    }

    /// An element of the schema, which the namespace of the service is said at.
    fn outermost(&self) -> Place {
        Place::outermost(self.service.is_qualified())
    }

    fn wrapper(&self, operation: At<'_, Operation<'_>>) -> Place {
        Place::outermost(self.service.is_qualified() && !operation.is_rpc())
    }

    /// A result over HTTP GET and POST.
    fn root(&self, name: &str, result: At<'d, Element<'d>>) -> Template {
        let mut markup = Markup::new(self.service, self.types);
        let place = if result.type_ref.is_simple() {
            self.outermost()
        } else {
            self.outermost().saying(&[XSD, XSI])
        };
        markup.one(name, result, place);
        markup.finish()
    }
}

/// The parameters as a query or as a body. Bytes are one field each, and so are the items of a list: two of them show that.
fn fields(operation: At<'_, Operation<'_>>) -> Template {
    let mut fields = Template::default();
    for parameter in operation.parameters().elements() {
        let (value, repeated) = match parameter.type_at() {
            TypeAt::List(item) => (item.type_at(), true),
            value => (value, parameter.repeated),
        };
        let (placeholder, repeated) = match value {
            TypeAt::Simple(simple) if simple.is_bytes() => (SimpleType::UnsignedByte.name(), true),
            value => (value.name(), repeated),
        };
        for _ in 0..if repeated { 2 } else { 1 } {
            if !fields.as_str().is_empty() {
                fields.text("&");
            }
            fields.text(&format!("{}=", percent_encoded(parameter.name)));
            fields.placeholder(placeholder);
        }
    }
    fields
}

/// The start of the answer to a call that failed.
fn failed(content_type: &str) -> String {
    format!("HTTP/1.1 500 Internal Server Error\nContent-Type: {content_type}\n")
}

/// A message: its start line and headers, those about its body, and the body.
fn with_body(start: &str, headers: &str, body: &Template) -> Template {
    let mut message = Template::default();
    message.text(&format!("{start}Content-Length: "));
    if body.as_str().is_empty() {
        message.text(&format!("0\n{headers}"));
    } else {
        message.placeholder("length");
        message.text(&format!("\n{headers}\n"));
        message.append(body);
    }
    message
}

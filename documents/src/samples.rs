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
    let types = Types::of(service);
    let writer = Writer {
        service,
        types: &types,
        operation,
    };
    let offered = operation.bindings.iter();
    offered
        .map(|binding| Sample {
            binding,
            request: writer.request(binding, host),
            response: writer.response(binding),
        })
        .collect()
}

/// A sample for each fault of an operation, over each version of SOAP that it is offered over.
pub fn faults<'d>(
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
) -> Vec<FaultSample<'d>> {
    let types = Types::of(service);
    let mut samples = Vec::new();
    for detail in operation.faults() {
        for binding in operation.bindings.iter() {
            samples.extend(version(binding).map(|version| FaultSample {
                name: detail.name,
                binding,
                response: fault(service, &types, version, Some(detail)),
            }));
        }
    }
    samples
}

/// How a failure is answered over each binding that some operation is offered over.
pub fn failures(service: At<'_, Service<'_>>) -> Vec<(Binding, Template)> {
    let types = Types::of(service);
    let failure = |binding| match version(binding) {
        Some(version) => fault(service, &types, version, None),
        None => plain_failure(),
    };
    let bindings = service.bindings().iter();
    bindings
        .map(|binding| (binding, failure(binding)))
        .collect()
}

fn plain_failure() -> Template {
    let mut failure = Template::default();
    failure.text("HTTP/1.1 500 Internal Server Error\nContent-Type: text/plain; charset=utf-8\nContent-Length: ");
    failure.placeholder("length");
    failure.text("\n\n");
    failure.placeholder("string");
    failure
}

/// What is particular to a version of SOAP.
struct Version {
    is_11: bool,
    content_type: &'static str,
    /// What the start tag of the envelope says.
    envelope: &'static str,
    /// The same in an answer in rpc style.
    rpc_envelope: &'static str,
}

const SOAP11: &str = r#" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#;

fn version(binding: Binding) -> Option<&'static Version> {
    match binding {
        Binding::Soap11 => Some(&Version {
            is_11: true,
            content_type: "text/xml; charset=utf-8",
            envelope: SOAP11,
            rpc_envelope: SOAP11,
        }),
        Binding::Soap12 => Some(&Version {
            is_11: false,
            content_type: "application/soap+xml; charset=utf-8",
            envelope: r#" xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#,
            rpc_envelope: r#" xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:rpc="http://www.w3.org/2003/05/soap-rpc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema""#,
        }),
        Binding::HttpGet | Binding::HttpPost => None,
    }
}

fn message<'d>(
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
    envelope: &str,
    inside: impl FnOnce(&mut Markup<'d>),
) -> Template {
    let mut markup = Markup::new(service, types);
    markup.around("soap:Envelope", envelope, inside);
    markup.finish()
}

/// A fault of the server, with a detail or with an empty one.
fn fault<'d>(
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
    version: &Version,
    detail: Option<At<'d, Element<'d>>>,
) -> Template {
    let text = "Server was unable to process request. ---&gt; ";
    let content = |name, markup: &mut Markup<'d>| match detail {
        None => markup.empty(name),
        Some(detail) => markup.around(name, "", |markup| {
            markup.one(
                detail.name,
                detail,
                Place::outermost(service.is_qualified()),
            );
        }),
    };
    let fault = |markup: &mut Markup<'d>| {
        if version.is_11 {
            markup.line("faultcode", "", "soap:Server", "");
            markup.line("faultstring", "", text, "string");
            return content("detail", markup);
        }
        markup.around("soap:Code", "", |markup| {
            markup.line("soap:Value", "", "soap:Receiver", "");
        });
        markup.around("soap:Reason", "", |markup| {
            markup.line("soap:Text", r#" xml:lang="en""#, text, "string");
        });
        content("soap:Detail", markup);
    };
    let body = message(service, types, version.envelope, |markup| {
        markup.around("soap:Body", "", |markup| {
            markup.around("soap:Fault", "", fault)
        });
    });
    let mut response = Template::default();
    response.text("HTTP/1.1 500 Internal Server Error\n");
    response.text(&format!("Content-Type: {}\n", version.content_type));
    with_body(&mut response, "", &body);
    response
}

struct Writer<'d> {
    service: At<'d, Service<'d>>,
    types: &'d Types<'d>,
    operation: At<'d, Operation<'d>>,
}

impl<'d> Writer<'d> {
    fn request(&self, binding: Binding, host: &str) -> Template {
        let path = percent_encoded(self.service.path);
        let name = percent_encoded(self.operation.name);
        let mut request = Template::default();
        match (binding, version(binding)) {
            (_, Some(version)) => {
                request.text(&format!(
                    "POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {}\n",
                    version.content_type
                ));
                let action = if version.is_11 {
                    format!("SOAPAction: \"{}\"\n", self.operation.action)
                } else {
                    String::new()
                };
                with_body(&mut request, &action, &self.request_message(version));
            }
            (Binding::HttpGet, _) => {
                request.text(&format!("GET {path}/{name}"));
                let fields = self.fields();
                if !fields.as_str().is_empty() {
                    request.text("?");
                }
                request.append(&fields);
                request.text(&format!(" HTTP/1.1\nHost: {host}\n"));
            }
            _ => {
                request.text(&format!("POST {path}/{name} HTTP/1.1\nHost: {host}\nContent-Type: application/x-www-form-urlencoded\n"));
                with_body(&mut request, "", &self.fields());
            }
        }
        request
    }

    fn response(&self, binding: Binding) -> Template {
        let mut response = Template::default();
        if self.operation.one_way && version(binding).is_some() {
            response.text("HTTP/1.1 202 Accepted\nContent-Length: 0\n");
            return response;
        }
        response.text("HTTP/1.1 200 OK\n");
        match (version(binding), self.operation.result()) {
            (Some(version), _) => {
                response.text(&format!("Content-Type: {}\n", version.content_type));
                with_body(&mut response, "", &self.response_message(version));
            }
            (None, Some(result)) => {
                response.text("Content-Type: text/xml; charset=utf-8\n");
                with_body(&mut response, "", &self.root(result));
            }
            (None, None) => response.text("Content-Length: 0\n"),
        }
        response
    }

    fn request_message(&self, version: &Version) -> Template {
        let operation = self.operation;
        let parameters = operation.parameters();
        let is_empty = parameters.elements.is_empty();
        self.message(version.envelope, operation.headers(), |markup| {
            markup.wrapper(
                parameters.name,
                self.wrapper(),
                is_empty,
                |markup, place| {
                    markup.elements(parameters, place);
                },
            );
        })
    }

    fn response_message(&self, version: &Version) -> Template {
        let operation = self.operation;
        let envelope = if operation.is_rpc() {
            version.rpc_envelope
        } else {
            version.envelope
        };
        let result = operation.result();
        self.message(envelope, operation.response_headers(), |markup| {
            markup.wrapper(
                operation.response,
                self.wrapper(),
                result.is_none(),
                |markup, place| {
                    result
                        .into_iter()
                        .for_each(|result| markup.element(result, place));
                },
            );
        })
    }

    fn headers(&self, headers: At<'d, Headers<'d>>, markup: &mut Markup<'d>) {
        for (element, rule) in headers.elements() {
            let place = if rule.must_understand {
                self.outermost().saying(r#" soap:mustUnderstand="1""#)
            } else {
                self.outermost()
            };
            markup.one(element.name, element, place);
        }
    }

    fn message(
        &self,
        envelope: &str,
        headers: Option<At<'d, Headers<'d>>>,
        body: impl FnOnce(&mut Markup<'d>),
    ) -> Template {
        message(self.service, self.types, envelope, |markup| {
            if let Some(headers) = headers {
                markup.around("soap:Header", "", |markup| self.headers(headers, markup));
            }
            markup.around("soap:Body", "", body);
        })
    }

    /// An element of the schema, which the namespace of the service is said at.
    fn outermost(&self) -> Place {
        Place::outermost(self.service.is_qualified())
    }

    fn wrapper(&self) -> Place {
        Place::outermost(self.service.is_qualified() && !self.operation.is_rpc())
    }

    /// A result over HTTP GET and POST.
    fn root(&self, result: At<'d, Element<'d>>) -> Template {
        let mut markup = Markup::new(self.service, self.types);
        let place = if result.type_ref.is_simple() {
            self.outermost()
        } else {
            self.outermost().saying(
                r#" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#,
            )
        };
        markup.one(self.operation.root, result, place);
        markup.finish()
    }

    /// The parameters as a query or as a body. Bytes are one field each, and so are the items of a list: two of them show that.
    fn fields(&self) -> Template {
        let mut fields = Template::default();
        for parameter in self.operation.parameters().elements() {
            let (value, repeated) = match parameter.type_at() {
                TypeAt::List(item) => (item.type_at(), true),
                value => (value, parameter.repeated),
            };
            let (placeholder, repeated) = match value {
                TypeAt::Simple(simple) if simple.is_bytes() => {
                    (SimpleType::UnsignedByte.name(), true)
                }
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
}

/// The headers about a body, and the body.
fn with_body(message: &mut Template, headers: &str, body: &Template) {
    message.text("Content-Length: ");
    match body.as_str() {
        "" => message.text("0"),
        _ => message.placeholder("length"),
    }
    message.text(&format!("\n{headers}"));
    if !body.as_str().is_empty() {
        message.text("\n");
        message.append(body);
    }
}

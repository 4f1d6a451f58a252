//! The parts common to HTTP GET and HTTP POST.

#[cfg(feature = "openapi")]
mod openapi;

use svcgen_model::{At, Element, Operation, Service, SimpleType, TypeAt};

use super::{
    Documented, FaultOf, InWsdl, LEFT_OUT, message_name, of_soap_alone, path_of, response,
    with_body,
};
use crate::escape::percent_encoded;
use crate::markup::Samples;
use crate::message_names::MessageNames;
use crate::shape::Shape;
use crate::template::Template;
use crate::xml::Xml;

/// The properties of HTTP GET or HTTP POST.
pub(super) struct Http {
    pub port: &'static str,
    pub method: &'static str,
    /// Writes the content of a `wsdl:input`.
    pub write_input: fn(&mut Xml),
    /// The sample request for a path, a host and fields.
    pub request: fn(&str, &str, &Template) -> Template,
    #[cfg_attr(
        not(feature = "openapi"),
        allow(dead_code, reason = "part of the bindings' tables")
    )]
    pub openapi: OpenApi,
}

/// The description of a call in OpenAPI.
#[cfg_attr(
    not(feature = "openapi"),
    allow(dead_code, reason = "part of the bindings' tables")
)]
pub(super) struct OpenApi {
    /// The key of the operation: `get`.
    pub method: &'static str,
    /// The suffix of its `operationId`.
    pub suffix: &'static str,
    /// The media type of a body with the parameters; `None` if they are in the query.
    pub body: Option<&'static str>,
}

impl Documented for Http {
    fn wsdl(&self) -> Option<&dyn InWsdl> {
        Some(self)
    }

    fn request<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template {
        let path = path_of(samples, operation);
        (self.request)(&path, host, &fields(operation))
    }

    fn response<'d>(&self, samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) -> Template {
        let Some(result) = operation.result_over_http() else {
            return with_body("HTTP/1.1 200 OK\n", "", &Template::default());
        };
        let scope = samples.service.row().scope();
        let namespace = operation.row().root_namespace.unwrap_or(scope.0);
        let body = samples.result(operation, result, namespace, scope);
        response("200 OK", "text/xml; charset=utf-8", &body)
    }

    fn failure<'d>(&self, _: &'d Samples<'d>, _: Option<FaultOf<'d>>) -> Template {
        let mut text = Template::default();
        text.placeholder("string");
        response(
            "500 Internal Server Error",
            "text/plain; charset=utf-8",
            &text,
        )
    }

    fn request_data<'o>(&self, _: At<'o, Operation<'o>>) -> Vec<(&'static str, &'o str)> {
        vec![("method", self.method)]
    }

    fn not_carried(&self, operation: At<'_, Operation<'_>>) -> Vec<&'static str> {
        let mut words = of_soap_alone(operation);
        let mut parameters = operation.parameters().elements();
        if parameters.any(|parameter| parameter.is_omitted() || parameter.is_nillable()) {
            words.push("no difference between nil and left out");
        }
        words.push("faults are a line of text");
        words
    }

    fn why_not(&self, operation: At<'_, Operation<'_>>) -> &'static str {
        let is_object = |parameter: At<'_, Element<'_>>| {
            let value = match parameter.type_at() {
                TypeAt::List(item) => item.type_at(),
                value => value,
            };
            matches!(value, TypeAt::Complex(_) | TypeAt::List(_))
        };
        if operation.parameters().elements().any(is_object) {
            "parameters are objects, and forms carry simple values and lists of them"
        } else {
            LEFT_OUT
        }
    }

    fn root<'o>(&self, operation: &Operation<'o>) -> Option<&'o str> {
        Some(operation.root)
    }

    #[cfg(feature = "openapi")]
    fn openapi(&self) -> Option<&dyn crate::calls::InOpenApi> {
        Some(self)
    }
}

impl InWsdl for Http {
    fn port(&self) -> &'static str {
        self.port
    }

    fn messages(&self) -> &'static str {
        self.port
    }

    fn prefix(&self) -> &'static str {
        "http"
    }

    fn write_binding(&self, xml: &mut Xml, _: At<'_, Service<'_>>) {
        xml.empty("http:binding", &[("verb", self.method)]);
    }

    fn write_operation(
        &self,
        xml: &mut Xml,
        _: At<'_, Service<'_>>,
        operation: At<'_, Operation<'_>>,
        _: &MessageNames<'_>,
        _: Shape,
    ) {
        let location = format!("/{}", operation.name);
        xml.empty("http:operation", &[("location", &location)]);
        let name = message_name(operation);
        xml.element("wsdl:input", &name, self.write_input);
        xml.element("wsdl:output", &name, |xml| {
            if operation.result.is_some() {
                xml.empty("mime:mimeXml", &[("part", "Body")]);
            }
        });
    }
}

/// The parameters as a query or a body. Lists have a field for each item, bytes one for each byte;
/// both are shown with two fields.
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
            fields.text(&format!("{}=", percent_encoded(parameter.field_name())));
            fields.placeholder(placeholder);
        }
    }
    fields
}

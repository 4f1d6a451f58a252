//! The interface of a binding, and what its samples are written from.

#[cfg(feature = "openapi")]
use serde_json::Value;
use svcgen_model::{At, Element, Operation, Service};

use crate::markup::{Markup, Place};
#[cfg(feature = "openapi")]
use crate::openapi::schema::Schemas;
use crate::template::Template;
use crate::types::Types;
use crate::wsdl::names::MessageNames;
use crate::xml::Xml;

/// One binding in WSDL, samples, the help page and OpenAPI.
pub(crate) trait Documented: Sync {
    /// The end of the name of its port: `Soap12`.
    fn port(&self) -> &'static str;

    /// The end of the names of its messages: `Soap`, for both versions.
    fn messages(&self) -> &'static str;

    /// The prefix of its extension elements.
    fn prefix(&self) -> &'static str;

    /// Writes the extension element of a `wsdl:binding`.
    fn write_binding(&self, xml: &mut Xml);

    /// Writes what is in the `wsdl:operation` of a `wsdl:binding`.
    fn write_operation(
        &self,
        xml: &mut Xml,
        service: At<'_, Service<'_>>,
        operation: At<'_, Operation<'_>>,
        names: &MessageNames<'_>,
    );

    /// The request of a call; `host` is that of the URL, with its port.
    fn request<'d>(
        &self,
        writer: &Writer<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template;

    /// The answer to a call that goes well.
    fn response<'d>(&self, writer: &Writer<'d>, operation: At<'d, Operation<'d>>) -> Template;

    /// The answer to a call that fails, with a detail if the binding carries one.
    fn failure<'d>(&self, writer: &Writer<'d>, detail: Option<At<'d, Element<'d>>>) -> Template;

    /// How the script of the help page makes a request: `data-` attributes, without that prefix, and their values.
    fn request_data<'o>(&self, operation: &Operation<'o>) -> Vec<(&'static str, &'o str)>;

    /// The method under which OpenAPI has the operation, and its description there but for the answers; `None` if OpenAPI cannot say it.
    #[cfg(feature = "openapi")]
    fn openapi(
        &self,
        _operation: At<'_, Operation<'_>>,
        _schemas: &Schemas<'_>,
    ) -> Option<(&'static str, Value)> {
        None
    }
}

/// What samples are written from.
pub(crate) struct Writer<'d> {
    pub service: At<'d, Service<'d>>,
    pub types: &'d Types<'d>,
}

impl<'d> Writer<'d> {
    pub fn markup(&self) -> Markup<'d> {
        Markup::new(self.service, self.types)
    }

    /// An element of the schema, which the namespace of the service is said at.
    pub fn outermost(&self) -> Place {
        Place::outermost(self.service.is_qualified())
    }
}

/// A message: its start line and headers, those about its body, and the body.
pub(super) fn with_body(start: &str, headers: &str, body: &Template) -> Template {
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

/// An answer with a body.
pub(super) fn answer(content_type: &str, body: &Template) -> Template {
    let start = format!("HTTP/1.1 200 OK\nContent-Type: {content_type}\n");
    with_body(&start, "", body)
}

/// The answer to a call that failed.
pub(super) fn failed(content_type: &str, body: &Template) -> Template {
    let start = format!("HTTP/1.1 500 Internal Server Error\nContent-Type: {content_type}\n");
    with_body(&start, "", body)
}

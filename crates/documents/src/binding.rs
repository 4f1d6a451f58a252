//! The description of each binding in documents, one file per binding. [`soap`] has the parts
//! common to both versions of SOAP, [`http`] those common to HTTP GET and HTTP POST.

mod http;
mod http_get;
mod http_post;
mod json;
mod soap;
mod soap11;
mod soap12;

use svcgen_model::{At, Binding, Element, Operation, Service, base_path};

use crate::escape::percent_encoded;
use crate::markup::Samples;
use crate::message_names::MessageNames;
use crate::shape::Shape;
use crate::template::Template;
use crate::xml::Xml;

/// The description of a binding.
pub(crate) fn documented(binding: Binding) -> &'static dyn Documented {
    match binding {
        Binding::Soap11 => &soap11::VERSION,
        Binding::Soap12 => &soap12::VERSION,
        Binding::HttpGet => &http_get::HTTP_GET,
        Binding::HttpPost => &http_post::HTTP_POST,
        Binding::Json => &json::JSON,
    }
}

/// A binding in samples, on the help page, in WSDL and in OpenAPI.
pub(crate) trait Documented: Sync {
    /// The description of the binding in WSDL, if WSDL can express it.
    fn wsdl(&self) -> Option<&dyn InWsdl> {
        None
    }

    /// A sample request; `host` includes the port.
    fn request<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template;

    /// The sample response of a successful call.
    fn response<'d>(&self, samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) -> Template;

    /// The sample response of a failed call, with the SOAP headers and the detail if the binding
    /// carries them.
    fn failure<'d>(&self, samples: &'d Samples<'d>, fault: Option<FaultOf<'d>>) -> Template;

    /// Additional information for callers, in paragraphs of documentation.
    fn guide(&self, _: &Samples<'_>) -> Option<String> {
        None
    }

    /// The `data-` attributes, without that prefix, from which the script of the help page builds
    /// requests.
    fn request_data<'o>(&self, operation: At<'o, Operation<'o>>) -> Vec<(&'static str, &'o str)>;

    /// The name of the result in answers, if it differs from that of its element.
    fn root<'o>(&self, _: &Operation<'o>) -> Option<&'o str> {
        None
    }

    /// The parts of an operation that it cannot carry, in words.
    fn not_carried(&self, _: At<'_, Operation<'_>>) -> Vec<&'static str> {
        Vec::new()
    }

    /// The reason why an operation cannot be called over it, in words.
    fn why_not(&self, _: At<'_, Operation<'_>>) -> &'static str {
        LEFT_OUT
    }

    /// The function that writes a script with functions that call operations, if pages can call
    /// them.
    fn proxy(&self) -> Option<WriteProxy> {
        None
    }

    /// The description of the binding in OpenAPI, which cannot describe SOAP.
    #[cfg(feature = "openapi")]
    fn openapi(&self) -> Option<&dyn crate::calls::InOpenApi> {
        None
    }
}

/// A fault with a detail: the operation that names it, and the detail.
pub(crate) type FaultOf<'d> = (At<'d, Operation<'d>>, At<'d, Element<'d>>);

/// Writes a script for a service at a path, with comments or without.
pub(crate) type WriteProxy = fn(At<'_, Service<'_>>, &str, bool) -> String;

/// A binding in WSDL.
pub(crate) trait InWsdl: Sync {
    /// The suffix of the name of its port: `Soap12`.
    fn port(&self) -> &'static str;

    /// The infix of the names of its messages, before `In` and `Out`: `Soap` for both versions.
    fn messages(&self) -> &'static str;

    /// The prefix of its extension elements.
    fn prefix(&self) -> &'static str;

    /// Writes the extension element of its `wsdl:binding`.
    fn write_binding(&self, xml: &mut Xml, service: At<'_, Service<'_>>);

    /// Writes the content of a `wsdl:operation` in its `wsdl:binding`.
    fn write_operation(
        &self,
        xml: &mut Xml,
        service: At<'_, Service<'_>>,
        operation: At<'_, Operation<'_>>,
        names: &MessageNames<'_>,
        shape: Shape,
    );
}

/// The bindings that WSDL describes.
pub(crate) fn in_wsdl() -> impl Iterator<Item = (Binding, &'static dyn InWsdl)> {
    let all = Binding::ALL.into_iter();
    all.filter_map(|binding| Some((binding, documented(binding).wsdl()?)))
}

/// The attributes of the input and the output of an operation: the name distinguishes overloads.
pub(crate) fn message_name<'o>(operation: At<'_, Operation<'o>>) -> Vec<(&'static str, &'o str)> {
    let name = operation
        .row()
        .wsdl_name
        .map(|_| ("name", operation.row().name));
    name.into_iter().collect()
}

/// The path of an operation over a binding other than SOAP.
fn path_of(samples: &Samples<'_>, operation: At<'_, Operation<'_>>) -> String {
    let name = percent_encoded(operation.name);
    format!("{}/{name}", base_path(samples.path))
}

/// Creates a message: start line and headers, `Content-Length`, more headers, and the body.
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

/// Creates a response with a body.
fn response(status: &str, content_type: &str, body: &Template) -> Template {
    let start = format!("HTTP/1.1 {status}\nContent-Type: {content_type}\n");
    with_body(&start, "", body)
}

/// The reason why an operation is not offered over a binding that could carry it.
const LEFT_OUT: &str = "the definition leaves it out";

/// The parts of an operation that only SOAP carries, in words.
fn of_soap_alone(operation: At<'_, Operation<'_>>) -> Vec<&'static str> {
    let row = operation.row();
    let has_headers = [row.headers, row.response_headers, row.fault_headers]
        .iter()
        .any(Option::is_some);
    let parts = [
        (has_headers, "no SOAP headers"),
        (row.has_results_for_soap(), "no results but the first"),
        (!row.faults.is_empty(), "no details of faults"),
    ];
    let parts = parts.into_iter().filter(|(holds, _)| *holds);
    parts.map(|(_, words)| words).collect()
}

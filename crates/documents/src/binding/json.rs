//! JSON: parameters and results as `application/json`.

mod guide;
#[cfg(feature = "openapi")]
mod openapi;
mod proxy;
mod sample;

use svcgen_model::{At, Element, ElementForm, Operation, ResponseFormat, TypeRef};

use super::{Documented, FaultOf, WriteProxy, of_soap_alone, path_of, response, with_body};
use crate::markup::Samples;
use crate::template::Template;
use sample::{Layout, Writer};

pub(super) static JSON: Json = Json;

pub(super) struct Json;

/// The media type of requests, even of GET requests, and of answers.
const CONTENT_TYPE: &str = "application/json; charset=utf-8";

impl Documented for Json {
    fn request<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template {
        let path = path_of(samples, operation);
        let headers = format!("HTTP/1.1\nHost: {host}\nContent-Type: {CONTENT_TYPE}\n");
        if operation.script.use_http_get {
            let mut request = Template::default();
            request.text(&format!("GET {path}"));
            request.append(&query(samples, operation));
            request.text(&format!(" {headers}"));
            return request;
        }
        let mut body = Writer::new(samples, Layout::Lines);
        body.parameters(operation);
        with_body(&format!("POST {path} {headers}"), "", &body.finish())
    }

    fn response<'d>(&self, samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) -> Template {
        let format = operation.script.response_format;
        if let (ResponseFormat::Xml | ResponseFormat::XmlString, Some(result)) =
            (format, operation.result_over_http())
        {
            let body = if is_sent_raw(operation, result) {
                let mut text = Template::default();
                text.placeholder(result.type_name());
                text
            } else {
                samples.result(operation, result, "", ("", ElementForm::Qualified))
            };
            return response("200 OK", "text/xml; charset=utf-8", &body);
        }
        let mut body = Writer::new(samples, Layout::Lines);
        body.answer(operation.result());
        response("200 OK", CONTENT_TYPE, &body.finish())
    }

    fn failure<'d>(&self, _: &'d Samples<'d>, _: Option<FaultOf<'d>>) -> Template {
        let mut body = Template::default();
        body.text("{\n  \"Message\": \"");
        body.placeholder("string");
        body.text("\",\n  \"StackTrace\": \"\",\n  \"ExceptionType\": \"");
        body.placeholder("string");
        body.text("\"\n}");
        let start = "HTTP/1.1 500 Internal Server Error\njsonerror: true\n";
        with_body(&format!("{start}Content-Type: {CONTENT_TYPE}\n"), "", &body)
    }

    fn guide(&self, samples: &Samples<'_>) -> Option<String> {
        Some(guide::guide(samples))
    }

    fn request_data<'o>(&self, operation: At<'o, Operation<'o>>) -> Vec<(&'static str, &'o str)> {
        let by_get = operation.script.use_http_get;
        let method = if by_get { "GET" } else { "POST" };
        let mut data = vec![("method", method), ("content-type", CONTENT_TYPE)];
        if operation
            .result()
            .is_some_and(|result| result.secret && is_sent_raw(operation, result))
        {
            data.push(("secret-answer", ""));
        }
        data
    }

    fn root<'o>(&self, operation: &Operation<'o>) -> Option<&'o str> {
        Some(match operation.script.response_format {
            ResponseFormat::Json => "d",
            ResponseFormat::Xml | ResponseFormat::XmlString => operation.root,
        })
    }

    fn not_carried(&self, operation: At<'_, Operation<'_>>) -> Vec<&'static str> {
        of_soap_alone(operation)
    }

    fn proxy(&self) -> Option<WriteProxy> {
        Some(proxy::proxy)
    }

    #[cfg(feature = "openapi")]
    fn openapi(&self) -> Option<&dyn crate::calls::InOpenApi> {
        Some(self)
    }
}

/// Whether the body of an answer is a text without anything around it.
fn is_sent_raw(operation: At<'_, Operation<'_>>, result: At<'_, Element<'_>>) -> bool {
    operation.script.response_format == ResponseFormat::Xml
        && matches!(result.type_ref, TypeRef::Simple(simple) if simple.is_text())
}

/// The query of a GET request: each parameter is a field whose value is JSON.
fn query<'d>(samples: &'d Samples<'d>, operation: At<'d, Operation<'d>>) -> Template {
    let mut query = Template::default();
    for parameter in operation.parameters().elements() {
        let sign = if query.as_str().is_empty() { "?" } else { "&" };
        let name = encoded(parameter.field_name());
        query.text(&format!("{sign}{name}="));
        let mut value = Writer::new(samples, Layout::Query);
        value.value(parameter);
        query.append(&value.finish().mapped(encoded));
    }
    query
}

/// Encodes a text for a query, like `encodeURIComponent` in browsers.
fn encoded(text: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let encoded = text.bytes().map(|byte| match byte {
        byte if is_kept(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    encoded.collect()
}

//! HTTP GET: the parameters stand in the query.

#[cfg(feature = "openapi")]
use serde_json::{Value, json};
#[cfg(feature = "openapi")]
use svcgen_model::{Absence, At, Element, Operation};

use super::http::Http;
#[cfg(feature = "openapi")]
use super::http::is_repeated;
#[cfg(feature = "openapi")]
use crate::openapi::schema::{Schemas, describe};
use crate::template::Template;

pub(super) static HTTP_GET: Http = Http {
    port: "HttpGet",
    method: "GET",
    write_input: |xml| xml.empty("http:urlEncoded", &[]),
    request,
    #[cfg(feature = "openapi")]
    openapi: ("get", "Get", write_parameters),
};

fn request(path: &str, host: &str, fields: &Template) -> Template {
    let mut request = Template::default();
    request.text(&format!("GET {path}"));
    if !fields.as_str().is_empty() {
        request.text("?");
    }
    request.append(fields);
    request.text(&format!(" HTTP/1.1\nHost: {host}\n"));
    request
}

#[cfg(feature = "openapi")]
fn write_parameters(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>, call: &mut Value) {
    let parameters = operation.parameters().elements();
    call["parameters"] = parameters
        .map(|parameter| query_parameter(parameter, schemas))
        .collect();
}

#[cfg(feature = "openapi")]
fn query_parameter(parameter: At<'_, Element<'_>>, schemas: &Schemas<'_>) -> Value {
    let repeated = is_repeated(parameter);
    let mut described = json!({
        "name": parameter.name,
        "in": "query",
        "required": !repeated,
        "schema": schemas.field(parameter),
    });
    describe(&mut described, parameter.documentation());
    if repeated {
        described["style"] = json!("form");
        described["explode"] = json!(true);
    } else if parameter.absence != Absence::Required {
        described["allowEmptyValue"] = json!(true);
    }
    described
}

//! HTTP POST: the parameters stand in the body.

#[cfg(feature = "openapi")]
use serde_json::{Map, Value, json};
#[cfg(feature = "openapi")]
use svcgen_model::{At, Operation};

use super::http::Http;
#[cfg(feature = "openapi")]
use super::http::is_repeated;
use super::interface::with_body;
#[cfg(feature = "openapi")]
use crate::openapi::schema::{Object, Schemas, describe};
use crate::template::Template;

/// The media type of a form.
const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

pub(super) static HTTP_POST: Http = Http {
    port: "HttpPost",
    method: "POST",
    write_input: |xml| xml.empty("mime:content", &[("type", MEDIA_TYPE)]),
    request,
    #[cfg(feature = "openapi")]
    openapi: ("post", "Post", write_parameters),
};

fn request(path: &str, host: &str, fields: &Template) -> Template {
    let start = format!("POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {MEDIA_TYPE}\n");
    with_body(&start, "", fields)
}

/// A field that is not there at all is an error, unless it may be there several times; an absent value is a blank one.
#[cfg(feature = "openapi")]
fn write_parameters(operation: At<'_, Operation<'_>>, schemas: &Schemas<'_>, call: &mut Value) {
    let parameters = operation.parameters();
    if parameters.elements.is_empty() {
        return;
    }
    let mut fields = Object::default();
    let mut encoding = Map::new();
    for parameter in parameters.elements() {
        let mut schema = schemas.field(parameter);
        describe(&mut schema, parameter.documentation());
        let repeated = is_repeated(parameter);
        if repeated {
            let exploded = json!({ "style": "form", "explode": true });
            encoding.insert(parameter.name.to_owned(), exploded);
        }
        fields.insert(parameter, schema, !repeated);
    }
    let mut media_type = json!({ "schema": fields.finish() });
    if !encoding.is_empty() {
        media_type["encoding"] = Value::Object(encoding);
    }
    call["requestBody"] = json!({ "required": true, "content": { MEDIA_TYPE: media_type } });
}

//! HTTP POST: parameters in the body.

use super::http::{Http, OpenApi};
use super::with_body;
use crate::template::Template;

/// The media type of a form.
const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

pub(super) static HTTP_POST: Http = Http {
    port: "HttpPost",
    method: "POST",
    write_input: |xml| xml.empty("mime:content", &[("type", MEDIA_TYPE)]),
    request,
    openapi: OpenApi {
        method: "post",
        suffix: "Post",
        body: Some(MEDIA_TYPE),
    },
};

fn request(path: &str, host: &str, fields: &Template) -> Template {
    let start = format!("POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {MEDIA_TYPE}\n");
    with_body(&start, "", fields)
}

//! HTTP GET: parameters in the query.

use super::http::{Http, OpenApi};
use crate::template::Template;

pub(super) static HTTP_GET: Http = Http {
    port: "HttpGet",
    method: "GET",
    write_input: |xml| xml.empty("http:urlEncoded", &[]),
    request,
    openapi: OpenApi {
        method: "get",
        suffix: "Get",
        body: None,
    },
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

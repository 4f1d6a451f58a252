//! Messages as texts, which are equal if the messages are.

use bytes::Bytes;
use http::{HeaderMap, Request, Response};

fn shown_headers(headers: &HeaderMap) -> String {
    let mut all: Vec<_> = headers
        .iter()
        .filter(|(name, _)| *name != "host")
        .map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()))
        .collect();
    all.sort();
    all.concat()
}

pub fn shown_request(request: &Request<Bytes>) -> String {
    let target = request.uri().path_and_query().unwrap();
    let body = String::from_utf8_lossy(request.body());
    format!(
        "{} {target}\n{}\n{body}",
        request.method(),
        shown_headers(request.headers())
    )
}

pub fn shown_response(response: &Response<Bytes>) -> String {
    let body = String::from_utf8_lossy(response.body());
    format!(
        "{}\n{}\n{body}",
        response.status(),
        shown_headers(response.headers())
    )
}

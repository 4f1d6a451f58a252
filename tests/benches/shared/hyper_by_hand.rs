//! The bound of what code for one call could reach: `Login` over SOAP 1.1 on hyper, where nothing
//! of a request is checked, and the values stay where they are.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response};
use http_body_util::{Collected, Full};
use memchr::{memchr, memchr3, memmem};
use svcgen_tests::device_login_service::DeviceLoginResponse;
use tokio::net::TcpListener;

use crate::{bare, record_by_hand};

pub async fn serve(listener: TcpListener, record: DeviceLoginResponse) {
    let record = Arc::new(record);
    let answer = move |_: &_, body: Collected<Bytes>| {
        let body = body.to_bytes();
        let login = ["<username>", "<password>", "<devicePin>"].map(|tag| text(&body, tag));
        std::hint::black_box(login);
        let text = record_by_hand::envelope(&record, escape);
        let mut response = Response::new(Full::new(Bytes::from(text)));
        let headers = response.headers_mut();
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=0"),
        );
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/xml; charset=utf-8"),
        );
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    };
    bare::accept(listener, None, answer).await;
}

/// The text after a start tag.
fn text<'b>(body: &'b [u8], tag: &str) -> Option<&'b [u8]> {
    let start = memmem::find(body, tag.as_bytes())? + tag.len();
    let rest = &body[start..];
    Some(&rest[..memchr(b'<', rest)?])
}

fn escape(value: &str, text: &mut String) {
    let mut rest = value;
    while let Some(at) = memchr3(b'<', b'>', b'&', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        text.push_str(match rest.as_bytes()[at] {
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&amp;",
        });
        rest = &rest[at + 1..];
    }
    text.push_str(rest);
}

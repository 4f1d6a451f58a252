//! HTTP responses: status and exactly the headers that belong to it.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
#[cfg(feature = "documents")]
use http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response, StatusCode};
use svcgen_model::Service;

use crate::binding::envelope::{self, Version};
use crate::binding::{VERSIONS, http_result, plain_text};
use crate::failure::Failure;
use crate::fault::Fault;

/// `Cache-Control` once the call was made.
const CALLED: HeaderValue = HeaderValue::from_static("private, max-age=0");
/// `Cache-Control` of what was found before the call.
const EARLY: HeaderValue = HeaderValue::from_static("private");

fn response(
    status: StatusCode,
    cache: HeaderValue,
    content_type: &'static str,
    body: Vec<u8>,
) -> Response<Bytes> {
    let mut response = with_length(status, cache, body);
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn empty(status: StatusCode, cache: HeaderValue) -> Response<Bytes> {
    with_length(status, cache, Vec::new())
}

fn with_length(status: StatusCode, cache: HeaderValue, body: Vec<u8>) -> Response<Bytes> {
    let length = HeaderValue::from(body.len());
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // Room for what the HTTP server adds, so that the map does not grow.
    headers.reserve(6);
    headers.insert(CACHE_CONTROL, cache);
    headers.insert(CONTENT_LENGTH, length);
    response
}

/// A written answer.
pub(crate) fn ok(content_type: &'static str, body: Vec<u8>) -> Response<Bytes> {
    response(StatusCode::OK, CALLED, content_type, body)
}

/// A result over HTTP GET and POST; without one there is no `Content-Type` either.
pub(crate) fn result(body: Vec<u8>) -> Response<Bytes> {
    match body.is_empty() {
        true => empty(StatusCode::OK, CALLED),
        false => ok(http_result::CONTENT_TYPE, body),
    }
}

/// The answer to a call that has none.
pub(crate) fn accepted() -> Response<Bytes> {
    empty(StatusCode::ACCEPTED, CALLED)
}

fn cache(failure: &Failure) -> HeaderValue {
    if failure.early { EARLY } else { CALLED }
}

/// A failure over SOAP.
pub(crate) fn soap_fault(version: &Version, failure: &Failure) -> Response<Bytes> {
    let message = envelope::write_fault(version, &failure.fault);
    response(
        failure.status,
        cache(failure),
        version.content_type,
        message,
    )
}

/// A failure over HTTP GET and POST: always 500, its text without the sentence that SOAP puts before it.
pub(crate) fn form_fault(failure: &Failure) -> Response<Bytes> {
    let text = failure.form_text.unwrap_or_else(|| failure.fault.text());
    response(
        StatusCode::INTERNAL_SERVER_ERROR,
        cache(failure),
        plain_text::CONTENT_TYPE,
        line(&plain_text::escape(text)),
    )
}

/// The answer to a request that is no call.
pub(crate) type NoCall = Box<Response<Bytes>>;

/// Why a request is answered before its body is looked at.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// No service has this path.
    Path,
    /// The path is for other methods, these.
    Method(&'static str),
    /// The media type is of no version of SOAP; which ones are read.
    MediaType(String),
    /// The body is compressed.
    Encoding,
    /// The path names no operation, said in the original's words.
    Operation(String),
}

impl Refusal {
    /// The media type is of no version of SOAP.
    pub(crate) fn media_type(service: &Service<'_>) -> Self {
        Self::MediaType(media_types(service))
    }
}

/// The answer to a refused request: one line of text.
pub(crate) fn refused(refusal: &Refusal) -> Response<Bytes> {
    match refusal {
        Refusal::Path => text(StatusCode::NOT_FOUND, "There is no service at this path."),
        Refusal::Method(allow) => {
            let message = format!("This path is for {allow} requests.");
            let mut response = text(StatusCode::METHOD_NOT_ALLOWED, &message);
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static(allow));
            response
        }
        Refusal::MediaType(read) => text(StatusCode::UNSUPPORTED_MEDIA_TYPE, read),
        Refusal::Encoding => {
            let message =
                "Compressed requests are not read: send the body without Content-Encoding.";
            text(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
        }
        Refusal::Operation(message) => form_fault(&Failure::early(Fault::client(message))),
    }
}

/// A page for people, which may load what its policy says and stand in no frame.
#[cfg(feature = "documents")]
pub(crate) fn page(status: StatusCode, policy: &'static str, body: String) -> Response<Bytes> {
    let mut response = response(
        status,
        CALLED,
        "text/html; charset=utf-8",
        body.into_bytes(),
    );
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn text(status: StatusCode, message: &str) -> Response<Bytes> {
    response(status, EARLY, plain_text::CONTENT_TYPE, line(message))
}

fn line(message: &str) -> Vec<u8> {
    [message, "\n"].concat().into_bytes()
}

/// Which media types a service reads.
fn media_types(service: &Service<'_>) -> String {
    let offered = service.bindings();
    let served: Vec<String> = VERSIONS
        .iter()
        .filter(|version| offered.contains(version.binding))
        .map(
            |Version {
                 media_type,
                 binding,
                 ..
             }| format!("{media_type} ({binding})"),
        )
        .collect();
    match served.is_empty() {
        true => format!("{} is not called over SOAP.", service.name),
        false => format!("Requests to this path are {}.", served.join(" or ")),
    }
}

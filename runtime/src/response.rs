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

/// `Cache-Control` once the call was made.
const CALLED: HeaderValue = HeaderValue::from_static("private, max-age=0");
/// `Cache-Control` of what was found before the call.
const EARLY: HeaderValue = HeaderValue::from_static("private");

fn response(
    status: StatusCode,
    cache: HeaderValue,
    content_type: Option<&'static str>,
    body: Vec<u8>,
) -> Response<Bytes> {
    let length = HeaderValue::from(body.len());
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // Room for what the HTTP server adds, so that the map does not grow.
    headers.reserve(6);
    headers.insert(CACHE_CONTROL, cache);
    headers.insert(CONTENT_LENGTH, length);
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    response
}

/// A written answer.
pub(crate) fn ok(content_type: &'static str, body: Vec<u8>) -> Response<Bytes> {
    response(StatusCode::OK, CALLED, Some(content_type), body)
}

/// A result over HTTP GET and POST; without one there is no `Content-Type` either.
pub(crate) fn result(body: Vec<u8>) -> Response<Bytes> {
    let content_type = (!body.is_empty()).then_some(http_result::CONTENT_TYPE);
    response(StatusCode::OK, CALLED, content_type, body)
}

/// The answer to a call that has none.
pub(crate) fn accepted() -> Response<Bytes> {
    response(StatusCode::ACCEPTED, CALLED, None, Vec::new())
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
        Some(version.content_type),
        message,
    )
}

/// A failure over HTTP GET and POST: always 500, its text without the sentence that SOAP puts before it.
pub(crate) fn form_fault(failure: &Failure) -> Response<Bytes> {
    let text = failure.form_text.unwrap_or_else(|| failure.fault.text());
    response(
        StatusCode::INTERNAL_SERVER_ERROR,
        cache(failure),
        Some(plain_text::CONTENT_TYPE),
        line(&plain_text::escape(text)),
    )
}

/// The answer to a request that is no call.
pub(crate) type NoCall = Box<Response<Bytes>>;

/// The answer to a refused request: one line of text.
pub(crate) fn refused(status: StatusCode, message: &str) -> Response<Bytes> {
    let content_type = Some(plain_text::CONTENT_TYPE);
    response(status, EARLY, content_type, line(message))
}

/// No service has this path.
pub(crate) fn no_service() -> NoCall {
    refused(StatusCode::NOT_FOUND, "There is no service at this path.").into()
}

/// The path is for other methods, these.
pub(crate) fn not_allowed(allow: &'static str) -> Response<Bytes> {
    let message = format!("This path is for {allow} requests.");
    let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, &message);
    let allow = HeaderValue::from_static(allow);
    response.headers_mut().insert(ALLOW, allow);
    response
}

/// The media type is of no version of SOAP.
pub(crate) fn unknown_media_type(service: &Service<'_>) -> Response<Bytes> {
    refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &media_types(service))
}

/// A page for people, which may load what its policy says and stand in no frame.
#[cfg(feature = "documents")]
pub(crate) fn page(status: StatusCode, policy: &'static str, body: String) -> Response<Bytes> {
    let mut response = response(
        status,
        CALLED,
        Some("text/html; charset=utf-8"),
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

fn line(message: &str) -> Vec<u8> {
    [message, "\n"].concat().into_bytes()
}

/// Which media types a service reads.
fn media_types(service: &Service<'_>) -> String {
    let offered = service.bindings();
    let served: Vec<String> = VERSIONS
        .iter()
        .filter(|version| offered.contains(version.binding))
        .map(|version| format!("{} ({})", version.media_type, version.binding))
        .collect();
    match served.is_empty() {
        true => format!("{} is not called over SOAP.", service.name),
        false => format!("Requests to this path are {}.", served.join(" or ")),
    }
}

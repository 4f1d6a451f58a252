//! HTTP responses.

use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, EXPIRES, PRAGMA, RETRY_AFTER,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
#[cfg(feature = "documents")]
use http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use http::{HeaderValue, Response, StatusCode};

use crate::buffers;
use crate::failure::Failure;
use crate::outgoing_body::{OutgoingBody, tell_broken_off};

/// `Cache-Control` after a call.
const CALLED: HeaderValue = HeaderValue::from_static("private, max-age=0");
/// `Cache-Control` of failures before the call.
const EARLY: HeaderValue = HeaderValue::from_static("private");

/// A result may contain text that anybody stored, and browsers must not interpret it as HTML.
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");

/// The `Content-Type` of failures that are a line of text.
pub(crate) const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

fn response(
    status: StatusCode,
    cache: HeaderValue,
    content_type: Option<&'static str>,
    body: Vec<u8>,
) -> Response<Bytes> {
    let mut digits = itoa::Buffer::new();
    // `HeaderValue::from` allocates twice.
    let length = HeaderValue::from_str(digits.format(body.len()));
    let length = length.unwrap_or_else(|_| HeaderValue::from(body.len()));
    let mut response = Response::new(buffers::into_bytes(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // Reserved for the headers that the HTTP server adds.
    headers.reserve(6);
    headers.insert(CACHE_CONTROL, cache);
    headers.insert(CONTENT_LENGTH, length);
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    }
    response
}

/// Returns the answer to a call.
pub(crate) fn called(
    status: StatusCode,
    content_type: Option<&'static str>,
    body: Vec<u8>,
) -> Response<Bytes> {
    response(status, CALLED, content_type, body)
}

/// Returns the answer to a one-way call.
pub fn accepted() -> Response<Bytes> {
    called(StatusCode::ACCEPTED, None, Vec::new())
}

/// Replaces the headers of an answer to a call by the headers of ASMX for an operation with a
/// `CacheDuration`: only the server may cache the answer.
pub(crate) fn kept_by_server(response: &mut Response<Bytes>) {
    let headers = response.headers_mut();
    if headers.get(CACHE_CONTROL) == Some(&CALLED) {
        let no_cache = HeaderValue::from_static("no-cache");
        headers.insert(CACHE_CONTROL, no_cache.clone());
        headers.insert(PRAGMA, no_cache);
        headers.insert(EXPIRES, HeaderValue::from_static("-1"));
    }
}

/// The name of the cookie of sessions.
pub(crate) const SESSION_COOKIE: &str = "ASP.NET_SessionId";

/// Adds the cookie of a new session, as ASP.NET writes it. Over TLS, the cookie is `Secure`.
pub(crate) fn begin_session(response: &mut Response<Bytes>, id: &str, is_encrypted: bool) {
    let secure = if is_encrypted { "secure; " } else { "" };
    let cookie = format!("{SESSION_COOKIE}={id}; path=/; {secure}HttpOnly; SameSite=Lax");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

/// Returns the answer to a failed call. `early` is set if it failed before it started.
pub(crate) fn failed(
    early: bool,
    status: StatusCode,
    content_type: &'static str,
    body: Vec<u8>,
) -> Response<Bytes> {
    let cache = if early { EARLY } else { CALLED };
    response(status, cache, Some(content_type), body)
}

/// Returns the answer of a server that has no room for a call: a line of text over every binding,
/// because callers read no fault with this status.
pub(crate) fn busy(failure: &Failure) -> Response<Bytes> {
    let mut response = refused(failure.status, failure.fault.text());
    let seconds = HeaderValue::from_static("1");
    response.headers_mut().insert(RETRY_AFTER, seconds);
    response
}

/// The answer to a request that is not a call.
pub(crate) type NoCall = Box<Response<Bytes>>;

/// Returns the answer to a refused request: one line of text.
pub fn refused(status: StatusCode, message: &str) -> Response<Bytes> {
    let content_type = Some(PLAIN_TEXT);
    response(status, EARLY, content_type, line(message))
}

/// Returns the answer to a path of no service.
pub(crate) fn no_service() -> NoCall {
    refused(StatusCode::NOT_FOUND, "There is no service at this path.").into()
}

/// Returns the answer to a method that the path does not allow. `allow` lists the allowed methods.
pub fn not_allowed(allow: &'static str) -> Response<Bytes> {
    let message = format!("This path is for {allow} requests.");
    let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, &message);
    let allow = HeaderValue::from_static(allow);
    response.headers_mut().insert(ALLOW, allow);
    response
}

/// Returns a page with its content security policy.
#[cfg(feature = "documents")]
pub(crate) fn page(status: StatusCode, policy: &str, body: String) -> Response<Bytes> {
    let content_type = Some("text/html; charset=utf-8");
    let mut response = called(status, content_type, body.into_bytes());
    // Policies are visible ASCII; without one, nothing is allowed.
    let nothing = || HeaderValue::from_static("default-src 'none'");
    let policy = HeaderValue::from_str(policy).unwrap_or_else(|_| nothing());
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Makes the HTTP server close the connection after a response.
pub fn close_connection<B>(response: &mut Response<B>) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
}

/// Reads the whole body of a response into memory. If a file cannot be read, returns an error
/// response instead.
pub(crate) fn in_memory(response: Response<OutgoingBody>) -> Response<Bytes> {
    let (head, body) = response.into_parts();
    match body.into_bytes() {
        Ok(body) => Response::from_parts(head, body),
        Err(error) => {
            tell_broken_off(&error);
            let message = "A file of the answer cannot be read.";
            refused(StatusCode::INTERNAL_SERVER_ERROR, message)
        }
    }
}

/// Returns a line of text as a body.
pub(crate) fn line(message: &str) -> Vec<u8> {
    [message, "\n"].concat().into_bytes()
}

//! Errors as ASMX reports them to page scripts: `{"Message":…,"StackTrace":…,"ExceptionType":…}`.

use std::fmt::Display;

use ::http::{HeaderName, HeaderValue, Response, StatusCode};
use bytes::Bytes;

use super::CONTENT_TYPE;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::response;
use svcgen_wire::internals::json_text::push_text;

/// Marks the answer as an error for Microsoft's script client, independent of the status.
pub(super) static JSON_ERROR: HeaderName = HeaderName::from_static("jsonerror");

/// Returns the failure of a request that is not a call or cannot be read, with the class of its
/// exception in .NET.
pub(super) fn refused(message: impl Display, class: &'static str) -> Failure {
    Failure::early(Fault::client(message).with_exception_type(class))
}

/// Returns the answer to a call that failed: 500, which callers expect once the operation is known.
pub(super) fn response(failure: &Failure) -> Response<Bytes> {
    let fault = &failure.fault;
    let class = fault.exception_type().unwrap_or(if fault.is_exception() {
        "System.Exception"
    } else {
        "System.Web.Services.Protocols.SoapException"
    });
    let status = match failure.status {
        StatusCode::NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut body = Vec::with_capacity(128);
    body.extend_from_slice(b"{\"Message\":");
    push_text(&mut body, fault.text().as_bytes());
    body.extend_from_slice(b",\"StackTrace\":\"\",\"ExceptionType\":");
    push_text(&mut body, class.as_bytes());
    body.push(b'}');
    let mut response = response::failed(true, status, CONTENT_TYPE, body);
    let yes = HeaderValue::from_static("true");
    response.headers_mut().insert(&JSON_ERROR, yes);
    response
}

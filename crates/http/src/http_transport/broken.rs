//! Errors of broken exchanges.

use std::error::Error;
use std::io::{self, ErrorKind};

use http::header::{CONTENT_LENGTH, PROXY_AUTHENTICATE, TRANSFER_ENCODING};
use http::uri::Authority;
use http::{HeaderMap, response};

use svcgen_core::transport::{TransportError, TransportErrorKind};

/// The message of hyper for a head that is too long. Only for servers, hyper has a method for this
/// case.
const TOO_LARGE: &str = "message head is too large";

/// Returns the error for a missing response, or an incomplete head.
pub(super) fn in_head(error: hyper::Error) -> TransportError {
    let message = if let Some(why) = tls(&error) {
        why
    } else if error.is_incomplete_message() {
        "the connection was closed before the head of the response ended".to_owned()
    } else if error.is_parse() && error.to_string() == TOO_LARGE {
        "the head of the response is too long".to_owned()
    } else if error.is_parse() {
        format!("the head of the response is not one of HTTP/1.1: {error}")
    } else {
        "the connection broke before the response".to_owned()
    };
    TransportError::new(TransportErrorKind::Exchange, message).with_source(error)
}

/// Returns the error for a body whose end is missing or cannot be found, in a response with this
/// head.
pub(super) fn in_body(error: hyper::Error, head: &response::Parts) -> TransportError {
    if let Some(why) = tls(&error) {
        return TransportError::new(TransportErrorKind::Exchange, why).with_source(error);
    }
    let cause = error
        .source()
        .and_then(|cause| cause.downcast_ref::<io::Error>());
    let message = match cause.map(|cause| (cause.kind(), cause)) {
        Some((ErrorKind::UnexpectedEof, _)) => {
            format!("the response ended early: before {}", end(head))
        }
        Some((ErrorKind::InvalidInput | ErrorKind::InvalidData, cause)) => {
            format!("the chunked coding of the response is broken: {cause}")
        }
        _ => "the connection broke in the body of the response".to_owned(),
    };
    TransportError::new(TransportErrorKind::Exchange, message).with_source(error)
}

/// Returns the error for a body that is not gzip, although its head announces gzip.
pub(super) fn in_gzip(error: io::Error) -> TransportError {
    let message = match error.kind() {
        ErrorKind::UnexpectedEof => "the gzip coding of the response is cut off".to_owned(),
        _ => format!("the gzip coding of the response is broken: {error}"),
    };
    TransportError::new(TransportErrorKind::Exchange, message).with_source(error)
}

/// Returns the error for a failed login handshake.
pub(super) fn in_handshake(why: &str) -> TransportError {
    let message = format!("the handshake that identifies the client failed: {why}");
    TransportError::new(TransportErrorKind::Exchange, message)
}

/// Returns the error for a proxy that requires credentials.
pub(super) fn at_proxy(to: &Authority, headers: &HeaderMap) -> TransportError {
    let message = format!(
        "no connection to {to}: the proxy {}",
        wants_credentials(headers)
    );
    TransportError::new(TransportErrorKind::Connect, message)
}

/// Describes a proxy's answer 407, in words that follow its name.
pub(super) fn wants_credentials(headers: &HeaderMap) -> String {
    let wanted = headers.get_all(PROXY_AUTHENTICATE).iter();
    let wanted: Vec<_> = wanted
        .map(|header| String::from_utf8_lossy(header.as_bytes()))
        .collect();
    format!(
        "wants credentials ({}): give them by Proxy::with_basic_auth",
        wanted.join(", ")
    )
}

/// Returns the message of TLS for this error: with TLS 1.3, a server refuses the certificate of a
/// client after the handshake.
fn tls(error: &hyper::Error) -> Option<String> {
    #[cfg(feature = "tls")]
    return super::handshake::tls_error(error).map(super::handshake::explained);
    #[cfg(not(feature = "tls"))]
    {
        let _ = error;
        None
    }
}

/// Describes the end that a body with this head must have.
fn end(head: &response::Parts) -> String {
    let length = head
        .headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    match length {
        Some(length) if !head.headers.contains_key(TRANSFER_ENCODING) => {
            format!("the length of {length} bytes that its head announces")
        }
        None if !head.headers.contains_key(TRANSFER_ENCODING) => {
            "TLS ended (close_notify), which alone would have ended it".to_owned()
        }
        _ => "its last chunk".to_owned(),
    }
}

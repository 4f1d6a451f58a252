//! Errors as ASMX tells page scripts of them: `{"Message":…,"StackTrace":…,"ExceptionType":…}`.

use ::http::{HeaderName, HeaderValue, Response, StatusCode};
use bytes::Bytes;

use super::CONTENT_TYPE;
use super::escape::push_text;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::response;
use svcgen_wire::{ReadError, ReadErrorKind};

/// Tells Microsoft's script client that the answer is an error, whatever its status.
pub(super) static JSON_ERROR: HeaderName = HeaderName::from_static("jsonerror");

pub(super) const NULL_REFERENCE: &str = "Object reference not set to an instance of an object";

const ARGUMENT: &str = "System.ArgumentException";
const INVALID_OPERATION: &str = "System.InvalidOperationException";

/// The types of .NET whose texts a converter of numbers reads, which throws another exception than the other converters.
const NUMBERS: [&str; 11] = [
    "Byte", "Decimal", "Double", "Int16", "Int32", "Int64", "SByte", "Single", "UInt16", "UInt32",
    "UInt64",
];

/// A request that is no call.
pub(super) fn refused(message: impl Into<String>) -> Failure {
    let message = message.into();
    let class = exception_type(ReadErrorKind::Value, &message);
    Failure::early(Fault::client(message).with_exception_type(class))
}

/// A request that cannot be read.
pub(super) fn unread(error: &ReadError) -> Failure {
    let class = exception_type(error.kind(), error.message());
    Failure::early(Fault::client(error.message()).with_exception_type(class))
}

/// A result that cannot be written.
pub(super) fn unwritten(message: impl Into<String>) -> Failure {
    let message = message.into();
    let class = exception_type(ReadErrorKind::Value, &message);
    Fault::exception(message).with_exception_type(class).into()
}

/// The error for a text of more characters than a limit.
pub(super) fn too_long(limit: usize) -> String {
    format!(
        "Error during serialization or deserialization using the JSON JavaScriptSerializer. The length of the string exceeds the value set on the \
         maxJsonLength property. It is {limit} here; `Limits::with_json_length` of the server allows more."
    )
}

/// The exception of .NET with a text.
fn exception_type(kind: ReadErrorKind, message: &str) -> &'static str {
    let converted = message.rsplit_once(" is not a valid value for ");
    match converted.map(|(_, class)| class.trim_end_matches('.')) {
        Some(class) if NUMBERS.contains(&class) => "System.Exception",
        Some(_) => "System.FormatException",
        None if message == NULL_REFERENCE => "System.NullReferenceException",
        None if message.starts_with("No parameterless constructor") => {
            "System.MissingMethodException"
        }
        None if message.starts_with("RecursionLimit") => ARGUMENT,
        None if message.starts_with("Unknown web method") => ARGUMENT,
        None => match kind {
            ReadErrorKind::Malformed | ReadErrorKind::Limit => ARGUMENT,
            // A value that does not fit, or none.
            _ => INVALID_OPERATION,
        },
    }
}

/// The answer to a call that failed: 500, as its callers expect for everything that has an operation.
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

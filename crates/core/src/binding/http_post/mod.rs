//! HTTP POST: the parameters are in the body.

use ::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use ::http::{HeaderValue, Method, Request};
use bytes::Bytes;
use svcgen_model::Binding;

use super::http::Http;
use super::protocol::{Message, Outgoing, new_request, operation_url};
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::media_type::{MediaType, header_text};
use svcgen_wire::internals::form;
use svcgen_wire::internals::form::Form;

pub(super) static PROTOCOL: Http = Http {
    binding: Binding::HttpPost,
    method: Method::POST,
    read,
    request,
};

fn read<'m>(message: &Message<'_, 'm>) -> Result<Form<'m>, Failure> {
    let content_type = header_text(message.headers.get(CONTENT_TYPE));
    let media_type = MediaType::read(&content_type);
    if !media_type.is(form::MEDIA_TYPE) {
        let text = format_args!("Request format is invalid: {content_type}.");
        return Err(Failure::early(Fault::client(text)));
    }
    let charset = media_type.charset();
    Ok(form::read(message.body, charset, message.limits)?)
}

fn request(call: &Outgoing<'_>, fields: Vec<u8>) -> Result<Request<Bytes>, CallError> {
    let is_empty = fields.is_empty();
    let mut request = new_request(Method::POST, operation_url(call, "")?, fields);
    let headers = request.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(form::MEDIA_TYPE));
    if is_empty {
        // HTTP stacks omit this header for an empty body, and some servers then answer 411.
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(request)
}

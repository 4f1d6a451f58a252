//! HTTP GET: the parameters are in the query.

use ::http::{Method, Request};
use bytes::Bytes;
use svcgen_model::Binding;

use super::http::Http;
use super::protocol::{Message, Outgoing, new_request, operation_url};
use crate::call_error::CallError;
use crate::failure::Failure;
use svcgen_wire::internals::form;
use svcgen_wire::internals::form::Form;

pub(super) static PROTOCOL: Http = Http {
    binding: Binding::HttpGet,
    method: Method::GET,
    read,
    request,
};

fn read<'m>(message: &Message<'_, 'm>) -> Result<Form<'m>, Failure> {
    let (query, limits) = (message.query.as_bytes(), message.limits);
    Ok(form::read(query, None, limits)?)
}

fn request(call: &Outgoing<'_>, fields: Vec<u8>) -> Result<Request<Bytes>, CallError> {
    let url = operation_url(call, &String::from_utf8_lossy(&fields))?;
    Ok(new_request(Method::GET, url, Vec::new()))
}

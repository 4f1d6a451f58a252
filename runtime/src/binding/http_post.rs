//! HTTP POST: the parameters stand in the body.

use super::form::{Form, MEDIA_TYPE, TooManyFields};
use super::media_type::MediaType;
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::limits::Limits;

/// The parameters of a body, if it is a form.
pub(crate) fn read<'b>(
    body: &'b [u8],
    content_type: &str,
    limits: &Limits,
) -> Result<Result<Form<'b>, TooManyFields>, Failure> {
    let media_type = MediaType::read(content_type);
    if !media_type.is(MEDIA_TYPE) {
        let message = format!("Request format is invalid: {content_type}.");
        return Err(Failure::early(Fault::new(FaultCode::Client, message)));
    }
    Ok(Form::read(body, media_type.charset(), limits.parameters))
}

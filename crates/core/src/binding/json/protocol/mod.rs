//! Calls: reads parameters and writes results as JSON.

mod client;
mod mask;

use std::borrow::Cow;

use ::http::{Request, Response, StatusCode};
use bytes::Bytes;
use svcgen_model::{Operation, ResponseFormat};

use super::{CONTENT_TYPE, Json, error};
use crate::binding::protocol::{
    self, Answer, CallHead, Message, OpenedRequest, Outgoing, Protocol, ReadHeader, ReadValue,
    Unopened,
};
use crate::binding::received::Received;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::mask::MaskedNotation;
use crate::response;
use svcgen_json::internals::{
    NULL_REFERENCE, Parameters, decode, exception_type, is_longer, too_long, write_result,
    write_xml,
};
use svcgen_wire::internals::{BinaryPartsWriter, Charset, Checks, MessagePart};
use svcgen_wire::{Content, ReadErrorKind};

/// The text before a result. After the result comes `}`.
const START: &[u8] = b"{\"d\":";

/// An answer without a result.
const NOTHING: &[u8] = b"{\"d\":null}";

/// The `Content-Type` of results in XML.
const XML_CONTENT_TYPE: &str = "text/xml; charset=utf-8";

impl Protocol for Json {
    fn decode<'b>(&self, _: Option<Charset>, body: &'b [u8]) -> Result<Cow<'b, str>, Failure> {
        Ok(decode(body))
    }

    fn open<'m>(
        &'static self,
        head: CallHead,
        message: &Message<'_, 'm>,
    ) -> Result<OpenedRequest<'m>, Unopened> {
        // No operation may run other than the one in the path.
        let index = head.operation.expect("the path names the operation");
        let service = message.service;
        let operation = service.beside(&service.row().operations[index]);
        let mut checks = Checks::new(message.facets);
        checks.expect(operation, MessagePart::Parameters);
        let parameters = Parameters {
            service,
            operation,
            query: message.query,
            text: message.text,
            bytes: message.body.len(),
            strict: message.strict,
            limits: *message.limits,
            checks,
        };
        Ok(OpenedRequest {
            protocol: self,
            operation: index,
            parameters: Box::new(parameters),
            understood: Vec::new(),
        })
    }

    fn write_answer(
        &self,
        answer: &Answer<'_>,
        _: Option<&mut dyn BinaryPartsWriter>,
        result: &mut dyn FnMut(&str, &mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let operation = answer.operation;
        let Some(row) = operation.result() else {
            return Ok(());
        };
        if operation.script.response_format != ResponseFormat::Json {
            return match write_xml(body, (answer.service, operation.row()), row.row(), result) {
                Ok(true) => Ok(()),
                Ok(false) => Err(unwritten(NULL_REFERENCE)),
                Err(error) => Err(unwritten(error.to_string())),
            };
        }
        body.extend_from_slice(START);
        write_result(
            body,
            row.beside(answer.service),
            row,
            answer.nan_as_null,
            result,
        )
        .map_err(|error| unwritten(error.to_string()))?;
        let (limit, text) = (answer.limits.json_length, &body[START.len()..]);
        if text.len() > limit && is_longer(&String::from_utf8_lossy(text), limit) {
            return Err(unwritten(too_long(limit)));
        }
        body.push(b'}');
        Ok(())
    }

    fn respond(
        &self,
        operation: &Operation<'_>,
        outcome: Result<Vec<u8>, &Failure>,
    ) -> Response<Bytes> {
        let (body, content_type) = match outcome {
            // One-way operations are answered like other operations without a result.
            Ok(_) if operation.one_way || operation.result.is_none() => {
                (NOTHING.to_vec(), CONTENT_TYPE)
            }
            Ok(body) => match operation.script.response_format {
                ResponseFormat::Json => (body, CONTENT_TYPE),
                ResponseFormat::Xml | ResponseFormat::XmlString => (body, XML_CONTENT_TYPE),
            },
            Err(failure) => return error::response(failure),
        };
        response::called(StatusCode::OK, Some(content_type), body)
    }

    fn clears_head(&self) -> bool {
        true
    }

    fn masked(&self) -> Option<&dyn MaskedNotation> {
        Some(self)
    }

    fn request(
        &self,
        call: &Outgoing<'_>,
        _: Option<&mut dyn BinaryPartsWriter>,
        parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        client::request(call, parameters)
    }

    fn read_response(
        &self,
        received: &Received<'_>,
        result: &mut ReadValue<'_>,
        _: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError> {
        client::read_response(received, result)
    }
}

impl protocol::Parameters for Parameters<'_> {
    fn read(self: Box<Self>, parameters: &mut ReadValue<'_>) -> Result<(), Failure> {
        (*self).read(parameters).map_err(|error| {
            error::refused(
                error.message(),
                exception_type(error.kind(), error.message()),
            )
        })
    }
}

/// Returns the failure of a result that cannot be written.
fn unwritten(message: impl Into<String>) -> Failure {
    let message = message.into();
    let class = exception_type(ReadErrorKind::Value, &message);
    Fault::exception(message).with_exception_type(class).into()
}

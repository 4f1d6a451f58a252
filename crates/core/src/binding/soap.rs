//! Code shared by both versions of SOAP.

mod answer;
pub(crate) mod encoding;
mod envelope;
mod fault;
mod headers;
mod receiver;
mod soap11;
mod soap12;
pub(crate) mod version;
pub(crate) mod versions;

use std::borrow::Cow;

use ::http::HeaderMap;
use ::http::HeaderValue;
use ::http::header::CONTENT_TYPE;
use ::http::{Method, Request, Response, StatusCode};
use bytes::Bytes;
use svcgen_model::{Binding, Operation, Service, Style};

use super::operations::Operations;
use super::protocol::{
    Answer, BindingRouter, CallHead, Head, Message, OpenedRequest, Outgoing, Protocol, ReadHeader,
    ReadValue, Unopened, new_request,
};
use super::received::{self, Received};
use crate::buffers;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::fault::FaultCode;
use crate::media_type::MediaType;
use crate::response;
use envelope::{Encoded, Envelope};
pub(crate) use headers::{Headers, MessageKind, read_unknown_header, write_headers};
pub use receiver::is_for_us;
use svcgen_wire::internals::BinaryPartsWriter;
use svcgen_wire::internals::Parts;
use svcgen_wire::internals::{Charset, decode_message};
use svcgen_wire::internals::{MessagePart, Side, TimeZone};
use svcgen_wire::{Content, Reader};
use version::{Target, Version};

/// Chooses among an operation and the others with the same request element: returns the operation
/// that has all parts of the request, and the fewest others.
fn closest(
    service: &Service<'_>,
    operation: usize,
    overloads: impl Iterator<Item = usize>,
    parts: &[String],
) -> usize {
    let all = [operation].into_iter().chain(overloads);
    let closest = all.min_by_key(|index| {
        let elements = service.operations[*index].parameters.elements;
        let is_known = |part: &&String| elements.iter().any(|element| element.name == **part);
        let is_missing = |name: &str| parts.iter().all(|part| part != name);
        let unknown = parts.iter().filter(|part| !is_known(part)).count();
        let missing = elements
            .iter()
            .filter(|element| is_missing(element.name))
            .count();
        (unknown, missing)
    });
    // Among equals, this is the first one: the operation that the action names.
    closest.unwrap_or(operation)
}

impl BindingRouter for Version {
    fn binding(&self) -> Binding {
        self.binding
    }

    fn route(&self, head: &Head<'_>) -> Option<Result<CallHead, Failure>> {
        if head.operation.is_some() || *head.method != Method::POST {
            return None;
        }
        // Most senders write exactly this, so it is compared before it is parsed.
        let charset = if head.content_type == self.content_type {
            Some(Charset::UTF_8)
        } else {
            let media_type = MediaType::read(&head.content_type);
            if !media_type.is(self.media_type) {
                return None;
            }
            media_type.charset()
        };
        Some(Ok(CallHead {
            charset,
            operation: None,
        }))
    }

    fn refuse(&self, failure: &Failure) -> Response<Bytes> {
        let message = envelope::write_fault(self, &failure.fault);
        response::failed(failure.early, failure.status, self.content_type, message)
    }

    fn named(
        &self,
        service: &Service<'_>,
        operations: &Operations,
        headers: &HeaderMap,
    ) -> Option<usize> {
        let target = Target {
            headers,
            service,
            operations,
            element: None,
        };
        match target.routed_by_element(self.binding) {
            None => (self.route)(&target).ok(),
            Some(_) => None,
        }
    }

    fn media_type(&self) -> Option<&'static str> {
        Some(self.media_type)
    }
}

impl Protocol for Version {
    fn decode<'b>(
        &self,
        charset: Option<Charset>,
        body: &'b [u8],
    ) -> Result<Cow<'b, str>, Failure> {
        decode_message(body, charset).map_err(Failure::malformed)
    }

    fn open<'m>(
        &'static self,
        _: CallHead,
        message: &Message<'_, 'm>,
    ) -> Result<OpenedRequest<'m>, Unopened> {
        let service = message.service.row();
        let mut reader = Reader::of_message(message.text, message.body.len(), message.limits);
        reader.set_up(service, message.strict, message.facets);
        reader.set_parts(message.parts);
        let version = envelope::version(&mut reader, self.versions).map_err(|failure| {
            // A VersionMismatch is sent as SOAP 1.1 (SOAP 1.2 part 1 appendix A).
            let mismatch = *failure.fault.code() == FaultCode::VersionMismatch;
            let version = if mismatch { self.versions[0] } else { self };
            Unopened::Refused(version, failure)
        })?;
        if self.has_own_media_type && self.binding != version.binding {
            return Err(Unopened::MediaType);
        }
        let refuse = |failure| Unopened::Refused(version, failure);
        let opened = envelope::Request::open(reader, version, service, message.understood);
        let mut request = opened.map_err(refuse)?;
        let target = Target {
            headers: message.headers,
            service,
            operations: message.operations,
            element: request.element(),
        };
        let routed = target.routed_by_element(version.binding);
        match routed.unwrap_or_else(|| (version.route)(&target)) {
            Ok(operation) => {
                let operations = message.operations;
                let overloads = operations.overloads(service, version.binding, operation);
                let mut overloads = overloads.peekable();
                let operation = match overloads.peek() {
                    None => operation,
                    Some(_) => closest(service, operation, overloads, &request.parts()),
                };
                let called = message.service.beside(&service.operations[operation]);
                request.expect(called, service);
                Ok(OpenedRequest {
                    protocol: version,
                    operation,
                    understood: std::mem::take(&mut request.understood),
                    parameters: request,
                })
            }
            Err(failure) => Err(refuse(request.fail(failure))),
        }
    }

    fn write_answer(
        &self,
        answer: &Answer<'_>,
        parts: Option<&mut dyn BinaryPartsWriter>,
        result: &mut dyn FnMut(&str, &mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let (service, operation) = (answer.service, answer.operation.row());
        let start = match operation.style {
            Style::Document | Style::Bare => self.start,
            Style::Rpc => self.rpc_start,
        };
        let mut content = |out: &mut Content<'_>| {
            if operation.has_results() {
                return result("", out);
            }
            let Some(row) = &operation.result else { return };
            let before = out.len();
            result(row.name, out);
            if row.is_nillable() && out.len() == before {
                out.nil(row.name);
            }
        };
        if let Some(encoding) = self.encoding(answer.operation, service) {
            let envelope = Encoded {
                start,
                headers: answer.headers,
                encoding: &*encoding,
                side: Side::Server,
            };
            return Ok(envelope.write(self, TimeZone::of(service), &mut content, body)?);
        }
        let envelope = Envelope {
            start,
            service,
            headers: answer.headers,
            element: (operation.style != Style::Bare).then_some(operation.response.name),
            rows: Parts::of_response(operation, service).rows(operation.results()),
            side: Side::Server,
        };
        let parts = parts.map(|parts| parts as _);
        Ok(envelope.write(body, parts, &mut content)?)
    }

    /// Accepts a call of a one-way operation once its request is read, even if the handler returns
    /// a fault or a header is not understood. Only SOAP has one-way operations: over other
    /// bindings, they are operations without a result.
    fn respond(
        &self,
        operation: &Operation<'_>,
        outcome: Result<Vec<u8>, &Failure>,
    ) -> Response<Bytes> {
        match outcome {
            Ok(_) if operation.one_way => response::accepted(),
            Err(failure) if operation.one_way && failure.untold => response::accepted(),
            Ok(body) => response::called(StatusCode::OK, Some(self.content_type), body),
            Err(failure) => self.refuse(failure),
        }
    }

    fn request(
        &self,
        call: &Outgoing<'_>,
        parts: Option<&mut dyn BinaryPartsWriter>,
        parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        let (service, operation) = (call.service, call.operation.row());
        let mut body = buffers::with_capacity(1024);
        if let Some(encoding) = self.encoding(call.operation, service) {
            let envelope = Encoded {
                start: self.start,
                headers: call.headers,
                encoding: &*encoding,
                side: Side::Client,
            };
            envelope.write(self, TimeZone::of(service), parameters, &mut body)?;
        } else {
            let envelope = Envelope {
                start: self.start,
                service,
                headers: call.headers,
                element: (operation.style != Style::Bare).then_some(operation.parameters.name),
                rows: Parts::of_request(operation, service).rows(operation.parameters.elements),
                side: Side::Client,
            };
            let parts = parts.map(|parts| parts as _);
            envelope.write(&mut body, parts, parameters)?;
        }
        let mut request = new_request(Method::POST, call.url.clone(), body);
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        // Formatting takes longer than writing the parameters.
        let action = ["\"", operation.action, "\""].concat();
        (self.set_action)(action, headers).map_err(|_| CallError::Action {
            operation: operation.name.to_owned(),
        })?;
        Ok(request)
    }

    fn read_response(
        &self,
        received: &Received<'_>,
        result: &mut ReadValue<'_>,
        header: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError> {
        let (operation, media_type, status) =
            (received.operation, &received.media_type, received.status);
        let mut versions = self.versions.iter();
        let is_soap = received::is_xml(media_type)
            || versions.any(|version| media_type.is(version.media_type));
        let is_empty = received.body.is_empty();
        match status {
            StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::INTERNAL_SERVER_ERROR
                if is_soap && !is_empty => {}
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT
                if operation.result.is_none() && !operation.has_results() && is_empty =>
            {
                return Ok(false);
            }
            _ if operation.one_way && status.is_success() && is_empty => return Ok(false),
            _ if status.is_success() => return Err(received.is_not("a SOAP message")),
            _ => return Err(received.status_error()),
        }
        let text = received.document()?;
        let mut reader = received.reader(&text);
        reader.expect_part(received.operation, MessagePart::Results);
        answer::read(reader, self.versions, received, result, header)
    }
}

//! Code shared by HTTP GET and HTTP POST: each operation has its own path, parameters are the
//! fields of a form, results are documents, and failures are a line of text.

mod plain_text;

use ::http::{Method, Request, Response, StatusCode};
use bytes::Bytes;
use svcgen_model::{Binding, Operation, Service};

use super::protocol::{
    Answer, BindingRouter, CallHead, Head, Message, OpenedRequest, Outgoing, Parameters, Protocol,
    ReadHeader, ReadValue, Unopened,
};
use super::received::Received;
use crate::call_error::CallError;
use crate::failure::Failure;
use crate::fault::{Fault, FaultCode};
use crate::response;
use svcgen_wire::internals::BinaryPartsWriter;
use svcgen_wire::internals::Rows;
use svcgen_wire::internals::form::Form;
use svcgen_wire::internals::{Checks, Levels, MessagePart, TimeZone, refuse_unknown_fields};
use svcgen_wire::{Content, Element};

/// The `Content-Type` of a result.
const CONTENT_TYPE: &str = "text/xml; charset=utf-8";

const DECLARATION: &str = r#"<?xml version="1.0" encoding="utf-8"?>"#;

/// The differences between HTTP GET and HTTP POST.
pub(super) struct Http {
    pub(super) binding: Binding,
    pub(super) method: Method,
    /// Reads the fields of a request.
    pub(super) read: for<'m> fn(&Message<'_, 'm>) -> Result<Form<'m>, Failure>,
    /// Creates the request of a client with these fields.
    pub(super) request: fn(&Outgoing<'_>, Vec<u8>) -> Result<Request<Bytes>, CallError>,
}

impl BindingRouter for Http {
    fn binding(&self) -> Binding {
        self.binding
    }

    fn route(&self, head: &Head<'_>) -> Option<Result<CallHead, Failure>> {
        let (service, operation) = (head.service, head.operation?);
        if *head.method != self.method {
            return None;
        }
        let index = head.operations.named(service, self.binding, operation);
        Some(match index {
            Some(index) => Ok(CallHead {
                charset: None,
                operation: Some(index),
            }),
            None => {
                let message = unknown_operation(service, self.binding, operation);
                Err(Failure::early(Fault::client(message)))
            }
        })
    }

    /// Always answers 500. The text lacks the sentence that SOAP adds.
    fn refuse(&self, failure: &Failure) -> Response<Bytes> {
        let text = failure.form_text.unwrap_or_else(|| failure.fault.text());
        response::failed(
            failure.early,
            StatusCode::INTERNAL_SERVER_ERROR,
            response::PLAIN_TEXT,
            response::line(&plain_text::escape(text)),
        )
    }
}

impl Protocol for Http {
    fn open<'m>(
        &'static self,
        head: CallHead,
        message: &Message<'_, 'm>,
    ) -> Result<OpenedRequest<'m>, Unopened> {
        // No operation may run other than the one in the path.
        let operation = head.operation.expect("the path names the operation");
        let elements = message.service.operations[operation].parameters.elements;
        // Without parameters, neither the query nor the body is read.
        let fields = if elements.is_empty() {
            Ok(Form::default())
        } else {
            (self.read)(message)
        };
        let fields = fields
            .and_then(|fields| {
                if message.strict {
                    refuse_unknown_fields(elements, &fields.fields)?;
                }
                Ok(fields)
            })
            .map_err(|failure| Unopened::Refused(self, failure))?;
        let mut checks = Checks::new(message.facets);
        let called = &message.service.row().operations[operation];
        checks.expect(message.service.beside(called), MessagePart::Parameters);
        Ok(OpenedRequest {
            protocol: self,
            operation,
            parameters: Box::new(Fields {
                form: fields,
                time_zone: TimeZone::of(&message.service),
                checks,
            }),
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
        let (service, operation) = (answer.service, answer.operation.row());
        let Some(row) = operation.result_over_http() else {
            return Ok(());
        };
        let root = operation.root_row(row);
        let (out, line_end) = if answer.crlf {
            (Content::indented_crlf(body), "\r\n")
        } else {
            (Content::indented(body), "\n")
        };
        if row.type_ref.is_document() {
            let mut out = out;
            out.raw(DECLARATION);
            out.write_document(row.name, &mut |out| result(operation.root, out));
            return Ok(out.finish()?);
        }
        let namespace = operation.root_namespace.unwrap_or(service.scope().0);
        let rows = Rows::new(service.scope(), std::slice::from_ref(&root));
        let mut out = out.with_levels(Levels::of(service, rows, 1));
        out.time_zone = TimeZone::of(service);
        out.list_names = service.list_names;
        out.items = operation.items_over_http();
        out.any_characters = true;
        out.raw(DECLARATION);
        out.raw(line_end);
        out.write_root(
            operation.root,
            row.type_ref.declares_schema(),
            namespace,
            &mut |out| result(operation.root, out),
        );
        Ok(out.finish()?)
    }

    fn respond(&self, _: &Operation<'_>, outcome: Result<Vec<u8>, &Failure>) -> Response<Bytes> {
        match outcome {
            Ok(body) => {
                // An answer without a result has no `Content-Type` either.
                let content_type = (!body.is_empty()).then_some(CONTENT_TYPE);
                response::called(StatusCode::OK, content_type, body)
            }
            Err(failure) => self.refuse(failure),
        }
    }

    fn request(
        &self,
        call: &Outgoing<'_>,
        _: Option<&mut dyn BinaryPartsWriter>,
        parameters: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        if !call.headers.is_empty() {
            return Err(CallError::Headers {
                operation: call.operation.name.to_owned(),
                binding: self.binding,
            });
        }
        let mut fields = Vec::new();
        let mut out = Content::form(&mut fields);
        out.time_zone = TimeZone::of(call.service);
        parameters(&mut out);
        out.finish()?;
        (self.request)(call, fields)
    }

    fn read_response(
        &self,
        received: &Received<'_>,
        result: &mut ReadValue<'_>,
        _: &mut ReadHeader<'_>,
    ) -> Result<bool, CallError> {
        let (status, media_type) = (received.status, &received.media_type);
        if status == StatusCode::INTERNAL_SERVER_ERROR && media_type.is("text/plain") {
            let text = received.text()?;
            let message = plain_text::unescape(text.trim_end_matches(['\r', '\n']));
            return Err(CallError::Fault(Fault::new(FaultCode::Server, message)));
        }
        if !status.is_success() {
            return Err(received.status_error());
        }
        let Some(row) = received.operation.row().result_over_http() else {
            return Ok(false);
        };
        if received.body.is_empty() {
            return Ok(false);
        }
        received.read_root(row, result)
    }
}

/// The parameters of a call.
struct Fields<'f> {
    form: Form<'f>,
    time_zone: TimeZone,
    checks: Checks<'f>,
}

impl Parameters for Fields<'_> {
    fn read(self: Box<Self>, parameters: &mut ReadValue<'_>) -> Result<(), Failure> {
        let mut element = Element::of_fields(&self.form.fields, &self.form.limits);
        element.time_zone = self.time_zone;
        element.checks = self.checks;
        Ok(element.checked(parameters)?)
    }
}

fn unknown_operation(service: &Service<'_>, binding: Binding, operation: &str) -> String {
    if !service.bindings().contains(binding) {
        return format!(
            "Request format is unrecognized for URL unexpectedly ending in '/{operation}'."
        );
    }
    let lower_case = operation.to_lowercase();
    match service.find(binding, |known| known.name.to_lowercase() == lower_case) {
        None => format!("{operation} Web Service method name is not valid."),
        Some(index) => format!(
            "Invalid method name '{operation}',  method names are case sensitive.   The method name '{}' \
             with the same name but different casing was found.\nParameter name: methodName",
            service.operations[index].name,
        ),
    }
}

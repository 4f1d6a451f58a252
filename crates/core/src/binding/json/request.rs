//! Reading the parameters of a call.

use svcgen_model::{At, Operation, Service, Types};

use super::decode::is_longer;
use super::document::Document;
use super::error::{NULL_REFERENCE, too_long, unread};
use super::values::Values;
use crate::binding::protocol::{self, Message, ReadValue};
use crate::failure::Failure;
use svcgen_wire::Element;
use svcgen_wire::Limits;
use svcgen_wire::internals::Room;
use svcgen_wire::internals::Source;
use svcgen_wire::internals::form;
use svcgen_wire::internals::{Checks, TimeZone};
use svcgen_wire::{ReadError, ReadErrorKind};

/// The parameters of a call, as its body or its query carries them.
pub(super) struct Parameters<'m> {
    service: At<'m, Service<'m>>,
    query: &'m str,
    /// The body, and how many bytes it had before it was decoded.
    text: &'m str,
    bytes: usize,
    operation: At<'m, Operation<'m>>,
    strict: bool,
    limits: Limits,
    checks: Checks<'m>,
}

impl<'m> Parameters<'m> {
    pub(super) fn of(
        message: &Message<'_, 'm>,
        operation: At<'m, Operation<'m>>,
        checks: Checks<'m>,
    ) -> Self {
        Self {
            service: message.service,
            query: message.query,
            text: message.text,
            bytes: message.body.len(),
            operation,
            strict: message.strict,
            limits: *message.limits,
            checks,
        }
    }

    fn read_all(&self, parameters: &mut ReadValue<'_>) -> Result<(), ReadError> {
        if self.operation.script.use_http_get {
            let form = form::read(self.query.as_bytes(), None, &self.limits)?;
            for (_, value) in &form.fields {
                self.check_length(value)?;
            }
            let mut room = Room::of_fields(&form.fields, &self.limits);
            let rows = self.operation.parameters.elements;
            let document = Document::of_query(&form.fields, rows, &mut room);
            let document = document.map_err(|error| self.malformed(error))?;
            return self.read_object(&document, room, parameters);
        }
        // No body at all is an object without members, one of blanks is nothing.
        let text = if self.text.is_empty() {
            "{}"
        } else {
            self.text
        };
        if text.trim().is_empty() {
            return Err(nothing());
        }
        self.check_length(text)?;
        let mut room = Room::of_message(self.bytes, text.len(), &self.limits);
        let document = Document::read(text, &mut room);
        let document = document.map_err(|error| self.malformed(error))?;
        self.read_object(&document, room, parameters)
    }

    fn read_object(
        &self,
        document: &Document<'_>,
        room: Room,
        parameters: &mut ReadValue<'_>,
    ) -> Result<(), ReadError> {
        let values = Values::new(document, self.service).strict(self.strict);
        if values.is_absent(document.root()) {
            return Err(nothing());
        }
        let mut element = Element::of_source(&values, document.root(), room, &self.limits);
        element.time_zone = TimeZone::of(&self.service);
        element.checks = self.checks;
        element.checked(parameters)
    }

    /// An error that quotes the text, unless there may be a secret in it.
    #[cold]
    fn malformed(&self, error: ReadError) -> ReadError {
        let rows = self.operation.parameters().elements();
        let reached = Types::of(self.service).reach(rows).elements;
        if reached.iter().any(|element| element.secret) {
            return error.conceal(1);
        }
        error
    }

    fn check_length(&self, text: &str) -> Result<(), ReadError> {
        let limit = self.limits.json_length;
        if !is_longer(text, limit) {
            return Ok(());
        }
        let message = format!("{}\nParameter name: input", too_long(limit));
        Err(ReadError::new(ReadErrorKind::Limit, message))
    }
}

/// The error for a body that holds nothing.
fn nothing() -> ReadError {
    ReadError::new(ReadErrorKind::Value, NULL_REFERENCE)
}

impl protocol::Parameters for Parameters<'_> {
    fn read(self: Box<Self>, parameters: &mut ReadValue<'_>) -> Result<(), Failure> {
        self.read_all(parameters).map_err(|error| unread(&error))
    }
}

//! The parameters of a call.

use svcgen_model::{At, Operation, Service, Types};

use crate::decode::is_longer;
use crate::document::Document;
use crate::error::{NULL_REFERENCE, too_long};
use crate::values::Values;
use svcgen_wire::internals::{Checks, Room, Source, TimeZone, form};
use svcgen_wire::{Element, Limits, ReadError, ReadErrorKind};

/// Reads a value from its element.
type ReadValue<'r> = dyn FnMut(&mut Element<'_>) -> Result<(), ReadError> + 'r;

/// The parameters of a call, from its body or its query.
#[derive(Debug)]
pub struct Parameters<'m> {
    /// The service.
    pub service: At<'m, Service<'m>>,
    /// The called operation.
    pub operation: At<'m, Operation<'m>>,
    /// The query of the URL, for operations that are called with GET.
    pub query: &'m str,
    /// The body.
    pub text: &'m str,
    /// The size of the body before it was decoded, in bytes.
    pub bytes: usize,
    /// Whether members without a row are refused.
    pub strict: bool,
    /// The limits of the message.
    pub limits: Limits,
    /// Checks of its facets.
    pub checks: Checks<'m>,
}

impl Parameters<'_> {
    /// Reads the parameters as an object.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or its values are not of their types.
    pub fn read(&self, parameters: &mut ReadValue<'_>) -> Result<(), ReadError> {
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
        // An empty body is an object without members, one of blanks is null.
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

    /// An error that contains the text, unless there may be a secret in it.
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

/// The error for a body without a value.
fn nothing() -> ReadError {
    ReadError::new(ReadErrorKind::Value, NULL_REFERENCE)
}

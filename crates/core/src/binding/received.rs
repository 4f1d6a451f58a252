//! Responses that a client received.

use std::borrow::Cow;

use ::http::{HeaderMap, StatusCode, Uri};
use svcgen_model::{At, Element, Operation, Service};

use crate::call_error::{CallError, status_hint};
use crate::media_type::MediaType;
use ::svcgen_wire;
use svcgen_wire::Accept;
use svcgen_wire::Limits;
use svcgen_wire::Reader;
use svcgen_wire::internals::Accepted;
use svcgen_wire::internals::BinaryParts;
use svcgen_wire::internals::decode_message;
use svcgen_wire::internals::printable;
use svcgen_wire::internals::{Facets, MessagePart};
use svcgen_wire::{ReadError, declared_encoding};

/// A response with its body, which is neither too long nor compressed.
pub(crate) struct Received<'r> {
    pub(crate) service: &'r Service<'r>,
    pub(crate) operation: At<'r, Operation<'r>>,
    pub(crate) limits: &'r Limits,
    pub(crate) strict: bool,
    pub(crate) facets: &'r Facets,
    pub(crate) accepted: Accepted,
    pub(crate) url: &'r Uri,
    pub(crate) status: StatusCode,
    pub(crate) headers: &'r HeaderMap,
    pub(crate) media_type: MediaType<'r>,
    pub(crate) body: &'r [u8],
    /// The parts that were sent with the message.
    pub(crate) parts: Option<&'r dyn BinaryParts>,
}

impl<'r> Received<'r> {
    /// Returns the body as text.
    pub(super) fn text(&self) -> Result<Cow<'r, str>, CallError> {
        decode_message(self.body, self.media_type.charset())
            .map_err(|error| CallError::NotText(error.to_string()))
    }

    /// Returns the body as the text of an XML document.
    pub(super) fn document(&self) -> Result<Cow<'r, str>, CallError> {
        let (mut body, mut charset) = (self.body, self.media_type.charset());
        if self.accepted.has(Accept::LeadingText) {
            body = &body[before_document(body)..];
        }
        if self.accepted.has(Accept::DeclaredEncoding) && declared_encoding(body).is_some() {
            charset = None;
        }
        decode_message(body, charset).map_err(|error| CallError::NotText(error.to_string()))
    }

    /// Returns a reader of the text of the body.
    pub(super) fn reader<'t>(&self, text: &'t str) -> Reader<'t>
    where
        'r: 't,
    {
        let mut reader = Reader::of_message(text, self.body.len(), self.limits);
        reader.set_up(self.service, self.strict, self.facets);
        reader.set_parts(self.parts);
        reader.accept(self.accepted);
        reader
    }

    /// Reads the root element of a document as the result, with `result`. Returns whether there is
    /// a result.
    pub(super) fn read_root(
        &self,
        row: &Element<'_>,
        result: &mut dyn FnMut(&mut svcgen_wire::Element<'_>) -> Result<(), ReadError>,
    ) -> Result<bool, CallError> {
        let text = self.xml()?;
        let reader = self.reader(&text);
        let items = self.operation.row().items_over_http();
        let mut reader = reader.with_list_names(self.service.list_names, items);
        reader.expect_part(self.operation, MessagePart::Returned);
        if row.type_ref.is_document() {
            if is_declaration(&text) {
                return Ok(false);
            }
            reader.root()?;
            reader.read_document(result)?;
            reader.finish()?;
            return Ok(true);
        }
        reader.root()?;
        let operation = self.operation.row();
        let namespace = operation.root_namespace.unwrap_or(self.service.scope().0);
        if !reader.is(namespace, operation.root) {
            let expected = [namespace, operation.root];
            return Err(CallError::unexpected_element(&reader, expected));
        }
        reader.say_row(row);
        reader.read_with(result)?;
        reader.finish()?;
        Ok(true)
    }

    /// Returns the body as the text of a document.
    pub(super) fn xml(&self) -> Result<Cow<'r, str>, CallError> {
        if !is_xml(&self.media_type) {
            return Err(self.is_not("XML"));
        }
        self.document()
    }

    /// Returns the error that the response is not of the expected kind.
    pub(super) fn is_not(&self, expected: &'static str) -> CallError {
        let found = if self.body.is_empty() {
            "nothing".to_owned()
        } else {
            let essence = match self.media_type.essence {
                "" => "an answer without Content-Type".to_owned(),
                essence => printable(essence),
            };
            format!("{essence}: {}", beginning(self.body))
        };
        CallError::MediaType { expected, found }
    }

    /// Returns the error that the status is not one that services answer with.
    pub(super) fn status_error(&self) -> CallError {
        let essence = self.media_type.essence.to_ascii_lowercase();
        let is_text = essence.starts_with("text/") || is_xml(&self.media_type);
        CallError::Status {
            status: self.status,
            text: if is_text {
                beginning(self.body)
            } else {
                String::new()
            },
            hint: status_hint(self.status, self.headers, self.url),
        }
    }
}

pub(super) fn is_xml(media_type: &MediaType<'_>) -> bool {
    media_type.is("text/xml") || media_type.is("application/xml")
}

/// Returns the offset of the document in a body: of its declaration, unless that is in a CDATA
/// section, or else of its first tag. [`Accept::LeadingText`] reads from there on.
pub fn before_document(body: &[u8]) -> usize {
    let section = memchr::memmem::find(body, b"<![CDATA[").unwrap_or(body.len());
    let declaration = memchr::memmem::find(&body[..section], b"<?xml ");
    let start = declaration.or_else(|| memchr::memchr(b'<', body));
    start.unwrap_or(0)
}

/// Whether a text is only an XML declaration, and so not a document.
fn is_declaration(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    let rest = text
        .strip_prefix("<?xml ")
        .and_then(|rest| rest.split_once("?>"));
    rest.is_some_and(|(_, rest)| rest.trim_ascii().is_empty())
}

/// Returns the beginning of a body that cannot be read, safe to print.
fn beginning(body: &[u8]) -> String {
    const QUOTED: usize = 160;
    let text = printable(&String::from_utf8_lossy(
        &body[..body.len().min(4 * QUOTED)],
    ));
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

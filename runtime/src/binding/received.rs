//! Responses that a client received.

use std::borrow::Cow;

use ::http::{HeaderMap, StatusCode, Uri};
use svcgen_model::{At, Operation, Service};

use super::charset::decode_message;
use super::media_type::MediaType;
use crate::call_error::{CallError, status_hint};
use crate::error_text::printable;
use crate::limits::Limits;
use crate::values::{Facets, Reader, TimeZone};
use crate::xml::Scopes;

/// A response with its body, which is neither too long nor compressed.
pub(crate) struct Received<'r> {
    pub(crate) service: &'r Service<'r>,
    pub(crate) operation: At<'r, Operation<'r>>,
    pub(crate) limits: &'r Limits,
    pub(crate) strict: bool,
    pub(crate) facets: &'r Facets,
    pub(crate) url: &'r Uri,
    pub(crate) status: StatusCode,
    pub(crate) headers: &'r HeaderMap,
    pub(crate) media_type: MediaType<'r>,
    pub(crate) body: &'r [u8],
}

impl<'r> Received<'r> {
    /// The body as text.
    pub(super) fn text(&self) -> Result<Cow<'r, str>, CallError> {
        decode_message(self.body, self.media_type.charset())
            .map_err(|error| CallError::NotText(error.to_string()))
    }

    /// Reads the text of the body.
    pub(super) fn reader<'t>(&self, text: &'t str) -> Reader<'t>
    where
        'r: 't,
    {
        Reader::of_message(text, self.body.len(), self.limits)
            .with_strict(self.strict)
            .with_facets(self.facets)
            .with_scopes(Scopes::of(self.service))
            .in_time_zone(TimeZone::of(self.service))
    }

    /// The error that the response is not what was expected.
    pub(super) fn is_not(&self, expected: &'static str) -> CallError {
        let found = if self.body.is_empty() {
            "nothing".to_owned()
        } else {
            let essence = printable(self.media_type.essence);
            format!("{essence}: {}", beginning(self.body))
        };
        CallError::MediaType { expected, found }
    }

    /// The error that the status is not one of an answer.
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

/// The beginning of a body that cannot be read, safe to print.
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

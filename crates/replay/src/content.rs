//! Masking of the contents of answers in reports.

use std::cell::OnceCell;

use bytes::Bytes;
use http::Request;
use svcgen::CallError;
use svcgen::mask::{Mask, Masked, OMITTED, Secrets};
use svcgen_messages::Service;

use crate::description::Description;

/// Decides which parts of the answers to a request are shown, by the definition if there is one.
#[derive(Debug)]
pub(crate) struct Content<'r> {
    mask: Option<Mask<'static>>,
    request: &'r Request<Bytes>,
    /// The secrets that texts must not quote.
    secrets: OnceCell<Secrets>,
}

impl<'r> Content<'r> {
    pub(crate) fn new(service: Option<Service>, request: &'r Request<Bytes>) -> Self {
        Self {
            mask: service.map(|service| Mask::new(service.row())),
            request,
            secrets: OnceCell::new(),
        }
    }

    /// Masks a text that does not depend on the definition: a name, a notation, the text of a fault
    /// or an error.
    pub(crate) fn text(&self, text: &str) -> Masked<String> {
        let shown = Masked::by(self.mask.as_ref(), text, |mask| {
            let secrets = self.secrets.get_or_init(|| mask.secrets(self.request));
            secrets.text(text)
        });
        shown.map(str::to_owned)
    }

    /// Masks the reason why an answer cannot be read, with everything that it quotes, as no row
    /// describes that.
    pub(crate) fn error(&self, error: &CallError) -> Masked<String> {
        Masked::by(self.mask.as_ref(), error.to_string(), |_| {
            self.text(&error.text_with(|_| OMITTED.to_owned()))
        })
    }

    /// Masks a value by its description.
    pub(crate) fn value(&self, known: Description, text: &str) -> Masked<String> {
        match (known, known.of_text()) {
            (Description::Free, _) => self.text(text).map(quoted),
            (_, Some(row)) => Masked::value(row, quoted(text.to_owned()), str::to_owned),
            (_, None) => words(OMITTED),
        }
    }

    /// Returns the method and path of the request; if it is not a call, with the query, provided
    /// that there is a definition to mask it.
    pub(crate) fn asked(&self, is_call: bool) -> Masked<String> {
        let mut head = Request::new(Bytes::new());
        head.method_mut().clone_from(self.request.method());
        head.uri_mut().clone_from(self.request.uri());
        let whole = |head: Request<String>| format!("{} {}", head.method(), head.uri());
        let told = if is_call { path } else { whole };
        Masked::by(self.mask.as_ref(), path(head.clone()), |mask| {
            mask.request(&head).map(told)
        })
    }
}

fn path<B>(head: Request<B>) -> String {
    format!("{} {}", head.method(), head.uri().path())
}

/// Marks a fixed text of this crate as safe to show.
pub(crate) fn words(text: &'static str) -> Masked<String> {
    Masked::fixed(text).map(str::to_owned)
}

/// Quotes a value if it begins or ends with white space, or is empty.
pub(crate) fn quoted(text: String) -> String {
    if text.is_empty() || text.trim() != text {
        return format!("{text:?}");
    }
    text
}

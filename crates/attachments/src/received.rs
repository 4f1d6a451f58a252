//! The parts of a received message.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Extensions;
use percent_encoding::percent_decode_str;
use svcgen_core::internals::printable;
use svcgen_core::types::LargeBytes;
use svcgen_wire::internals::BinaryParts;

use crate::multipart::Part;
use crate::part_head::without_brackets;

/// The parts of a received message, in their order: an extension of requests and responses.
///
/// ```
/// use svcgen_attachments::ReceivedAttachments;
///
/// fn invoice(context: &svcgen::Context, reference: &str) -> Option<svcgen::types::LargeBytes> {
///     ReceivedAttachments::of(context.extensions())?.get(reference)?.take()
/// }
/// ```
#[derive(Clone)]
pub struct ReceivedAttachments(Arc<Received>);

struct Received {
    attachments: Vec<Attachment>,
    by_id: HashMap<String, usize>,
    /// Whether the message is in MTOM.
    is_mtom: bool,
}

/// A part of a received message.
pub struct Attachment {
    id: Option<String>,
    content_type: String,
    length: u64,
    /// `None` after they were taken.
    bytes: Mutex<Option<LargeBytes>>,
}

impl ReceivedAttachments {
    pub(crate) fn new(parts: Vec<Part>, is_mtom: bool) -> Self {
        let attachments: Vec<_> = parts.into_iter().map(Attachment::new).collect();
        let ids = attachments.iter().enumerate();
        let by_id = ids.filter_map(|(index, one)| Some((one.id.clone()?, index)));
        let by_id = by_id.collect();
        Self(Arc::new(Received {
            attachments,
            by_id,
            is_mtom,
        }))
    }

    pub(crate) fn are_of_mtom(&self) -> bool {
        self.0.is_mtom
    }

    /// Returns the parts of a request or response, if it has parts.
    pub fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get()
    }

    /// Returns all parts except the message.
    pub fn iter(&self) -> impl Iterator<Item = &Attachment> {
        self.0.attachments.iter()
    }

    /// Returns the part that a reference names: a URL, `cid:ID`, as in `swaRef`, or an id.
    pub fn get(&self, reference: &str) -> Option<&Attachment> {
        let by_id = |id: &str| self.0.by_id.get(id);
        let index = match cid(reference) {
            // Some senders escape the URL and the id, or neither.
            Some(url) => by_id(url).or_else(|| by_id(&percent_decode_str(url).decode_utf8_lossy())),
            None => by_id(without_brackets(reference)),
        };
        self.0.attachments.get(*index?)
    }

    /// Returns the part with this name in the message in the WSDL, which the binding declares as
    /// `mime:content` (WS-I Attachments Profile 1.0, R2933): its id begins with the name and `=`.
    pub fn of_part(&self, name: &str) -> Option<&Attachment> {
        self.iter().find(|one| {
            let local = one.id().and_then(|id| id.rsplit_once('@'));
            let part = local.and_then(|(local, _)| local.rsplit_once('='));
            part.is_some_and(|(part, _)| percent_decode_str(part).decode_utf8_lossy() == name)
        })
    }

    fn included(&self, href: &str) -> Result<&Attachment, String> {
        if cid(href).is_none() {
            let href = printable(href);
            return Err(format!("'{href}' is not a URL of a part (cid:)."));
        }
        let found = self.get(href);
        found.ok_or_else(|| format!("No part has the Content-ID of '{}'.", printable(href)))
    }
}

/// Returns the rest of a URL with the scheme `cid` (RFC 2392).
fn cid(url: &str) -> Option<&str> {
    let url = url.trim();
    let (scheme, rest) = url.split_at_checked(4)?;
    scheme.eq_ignore_ascii_case("cid:").then_some(rest)
}

impl BinaryParts for ReceivedAttachments {
    fn take(&self, href: &str) -> Result<LargeBytes, String> {
        let taken = self.included(href)?.take();
        taken.ok_or_else(|| format!("The part '{}' is included twice.", printable(href)))
    }

    fn length(&self, href: &str) -> Result<usize, String> {
        let length = self.included(href)?.length;
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

impl Attachment {
    fn new(part: Part) -> Self {
        Self {
            id: part.head.id,
            content_type: part.head.content_type,
            length: part.bytes.len(),
            bytes: Mutex::new(Some(part.bytes)),
        }
    }

    /// Returns the `Content-ID`, without angle brackets.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the media type, as the sender wrote it; empty if there is none.
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// Returns the length of the part in bytes, also after the bytes were taken.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether the part has no bytes; taking them does not change this.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Takes the bytes, which [`LargeBytes::into_vec`] loads into memory. Returns `None` if they
    /// were already taken, by this method or for an `xop:Include` that names the part.
    pub fn take(&self) -> Option<LargeBytes> {
        self.bytes().take()
    }

    fn bytes(&self) -> MutexGuard<'_, Option<LargeBytes>> {
        // Nothing panics while it is locked.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Omits the content, which may contain secrets.
impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attachment")
            .field("id", &self.id)
            .field("content_type", &self.content_type)
            .field("len", &self.length)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ReceivedAttachments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

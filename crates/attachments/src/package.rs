//! Packages: their media types, and the messages in them.

use std::sync::Arc;

use bytes::Bytes;
use http::{Extensions, HeaderValue};
use svcgen_core::internals::{MediaType, ReceivedParts, Unpack, UnpackError, Unpacked, printable};

use crate::multipart::{Bounds, Multipart, Part};
use crate::part_bytes::PartsOnDisk;
use crate::part_head::without_brackets;
use crate::received::ReceivedAttachments;

/// The media type of a package.
pub(crate) const MULTIPART: &str = "multipart/related";

/// The media type of a message with an `xop:Include` (XOP §4.1).
pub(crate) const XOP_XML: &str = "application/xop+xml";

/// The media type of messages in SOAP 1.1.
pub(crate) const SOAP_11: &str = "text/xml";

/// The media type of messages in SOAP 1.2.
const SOAP_12: &str = "application/soap+xml";

/// Returns the media type of the message in a package, according to the media type of the package;
/// `None` if this is not a package of SOAP.
pub(crate) fn message_type(content_type: &str) -> Option<String> {
    let package = MediaType::read(content_type);
    if !package.is(MULTIPART) {
        return None;
    }
    let kind = package.parameter("type").unwrap_or_default();
    // Without information about the root, SOAP 1.1 is assumed, which most senders use.
    let message = match MediaType::read(&kind).essence {
        "" => package.parameter("start-info").unwrap_or_default(),
        essence if essence.eq_ignore_ascii_case(XOP_XML) => {
            package.parameter("start-info").unwrap_or_default()
        }
        _ => kind,
    };
    message_of(&message, &[&message, content_type])
}

/// Returns the media type of a SOAP message of this kind, with the first action in the media types
/// `said`; `None` if the kind is not a media type of SOAP.
fn message_of(kind: &str, said: &[&str]) -> Option<String> {
    let essence = MediaType::read(kind).essence;
    if essence.is_empty() || essence.eq_ignore_ascii_case(SOAP_11) {
        return Some(SOAP_11.to_owned());
    }
    if !essence.eq_ignore_ascii_case(SOAP_12) {
        return None;
    }
    let mut said = said.iter().map(|one| MediaType::read(one));
    let action = said.find_map(|one| one.parameter("action"));
    Some(match action {
        None => SOAP_12.to_owned(),
        Some(action) => format!("{SOAP_12}; action={}", quoted(&action)),
    })
}

/// Quotes a text as a parameter of a media type.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// A package that is being read.
#[derive(Debug)]
pub(crate) struct Package {
    content_type: String,
    start: Option<String>,
    /// `None` if there is no boundary.
    multipart: Option<Multipart>,
}

/// The maximum length of a boundary (RFC 2046 §5.1.1).
const LONGEST_BOUNDARY: usize = 70;

impl Package {
    pub(crate) fn new(content_type: &str, bounds: Bounds, disk: Option<PartsOnDisk>) -> Self {
        let package = MediaType::read(content_type);
        let start = package.parameter("start");
        let start = start.map(|start| without_brackets(&start).to_owned());
        let boundary = package.parameter("boundary").filter(|boundary| {
            let is_text = boundary.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            is_text && (1..=LONGEST_BOUNDARY).contains(&boundary.len())
        });
        let multipart =
            boundary.map(|boundary| Multipart::new(&boundary, start.clone(), bounds, disk));
        Self {
            content_type: content_type.to_owned(),
            start,
            multipart,
        }
    }

    /// Returns the media type of the message.
    fn message_type(&self, root: &Part) -> Result<HeaderValue, String> {
        let content_type = &*root.head.content_type;
        let root = MediaType::read(content_type);
        let kind = root.parameter("type").unwrap_or_default();
        let package = MediaType::read(&self.content_type);
        let start_info = package.parameter("start-info").unwrap_or_default();
        let said = [&*kind, content_type, &*start_info, &*self.content_type];
        let kind = match root.is(XOP_XML) {
            true if kind.is_empty() => &*start_info,
            true => &*kind,
            false => content_type,
        };
        let message = message_of(kind, &said).ok_or_else(|| {
            let content_type = printable(root.essence);
            format!("The root of the multipart body is {content_type}, and no SOAP message.")
        })?;
        let charset = root.parameter("charset");
        let message = match charset {
            None => message,
            Some(charset) => format!("{message}; charset={}", quoted(&charset)),
        };
        HeaderValue::try_from(message).map_err(|_| {
            "The media type of the root of the multipart body is not a header value.".to_owned()
        })
    }
}

impl Unpack for Package {
    fn push(&mut self, bytes: &[u8]) -> Result<(), UnpackError> {
        match &mut self.multipart {
            Some(multipart) => multipart.push(bytes),
            None => Err(no_boundary().into()),
        }
    }

    fn held(&self) -> usize {
        self.multipart.as_ref().map_or(0, Multipart::held)
    }

    fn finish(mut self: Box<Self>) -> Result<Unpacked, UnpackError> {
        let multipart = self.multipart.take().ok_or_else(no_boundary)?;
        let mut parts = multipart.finish()?;
        let root = match &self.start {
            None => 0,
            Some(start) => {
                let root = parts
                    .iter()
                    .position(|part| part.head.id.as_ref() == Some(start));
                root.ok_or_else(|| {
                    let start = printable(start);
                    format!(
                        "No part has the Content-ID '{start}', which 'start' names as the root."
                    )
                })?
            }
        };
        let root = parts.remove(root);
        let content_type = self.message_type(&root)?;
        let is_mtom = MediaType::read(&root.head.content_type).is(XOP_XML);
        let received = ReceivedAttachments::new(parts, is_mtom);
        let mut extensions = Extensions::new();
        extensions.insert(ReceivedParts(Arc::new(received.clone())));
        extensions.insert(received);
        Ok(Unpacked {
            message: Bytes::from(root.bytes.into_vec().map_err(UnpackError::Disk)?),
            content_type,
            extensions,
        })
    }
}

fn no_boundary() -> String {
    format!("The Content-Type {MULTIPART} has no boundary of 1 to {LONGEST_BOUNDARY} characters.")
}

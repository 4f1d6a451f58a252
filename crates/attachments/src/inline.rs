//! Puts the bytes of parts into their messages, for code that compares or stores messages.

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use svcgen_core::internals::{Unpacked, header_text};
use svcgen_wire::Limits;
use svcgen_wire::internals::{BinaryParts, Tokens, XOP, base64};

use crate::options::Attachments;
use crate::package::message_type;
use crate::received::ReceivedAttachments;

impl Attachments {
    /// Reduces a request or response with parts to its message, which then contains the bytes of
    /// included parts in base64, as without MTOM. Returns the parts; the bytes of included parts are
    /// taken. Returns `None` and leaves headers and body unchanged if they are not a package or cannot
    /// be read.
    pub fn inline(&self, headers: &mut HeaderMap, body: &mut Bytes) -> Option<ReceivedAttachments> {
        let content_type = header_text(headers.get(CONTENT_TYPE));
        message_type(&content_type)?;
        let unpacked = self.unpacked(&content_type, body).ok()?;
        let parts = ReceivedAttachments::of(&unpacked.extensions)?;
        *body = inlined(&unpacked, parts)?.into();
        let parts = parts.clone();
        headers.insert(CONTENT_TYPE, unpacked.content_type);
        Some(parts)
    }
}

/// Returns the message, with each `xop:Include` replaced by the bytes of its part.
fn inlined(unpacked: &Unpacked, received: &ReceivedAttachments) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(&unpacked.message).ok()?;
    let mut message = Vec::with_capacity(text.len());
    let mut tokens = Tokens::new(text, &Limits::default());
    tokens.root().ok()?;
    let (mut open, mut copied) = (1_usize, 0);
    while open > 0 {
        if !tokens.child().ok()? {
            open -= 1;
        } else if tokens.local_name() == "Include" && tokens.namespace() == XOP {
            let start = tokens.element_start() - 1;
            let part = received.take(tokens.attribute_of("", "href")?).ok()?;
            tokens.skip().ok()?;
            message.extend_from_slice(&text.as_bytes()[copied..start]);
            base64::encode(&part.into_vec().ok()?, &mut message);
            copied = tokens.at;
        } else {
            open += 1;
        }
    }
    message.extend_from_slice(&text.as_bytes()[copied..]);
    Some(message)
}

//! The parts of a message that is written, in MTOM.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use svcgen_core::internals::{MediaType, Pack, WriteParts, WrittenParts, header_text};
use svcgen_wire::internals::BinaryPartsWriter;

use crate::package::{MULTIPART, XOP_XML, quoted};

/// The id of the message.
const ROOT: &str = "root@svcgen";

/// The most bytes of the head of a part.
const HEAD: usize = 256;

/// Parts that are written one after the other.
#[derive(Clone)]
pub(crate) struct Parts {
    boundary: String,
    threshold: usize,
    /// Whether a message without parts is packed, too.
    always: bool,
    count: usize,
    /// The parts as they stand after the message.
    written: Vec<u8>,
}

impl Parts {
    pub(crate) fn new(threshold: usize, always: bool) -> Self {
        let mut random = [0; 16];
        getrandom::fill(&mut random).expect("the system gives random bytes");
        Self {
            boundary: format!("{:032x}", u128::from_ne_bytes(random)),
            threshold,
            always,
            count: 0,
            written: Vec::new(),
        }
    }

    fn head(&self, id: &str, content_type: &str) -> String {
        let boundary = &self.boundary;
        format!(
            "--{boundary}\r\nContent-ID: <{id}>\r\nContent-Type: {content_type}\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        )
    }
}

impl BinaryPartsWriter for Parts {
    fn add(&mut self, bytes: &[u8]) -> Option<String> {
        if bytes.len() < self.threshold {
            return None;
        }
        self.count += 1;
        let id = format!("{}.{}@svcgen", self.count, self.boundary);
        let head = self.head(&id, "application/octet-stream");
        self.written.reserve(bytes.len() + HEAD);
        for piece in [b"\r\n", head.as_bytes(), bytes] {
            self.written.extend_from_slice(piece);
        }
        Some(format!("cid:{id}"))
    }
}

impl WriteParts for Parts {
    fn finish(self: Box<Self>) -> WrittenParts {
        WrittenParts(Arc::new(*self))
    }
}

impl Pack for Parts {
    fn pack(self: Arc<Self>, headers: &mut HeaderMap, message: Bytes) -> Bytes {
        if self.count == 0 && !self.always {
            return message;
        }
        // Only a request that is tried again, or an answer that a layer keeps, has others.
        let parts = Arc::unwrap_or_clone(self);
        let content_type = header_text(headers.get(CONTENT_TYPE)).into_owned();
        let of_message = MediaType::read(&content_type);
        let soap = of_message.essence;
        let start_info = match of_message.parameter("action") {
            None => soap.to_owned(),
            Some(action) => format!("{soap}; action={}", quoted(&action)),
        };
        let root = format!("{XOP_XML}; charset=utf-8; type={}", quoted(soap));
        let head = parts.head(ROOT, &root);
        let boundary = &parts.boundary;
        let end = format!("\r\n--{boundary}--\r\n");
        let content_type = format!(
            "{MULTIPART}; type=\"{XOP_XML}\"; start=\"<{ROOT}>\"; start-info={}; boundary=\"{boundary}\"",
            quoted(&start_info)
        );
        let mut body = parts.written;
        body.reserve_exact(head.len() + message.len() + end.len());
        // The parts, which are longer than the message, are moved and not copied once more.
        body.splice(0..0, head.bytes().chain(message.iter().copied()));
        body.extend_from_slice(end.as_bytes());
        // The action came as a header value, and the rest is ASCII.
        if let Ok(content_type) = HeaderValue::try_from(content_type) {
            headers.insert(CONTENT_TYPE, content_type);
        }
        if headers.contains_key(CONTENT_LENGTH) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        body.into()
    }
}

/// Without content, which may hold secrets.
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("count", &self.count)
            .field("len", &self.written.len())
            .finish_non_exhaustive()
    }
}

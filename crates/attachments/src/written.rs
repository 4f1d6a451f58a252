//! The parts of a message that is written: parts that the message includes (MTOM), and others.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use http_body::Body as _;
use svcgen_core::OutgoingBody;
use svcgen_core::internals::{MediaType, Pack, WriteParts, WrittenParts, header_text};
use svcgen_core::types::LargeBytes;
use svcgen_wire::internals::BinaryPartsWriter;

use crate::package::{MULTIPART, XOP_XML, quoted};

/// The id of the message.
const ROOT: &str = "root@svcgen";

/// The number of bytes to reserve for the head of a part.
const HEAD: usize = 256;

/// Parts that are written one after the other.
#[derive(Clone)]
pub(crate) struct Parts {
    boundary: String,
    threshold: usize,
    /// Whether the message is in MTOM even if it includes no parts.
    always: bool,
    /// The number of parts that the message includes.
    included: usize,
    /// The number of other parts.
    attached: usize,
    /// The parts as they follow the message, except for the bytes of files.
    written: Vec<u8>,
    /// The parts that are files, each with the offset of its bytes in `written`.
    files: Vec<(usize, LargeBytes)>,
}

impl Parts {
    pub(crate) fn new(threshold: usize, always: bool) -> Self {
        Self {
            boundary: random(),
            threshold,
            always,
            included: 0,
            attached: 0,
            written: Vec::new(),
            files: Vec::new(),
        }
    }

    fn head(&self, id: &str, content_type: &str) -> String {
        let boundary = &self.boundary;
        format!(
            "--{boundary}\r\nContent-ID: <{id}>\r\nContent-Type: {content_type}\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        )
    }

    /// Writes the head of the next part.
    fn write_head(&mut self, id: &str, content_type: &str) {
        let head = self.head(id, content_type);
        for piece in ["\r\n", &*head] {
            self.written.extend_from_slice(piece.as_bytes());
        }
    }

    /// Writes the head of a part that the message includes. Returns the URL of the part.
    fn add_head(&mut self) -> String {
        self.included += 1;
        let id = format!("{}.{}@svcgen", self.included, self.boundary);
        self.write_head(&id, "application/octet-stream");
        format!("cid:{id}")
    }

    /// Returns the media types of a package and of the message in it. `message` is the media type
    /// of the message without a package.
    fn content_types(&self, message: &str) -> (String, String) {
        let boundary = &self.boundary;
        let media_type = MediaType::read(message);
        let soap = quoted(media_type.essence);
        let action = media_type.parameter("action");
        let action = action.map(|action| format!("; action={}", quoted(&action)));
        // WCF refuses a `start-info` that differs from the `type` of the root part, so the action
        // is beside it, where WCF, Axis2 and SoapUI write it.
        let end = format!("boundary=\"{boundary}\"{}", action.unwrap_or_default());
        if self.always || self.included > 0 {
            let package = format!(
                "{MULTIPART}; type=\"{XOP_XML}\"; start=\"<{ROOT}>\"; start-info={soap}; {end}"
            );
            let root = format!("{XOP_XML}; charset=utf-8; type={soap}");
            return (package, root);
        }
        let package = format!("{MULTIPART}; type={soap}; start=\"<{ROOT}>\"; {end}");
        (package, message.to_owned())
    }
}

/// Returns 128 random bits as hexadecimal digits, which nobody can guess.
pub(crate) fn random() -> String {
    let mut random = [0; 16];
    getrandom::fill(&mut random).expect("the system gives random bytes");
    format!("{:032x}", u128::from_ne_bytes(random))
}

impl BinaryPartsWriter for Parts {
    fn add(&mut self, bytes: &[u8]) -> Option<String> {
        if bytes.len() < self.threshold {
            return None;
        }
        self.written.reserve(bytes.len() + HEAD);
        let href = self.add_head();
        self.written.extend_from_slice(bytes);
        Some(href)
    }

    fn add_file(&mut self, bytes: &LargeBytes) -> Option<String> {
        if bytes.len() < self.threshold as u64 {
            return None;
        }
        let href = self.add_head();
        self.files.push((self.written.len(), bytes.clone()));
        Some(href)
    }
}

impl WriteParts for Parts {
    fn finish(self: Box<Self>) -> WrittenParts {
        WrittenParts(Arc::new(*self))
    }
}

impl Pack for Parts {
    fn attach(&mut self, id: &str, content_type: &str, bytes: &LargeBytes) {
        self.attached += 1;
        self.write_head(id, content_type);
        match bytes.in_memory() {
            Some(bytes) => self.written.extend_from_slice(bytes),
            None => self.files.push((self.written.len(), bytes.clone())),
        }
    }

    fn pack(self: Arc<Self>, headers: &mut HeaderMap, message: Bytes) -> OutgoingBody {
        if self.included + self.attached == 0 && !self.always {
            return message.into();
        }
        // Only a request that is retried, or an answer that a layer keeps, has other owners of its
        // parts.
        let parts = Arc::unwrap_or_clone(self);
        let (content_type, root) = parts.content_types(&header_text(headers.get(CONTENT_TYPE)));
        let head = parts.head(ROOT, &root);
        let boundary = &parts.boundary;
        let end = format!("\r\n--{boundary}--\r\n");
        let mut body = parts.written;
        body.reserve_exact(head.len() + message.len() + end.len());
        // The parts are longer than the message: they are moved instead of copied into another
        // buffer.
        body.splice(0..0, head.bytes().chain(message.iter().copied()));
        body.extend_from_slice(end.as_bytes());
        let body = with_files(body.into(), head.len() + message.len(), parts.files);
        let length = body.size_hint().lower();
        // The action came as a header value, and the rest is ASCII.
        if let Ok(content_type) = HeaderValue::try_from(content_type) {
            headers.insert(CONTENT_TYPE, content_type);
        }
        if headers.contains_key(CONTENT_LENGTH) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        body
    }
}

/// Creates a body with files, each at its offset after the message.
fn with_files(mut rest: Bytes, message: usize, files: Vec<(usize, LargeBytes)>) -> OutgoingBody {
    if files.is_empty() {
        return rest.into();
    }
    let mut length = rest.len() as u64;
    let (mut pieces, mut before) = (Vec::new(), 0);
    for (at, file) in files {
        length += file.len();
        let at = at + message;
        pieces.push((rest.split_to(at - before), file));
        before = at;
    }
    let pieces = pieces
        .into_iter()
        .flat_map(|(bytes, file)| std::iter::once(Ok(bytes)).chain(file.pieces()));
    OutgoingBody::in_pieces(length, pieces.chain(std::iter::once(Ok(rest))))
}

/// Omits the content, which may contain secrets.
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("count", &(self.included + self.attached))
            .field("len", &self.written.len())
            .finish_non_exhaustive()
    }
}

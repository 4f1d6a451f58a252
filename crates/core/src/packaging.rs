//! Messages that share the HTTP body with parts, as in MTOM. The crate `svcgen-attachments` reads
//! and writes such bodies; this module contains the interface for the bindings.

use std::sync::Arc;
use std::{fmt, io};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Extensions, HeaderMap, HeaderValue, Response, request};

use crate::failure::Failure;
use crate::fault::Fault;
use crate::gzip::{Inflating, STEP};
use crate::media_type::{header_text, is_gzip};
use crate::outgoing_body::OutgoingBody;
use svcgen_wire::internals::{BinaryParts, BinaryPartsWriter};
use svcgen_wire::types::LargeBytes;

/// Packs messages over SOAP with their parts, and unpacks them.
pub trait Packaging: fmt::Debug + Send + Sync + 'static {
    /// Returns the media type of the message in a body of this media type; `None` if the body is
    /// not a package.
    fn message_type(&self, content_type: &str) -> Option<String>;

    /// Returns the limit of a package in bytes.
    fn most_bytes(&self) -> usize;

    /// Whether a policy in the WSDL allows messages in MTOM.
    fn has_policy(&self) -> bool;

    /// Starts to unpack a package of this media type. `message` is the limit of its message in
    /// bytes.
    fn unpack(&self, content_type: &str, message: usize) -> Box<dyn Unpack>;

    /// Adds the extension to a request with which the handler of the call adds parts to its answer.
    fn begin(&self, extensions: &mut Extensions);

    /// Returns the writer for the parts of the answer to a request; `None` if the answer is sent
    /// without a package.
    fn write(&self, request: &request::Parts) -> Option<Box<dyn WriteParts>>;
}

/// Reads a package.
pub trait Unpack: Send {
    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// The package is malformed or too long, or its parts cannot be kept on disk.
    fn push(&mut self, bytes: &[u8]) -> Result<(), UnpackError>;

    /// Returns the number of bytes that are in memory.
    fn held(&self) -> usize;

    /// Ends the package, and returns its message and parts.
    ///
    /// # Errors
    ///
    /// The errors of [`push`](Self::push).
    fn finish(self: Box<Self>) -> Result<Unpacked, UnpackError>;
}

/// The reason why a package cannot be unpacked.
#[derive(Debug)]
pub enum UnpackError {
    /// The package is malformed or exceeds a limit, described by a sentence for the sender.
    Malformed(String),
    /// Other packages occupy the disk space.
    DiskIsTaken,
    /// The parts cannot be kept on disk.
    Disk(io::Error),
}

impl From<String> for UnpackError {
    fn from(sentence: String) -> Self {
        Self::Malformed(sentence)
    }
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(sentence) => f.write_str(sentence),
            Self::DiskIsTaken => f.write_str("the limit of disk space for attachments is reached"),
            Self::Disk(error) => write!(f, "the attachments cannot be kept on disk: {error}"),
        }
    }
}

impl From<UnpackError> for Failure {
    fn from(error: UnpackError) -> Self {
        match error {
            UnpackError::Malformed(sentence) => Self::malformed(sentence),
            UnpackError::DiskIsTaken => Self::busy(error),
            // The text may contain a path, so only the log gets it.
            UnpackError::Disk(error) => {
                let text = "The server cannot keep the attachments of this request.";
                Self::early(Fault::exception(text).with_cause(error))
            }
        }
    }
}

/// A body that is being unpacked.
pub(crate) struct Unpacking {
    unpack: Box<dyn Unpack>,
    /// The decompression of the body, if it is in gzip.
    inflating: Option<Inflating>,
    /// The limit of the body in bytes.
    pub(crate) limit: usize,
}

impl Unpacking {
    /// Starts to unpack the body of a request with these headers; `None` if it is not a package.
    /// `message` is the limit of its message in bytes.
    pub(crate) fn of(
        packaging: &dyn Packaging,
        headers: &HeaderMap,
        message: usize,
    ) -> Option<Self> {
        let content_type = header_text(headers.get(CONTENT_TYPE));
        packaging.message_type(&content_type)?;
        let limit = packaging.most_bytes();
        Some(Self {
            unpack: packaging.unpack(&content_type, message),
            inflating: is_gzip(headers).then(|| Inflating::new(limit)),
            limit,
        })
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(inflating) = &mut self.inflating else {
            return Ok(self.unpack.push(bytes)?);
        };
        for step in bytes.chunks(STEP) {
            let inflated = inflating.push(step).map_err(Failure::of_gzip)?;
            self.unpack.push(&inflated)?;
        }
        Ok(())
    }

    pub(crate) fn held(&self) -> usize {
        self.unpack.held()
    }

    pub(crate) fn finish(mut self) -> Result<Unpacked, Failure> {
        if let Some(inflating) = self.inflating {
            let rest = inflating.finish().map_err(Failure::of_gzip)?;
            self.unpack.push(&rest)?;
        }
        Ok(self.unpack.finish()?)
    }
}

/// A message without its package.
#[derive(Debug)]
pub struct Unpacked {
    /// The message.
    pub message: Bytes,
    /// The media type of the message.
    pub content_type: HeaderValue,
    /// Additional extensions for the request or response, such as [`ReceivedParts`].
    pub extensions: Extensions,
}

impl Unpacked {
    /// Returns the message, and sets its media type and its extensions in the request.
    pub(crate) fn into_message(self, request: &mut request::Parts) -> Bytes {
        request.headers.insert(CONTENT_TYPE, self.content_type);
        request.extensions.extend(self.extensions);
        self.message
    }
}

/// The parts of a received message: an extension of the request or response.
#[derive(Debug, Clone)]
pub struct ReceivedParts(pub Arc<dyn BinaryParts>);

impl ReceivedParts {
    pub(crate) fn bytes(&self) -> &dyn BinaryParts {
        &*self.0
    }
}

/// Writes the parts of a message.
pub trait WriteParts: BinaryPartsWriter + Send {
    /// Ends the parts. The message may still change before it is packed with them.
    fn finish(self: Box<Self>) -> WrittenParts;
}

/// Parts to be packed with a message: an extension of the request or response.
#[derive(Debug, Clone)]
pub struct WrittenParts(pub Arc<dyn Pack>);

/// Packs a message with its parts.
pub trait Pack: fmt::Debug + Send + Sync {
    /// Adds a part that the message does not include.
    fn attach(&mut self, id: &str, content_type: &str, bytes: &LargeBytes);

    /// Packs a message, and changes its headers to the headers of the package.
    fn pack(self: Arc<Self>, headers: &mut HeaderMap, message: Bytes) -> OutgoingBody;
}

/// Packs an answer that has parts.
pub(crate) fn pack(mut response: Response<Bytes>) -> Response<OutgoingBody> {
    match response.extensions_mut().remove() {
        None => response.map(OutgoingBody::from),
        Some(WrittenParts(parts)) => {
            let (mut head, message) = response.into_parts();
            let body = parts.pack(&mut head.headers, message);
            Response::from_parts(head, body)
        }
    }
}

/// Creates the writer for the parts of a request.
pub type NewParts = Arc<dyn Fn() -> Box<dyn WriteParts> + Send + Sync>;

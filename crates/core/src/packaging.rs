//! Messages that have parts beside them in the body of HTTP, as in MTOM. The crate
//! `svcgen-attachments` reads and writes such bodies; here is what the bindings need of it.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Extensions, HeaderMap, HeaderValue, Response, request};

use crate::failure::Failure;
use svcgen_wire::internals::{BinaryParts, BinaryPartsWriter};

/// Packs messages over SOAP with their parts, and unpacks them.
pub trait Packaging: fmt::Debug + Send + Sync + 'static {
    /// The media type of the message in a body of this media type; `None` if the body is no
    /// package.
    fn message_type(&self, content_type: &str) -> Option<String>;

    /// How many bytes a package may have.
    fn most_bytes(&self) -> usize;

    /// Whether a policy in the WSDL says that messages may be in MTOM.
    fn has_policy(&self) -> bool;

    /// Unpacks a package of this media type, whose message has up to so many bytes.
    fn unpack(&self, content_type: &str, message: usize) -> Box<dyn Unpack>;

    /// Lets the handler of a call add parts to its answer, by an extension of the request.
    fn begin(&self, extensions: &mut Extensions);

    /// Writes the parts of the answer to a request; `None` if the answer is its message alone.
    fn write(&self, request: &request::Parts) -> Option<Box<dyn WriteParts>>;
}

/// A package that is being read.
pub trait Unpack: Send {
    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// Why this is no package, as a sentence for the sender.
    fn push(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// Ends the package.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    fn finish(self: Box<Self>) -> Result<Unpacked, String>;
}

/// A body that is being unpacked.
pub(crate) struct Unpacking {
    unpack: Box<dyn Unpack>,
    /// How many bytes it may have.
    pub(crate) limit: usize,
}

impl Unpacking {
    /// A body of this media type, whose message has up to so many bytes; `None` if it is no
    /// package.
    pub(crate) fn of(
        packaging: &dyn Packaging,
        content_type: &str,
        message: usize,
    ) -> Option<Self> {
        packaging.message_type(content_type)?;
        Some(Self {
            unpack: packaging.unpack(content_type, message),
            limit: packaging.most_bytes(),
        })
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.unpack.push(bytes).map_err(Failure::malformed)
    }

    pub(crate) fn finish(self) -> Result<Unpacked, Failure> {
        self.unpack.finish().map_err(Failure::malformed)
    }
}

/// A message without its package.
#[derive(Debug)]
pub struct Unpacked {
    /// The message.
    pub message: Bytes,
    /// Its media type.
    pub content_type: HeaderValue,
    /// What the request has besides: [`ReceivedParts`].
    pub extensions: Extensions,
}

impl Unpacked {
    /// The message, after its media type and extensions have become those of the request.
    pub(crate) fn into_message(self, request: &mut request::Parts) -> Bytes {
        request.headers.insert(CONTENT_TYPE, self.content_type);
        request.extensions.extend(self.extensions);
        self.message
    }
}

/// The parts that came with a message: an extension of the request or response.
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
    /// Adds a part that nothing in the message includes.
    fn attach(&mut self, id: &str, content_type: &str, bytes: &[u8]);

    /// Makes a package of a message, and the headers of the message those of the package.
    fn pack(self: Arc<Self>, headers: &mut HeaderMap, message: Bytes) -> Bytes;
}

/// Packs an answer that has parts.
pub(crate) fn pack(response: &mut Response<Bytes>) {
    if let Some(WrittenParts(parts)) = response.extensions_mut().remove() {
        let message = std::mem::take(response.body_mut());
        *response.body_mut() = parts.pack(response.headers_mut(), message);
    }
}

/// Makes what writes the parts of a request.
pub type NewParts = Arc<dyn Fn() -> Box<dyn WriteParts> + Send + Sync>;

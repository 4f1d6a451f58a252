//! SOAP encoding: messages as graphs of objects, for operations with `encoded`. Its code is reached
//! only through [`Version::encoding`](super::version::Version::encoding).

use svcgen_model::{At, Element, Operation, Service};

use svcgen_wire::internals::{
    Scheme, Side, TimeZone, close_literal, encode, encode_headers, open_literal,
};
use svcgen_wire::{Content, ReadError, Reader, WriteError};

/// Returns the encoding of an operation's messages, in a version of SOAP with or without inline
/// objects; `None` if they are literal.
pub(in crate::binding) type EncodingOf =
    for<'m> fn(At<'m, Operation<'m>>, &Service<'m>, bool) -> Option<Box<dyn Encoding + 'm>>;

/// Reads a message as a literal one.
type ReadLiteral<'r> = dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError> + 'r;

/// Encodes and decodes the messages of an operation.
pub(crate) trait Encoding: Send + Sync {
    /// Returns the namespace and the name of the element that one side sends.
    fn element(&self, side: Side) -> (&str, &str);

    fn namespace(&self) -> &'static str;

    /// Returns the prefixes that the envelope of one side declares, with their namespaces.
    fn prefixes(&self, side: Side) -> [(&'static str, String); 3];

    /// Reads the current element, which one side sends, through its end tag. `read` reads it as a
    /// literal element.
    fn read(
        &self,
        reader: &mut Reader<'_>,
        side: Side,
        read: &mut ReadLiteral<'_>,
    ) -> Result<(), ReadError>;

    /// Reads the current header and the following ones, without leaving it. `read` reads the Header
    /// as a literal one.
    fn read_headers(
        &self,
        reader: &mut Reader<'_>,
        rows: &[Element<'_>],
        read: &mut ReadLiteral<'_>,
    ) -> Result<(), ReadError>;

    /// Whether the current header has one of these rows, or another header refers to it.
    fn knows_header(&self, reader: &Reader<'_>, rows: &[Element<'_>]) -> bool;

    /// Writes the content of a Body, which `content` writes as literal parameters or results.
    fn write(
        &self,
        side: Side,
        zone: TimeZone,
        content: &mut dyn FnMut(&mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), WriteError>;

    /// Starts the literal text of headers for an envelope of a namespace.
    fn open_headers(&self, envelope: &str, literal: &mut Content<'_>);

    /// Ends the literal text of headers.
    fn close_headers(&self, literal: Content<'_>) -> Result<(), WriteError>;

    /// Returns the markup of headers with these rows, from their literal text. `has_prefixes` is
    /// set if the envelope declares the prefixes of its side.
    fn encode_headers(
        &self,
        side: Side,
        has_prefixes: bool,
        rows: &[Element<'_>],
        literal: Vec<u8>,
    ) -> Result<Vec<u8>, WriteError>;
}

pub(super) fn encoding_of<'m>(
    operation: At<'m, Operation<'m>>,
    service: &Service<'m>,
    is_inline: bool,
) -> Option<Box<dyn Encoding + 'm>> {
    let scheme = Scheme::of(operation, service, is_inline)?;
    Some(Box::new(scheme))
}

impl Encoding for Scheme<'_> {
    fn element(&self, side: Side) -> (&str, &str) {
        self.element(side)
    }

    fn namespace(&self) -> &'static str {
        self.encoding()
    }

    fn prefixes(&self, side: Side) -> [(&'static str, String); 3] {
        self.prefixes(side)
    }

    fn read(
        &self,
        reader: &mut Reader<'_>,
        side: Side,
        read: &mut ReadLiteral<'_>,
    ) -> Result<(), ReadError> {
        reader.read_encoded(*self, side, read)
    }

    fn read_headers(
        &self,
        reader: &mut Reader<'_>,
        rows: &[Element<'_>],
        read: &mut ReadLiteral<'_>,
    ) -> Result<(), ReadError> {
        reader.read_encoded_headers(*self, rows, read)
    }

    fn knows_header(&self, reader: &Reader<'_>, rows: &[Element<'_>]) -> bool {
        let known = self.header(rows, reader.namespace(), reader.local_name());
        // An element that headers refer to is not a header itself.
        known.is_some() || reader.is_referred()
    }

    fn write(
        &self,
        side: Side,
        zone: TimeZone,
        content: &mut dyn FnMut(&mut Content<'_>),
        body: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        encode(*self, side, zone, content, body)
    }

    fn open_headers(&self, envelope: &str, literal: &mut Content<'_>) {
        open_literal(envelope, literal);
    }

    fn close_headers(&self, literal: Content<'_>) -> Result<(), WriteError> {
        close_literal(literal)
    }

    fn encode_headers(
        &self,
        side: Side,
        has_prefixes: bool,
        rows: &[Element<'_>],
        literal: Vec<u8>,
    ) -> Result<Vec<u8>, WriteError> {
        let mut encoded = Vec::new();
        encode_headers(*self, side, has_prefixes, rows, literal, &mut encoded)?;
        Ok(encoded)
    }
}

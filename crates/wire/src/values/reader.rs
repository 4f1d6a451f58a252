//! The reader of documents.

use std::borrow::Cow;

use svcgen_model::{self as model, At, Kind, Operation, Service, TextForm};

use super::binary_parts::BinaryParts;
use super::checks::{Checks, Facets, MessagePart};
use super::children::Children;
use super::element::Element;
use super::encoded::{Decoded, Scheme, Side};
use super::simple::qname::QName;
use super::simple::types::XmlFragment;
use super::time_zone::TimeZone;
use super::value::{Fields, Value};
use crate::accept::Accepted;
use crate::limits::Limits;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::room::Room;
use crate::xml::scopes::{Parts, Rows, Scopes};
use crate::xml::tokens::Tokens;

/// A strict reader of one XML document.
///
/// It accepts documents that are well-formed according to XML 1.0 (fifth edition) and Namespaces in
/// XML 1.0, without a document type definition. After [`root`](Self::root) and each
/// [`child`](Self::child) that returns `true`, an element is *current*: its start tag is read, its
/// content is not. Then call one of [`child`](Self::child) (to walk its children),
/// [`read`](Self::read), [`text`](Self::text) or [`skip`](Self::skip); all but the first read
/// through its end tag.
#[derive(Debug)]
pub struct Reader<'i> {
    element: Element<'i>,
}

impl<'i> Reader<'i> {
    /// Creates a reader of a document without a byte order mark.
    pub fn new(input: &'i str, limits: &Limits) -> Self {
        Self {
            element: Element::from_tokens(Tokens::new(input, limits)),
        }
    }

    /// Creates a reader of the text of a message with this number of bytes, which differs from that
    /// of the text if it was decoded.
    #[inline]
    pub fn of_message(input: &'i str, bytes: usize, limits: &Limits) -> Self {
        let mut reader = Self::new(input, limits);
        reader.element.tokens.room = Room::of_message(bytes, input.len(), limits);
        reader
    }

    /// Sets whether elements that a type does not have, repeats or has in another order are
    /// refused. By default they are ignored.
    #[must_use]
    #[inline]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.element.tokens.strict = strict;
        self
    }

    /// Whether reading is strict.
    #[inline]
    pub fn is_strict(&self) -> bool {
        self.element.tokens.strict
    }

    /// Sets the time zone in which values are shown.
    pub fn in_time_zone(mut self, zone: TimeZone) -> Self {
        self.element.time_zone = zone;
        self
    }

    /// Prepares for a message of a service.
    // Takes `self` by reference because a reader is large and should not be moved.
    pub fn set_up(&mut self, service: &'i Service<'i>, strict: bool, facets: &'i Facets) {
        let element = &mut self.element;
        element.checks = Checks::new(facets);
        element.time_zone = TimeZone::of(service);
        element.tokens.strict = strict;
        element.tokens.scopes = Scopes::of(service);
    }

    /// Sets the parts from which bytes are read that the message refers to (`xop:Include`).
    #[inline]
    pub fn set_parts(&mut self, parts: Option<&'i dyn BinaryParts>) {
        self.element.parts = parts;
    }

    /// Accepts deviations that .NET does not read, and then reads token by token.
    #[inline]
    pub fn accept(&mut self, accepted: Accepted) {
        let tokens = &mut self.element.tokens;
        tokens.accepted = accepted;
        tokens.fast &= accepted == Accepted::default();
    }

    /// Sets the call and the part of it that is read, so that its facets can be checked.
    #[inline]
    pub fn expect_part(&mut self, operation: At<'i, Operation<'i>>, part: MessagePart) {
        self.element.checks.expect(operation, part);
    }

    /// Sets other names for nested lists, each after its name in SOAP, and another row for the
    /// items of the next list.
    pub fn with_list_names(
        mut self,
        names: &'i [(&'i str, &'i str)],
        items: Option<&'i model::Element<'i>>,
    ) -> Self {
        self.element.list_names = names;
        self.element.items = items;
        self
    }

    /// Reads everything token by token, which only takes longer; for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn without_fast_path(mut self) -> Self {
        self.element.tokens.fast = false;
        self
    }

    /// Reads up to and including the start tag of the root element.
    #[inline]
    pub fn root(&mut self) -> Result<(), ReadError> {
        self.element.tokens.root()
    }

    /// Reads up to the next child of the innermost open element. Returns `true` after its start
    /// tag, `false` after the end tag of the parent. Text between children is checked and ignored.
    #[inline]
    pub fn child(&mut self) -> Result<bool, ReadError> {
        self.element.tokens.child()
    }

    /// Reads the end of the document; only comments, processing instructions and white space may
    /// follow the root.
    #[inline]
    pub fn finish(&mut self) -> Result<(), ReadError> {
        self.element.tokens.finish()
    }

    /// The local name of the current element.
    #[inline]
    pub fn local_name(&self) -> &'i str {
        self.element.tokens.local_name()
    }

    /// The name of the current element as written, including its prefix.
    #[inline]
    pub fn name(&self) -> &'i str {
        self.element.tokens.name()
    }

    /// The namespace of the current element; empty for none.
    #[inline]
    pub fn namespace(&self) -> &str {
        self.element.tokens.namespace()
    }

    /// Whether the current element has this namespace and local name.
    #[inline]
    pub fn is(&self, namespace: &str, local_name: &str) -> bool {
        self.local_name() == local_name && self.namespace() == namespace
    }

    /// The value of an attribute of the current element; the namespace is empty for an attribute
    /// without a prefix.
    pub fn attribute(&self, namespace: &str, local_name: &str) -> Option<&str> {
        self.element.tokens.attribute_of(namespace, local_name)
    }

    /// Whether a prefix is declared on the current element or around it.
    #[doc(hidden)]
    pub fn is_declared(&self, prefix: &str) -> bool {
        self.element.tokens.namespaces.resolve(prefix).is_some()
    }

    /// Reads the current element as a value, through its end tag. Its children must be in the
    /// namespace of the current element.
    pub fn read<T: Value>(&mut self, value: &mut T) -> Result<(), ReadError> {
        self.element.read_as_root(|element| value.read(element))
    }

    /// Reads the current element with a function, through its end tag.
    #[inline]
    pub fn read_with(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.element.read_as_root(|element| element.checked(read))
    }

    /// Reads the current element and its following siblings, through the end tag of their parent,
    /// as an object with these elements.
    pub fn read_parts(
        &mut self,
        rows: Rows<'i>,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.element.set_parts(rows);
        self.element.checked(read)
    }

    /// Declares that the next object is the parameters or the results of an operation.
    #[inline]
    pub fn expect(&mut self, parts: Parts<'i>) {
        if let Some(scopes) = &mut self.element.tokens.scopes {
            scopes.expect(parts);
        }
    }

    /// Sets the row of the current element, which the service declares: the root of an answer over
    /// HTTP GET and POST, whose own text is unchanged.
    pub fn say_row(&mut self, row: &'i model::Element<'i>) {
        if let Some(scopes) = &self.element.tokens.scopes {
            let rows = Rows::new(scopes.service, std::slice::from_ref(row));
            self.element.enter(Some(rows), 0);
            self.element.text_form = TextForm::AsIs;
        }
    }

    /// Sets the row of the current element by its index in `rows`.
    pub fn say_part(&mut self, rows: Rows<'i>, index: usize) {
        self.element.enter(Some(rows), index);
    }

    /// Sets the namespaces of elements. By default each element has that of its parent.
    #[must_use]
    #[inline]
    pub fn with_scopes(mut self, scopes: Option<Scopes<'i>>) -> Self {
        self.element.tokens.scopes = scopes;
        self
    }

    /// Reads the current element, a SOAP header, as the element of an object with this index.
    pub fn read_element(&mut self, index: usize, value: &mut dyn Fields) -> Result<(), ReadError> {
        let level = self.element.tokens.open.len();
        self.element.read_as_root(|element| {
            element.checked_header(index, |element| value.read_element(index, element))
        })?;
        // `read_element` may leave an element unread.
        if self.element.tokens.open.len() >= level {
            self.skip()?;
        }
        Ok(())
    }

    /// Reads the current element, in which only one child is expected, through its end tag. Returns
    /// whether that child was present.
    pub fn read_only_child(
        &mut self,
        only: Option<&'i model::Element<'i>>,
        parts: Parts<'i>,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        let mut found = false;
        let elements = only.map_or(&[] as &[_], std::slice::from_ref);
        let children = Children {
            elements,
            groups: &[],
            kind: Kind::Record,
            unordered: false,
            is_message: true,
        };
        let is_scoped = self.element.tokens.scopes.is_some();
        let rows = is_scoped.then(|| parts.rows(elements));
        self.element.children(children, rows, &mut |_, element| {
            found = true;
            element.read_as_root(|element| element.checked(read))
        })?;
        Ok(found)
    }

    /// Reads the current element, which is the encoded one that `side` sends, through its end tag:
    /// `read` reads it as literal XML in no namespace.
    pub fn read_encoded<T>(
        &mut self,
        scheme: Scheme<'_>,
        side: Side,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let tokens = &mut self.element.tokens;
        let decoded = Decoded::read(tokens, scheme, side)?;
        self.read_decoded(&decoded, read)
    }

    /// Reads the encoded headers from the current one on, without leaving the Header: `read` reads
    /// the Header as literal XML in no namespace.
    pub fn read_encoded_headers<'m>(
        &mut self,
        scheme: Scheme<'m>,
        rows: &'m [model::Element<'m>],
        read: impl FnOnce(&mut Reader<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let decoded = Decoded::read_headers(&mut self.element.tokens, scheme, rows)?;
        self.read_decoded(&decoded, read)
    }

    fn read_decoded<T>(
        &mut self,
        decoded: &Decoded,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let tokens = &mut self.element.tokens;
        let literal = Reader::new(&decoded.text, &tokens.limits);
        let mut literal = literal.in_time_zone(self.element.time_zone);
        literal.element.checks = self.element.checks;
        literal.element.tokens.room = tokens.room.clone();
        literal.accept(tokens.accepted);
        let result = literal.root().and_then(|()| read(&mut literal));
        tokens.room = literal.element.tokens.room.clone();
        result.map_err(|error| decoded.placed(error, tokens.input))
    }

    /// Whether encoded values may refer to the current element.
    pub fn is_referred(&self) -> bool {
        Decoded::is_target(&self.element.tokens)
    }

    /// Takes room for this many bytes of a value.
    #[inline]
    pub fn take_room(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.element.tokens.take_room(bytes)
    }

    /// Calls `read` to read the current element as XML, including its tags.
    pub fn read_document(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.element.set_whole();
        self.element.read_as_root(read)
    }

    /// Reads the current element as XML, including its tags.
    pub fn read_whole(&mut self) -> Result<XmlFragment, ReadError> {
        let mut whole = XmlFragment::new();
        whole.read_whole(&mut self.element)?;
        Ok(whole)
    }

    /// Returns an error for SOAP attributes in the current element, a header, that .NET refuses
    /// there.
    pub fn check_soap_attributes(&self) -> Result<(), ReadError> {
        self.element.tokens.soap_attributes().map(drop)
    }

    /// Whether the current element has `xsi:nil="true"`.
    #[inline]
    pub fn is_nil(&self) -> bool {
        self.element.is_nil()
    }

    /// Creates a second reader at the same place in the same document.
    pub fn fork(&self) -> Self {
        let element = Element::from_tokens(self.element.tokens.clone());
        let mut other = Self { element }.in_time_zone(self.element.time_zone);
        other.element.checks = self.element.checks;
        other.element.parts = self.element.parts;
        other
    }

    /// Continues with the room that another reader of the same document has left.
    pub fn take_room_of(&mut self, other: &Self) {
        self.element.tokens.room = other.element.tokens.room.clone();
    }

    /// Reads the text of the current element, through its end tag. An element, comment or
    /// processing instruction in it is refused.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'i, str>, ReadError> {
        let text = self.element.tokens.text()?;
        self.element.tokens.close();
        Ok(text)
    }

    /// Reads the text of the current element as a qualified name; an undeclared prefix means no
    /// namespace.
    pub fn code_name(&mut self) -> Result<QName, ReadError> {
        let (namespace, local) = self.element.tokens.code_name()?;
        Ok(QName { namespace, local })
    }

    /// Skips the current element, through its end tag, with the same checks as if it were read.
    /// Returns its content as written.
    #[inline]
    pub fn skip(&mut self) -> Result<&'i str, ReadError> {
        self.element.tokens.skip()
    }

    /// An error at the name of the current element.
    pub fn error(&self, kind: ReadErrorKind, message: impl Into<String>) -> ReadError {
        self.element.tokens.error_at_element(kind, message.into())
    }

    /// The line and column of the current element's name, both counted from 1; the column is
    /// counted in UTF-16 code units.
    pub fn position(&self) -> (usize, usize) {
        self.element.tokens.element_position()
    }

    /// The local names of the open elements, outermost first, joined by `/`.
    pub fn path(&self) -> String {
        self.element.tokens.path()
    }
}

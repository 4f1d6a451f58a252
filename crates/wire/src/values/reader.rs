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
/// It accepts what XML 1.0 (fifth edition) and Namespaces in XML 1.0 call well-formed, and no
/// document type definition. After [`root`](Self::root) and each [`child`](Self::child) that
/// returns `true`, an element is *current*: its start tag is read, its content is not. Then call
/// one of [`child`](Self::child) (to walk its children), [`read`](Self::read), [`text`](Self::text)
/// or [`skip`](Self::skip); all but the first read through its end tag.
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

    /// Creates a reader of the text of a message of so many bytes, which differ from those of the
    /// text if it was decoded.
    #[inline]
    pub fn of_message(input: &'i str, bytes: usize, limits: &Limits) -> Self {
        let mut reader = Self::new(input, limits);
        reader.element.tokens.room = Room::of_message(bytes, input.len(), limits);
        reader
    }

    /// Refuses elements that a type does not have, repeats or has in another order. By default they
    /// are ignored.
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

    /// Shows values in a time zone.
    pub fn in_time_zone(mut self, zone: TimeZone) -> Self {
        self.element.time_zone = zone;
        self
    }

    /// Reads a message of a service.
    // A reader is large: it stays where it is.
    pub fn set_up(&mut self, service: &'i Service<'i>, strict: bool, facets: &'i Facets) {
        let element = &mut self.element;
        element.checks = Checks::new(facets);
        element.time_zone = TimeZone::of(service);
        element.tokens.strict = strict;
        element.tokens.scopes = Scopes::of(service);
    }

    /// Reads bytes that the message refers to (`xop:Include`) from its parts.
    #[inline]
    pub fn set_parts(&mut self, parts: Option<&'i dyn BinaryParts>) {
        self.element.parts = parts;
    }

    /// Reads more than .NET does, token by token.
    #[inline]
    pub fn accept(&mut self, accepted: Accepted) {
        let tokens = &mut self.element.tokens;
        tokens.accepted = accepted;
        tokens.fast &= accepted == Accepted::default();
    }

    /// Says which part of which call is read, so that its facets can be checked.
    #[inline]
    pub fn expect_part(&mut self, operation: At<'i, Operation<'i>>, part: MessagePart) {
        self.element.checks.expect(operation, part);
    }

    /// Reads lists in lists by other names, each after the one over SOAP, and the items of the next
    /// list by another row.
    pub fn with_list_names(
        mut self,
        names: &'i [(&'i str, &'i str)],
        items: Option<&'i model::Element<'i>>,
    ) -> Self {
        self.element.list_names = names;
        self.element.items = items;
        self
    }

    /// Reads everything token by token, which only takes longer: to test that.
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

    /// Reads the end of the document, where only comments, processing instructions and white space
    /// may stand.
    #[inline]
    pub fn finish(&mut self) -> Result<(), ReadError> {
        self.element.tokens.finish()
    }

    /// The local name of the current element.
    #[inline]
    pub fn local_name(&self) -> &'i str {
        self.element.tokens.local_name()
    }

    /// The name of the current element as written, with its prefix.
    #[inline]
    pub fn name(&self) -> &'i str {
        self.element.tokens.name()
    }

    /// The namespace of the current element, empty for none.
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

    /// Reads the current element and those beside it, through the end tag of their parent, as an
    /// object with these elements.
    pub fn read_parts(
        &mut self,
        rows: Rows<'i>,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.element.set_parts(rows);
        self.element.checked(read)
    }

    /// Says that the next object is the parameters of an operation.
    #[inline]
    pub fn expect(&mut self, parts: Parts<'i>) {
        if let Some(scopes) = &mut self.element.tokens.scopes {
            scopes.expect(parts);
        }
    }

    /// Says the row of the current element, which the service declares: the root of an answer over
    /// HTTP GET and POST, whose own text is as it is.
    pub fn say_row(&mut self, row: &'i model::Element<'i>) {
        if let Some(scopes) = &self.element.tokens.scopes {
            let rows = Rows::new(scopes.service, std::slice::from_ref(row));
            self.element.enter(Some(rows), 0);
            self.element.text_form = TextForm::AsIs;
        }
    }

    /// Says that the current element is one of these.
    pub fn say_part(&mut self, rows: Rows<'i>, index: usize) {
        self.element.enter(Some(rows), index);
    }

    /// Sets the namespaces of elements. By default each has that of its parent.
    #[must_use]
    #[inline]
    pub fn with_scopes(mut self, scopes: Option<Scopes<'i>>) -> Self {
        self.element.tokens.scopes = scopes;
        self
    }

    /// Reads the current element, a SOAP header, as the element of an index of an object.
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
    /// whether it has that child.
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

    /// Reads the current element, the encoded one that `side` sends, through its end tag: `read`
    /// reads the element as literal XML in no namespace.
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

    /// Reads encoded headers, the current one and those after it, without leaving it: `read` reads
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

    /// Takes memory for a value of so many bytes.
    #[inline]
    pub fn take_room(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.element.tokens.take_room(bytes)
    }

    /// Reads the current element as `read` does, which reads XML with its tags.
    pub fn read_document(
        &mut self,
        read: &mut dyn FnMut(&mut Element<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.element.set_whole();
        self.element.read_as_root(read)
    }

    /// Reads the current element with its tags, as XML.
    pub fn read_whole(&mut self) -> Result<XmlFragment, ReadError> {
        let mut whole = XmlFragment::new();
        whole.read_whole(&mut self.element)?;
        Ok(whole)
    }

    /// Refuses attributes of SOAP in the current element, a header that is read, that .NET refuses
    /// there.
    pub fn check_soap_attributes(&self) -> Result<(), ReadError> {
        self.element.tokens.soap_attributes().map(drop)
    }

    /// Whether the current element says `xsi:nil="true"`.
    #[inline]
    pub fn is_nil(&self) -> bool {
        self.element.is_nil()
    }

    /// A second reader, at the same place in the same document.
    pub fn fork(&self) -> Self {
        let element = Element::from_tokens(self.element.tokens.clone());
        let mut other = Self { element }.in_time_zone(self.element.time_zone);
        other.element.checks = self.element.checks;
        other.element.parts = self.element.parts;
        other
    }

    /// Goes on with the memory that another reader of the same document left.
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

    /// Reads the text of the current element as a qualified name; a prefix that is not declared
    /// stands for no namespace.
    pub fn code_name(&mut self) -> Result<QName, ReadError> {
        let (namespace, local) = self.element.tokens.code_name()?;
        Ok(QName { namespace, local })
    }

    /// Skips the current element, through its end tag, checking it as strictly as if it were read.
    /// Returns what stood between its tags, as written.
    #[inline]
    pub fn skip(&mut self) -> Result<&'i str, ReadError> {
        self.element.tokens.skip()
    }

    /// An error at the name of the current element.
    pub fn error(&self, kind: ReadErrorKind, message: impl Into<String>) -> ReadError {
        self.element.tokens.error_at_element(kind, message.into())
    }

    /// The line and column of the current element's name, counted from 1, in characters.
    pub fn position(&self) -> (usize, usize) {
        self.element.tokens.element_position()
    }

    /// The local names of the open elements, outermost first, joined by `/`.
    pub fn path(&self) -> String {
        self.element.tokens.path()
    }
}

//! Values in another notation than XML and forms, which a binding reads and writes.
//!
//! Emitted code calls the same functions of [`Element`] and [`Content`] in every notation. Those hand everything that has another shape there to a
//! [`Source`] or a [`Sink`]; what a simple value is, its text in XML says in both directions.

use std::borrow::Cow;

use svcgen_model::{ComplexType, Enumeration, SimpleType};

use super::content::{Content, Place};
use super::element::{Element, Given};
use super::time_zone::TimeZone;
use crate::limits::Limits;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::room::Room;

/// The number of a value in a document.
pub(crate) type Node = u32;

/// A document that has been read, whose values are known by number.
pub(crate) trait Source: Sync {
    /// Whether a value is absent.
    fn is_absent(&self, node: Node) -> bool;

    /// Whether a value is an empty text, which stands for an absent value if it is none of the type.
    fn is_blank(&self, node: Node) -> bool;

    /// The text in XML of a value of a simple type, which a service in a time zone reads.
    fn simple(
        &self,
        node: Node,
        simple: SimpleType,
        zone: TimeZone,
    ) -> Result<Cow<'_, str>, ReadError>;

    /// A number of few digits without a sign, which is such a number of every type of integers that has it.
    fn digits(&self, node: Node) -> Option<u64>;

    /// A value as bytes.
    fn bytes(&self, node: Node) -> Result<Vec<u8>, ReadError>;

    /// The text in XML of a value of an enumeration; of one that is `open`, a number without a name as well.
    fn enumeration(
        &self,
        node: Node,
        row: &Enumeration<'_>,
        open: bool,
    ) -> Result<Cow<'_, str>, ReadError>;

    /// The first item of a list.
    fn first_item(&self, node: Node) -> Result<Option<Node>, ReadError>;

    /// The value after another one in its list or its object.
    fn next(&self, node: Node) -> Option<Node>;

    /// Finds the members of an object: their values, by the number of their row among those of the type, of the elements first, then of the attributes, then of the text.
    fn members(
        &self,
        node: Node,
        row: &ComplexType<'_>,
        found: &mut [Option<Node>],
    ) -> Result<(), ReadError>;

    /// The index of the type that an object says to be of, among `names`, which are those of `xsi:type`. The first one is the declared type.
    fn derived_type(
        &self,
        node: Node,
        names: &[&str],
        is_abstract: bool,
    ) -> Result<usize, ReadError>;

    /// The type that an object says to be of: its namespace, if it has one of its own, and its name.
    #[cfg(feature = "facets")]
    fn type_name(&self, node: Node) -> Result<Option<(Option<&str>, &str)>, ReadError>;

    /// What a value of no declared type is.
    fn any_type(&self, node: Node, names: &[&str]) -> Result<AnyType, ReadError>;

    /// An error about a value.
    fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError;
}

/// What a value of no declared type is.
pub(crate) enum AnyType {
    /// An object of no type, without members.
    Empty,
    /// A value of a simple type.
    Simple(SimpleType),
    /// A list of such values.
    List,
    /// An object of the type of this index.
    Own(usize),
}

/// Writes a document.
pub(crate) trait Sink: Send {
    /// Writes a value of a simple type, given by its text in XML.
    fn simple(&mut self, out: &mut Vec<u8>, name: &str, simple: SimpleType, text: &[u8]);

    /// Writes bytes.
    fn bytes(&mut self, out: &mut Vec<u8>, name: &str, bytes: &[u8]);

    /// Writes a value of an enumeration as its number.
    fn number(&mut self, out: &mut Vec<u8>, name: &str, number: i64);

    /// Writes an absent value.
    fn absent(&mut self, out: &mut Vec<u8>, name: &str);

    /// Starts an object, of another type than is declared if [`derived`](Self::derived) named one.
    fn start_object(&mut self, out: &mut Vec<u8>, name: &str);

    fn end_object(&mut self, out: &mut Vec<u8>);

    fn start_list(&mut self, out: &mut Vec<u8>, name: &str);

    fn end_list(&mut self, out: &mut Vec<u8>);

    /// Says the type of the next object, as `xsi:type` names it.
    fn derived(&mut self, type_name: &'static str);
}

impl<'i> Element<'i> {
    /// A value of a document, in the memory that is left for the values of its message.
    pub(crate) fn of_source(
        source: &'i dyn Source,
        node: Node,
        room: Room,
        limits: &Limits,
    ) -> Self {
        let mut element = Self::from_given(Given::Node(source, node));
        element.tokens.limits = *limits;
        element.tokens.room = room;
        element
    }

    /// The document and the value, if this is a value of one.
    #[inline]
    pub(super) fn source(&self) -> Option<(&'i dyn Source, Node)> {
        match self.given {
            Some(Given::Node(source, node)) => Some((source, node)),
            _ => None,
        }
    }

    /// The number of the value, if it is written in few digits.
    #[inline(never)]
    pub(super) fn digits(&self) -> Option<u64> {
        let (source, node) = self.source()?;
        source.digits(node)
    }

    /// Calls `read` with each item of a list.
    pub(super) fn each_item(
        &mut self,
        (source, list): (&'i dyn Source, Node),
        read: &mut dyn FnMut(usize, &mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if source.is_absent(list) {
            return Ok(());
        }
        let mut item = source.first_item(list)?;
        while let Some(node) = item {
            self.given = Some(Given::Node(source, node));
            read(0, self)?;
            item = source.next(node);
        }
        self.given = Some(Given::Node(source, list));
        Ok(())
    }

    /// Reads the members of an object: calls `read` with the number of the row of each among the elements, then the attributes, then the text of the type.
    pub(super) fn members(
        &mut self,
        (source, object): (&'i dyn Source, Node),
        row: &ComplexType<'i>,
        read: &mut dyn FnMut(usize, &mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        // Parameters are never absent: that is for the source to refuse.
        if source.is_absent(object) && !row.is_message {
            if !row.by_value {
                return Ok(());
            }
            let message = "Cannot convert null to a value type.".to_owned();
            return Err(source.error(object, ReadErrorKind::Value, message));
        }
        let count = row.elements.len() + row.attributes.len() + usize::from(row.text.is_some());
        let (mut few, mut many) = ([None; 32], Vec::new());
        let found = match few.get_mut(..count) {
            Some(few) => few,
            None => {
                many.resize(count, None);
                &mut many[..]
            }
        };
        source.members(object, row, found)?;
        for (index, node) in found.iter().enumerate() {
            let Some(node) = *node else { continue };
            self.given = Some(Given::Node(source, node));
            if row
                .elements
                .get(index)
                .is_some_and(|element| element.repeated)
            {
                self.each_item((source, node), &mut |_, item| read(index, item))?;
            } else {
                read(index, self)?;
            }
        }
        self.given = Some(Given::Node(source, object));
        Ok(())
    }
}

impl<'a> Content<'a> {
    /// A document of another notation.
    pub(crate) fn of_sink(out: &'a mut Vec<u8>, sink: &'a mut dyn Sink) -> Self {
        let mut content = Self::compact(out);
        content.place = Place::Sink;
        content.sink = Some(sink);
        content
    }

    /// Whether a document of another notation is written.
    #[inline]
    pub(super) fn is_sink(&self) -> bool {
        self.place == Place::Sink
    }

    /// Writes to the document, if one of another notation is written.
    pub(super) fn with_sink(&mut self, write: impl FnOnce(&mut dyn Sink, &mut Vec<u8>)) {
        if let Some(sink) = &mut self.sink {
            write(*sink, self.out);
        }
    }

    /// Starts an object elsewhere than in XML. Returns whether it has a place there.
    #[cold]
    pub(super) fn start_elsewhere(&mut self, name: &str) -> bool {
        if self.is_sink() {
            self.start(name, &[]);
        } else {
            self.no_form(name, "an object");
        }
        self.is_sink()
    }

    /// Ends an object elsewhere than in XML.
    #[cold]
    pub(super) fn end_elsewhere(&mut self) {
        self.with_sink(|sink, out| sink.end_object(out));
    }
}

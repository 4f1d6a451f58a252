//! Reading and writing values in another notation.

use svcgen_model::ComplexType;

use super::content::{Content, ValuePlace};
use super::element::{Element, Given};
use super::notation::{Node, Sink, Source};
use crate::limits::Limits;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::room::Room;

impl<'i> Element<'i> {
    /// Creates an element for a value of a document, with the memory that is left for the values of
    /// its message.
    pub fn of_source(source: &'i dyn Source, node: Node, room: Room, limits: &Limits) -> Self {
        let mut element = Self::from_given(Given::Node(source, node));
        element.tokens.limits = *limits;
        element.tokens.room = room;
        element
    }

    /// The document and the value, if this is a value of a document in another notation.
    #[inline]
    pub(super) fn source(&self) -> Option<(&'i dyn Source, Node)> {
        match self.given {
            Some(Given::Node(source, node)) => Some((source, node)),
            _ => None,
        }
    }

    /// The number of the value, if it has few digits.
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

    /// Calls `read` with each entry of a dictionary.
    ///
    /// # Errors
    ///
    /// Returns an error in XML or in a form, which cannot hold a dictionary, and the errors of
    /// `read`.
    pub fn entries(
        &mut self,
        read: &mut dyn FnMut(&str, &mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some((source, object)) = self.source() else {
            let message = "A dictionary is read from JSON alone.".to_owned();
            return Err(self.error(ReadErrorKind::Value, message));
        };
        if source.is_absent(object) {
            return Ok(());
        }
        for (key, node) in source.entries(object)? {
            self.given = Some(Given::Node(source, node));
            read(&key, self)?;
        }
        self.given = Some(Given::Node(source, object));
        Ok(())
    }

    /// Reads the members of an object: calls `read` with the index of each member's row among the
    /// elements, then the attributes, then the text of the type.
    pub(super) fn members(
        &mut self,
        (source, object): (&'i dyn Source, Node),
        row: &ComplexType<'i>,
        read: &mut dyn FnMut(usize, &mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        // Parameters are never absent: the source refuses that.
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
    /// Creates a writer of a document in another notation.
    pub fn of_sink(out: &'a mut Vec<u8>, sink: &'a mut dyn Sink) -> Self {
        let mut content = Self::compact(out);
        content.place = ValuePlace::Sink;
        content.sink = Some(sink);
        content
    }

    /// Whether a document in another notation is written.
    #[inline]
    pub(super) fn is_sink(&self) -> bool {
        self.place == ValuePlace::Sink
    }

    /// Writes to the document in another notation, if there is one.
    pub(super) fn with_sink(&mut self, write: impl FnOnce(&mut dyn Sink, &mut Vec<u8>)) {
        if let Some(sink) = &mut self.sink {
            write(*sink, self.out);
        }
    }

    /// Starts an object outside XML. Returns whether it can be written there.
    #[cold]
    pub(super) fn start_elsewhere(&mut self, name: &str) -> bool {
        if self.is_sink() {
            self.start(name, &[]);
        } else {
            self.no_form(name, "an object");
        }
        self.is_sink()
    }

    /// Ends an object outside XML.
    #[cold]
    pub(super) fn end_elsewhere(&mut self) {
        self.with_sink(|sink, out| sink.end_object(out));
    }
}

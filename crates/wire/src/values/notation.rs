//! Values in notations other than XML and forms, which a binding reads and writes.
//!
//! Emitted code calls the same functions of [`Element`](super::Element) and
//! [`Content`](super::Content) in every notation. These delegate everything that has another
//! structure there to a [`Source`] or a [`Sink`]; simple values are exchanged as their texts in XML
//! in both directions.

use std::borrow::Cow;

use svcgen_model::{ComplexType, Enumeration, SimpleType};

use super::time_zone::TimeZone;
use crate::xml::error::{ReadError, ReadErrorKind};

/// Keys and values.
pub type Entries<'s> = Box<dyn Iterator<Item = (Cow<'s, str>, Node)> + 's>;

/// The number that identifies a value in a document.
pub type Node = u32;

/// A document that has been read, whose values are identified by numbers.
pub trait Source: Sync {
    /// Whether a value is absent.
    fn is_absent(&self, node: Node) -> bool;

    /// Whether a value is an empty text, which represents an absent value if the type does not
    /// allow it.
    fn is_blank(&self, node: Node) -> bool;

    /// The XML text of a value of a simple type, for a service in a time zone.
    fn simple(
        &self,
        node: Node,
        simple: SimpleType,
        zone: TimeZone,
    ) -> Result<Cow<'_, str>, ReadError>;

    /// The number of a value with few digits and no sign, which is the same number in every integer
    /// type that includes it.
    fn digits(&self, node: Node) -> Option<u64>;

    /// A value as bytes.
    fn bytes(&self, node: Node) -> Result<Vec<u8>, ReadError>;

    /// The XML text of a value of an enumeration; if it is `open`, a number without a name is also
    /// allowed.
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

    /// The entries of a dictionary, in their order.
    fn entries<'s>(&'s self, node: Node) -> Result<Entries<'s>, ReadError>;

    /// Finds the members of an object: their values, by the index of their row among the elements,
    /// then the attributes, then the text of the type.
    fn members(
        &self,
        node: Node,
        row: &ComplexType<'_>,
        found: &mut [Option<Node>],
    ) -> Result<(), ReadError>;

    /// The index of the type that an object states, among `names`, which are those of `xsi:type`.
    /// The first one is the declared type.
    fn derived_type(
        &self,
        node: Node,
        names: &[&str],
        is_abstract: bool,
    ) -> Result<usize, ReadError>;

    /// The type that an object states: its namespace, if it has one of its own, and its name.
    fn type_name(&self, node: Node) -> Result<Option<(Option<&str>, &str)>, ReadError>;

    /// The kind of a value without a declared type.
    fn any_type(&self, node: Node, names: &[&str]) -> Result<AnyType, ReadError>;

    /// An error about a value.
    fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError;
}

/// The kind of a value without a declared type.
#[derive(Debug)]
pub enum AnyType {
    /// An object of no type, without members.
    Empty,
    /// A value of a simple type.
    Simple(SimpleType),
    /// A list of values without a declared type.
    List,
    /// An object of no type, with members.
    Dictionary,
    /// An object of the type with this index.
    Own(usize),
}

/// Writes a document.
pub trait Sink: Send {
    /// Writes a value of a simple type, given by its text in XML.
    fn simple(&mut self, out: &mut Vec<u8>, name: &str, simple: SimpleType, text: &[u8]);

    /// Writes bytes.
    fn bytes(&mut self, out: &mut Vec<u8>, name: &str, bytes: &[u8]);

    /// Writes a value of an enumeration as its number.
    fn number(&mut self, out: &mut Vec<u8>, name: &str, number: i64);

    /// Writes an absent value.
    fn absent(&mut self, out: &mut Vec<u8>, name: &str);

    /// Starts an object, of another type than the declared one if [`derived`](Self::derived) was
    /// called.
    fn start_object(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends an object.
    fn end_object(&mut self, out: &mut Vec<u8>);

    /// Starts a list that is a member with this name.
    fn start_list(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends a list.
    fn end_list(&mut self, out: &mut Vec<u8>);

    /// Starts a dictionary.
    fn start_dictionary(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends a dictionary.
    fn end_dictionary(&mut self, out: &mut Vec<u8>);

    /// Sets the type of the next object, as `xsi:type` names it.
    fn derived(&mut self, type_name: &'static str);
}

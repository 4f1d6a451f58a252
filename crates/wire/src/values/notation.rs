//! Values in another notation than XML and forms, which a binding reads and writes.
//!
//! Emitted code calls the same functions of [`Element`](super::Element) and
//! [`Content`](super::Content) in every notation. Those hand everything that has another shape
//! there to a [`Source`] or a [`Sink`]; what a simple value is, its text in XML says in both
//! directions.

use std::borrow::Cow;

use svcgen_model::{ComplexType, Enumeration, SimpleType};

use super::time_zone::TimeZone;
use crate::xml::error::{ReadError, ReadErrorKind};

/// Keys and values.
pub type Entries<'s> = Box<dyn Iterator<Item = (Cow<'s, str>, Node)> + 's>;

/// The number of a value in a document.
pub type Node = u32;

/// A document that has been read, whose values are known by number.
pub trait Source: Sync {
    /// Whether a value is absent.
    fn is_absent(&self, node: Node) -> bool;

    /// Whether a value is an empty text, which stands for an absent value if it is none of the
    /// type.
    fn is_blank(&self, node: Node) -> bool;

    /// The text in XML of a value of a simple type, which a service in a time zone reads.
    fn simple(
        &self,
        node: Node,
        simple: SimpleType,
        zone: TimeZone,
    ) -> Result<Cow<'_, str>, ReadError>;

    /// A number of few digits without a sign, which is such a number of every type of integers that
    /// has it.
    fn digits(&self, node: Node) -> Option<u64>;

    /// A value as bytes.
    fn bytes(&self, node: Node) -> Result<Vec<u8>, ReadError>;

    /// The text in XML of a value of an enumeration; of one that is `open`, a number without a name
    /// as well.
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

    /// Finds the members of an object: their values, by the number of their row among those of the
    /// type, of the elements first, then of the attributes, then of the text.
    fn members(
        &self,
        node: Node,
        row: &ComplexType<'_>,
        found: &mut [Option<Node>],
    ) -> Result<(), ReadError>;

    /// The index of the type that an object says to be of, among `names`, which are those of
    /// `xsi:type`. The first one is the declared type.
    fn derived_type(
        &self,
        node: Node,
        names: &[&str],
        is_abstract: bool,
    ) -> Result<usize, ReadError>;

    /// The type that an object says to be of: its namespace, if it has one of its own, and its
    /// name.
    fn type_name(&self, node: Node) -> Result<Option<(Option<&str>, &str)>, ReadError>;

    /// What a value of no declared type is.
    fn any_type(&self, node: Node, names: &[&str]) -> Result<AnyType, ReadError>;

    /// An error about a value.
    fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError;
}

/// What a value of no declared type is.
#[derive(Debug)]
pub enum AnyType {
    /// An object of no type, without members.
    Empty,
    /// A value of a simple type.
    Simple(SimpleType),
    /// A list of such values.
    List,
    /// An object of no type, with members.
    Dictionary,
    /// An object of the type of this index.
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

    /// Starts an object, of another type than is declared if [`derived`](Self::derived) named one.
    fn start_object(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends an object.
    fn end_object(&mut self, out: &mut Vec<u8>);

    /// Begins a list that is a member of this name.
    fn start_list(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends a list.
    fn end_list(&mut self, out: &mut Vec<u8>);

    /// Starts a dictionary.
    fn start_dictionary(&mut self, out: &mut Vec<u8>, name: &str);

    /// Ends a dictionary.
    fn end_dictionary(&mut self, out: &mut Vec<u8>);

    /// Says the type of the next object, as `xsi:type` names it.
    fn derived(&mut self, type_name: &'static str);
}

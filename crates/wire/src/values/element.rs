//! Reading elements.

mod fields;
mod part;

use std::borrow::Cow;
use std::fmt;

use svcgen_model::SimpleType::{self, Any};
use svcgen_model::TypeRef::{List, Simple};
use svcgen_model::{self as model, TextForm, renamed};

use super::binary_parts::BinaryParts;
use super::checks::Checks;
use super::children::Children;
use super::name_text;
use super::notation::{Node, Source};
use super::time_zone::TimeZone;
use crate::accept::Accept;
use crate::limits::Limits;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::names::expanded_name;
use crate::xml::namespaces::SCHEMA_INSTANCE;
use crate::xml::room::Room;
use crate::xml::scopes::Rows;
use crate::xml::tokens::Tokens;

/// The decoded fields of a form or query, in order: names and values.
pub type FormFields<'i> = [(Cow<'i, str>, Cow<'i, str>)];

/// An element, attribute or form field whose value is to be read. Of an element the start tag is
/// read, but not the content.
///
/// It can be read once.
pub struct Element<'i> {
    #[doc(hidden)]
    pub tokens: Tokens<'i>,
    pub(super) given: Option<Given<'i>>,
    /// The time zone of the service.
    #[doc(hidden)]
    pub time_zone: TimeZone,
    /// The number of repeated choices and sequences around it, from the outermost, whose current
    /// item it continues. Each field of a form begins an item.
    pub(crate) going_on: usize,
    /// The names of nested lists, each after its name in SOAP, if other names are read.
    pub(crate) list_names: &'i [(&'i str, &'i str)],
    /// The form of the text that is read next.
    pub(crate) text_form: TextForm,
    /// The row of the items of the next list, if their names differ from those in the code.
    pub(crate) items: Option<&'i model::Element<'i>>,
    /// The checks of the message.
    #[doc(hidden)]
    pub checks: Checks<'i>,
    /// The binary parts of the message.
    pub(crate) parts: Option<&'i dyn BinaryParts>,
}

/// Does not show the content, which may be a secret.
impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self.given {
            Some(Given::Form { name, .. }) => name.to_owned(),
            _ => self.tokens.path(),
        };
        f.debug_struct("Element")
            .field("path", &path)
            .finish_non_exhaustive()
    }
}

/// Values with more bytes are created in functions of their own, so that no recursive frame
/// contains one.
const SMALL: usize = 64;

#[inline(never)]
fn push_default<T: Default>(values: &mut Vec<T>) {
    values.push(T::default());
}

/// A value outside XML elements.
#[derive(Clone)]
pub(super) enum Given<'i> {
    /// The name with its prefix, or `None` for a value in the text of an element; and the value.
    Attribute(Option<&'i str>, Cow<'i, str>),
    /// An object: all fields of a form.
    Fields(&'i FormFields<'i>),
    /// An object: an element whose start tag is read, and its following siblings.
    Parts(Rows<'i>),
    /// XML: an element whose start tag is read, including its tags.
    Whole,
    /// The fields with one name.
    Form {
        name: &'i str,
        fields: &'i FormFields<'i>,
        /// The value of the only field to read, while the items of a list are read.
        only: Option<&'i str>,
    },
    /// A value of a document in another notation.
    Node(&'i dyn Source, Node),
}

impl<'i> Element<'i> {
    pub(crate) fn from_tokens(tokens: Tokens<'i>) -> Self {
        Self {
            tokens,
            given: None,
            time_zone: TimeZone::default(),
            going_on: 0,
            list_names: &[],
            text_form: TextForm::AsIs,
            items: None,
            checks: Checks::default(),
            parts: None,
        }
    }

    pub(super) fn from_given(given: Given<'i>) -> Self {
        Self {
            given: Some(given),
            ..Self::from_tokens(Tokens::new("", &Limits::default()))
        }
    }

    /// Creates an element for a form, with its fields as children. Names are compared ignoring
    /// case.
    pub fn of_fields(fields: &'i FormFields<'i>, limits: &Limits) -> Self {
        let mut element = Self::from_given(Given::Fields(fields));
        element.tokens.room = Room::of_fields(fields, limits);
        element
    }

    /// Creates an element for the fields with a name. Names are compared ignoring case.
    pub fn from_form(name: &'i str, fields: &'i FormFields<'i>) -> Self {
        let only = None;
        Self::from_given(Given::Form { name, fields, only })
    }

    /// Creates an element for a text, as if it were the value of an attribute.
    pub fn of_text(text: &'i str) -> Self {
        Self::from_given(Given::Attribute(None, Cow::Borrowed(text)))
    }

    /// Reads the element as the root of the paths in errors.
    pub(crate) fn read_as_root(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let outer = self.tokens.enter_value();
        let result = read(self);
        self.tokens.leave_value(outer);
        result
    }
}

/// Reading.
impl<'i> Element<'i> {
    /// Returns the index of the type that `xsi:type` names, or 0, the declared type, without
    /// `xsi:type`. The content is still to be read. A name in a namespace of its own is written
    /// `{NAMESPACE}NAME`.
    ///
    /// # Errors
    ///
    /// Returns an error if `xsi:type` names another type, or if the declared type is abstract and
    /// no other is named.
    pub fn derived_type(&mut self, names: &[&str], is_abstract: bool) -> Result<usize, ReadError> {
        if let Some((source, node)) = self.source() {
            return source.derived_type(node, names, is_abstract);
        }
        if self.given.is_some() || self.tokens.is_nil() {
            return Ok(0);
        }
        self.open_leaf();
        let by_default = self.tokens.type_namespace();
        let expand = |name| expanded_name(name).unwrap_or((by_default, name));
        let declared = expand(names.first().copied().unwrap_or_default());
        let (namespace, name) = self.tokens.type_name()?.unwrap_or(declared);
        let position = |is: &dyn Fn((&str, &str)) -> bool| {
            let mut names = names.iter();
            names.position(|known| is(expand(known)))
        };
        let mut found = position(&|known| known == (namespace, name));
        if self.tokens.accepted.has(Accept::TypeNames) {
            found = found.or_else(|| position(&|(_, known)| known == name));
        }
        let wrong = match found {
            None => "was not recognized",
            Some(0) if is_abstract => "is abstract",
            Some(index) => return Ok(index),
        };
        let message = format!(
            "The specified type {wrong}: name='{name}', namespace='{namespace}', at <{} xmlns='{}'>.",
            self.tokens.local_name(),
            self.tokens.namespace(),
        );
        Err(self.error(ReadErrorKind::Value, message))
    }

    /// Returns an error if `xsi:type` names another type than that of the object that is read.
    #[cold]
    pub(super) fn check_type(&mut self, row: &model::ComplexType<'_>) -> Result<(), ReadError> {
        if self.tokens.attribute_of(SCHEMA_INSTANCE, "type").is_none() {
            return Ok(());
        }
        let own = row.scope.namespace;
        let name = own.map(|namespace| format!("{{{namespace}}}{}", row.name));
        let name = name.as_deref().unwrap_or(row.name);
        self.derived_type(&[name], false).map(drop)
    }

    /// Reads the text of the element, with all its white space. Several fields of one name are
    /// joined by commas.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'i, str>, ReadError> {
        if let Some(text) = self.plain_text(Some) {
            return Ok(Cow::Borrowed(text));
        }
        let text = self.text_to_check()?;
        self.close();
        Ok(text)
    }

    /// Reads the text of the element into a new string. Not inlined: the fast path takes most
    /// texts.
    #[inline(never)]
    pub(crate) fn mixed_text(&mut self) -> Result<String, ReadError> {
        if let Some((source, node)) = self.source() {
            let text = source.simple(node, SimpleType::String, self.time_zone)?;
            return Ok(text.into_owned());
        }
        let leaf = self
            .tokens
            .leaf
            .filter(|_| self.text_form == TextForm::AsIs);
        if let Some((text, end)) = leaf.and_then(|leaf| self.tokens.decoded_text_of(leaf)) {
            self.tokens.pass_leaf(end);
            return Ok(text);
        }
        Ok(self.text()?.into_owned())
    }

    /// Reads the text of an element that the fast path took. Reads nothing if it did not, or if
    /// `read` returns `None`.
    #[inline]
    pub(crate) fn plain_text<T>(&mut self, read: impl FnOnce(&'i str) -> Option<T>) -> Option<T> {
        if self.text_form != TextForm::AsIs {
            return None;
        }
        let (length, end) = self.tokens.text_of(self.tokens.leaf?)?;
        let start = self.tokens.at;
        let value = read(self.tokens.input.get(start..start + length)?)?;
        self.tokens.pass_leaf(end);
        Some(value)
    }

    /// Reads the number of an element that the fast path took, if it has at most 19 digits, or the
    /// digits in a document in another notation.
    #[inline]
    pub(crate) fn plain_digits<T: TryFrom<u64>>(&mut self) -> Option<T> {
        let Some(leaf) = self.tokens.leaf else {
            return self.digits()?.try_into().ok();
        };
        let (number, end) = self.tokens.digits_of(leaf)?;
        let number = number.try_into().ok()?;
        self.tokens.pass_leaf(end);
        Some(number)
    }

    /// Reads the `true` or `false` of an element that the fast path took.
    #[inline]
    pub(crate) fn plain_boolean(&mut self) -> Option<bool> {
        let (value, end) = self.tokens.boolean_of(self.tokens.leaf?)?;
        self.tokens.pass_leaf(end);
        Some(value)
    }

    /// Opens the element if the fast path took its start tag, in order to read it as something else
    /// than plain text.
    #[inline]
    pub fn open_leaf(&mut self) {
        if self.tokens.leaf.is_some() {
            self.tokens.open_leaf();
        }
    }

    /// Reads the text of the element and leaves the element open, for an error about it or for
    /// [`close`](Self::close).
    pub(crate) fn text_to_check(&mut self) -> Result<Cow<'i, str>, ReadError> {
        self.text_of(SimpleType::String)
    }

    /// Reads the text of a value of a simple type and leaves the element open.
    pub(crate) fn text_of(&mut self, simple: SimpleType) -> Result<Cow<'i, str>, ReadError> {
        self.open_leaf();
        let form = std::mem::take(&mut self.text_form);
        match &self.given {
            None => Ok(name_text::read_in(form, self.tokens.text()?)),
            Some(Given::Node(source, node)) => source.simple(*node, simple, self.time_zone),
            Some(Given::Attribute(_, value)) => Ok(name_text::read_in(form, value.clone())),
            Some(Given::Form {
                only: Some(value), ..
            }) => Ok(Cow::Borrowed(value)),
            Some(Given::Form { .. } | Given::Fields(_) | Given::Parts(_) | Given::Whole) => {
                self.joined()
            }
        }
    }

    /// Closes the element after its text.
    #[inline]
    pub(crate) fn close(&mut self) {
        if self.given.is_none() {
            self.tokens.close();
        }
    }

    /// Whether the element has `xsi:nil="true"`.
    pub fn is_nil(&self) -> bool {
        match &self.given {
            None => self.tokens.is_nil(),
            Some(Given::Node(source, node)) => source.is_absent(*node),
            Some(_) => false,
        }
    }

    /// Whether the element is written as `<x/>`.
    #[inline]
    pub(crate) fn is_empty_tag(&self) -> bool {
        self.given.is_none() && self.tokens.leaf.is_none() && self.tokens.empty
    }

    /// The level of the element in the paths of errors, counted from 1.
    #[inline]
    pub(crate) fn level(&self) -> usize {
        self.tokens.level()
    }

    /// Turns it into an object: the element whose start tag is read, and its following siblings.
    pub(crate) fn set_parts(&mut self, rows: Rows<'i>) {
        self.given = Some(Given::Parts(rows));
    }

    /// Turns it into XML: the element whose start tag is read, including its tags.
    pub(crate) fn set_whole(&mut self) {
        self.given = Some(Given::Whole);
    }

    /// Whether it was turned into XML by [`set_whole`](Self::set_whole); undoes that.
    pub(super) fn take_whole(&mut self) -> bool {
        let is_whole = matches!(self.given, Some(Given::Whole));
        if is_whole {
            self.given = None;
        }
        is_whole
    }

    /// Whether the value comes from a form.
    #[inline]
    pub fn is_form(&self) -> bool {
        matches!(self.given, Some(Given::Form { .. }))
    }

    /// Whether the value comes from an attribute.
    pub(crate) fn is_attribute(&self) -> bool {
        matches!(self.given, Some(Given::Attribute(..)))
    }

    /// Whether the value is outside XML elements.
    #[inline]
    pub(crate) fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// Returns an error for a value that only XML elements can hold, if this is not an XML element.
    #[doc(hidden)]
    #[inline]
    pub fn no_form(&self, what: &str) -> Result<(), ReadError> {
        match self.given {
            None => Ok(()),
            Some(_) => Err(self.no_place(what)),
        }
    }

    /// Returns an error for a value that a form cannot hold, if this is a form.
    pub(crate) fn no_field(&self, what: &str) -> Result<(), ReadError> {
        match self.given {
            Some(Given::Form { .. } | Given::Fields(_)) => self.no_form(what),
            _ => Ok(()),
        }
    }

    pub(crate) fn no_place(&self, what: &str) -> ReadError {
        let place = match self.given {
            Some(Given::Node(..)) => "a message of this binding",
            _ => "an attribute or a form",
        };
        let message = format!("{what} has no place in {place}.");
        self.error(ReadErrorKind::Value, message)
    }

    /// Reads the items of a wrapped list, which are elements with this name: calls `push` for each.
    /// A list that is `xsi:nil` has no items.
    ///
    /// # Errors
    ///
    /// Returns the errors of `push`, and those of content between the items.
    pub fn items(
        &mut self,
        item: &str,
        push: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        match self.given {
            None if self.tokens.takes_nil()? => self.tokens.skip().map(drop),
            None => {
                let rows = self.tokens.scopes.and_then(|scopes| scopes.in_list());
                let row = self.items.take();
                let name = row.map_or(item, |row| match row.type_ref {
                    List(_) => renamed(self.list_names, row.name),
                    _ => row.name,
                });
                let item = model::element(name, Simple(Any));
                let inner = row.and_then(|row| row.items());
                self.children(Children::items(&item), rows, &mut |index, element| {
                    element.items = inner;
                    push(index, element)
                })
            }
            Some(_) => self.each(push),
        }
    }

    /// Adds an item with its default value to a list, and returns it to be read: large items are
    /// never on the stack.
    ///
    /// # Errors
    ///
    /// Returns an error if the message takes more memory than
    /// [`Limits::values`](crate::Limits::values) allows.
    #[inline]
    pub fn add<'v, T: Default>(&mut self, values: &'v mut Vec<T>) -> Result<&'v mut T, ReadError> {
        if values.len() == values.capacity() {
            let more = self.room_for_items(size_of::<T>(), values.capacity())?;
            values.reserve_exact(more);
        }
        if size_of::<T>() > SMALL {
            push_default(values);
        } else {
            values.push(T::default());
        }
        let last = values.len() - 1;
        Ok(&mut values[last])
    }

    /// The number of items of `size` bytes in memory that are added to the capacity of a full list.
    #[inline(never)]
    fn room_for_items(&mut self, size: usize, capacity: usize) -> Result<usize, ReadError> {
        let tokens = &mut self.tokens;
        let rest = tokens.rest().len();
        // The rest of the document cannot contain more: no item is shorter than `<i/>`.
        let most = match self.given {
            None => 1 + rest / 4,
            Some(_) => usize::MAX,
        };
        let more = tokens.room.for_items(size, capacity, rest, most);
        more.map_err(|error| tokens.here(error))
    }

    /// Reads an absent value and returns `true` if the value is absent: `xsi:nil`, or no field for
    /// a value that is [repeated](crate::Value::REPEATED) in a form.
    ///
    /// # Errors
    ///
    /// Returns an error if the content of the element is malformed.
    #[inline]
    pub fn take_absent(&mut self, repeated: bool) -> Result<bool, ReadError> {
        if self.tokens.leaf.is_some() || (self.given.is_none() && !self.tokens.is_nil()) {
            return Ok(false);
        }
        self.take_other_absent(repeated)
    }

    /// Whether the element, which is open, has no text for an object with a text row: only white
    /// space, or nothing at all if white space may be a value.
    #[inline]
    pub(crate) fn has_no_text(&self, text: &model::Element<'_>) -> bool {
        if text.holds_blanks() {
            return text.constraint.is_some() && self.tokens.is_without_text();
        }
        self.tokens.is_blank()
    }

    #[inline(never)]
    fn take_other_absent(&mut self, repeated: bool) -> Result<bool, ReadError> {
        if let Some((source, node)) = self.source() {
            return Ok(source.is_absent(node));
        }
        if self.is_nil() {
            self.tokens.skip_value()?;
            return Ok(true);
        }
        Ok(repeated && self.is_form() && self.fields().next().is_none())
    }

    /// Calls `field` with each attribute of a type, and then for a wildcard, while the remaining
    /// attributes are those of the last start tag.
    pub(crate) fn attributes(
        &mut self,
        of: &model::ComplexType<'i>,
        field: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let wildcard = of.attributes.iter().position(|row| row.wildcard.is_some());
        let mut unknown = Vec::new();
        let mut attributes = std::mem::take(&mut self.tokens.attributes);
        for attribute in attributes.drain(..) {
            match self.tokens.index_of_attribute(of, &attribute) {
                Some(index) => {
                    let name = match attribute.prefix {
                        "" => attribute.local_name,
                        prefix => prefix,
                    };
                    self.given = Some(Given::Attribute(Some(name), attribute.value));
                    self.enter_row(&of.attributes[index]);
                    field(index, self)?;
                    self.given = None;
                }
                None if wildcard.is_some() => unknown.push(attribute),
                None => {}
            }
        }
        self.tokens.attributes = attributes;
        if let Some(index) = wildcard {
            self.tokens.attributes.append(&mut unknown);
            field(index, self)?;
        }
        Ok(())
    }

    /// The error for a text, already read, that is not a value. Its place is that of a .NET reader
    /// when it converts the text: the node after the element, or the name of the attribute. For a
    /// form it is about the field.
    #[doc(hidden)]
    #[cold]
    pub fn no_value(&self, message: String) -> ReadError {
        let at = match self.given {
            None | Some(Given::Attribute(None, _)) => self.tokens.next_node(),
            Some(Given::Attribute(Some(name), _)) => self.tokens.offset(name),
            Some(_) => return self.error(ReadErrorKind::Value, message),
        };
        let error = ReadError::new(ReadErrorKind::Value, message);
        self.tokens.placed(error, at)
    }

    /// Moves an error about the text of an object or a QName to its end tag, which a .NET reader
    /// has not passed when it converts the text.
    #[cold]
    pub(crate) fn before_end_tag(&self, error: ReadError) -> ReadError {
        match error.kind() {
            ReadErrorKind::Value => self.tokens.placed(error, self.tokens.end_tag_name()),
            _ => error,
        }
    }

    /// The error for an index of an element or attribute that the type does not have, because its
    /// code was generated from another definition than its row.
    #[cold]
    pub fn unknown_index(&self, index: usize) -> ReadError {
        self.error(
            ReadErrorKind::Value,
            format!("The type has no element or attribute {index}."),
        )
    }

    /// An error at the name of the element, or about the field.
    pub fn error(&self, kind: ReadErrorKind, message: String) -> ReadError {
        match self.given {
            Some(Given::Form { name, .. }) => ReadError::new(kind, message).of_field(name),
            Some(Given::Node(source, node)) => source.error(node, kind, message),
            _ => self.tokens.error_at_element(kind, message),
        }
    }
}

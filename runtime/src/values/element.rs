//! An element while it is being read.

use std::borrow::Cow;
use std::fmt;

use svcgen_model as model;
use svcgen_model::SimpleType::Any;
use svcgen_model::TypeRef::Simple;

use super::children::{Children, Order};
use crate::limits::Limits;
use crate::xml::error::{ReadError, ReadErrorKind};
use crate::xml::tokens::Tokens;

/// The decoded fields of a form or query, in order: names and values.
pub type FormFields<'i> = [(Cow<'i, str>, Cow<'i, str>)];

/// An element that is being read: its start tag is read, its content is not. It hides whether the value comes from XML or from a form.
///
/// Whoever gets an element reads it once.
pub struct Element<'i> {
    pub(crate) tokens: Tokens<'i>,
    given: Option<Given<'i>>,
}

/// Its content may be a secret, and is not shown.
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

/// For how many bytes of items a list has room from the start, so that most lists never grow.
const ROOM: usize = 512;

/// A value that stands in no element.
enum Given<'i> {
    Attribute(Cow<'i, str>),
    /// All fields of a form, which an object is read from.
    Fields(&'i FormFields<'i>),
    Form {
        name: &'i str,
        fields: &'i FormFields<'i>,
        only: Option<&'i str>,
    },
}

impl<'i> Element<'i> {
    pub(crate) fn from_tokens(tokens: Tokens<'i>) -> Self {
        Self {
            tokens,
            given: None,
        }
    }

    /// The fields of a form as an element whose children they are. Names are compared without regard to case.
    pub fn of_fields(fields: &'i FormFields<'i>) -> Self {
        Self {
            tokens: Tokens::new("", &Limits::default()),
            given: Some(Given::Fields(fields)),
        }
    }

    /// A form field as an element: all fields of this name, whatever their case.
    pub fn from_form(name: &'i str, fields: &'i FormFields<'i>) -> Self {
        Self {
            tokens: Tokens::new("", &Limits::default()),
            given: Some(Given::Form {
                name,
                fields,
                only: None,
            }),
        }
    }
}

/// Reading.
impl<'i> Element<'i> {
    /// Which of these types the element says with `xsi:type` that it holds, by its index; the first one is the type that it is declared with and that it holds if it says nothing.
    /// The content is still to be read.
    ///
    /// # Errors
    ///
    /// None of these types; or `xsi:type` is missing though the first one is abstract.
    pub fn derived_type(&mut self, names: &[&str], is_abstract: bool) -> Result<usize, ReadError> {
        if self.given.is_some() || self.tokens.nil {
            return Ok(0);
        }
        self.open_leaf();
        let expected = self.tokens.type_namespace();
        let found = self.tokens.type_name()?;
        let index = match &found {
            None => Some(0),
            Some((namespace, name)) if *namespace == expected => {
                names.iter().position(|known| known == name)
            }
            Some(_) => None,
        };
        let (namespace, name) = match &found {
            Some((namespace, name)) => (*namespace, *name),
            None => (expected, names.first().copied().unwrap_or_default()),
        };
        let wrong = match index {
            None => "not recognized",
            Some(0) if is_abstract => "abstract",
            Some(index) => return Ok(index),
        };
        let message = format!(
            "The specified type {} {wrong}: name='{name}', namespace='{namespace}', at <{} xmlns='{}'>.",
            if wrong == "abstract" { "is" } else { "was" },
            self.tokens.local_name(),
            self.tokens.namespace(),
        );
        Err(self.error(ReadErrorKind::Value, message))
    }

    /// Reads the text of the element, with all its white space. Several fields of one name are joined by commas.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'i, str>, ReadError> {
        if let Some(leaf) = self.tokens.leaf.take() {
            return Ok(Cow::Borrowed(self.tokens.text_of(leaf)));
        }
        let text = self.text_to_check()?;
        self.close();
        Ok(text)
    }

    /// Reads the text of an element that the fast path did not take.
    #[inline(never)]
    pub(crate) fn mixed_text(&mut self) -> Result<String, ReadError> {
        Ok(self.text()?.into_owned())
    }

    /// Reads the element with a function that may refuse its text, if the fast path took it. Otherwise nothing is read.
    #[inline]
    pub(crate) fn plain_text<T>(&mut self, read: impl FnOnce(&'i str) -> Option<T>) -> Option<T> {
        let value = read(self.tokens.text_of(self.tokens.leaf?))?;
        self.tokens.leaf = None;
        Some(value)
    }

    /// The same for a function that looks at bytes.
    #[inline]
    pub(crate) fn plain_bytes<T>(&mut self, read: impl FnOnce(&'i [u8]) -> Option<T>) -> Option<T> {
        let value = read(self.tokens.bytes_of(self.tokens.leaf?))?;
        self.tokens.leaf = None;
        Some(value)
    }

    /// Opens the element again if the fast path took it, for whoever reads it otherwise than as plain text.
    #[inline]
    pub(crate) fn open_leaf(&mut self) {
        if let Some(leaf) = self.tokens.leaf.take() {
            self.tokens.reopen(leaf);
        }
    }

    /// Reads the text of the element and leaves the element open, for an error about it or [`close`](Self::close).
    pub(crate) fn text_to_check(&mut self) -> Result<Cow<'i, str>, ReadError> {
        self.open_leaf();
        match &self.given {
            None if !self.tokens.nil => self.tokens.text(),
            None => self.tokens.nothing(),
            Some(Given::Attribute(value)) => Ok(value.clone()),
            Some(Given::Form {
                only: Some(value), ..
            }) => Ok(Cow::Borrowed(value)),
            Some(Given::Form { .. } | Given::Fields(_)) => self.joined(),
        }
    }

    /// Closes the element after its text.
    #[inline]
    pub(crate) fn close(&mut self) {
        if self.given.is_none() {
            self.tokens.close();
        }
    }

    /// Reads the children of the element, through its end tag: calls `field` with the index of each one that has an expected name and namespace, and skips the others, or refuses them if the reading is strict.
    pub(crate) fn children(
        &mut self,
        children: Children<'_>,
        field: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.open_leaf();
        let Some(parent) = self.tokens.open.last().copied() else {
            return Ok(());
        };
        if self.tokens.empty {
            self.tokens.close();
            return Ok(());
        }
        let level = self.tokens.open.len();
        let path = self.tokens.fast_path(parent);
        let mut order = Order::of(children);
        loop {
            let rest = self.tokens.rest_after_blanks();
            let index = match children.elements.get(order.next) {
                Some(next) if self.tokens.take_named(&path, next.name, rest) => order.next,
                _ => match self
                    .tokens
                    .other(&path, rest, children.elements, order.next)?
                {
                    Some(index) => index,
                    None => return Ok(()),
                },
            };
            if order.admits(index) {
                field(index, self)?;
            }
            // A field that was seen before, or whose type did not read it.
            if self.tokens.leaf.is_some() {
                self.tokens.leaf = None;
            } else if self.tokens.open.len() > level {
                self.tokens.skip_value()?;
            }
        }
    }

    /// Whether the element says `xsi:nil="true"`.
    pub fn is_nil(&self) -> bool {
        self.given.is_none() && self.tokens.nil
    }

    /// Which level of the path of errors the element is, counted from 1.
    #[inline]
    pub(crate) fn level(&self) -> usize {
        self.tokens.level()
    }

    /// The fields of the form that the element stands for, if it stands for all of them.
    pub(crate) fn form(&self) -> Option<&'i FormFields<'i>> {
        match self.given {
            Some(Given::Fields(fields)) => Some(fields),
            _ => None,
        }
    }

    /// Whether the value comes from a form.
    #[inline]
    pub fn is_form(&self) -> bool {
        matches!(self.given, Some(Given::Form { .. }))
    }

    /// Whether the value comes from an attribute.
    pub(crate) fn is_attribute(&self) -> bool {
        matches!(self.given, Some(Given::Attribute(_)))
    }

    /// Refuses what only XML elements hold where there is none.
    #[inline]
    pub(crate) fn no_form(&self, what: &str) -> Result<(), ReadError> {
        match self.given {
            None => Ok(()),
            Some(_) => Err(self.error(
                ReadErrorKind::Value,
                format!("{what} has no place in an attribute or a form."),
            )),
        }
    }

    /// Reads the items of a list.
    pub(crate) fn items(
        &mut self,
        item: &str,
        push: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        match self.given {
            None if self.tokens.nil => self.tokens.skip().map(drop),
            None => {
                let item = [model::element(item, Simple(Any))];
                self.children(Children::items(&item), push)
            }
            Some(_) => self.each(push),
        }
    }

    /// For how many items, each of so many bytes in memory, a list should have room when its first item was read.
    pub(crate) fn room_for_items(&self, size: usize) -> usize {
        // No more than what may follow, as no item is shorter than `<i/>`.
        let ahead = self.tokens.rest().len() / 4;
        1 + ahead.min(ROOM / size.max(1))
    }

    /// Reads an absent value, if it is one: `xsi:nil`, or no field at all for a value that a form repeats.
    #[inline]
    pub(crate) fn take_absent(&mut self, repeated: bool) -> Result<bool, ReadError> {
        if self.tokens.leaf.is_some() || (self.given.is_none() && !self.tokens.nil) {
            return Ok(false);
        }
        self.take_other_absent(repeated)
    }

    #[inline(never)]
    fn take_other_absent(&mut self, repeated: bool) -> Result<bool, ReadError> {
        if self.is_nil() {
            self.tokens.skip_value()?;
            return Ok(true);
        }
        Ok(repeated && self.is_form() && self.fields().next().is_none())
    }

    /// Gives each of these attributes, which are in no namespace, to `field`.
    pub(crate) fn attributes(
        &mut self,
        known: &[model::Element<'_>],
        field: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for attribute in std::mem::take(&mut self.tokens.attributes) {
            let is_it = |row: &model::Element<'_>| row.name == attribute.local_name;
            let index = known.iter().position(is_it);
            if let (Some(index), true) = (index, attribute.prefix.is_empty()) {
                self.given = Some(Given::Attribute(attribute.value));
                field(index, self)?;
                self.given = None;
            }
        }
        Ok(())
    }

    /// An error at the name of the element, or about the field.
    pub(crate) fn error(&self, kind: ReadErrorKind, message: String) -> ReadError {
        match self.given {
            Some(Given::Form { name, .. }) => ReadError::new(kind, message).of_field(name),
            _ => self.tokens.error_at_element(kind, message),
        }
    }
}

/// Forms.
impl<'i> Element<'i> {
    /// The values of the field.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'i str> + use<'i> {
        let (name, fields, only) = match self.given {
            Some(Given::Form { name, fields, only }) => (name, fields, only),
            _ => ("", &[] as &FormFields<'i>, None),
        };
        let all = fields
            .iter()
            .filter(move |(other, _)| only.is_none() && other.eq_ignore_ascii_case(name));
        only.into_iter().chain(all.map(|(_, value)| &**value))
    }

    /// Whether it is one field, with nothing after `=`.
    pub(crate) fn is_blank_field(&self) -> bool {
        let mut fields = self.fields();
        fields.next() == Some("") && fields.next().is_none()
    }

    fn joined(&self) -> Result<Cow<'i, str>, ReadError> {
        let mut fields = self.fields();
        match (fields.next(), fields.next()) {
            (None, _) => Err(self.missing()),
            (Some(only), None) => Ok(Cow::Borrowed(only)),
            _ => Ok(Cow::Owned(self.fields().collect::<Vec<_>>().join(","))),
        }
    }

    fn missing(&self) -> ReadError {
        let name = match self.given {
            Some(Given::Form { name, .. }) => name,
            _ => "",
        };
        self.error(
            ReadErrorKind::Missing,
            format!("Missing parameter: {name}."),
        )
    }

    /// Gives each value of the field to `push`, as a field of its own.
    pub(crate) fn each(
        &mut self,
        push: &mut dyn FnMut(usize, &mut Element<'i>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for value in self.fields() {
            if let Some(Given::Form { only, .. }) = &mut self.given {
                *only = Some(value);
            }
            push(0, self)?;
        }
        Ok(())
    }
}

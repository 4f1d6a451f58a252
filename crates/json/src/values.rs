//! The values of a JSON document, for the rows of a service.

use std::borrow::Cow;

use svcgen_model::{
    At, ComplexType, Element, Enumeration, Kind as Content, Service, SimpleType, TypeAt,
};

use crate::convert::{self, Refused};
use crate::document::{Document, Kind};
use crate::rows::{enumeration_text, index_of, rows};
use crate::types::{Types, index_of_type, is_a};
use svcgen_wire::internals::CONCEALED;
use svcgen_wire::internals::TimeZone;
use svcgen_wire::internals::base64;
use svcgen_wire::internals::expanded_name;
use svcgen_wire::internals::{AnyType, Entries, Node, Source};
use svcgen_wire::{ReadError, ReadErrorKind};

type Result<T> = std::result::Result<T, ReadError>;

/// The member with the type of an object.
const TYPE: &str = "__type";

/// The end of the name of a member that specifies whether another one is present.
const SPECIFIED: &str = "Specified";

/// A document with values of a service.
#[derive(Debug)]
pub struct Values<'v> {
    document: &'v Document<'v>,
    types: Types<'v>,
    strict: bool,
}

impl<'v> Values<'v> {
    /// Creates the values of a document, for a service.
    pub fn new(document: &'v Document<'v>, service: At<'v, Service<'v>>) -> Self {
        Self {
            document,
            types: Types(service),
            strict: false,
        }
    }

    /// Refuses unknown members if `strict` is true.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    fn refuse(&self, node: Node, message: impl Into<String>) -> ReadError {
        self.error(node, ReadErrorKind::Value, message.into())
    }

    /// The error for a value that is not in the lexical space of a type. .NET quotes the value.
    #[cold]
    fn not_a(&self, node: Node, text: &str, name: &str) -> ReadError {
        let say = |text: &str| format!("{text} is not a valid value for {name}.");
        self.refuse(node, say(text)).or_concealed(say(CONCEALED))
    }

    #[cold]
    fn refused(&self, node: Node, simple: SimpleType, refused: Refused) -> ReadError {
        match refused {
            Refused::NotA(text) => self.not_a(node, &text, convert::short_name(simple)),
            Refused::Otherwise(message) => self.refuse(node, message),
        }
    }

    /// The type that an object names, with its name.
    fn named_type(&self, object: Node) -> Result<Option<(TypeAt<'v>, &'v str)>> {
        match self.document.member(object, TYPE) {
            Some(value) if self.document.is_object(object) => self.known_type(value),
            _ => Ok(None),
        }
    }

    /// The type that the value of a `__type` member names.
    fn known_type(&self, value: Node) -> Result<Option<(TypeAt<'v>, &'v str)>> {
        if self.document.is_null(value) {
            return Ok(None);
        }
        let name = convert::net_text(self.document, value);
        if let Some(known) = name.and_then(|name| self.types.named(&name)) {
            return Ok(Some(known));
        }
        let message = "Operation is not valid due to the current state of the object.";
        Err(self.unnamed(value, message))
    }

    /// Refuses objects that name an unknown type, even outside of parameters, as .NET does.
    fn check_types(&self) -> Result<()> {
        let mut named = self.document.objects_with(TYPE);
        named.try_for_each(|value| self.known_type(value).map(drop))
    }

    /// The .NET type of a value before it is converted.
    fn net_type(&self, node: Node) -> &'static str {
        match self.document.kind(node) {
            Kind::Null => "System.Object",
            Kind::Boolean(_) => SimpleType::Boolean.row().net,
            Kind::Number(token) => convert::type_of_number(token).row().net,
            Kind::Text if self.document.date(node).is_some() => SimpleType::DateTime.row().net,
            Kind::Text => SimpleType::String.row().net,
            Kind::List => "System.Object[]",
            Kind::Object => "System.Collections.Generic.Dictionary`2[System.String,System.Object]",
        }
    }

    #[cold]
    fn mismatch(&self, node: Node, own: &str, expected: &str) -> ReadError {
        let message = format!("Cannot convert object of type '{own}' to type '{expected}'");
        self.refuse(node, message)
    }

    #[cold]
    fn no_object(&self, node: Node, expected: &str) -> ReadError {
        if self.document.kind(node) == Kind::List {
            let message =
                format!("Type '{expected}' is not supported for deserialization of an array.");
            return self.refuse(node, message);
        }
        self.mismatch(node, self.net_type(node), expected)
    }

    #[cold]
    fn no_constructor(&self, node: Node, expected: &str) -> ReadError {
        let message = format!("No parameterless constructor defined for type of '{expected}'.");
        self.refuse(node, message)
    }

    /// Refuses an object that names another type than the expected one.
    fn check_type(&self, object: Node, value: Node, row: &ComplexType<'_>) -> Result<()> {
        let Some((known, name)) = self.known_type(value)? else {
            return Ok(());
        };
        match known {
            TypeAt::Complex(complex) if is_a(complex, row) && !row.is_message => Ok(()),
            _ => Err(self.mismatch(object, name, &self.types.name_of(row))),
        }
    }

    /// Refuses types whose shape no value has here.
    fn check_shape(&self, object: Node, row: &ComplexType<'_>) -> Result<()> {
        if row.kind == Content::Record && row.attributes.is_empty() {
            return Ok(());
        }
        let mut groups = row.groups.iter();
        let mut parts = row.elements.iter().chain(row.attributes);
        if row.kind != Content::Mixed
            && groups.all(|group| group.is_sequence() && !group.repeated)
            && parts.all(Element::is_named)
        {
            return Ok(());
        }
        let message = format!(
            "'{}' has a choice, a repeated sequence or XML that no type describes, which have no place in a message of this binding.",
            row.name
        );
        Err(self.refuse(object, message))
    }

    /// The index of the member whose presence another member specifies.
    fn specified(&self, row: &ComplexType<'_>, name: &str) -> Option<usize> {
        let end = name.len().checked_sub(SPECIFIED.len())?;
        let (name, suffix) = (name.get(..end)?, name.get(end..)?);
        let index = suffix
            .eq_ignore_ascii_case(SPECIFIED)
            .then(|| index_of(row, 0, name))??;
        let element = rows(row).nth(index)?;
        self.types.is_specified(row, element).then_some(index)
    }

    #[cold]
    fn unknown(&self, value: Node, row: &ComplexType<'_>) -> ReadError {
        let known: Vec<_> = rows(row).map(Element::field_name).collect();
        let known = known.join(", ");
        let name = row.name;
        let message =
            format!("An object of '{name}' has a member that is not known. Members: {known}.");
        self.unnamed(value, message)
    }

    /// An error at a value whose path has no rows: its names may be parts of secrets that were not
    /// escaped.
    #[cold]
    fn unnamed(&self, node: Node, message: impl Into<String>) -> ReadError {
        let error = ReadError::new(ReadErrorKind::Value, message);
        error.at(self.document.place(node), String::new())
    }

    #[cold]
    fn no_list(&self, node: Node, expected: &str) -> ReadError {
        if self.document.is_object(node) {
            return self.no_constructor(node, expected);
        }
        self.mismatch(node, self.net_type(node), expected)
    }

    fn bytes_of(&self, list: Node) -> Result<Vec<u8>> {
        // The most common case.
        if let Some(items) = self.document.flat_items(list) {
            let byte = |node| self.document.digits(node)?.try_into().ok();
            if let Some(bytes) = items.map(byte).collect() {
                return Ok(bytes);
            }
        }
        let mut bytes = Vec::new();
        let mut item = self.document.first(list);
        while let Some(node) = item {
            let read = convert::byte(self.document, node);
            bytes.push(
                read.map_err(|refused| self.refused(node, SimpleType::UnsignedByte, refused))?,
            );
            item = self.document.next(node);
        }
        Ok(bytes)
    }
}

impl Source for Values<'_> {
    fn is_absent(&self, node: Node) -> bool {
        self.document.is_null(node)
    }

    fn is_blank(&self, node: Node) -> bool {
        self.document.text(node).is_some_and(|text| text.is_empty())
    }

    fn simple(&self, node: Node, simple: SimpleType, zone: TimeZone) -> Result<Cow<'_, str>> {
        // The most common case.
        if simple == SimpleType::String
            && let Some(text) = self.document.plain_text(node)
        {
            return Ok(Cow::Borrowed(text));
        }
        let read = convert::simple(self.document, node, simple, zone);
        read.map_err(|refused| self.refused(node, simple, refused))
    }

    fn digits(&self, node: Node) -> Option<u64> {
        self.document.digits(node)
    }

    fn bytes(&self, node: Node) -> Result<Vec<u8>> {
        match self.document.kind(node) {
            Kind::Null => Ok(Vec::new()),
            Kind::List => self.bytes_of(node),
            kind => {
                // .NET refuses text, but JSON encoders write bytes as text.
                let text = self.document.text(node).filter(|_| kind == Kind::Text);
                let bytes = text.and_then(|text| base64::decode(&text));
                let name = SimpleType::Base64Binary.row().net;
                bytes.ok_or_else(|| self.no_list(node, name))
            }
        }
    }

    fn enumeration(&self, node: Node, row: &Enumeration<'_>, open: bool) -> Result<Cow<'_, str>> {
        let name = || self.types.full_name((row.namespace, row.name));
        let text = match self.document.kind(node) {
            Kind::Null => {
                return Err(self.refuse(node, "Cannot convert null to a value type."));
            }
            Kind::List => return Err(self.no_object(node, &name())),
            Kind::Object => Cow::Borrowed("0"),
            _ => convert::net_text(self.document, node).unwrap_or_default(),
        };
        match enumeration_text(row, &text, open) {
            Some(text) => Ok(Cow::Owned(text)),
            None => Err(self.not_a(node, &text, row.name)),
        }
    }

    fn first_item(&self, node: Node) -> Result<Option<Node>> {
        if self.document.kind(node) != Kind::List {
            return Err(self.no_list(node, "System.Array"));
        }
        Ok(self.document.first(node))
    }

    fn next(&self, node: Node) -> Option<Node> {
        self.document.next(node)
    }

    fn members(&self, node: Node, row: &ComplexType<'_>, found: &mut [Option<Node>]) -> Result<()> {
        match self.document.kind(node) {
            Kind::Object => {}
            Kind::Null => {
                let message = "Object reference not set to an instance of an object.";
                return Err(self.refuse(node, message));
            }
            _ => return Err(self.no_object(node, &self.types.name_of(row))),
        }
        self.check_shape(node, row)?;
        if row.is_message {
            self.check_types()?;
        }
        let mut expected = 0;
        // Members that others specify as absent.
        let mut absent = Vec::new();
        for name in self.document.names(node) {
            let value = name + 1;
            // The most common case.
            let next = row.elements.get(expected);
            if next.is_some_and(|next| self.document.is_named(name, next.field_name())) {
                found[expected] = Some(value);
                expected += 1;
                continue;
            }
            let name = self.document.name(name);
            if let Some(index) = index_of(row, expected, &name) {
                found[index] = Some(value);
                expected = index + 1;
            } else if name == TYPE {
                self.check_type(node, value, row)?;
            } else if let Some(index) = self.specified(row, &name) {
                absent.retain(|known| *known != index);
                let is_there = self.simple(value, SimpleType::Boolean, TimeZone::AsWritten)?;
                absent.extend((is_there == "false").then_some(index));
            } else if self.strict {
                return Err(self.unknown(value, row));
            }
        }
        absent.into_iter().for_each(|index| found[index] = None);
        for (element, value) in rows(row).zip(&*found) {
            match value {
                None if row.is_message => {
                    let name = element.field_name();
                    let message =
                        format!("Invalid web service call, missing value for parameter: '{name}'.");
                    return Err(self.error(node, ReadErrorKind::Missing, message));
                }
                Some(value)
                    if self.document.is_null(*value) && self.types.is_specified(row, element) =>
                {
                    return Err(self.refuse(*value, "Cannot convert null to a value type."));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn derived_type(&self, node: Node, names: &[&str], is_abstract: bool) -> Result<usize> {
        let declared = names.first().copied().unwrap_or_default();
        let expected = || {
            self.types.full_name(match expanded_name(declared) {
                Some((namespace, name)) => (Some(namespace), name),
                None => (None, declared),
            })
        };
        let Some((known, own)) = self.named_type(node)? else {
            return match self.document.kind(node) {
                _ if !is_abstract => Ok(0),
                Kind::Object => Err(self.no_constructor(node, &expected())),
                _ => Err(self.no_object(node, &expected())),
            };
        };
        match index_of_type(names, known) {
            Some(0) if is_abstract => Err(self.no_constructor(node, &expected())),
            Some(index) => Ok(index),
            None => Err(self.mismatch(node, own, &expected())),
        }
    }

    fn type_name(&self, node: Node) -> Result<Option<(Option<&str>, &str)>> {
        Ok(self
            .named_type(node)?
            .map(|(known, _)| known.qualified_name()))
    }

    fn entries<'s>(&'s self, node: Node) -> Result<Entries<'s>> {
        const EXPECTED: &str = "System.Collections.IDictionary";
        if !self.document.is_object(node) {
            return Err(self.no_object(node, EXPECTED));
        }
        match self.named_type(node)? {
            Some((_, own)) => Err(self.mismatch(node, own, EXPECTED)),
            None => Ok(Box::new(self.document.members(node))),
        }
    }

    fn any_type(&self, node: Node, names: &[&str]) -> Result<AnyType> {
        Ok(match self.document.kind(node) {
            Kind::Null => AnyType::Empty,
            Kind::Boolean(_) => AnyType::Simple(SimpleType::Boolean),
            Kind::Number(token) => AnyType::Simple(convert::type_of_number(token)),
            Kind::Text if self.document.date(node).is_some() => {
                AnyType::Simple(SimpleType::DateTime)
            }
            Kind::Text => AnyType::Simple(SimpleType::String),
            Kind::List => AnyType::List,
            Kind::Object => {
                let Some((known, own)) = self.named_type(node)? else {
                    return Ok(match self.document.first(node) {
                        None => AnyType::Empty,
                        Some(_) => AnyType::Dictionary,
                    });
                };
                let Some(index) = index_of_type(names, known) else {
                    return Err(self.mismatch(node, own, SimpleType::AnyType.row().net));
                };
                AnyType::Own(index)
            }
        })
    }

    fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError {
        // If a value may be absent, an empty text is; there may be many, so that this error has no
        // place.
        if self.is_blank(node) {
            return ReadError::new(kind, message);
        }
        self.document.error(node, kind, message)
    }
}

//! Encoded XML → literal XML, by the rows of the operation.

use svcgen_model::{
    At, ComplexType, Element, MicrosoftType, SimpleType, TextForm, TypeAt, array_name,
};

use super::scheme::{ENCODINGS, Named, Scheme, Side, net_name};
use super::targets::{Target, Targets, id, reference};
use crate::limits::Limits;
use crate::values::content::Content;
use crate::values::element::Element as AnyElement;
use crate::values::name_text;
use crate::values::value::Value;
use crate::xml::error::{Position, ReadError, ReadErrorKind};
use crate::xml::escape;
use crate::xml::namespaces::{ENVELOPES, SCHEMA_INSTANCE, XML_SCHEMA};
use crate::xml::tokens::{Result, Tokens, before_name};

/// The parameters or the results of an operation as literal XML, in no namespace.
pub(crate) struct Decoded {
    /// The document, whose root is the element of the message.
    pub(crate) text: String,
    marks: Vec<Mark>,
}

/// A place in the literal text with its counterpart in the message.
#[derive(Clone, Copy)]
struct Mark {
    literal: u32,
    message: u32,
}

impl Decoded {
    /// Reads the current element, the one in the Body that `side` sends, through its end tag.
    /// References may point to elements after it.
    pub fn read(tokens: &mut Tokens<'_>, scheme: Scheme<'_>, side: Side) -> Result<Self> {
        let (_, name) = scheme.element(side);
        let mut decoder = Decoder::start(tokens, scheme, side, name)?;
        let outer = tokens.enter_value();
        let read = decoder.members(tokens, scheme.elements(side));
        tokens.leave_value(outer);
        read?;
        Ok(decoder.finish(name))
    }

    /// Whether others may refer to the current element.
    pub(crate) fn is_target(tokens: &Tokens<'_>) -> bool {
        id(tokens).is_some()
    }

    /// Moves an error in the literal text to its place in the message.
    pub(crate) fn placed(&self, error: ReadError, message: &str) -> ReadError {
        let Some(place) = error.place() else {
            return error;
        };
        let at = place.offset(&self.text);
        let after = self
            .marks
            .partition_point(|mark| mark.literal as usize <= at);
        let at = match after.checked_sub(1).map(|index| self.marks[index]) {
            Some(mark) => {
                let (literal, there) = (mark.literal as usize, mark.message as usize);
                let rest = message.as_bytes().get(there..).unwrap_or_default();
                match &self.text[literal..at] {
                    // The node after a value differs in the message.
                    "<" | "</" => there + before_name(rest),
                    between => there + between.len(),
                }
            }
            None => 0,
        };
        let mut at = at.min(message.len());
        while !message.is_char_boundary(at) {
            at -= 1;
        }
        error.moved(Position::of(message, at))
    }
}

pub(super) struct Decoder<'i, 'm> {
    targets: Targets<'i>,
    pub(super) scheme: Scheme<'m>,
    /// The side that writes such messages.
    of: Side,
    /// The targets of the references that are being followed.
    open: Vec<Target>,
    /// The number of values around the one that is being read.
    depth: usize,
    literal: Vec<u8>,
    /// The part of `literal` for which room has been taken.
    taken: usize,
    marks: Vec<Mark>,
}

impl<'i, 'm> Decoder<'i, 'm> {
    pub(super) fn start(
        tokens: &mut Tokens<'i>,
        scheme: Scheme<'m>,
        of: Side,
        name: &str,
    ) -> Result<Self> {
        let mut decoder = Self {
            of,
            targets: Targets::of(tokens)?,
            scheme,
            open: Vec::new(),
            depth: 0,
            literal: Vec::with_capacity(256),
            taken: 0,
            marks: Vec::new(),
        };
        decoder.markup(&[
            "<",
            name,
            " xmlns:xsi=\"",
            SCHEMA_INSTANCE,
            "\" xmlns:xsd=\"",
            XML_SCHEMA,
            "\" xmlns:q1=\"",
            MicrosoftType::NAMESPACE,
            "\">",
        ]);
        Ok(decoder)
    }

    pub(super) fn finish(mut self, name: &str) -> Decoded {
        self.markup(&["</", name, ">"]);
        // Only UTF-8 was copied.
        let text = String::from_utf8(self.literal).unwrap_or_default();
        Decoded {
            text,
            marks: self.marks,
        }
    }

    fn markup(&mut self, parts: &[&str]) {
        for part in parts {
            self.literal.extend_from_slice(part.as_bytes());
        }
    }

    fn mark(&mut self, tokens: &mut Tokens<'i>) -> Result<()> {
        let mark = Mark {
            literal: self.literal.len() as u32,
            message: tokens.at as u32,
        };
        // After a reference the place is that of its target.
        if self
            .marks
            .last()
            .is_none_or(|last| last.literal < mark.literal)
        {
            tokens.push(&mut self.marks, mark)?;
        }
        let more = self.literal.len() - self.taken;
        self.taken += more;
        tokens
            .room
            .take_text(more)
            .map_err(|error| tokens.here(error))
    }

    /// Reads the children of the current element that have rows, through its end tag.
    fn members(&mut self, tokens: &mut Tokens<'i>, elements: &'m [Element<'m>]) -> Result<()> {
        while tokens.child()? {
            let is_own = self.scheme.is_own(tokens.namespace());
            let name = tokens.local_name();
            let mut rows = elements.iter();
            let row = rows.find(|row| is_own && row.name == name && row.wildcard.is_none());
            match row {
                Some(row) => {
                    let type_at = self.scheme.operation.beside(row).type_at();
                    let slot = Slot {
                        is_item: row.repeated,
                        ..Slot::of(row.name, type_at)
                    };
                    self.value(tokens, slot)?;
                }
                None if tokens.strict && is_own => {
                    let message = format!("The element '{name}' is not expected there.");
                    return Err(tokens.error_at_element(ReadErrorKind::Value, message));
                }
                None => drop(tokens.skip()?),
            }
        }
        Ok(())
    }

    /// Reads the current element as a value, through its end tag.
    pub(super) fn value(&mut self, tokens: &mut Tokens<'i>, slot: Slot<'m>) -> Result<()> {
        let limit = tokens.limits.depth;
        if self.depth >= limit {
            return Err(tokens.over(tokens.element_start(), "levels of values", limit));
        }
        self.depth += 1;
        match reference(tokens) {
            Some(id) => self.referred(tokens, &id, slot)?,
            None if tokens.takes_nil()? => {
                tokens.skip_value()?;
                // Only a list can hold an absent item.
                if slot.is_item {
                    self.markup(&["<", slot.name, " xsi:nil=\"true\" />"]);
                }
            }
            None => match slot.type_at {
                TypeAt::Simple(SimpleType::AnyType) => self.any(tokens, slot.name)?,
                TypeAt::Simple(simple) if simple.is_xml() => self.xml(tokens, slot.name)?,
                TypeAt::Simple(simple) => {
                    self.check_type(tokens, slot.type_at)?;
                    self.simple(tokens, slot.name, simple, "")?;
                }
                TypeAt::Enumeration(_) => {
                    self.check_type(tokens, slot.type_at)?;
                    self.named_text(tokens, slot)?;
                }
                TypeAt::Complex(declared) => match self.check_type(tokens, slot.type_at)? {
                    Some(TypeAt::Complex(complex)) => {
                        let is_typed = slot.is_typed || complex != declared;
                        self.object(tokens, Slot { is_typed, ..slot }, complex)?;
                    }
                    _ => self.object(tokens, slot, declared)?,
                },
                TypeAt::List(item) => self.array(tokens, slot, item)?,
                // No encoded message contains this type.
                TypeAt::Dictionary(_) => {
                    let message = "A dictionary is read from JSON alone.".to_owned();
                    return Err(tokens.error_of(ReadErrorKind::Value, tokens.at, message));
                }
            },
        }
        self.depth -= 1;
        self.mark(tokens)
    }

    /// Reads the element that the current one refers to, in place of it.
    fn referred(&mut self, tokens: &mut Tokens<'i>, id: &str, slot: Slot<'m>) -> Result<()> {
        let Some(target) = self.targets.find(id) else {
            let message =
                format!("The referenced element with ID '{id}' was not found in the document.");
            return Err(tokens.error_of(ReadErrorKind::Value, self.targets.end, message));
        };
        if self.open.contains(&target) {
            let message = format!(
                "The element with ID '{id}' refers to itself, directly or through others. This service reads trees of objects."
            );
            return Err(tokens.error_at_element(ReadErrorKind::Value, message));
        }
        tokens.skip()?;
        let mut there = self.targets.reader(target, tokens)?;
        self.open.push(target);
        there.child()?;
        self.value(&mut there, slot)?;
        self.open.pop();
        self.targets.leave(target, there, tokens)
    }

    /// Copies text as an element with these attributes.
    fn text(
        &mut self,
        tokens: &mut Tokens<'i>,
        name: &str,
        attributes: &str,
        form: TextForm,
    ) -> Result<()> {
        self.markup(&["<", name, attributes]);
        self.content(tokens, name, form)
    }

    /// Copies text after a start tag that is still open.
    fn content(&mut self, tokens: &mut Tokens<'i>, name: &str, form: TextForm) -> Result<()> {
        self.markup(&[">"]);
        self.mark(tokens)?;
        let text = name_text::read_in(form, tokens.text()?);
        escape::text(&mut self.literal, text.as_bytes());
        self.markup(&["</", name, ">"]);
        tokens.close();
        Ok(())
    }

    /// Copies the name of a value of an enumeration.
    fn named_text(&mut self, tokens: &mut Tokens<'i>, slot: Slot<'m>) -> Result<()> {
        self.markup(&["<", slot.name]);
        if slot.is_typed {
            self.own_type(slot.type_at);
        }
        self.content(tokens, slot.name, TextForm::AsIs)
    }

    fn simple(
        &mut self,
        tokens: &mut Tokens<'i>,
        name: &str,
        simple: SimpleType,
        attributes: &str,
    ) -> Result<()> {
        if simple != SimpleType::QName {
            return self.text(tokens, name, attributes, simple.row().text);
        }
        let (namespace, local) = tokens.code_name()?;
        self.markup(&["<", name, attributes]);
        if namespace.is_empty() {
            self.markup(&[">"]);
        } else {
            self.attribute("xmlns:q", &namespace);
            self.markup(&[">q:"]);
        }
        escape::text(&mut self.literal, local.as_bytes());
        self.markup(&["</", name, ">"]);
        Ok(())
    }

    /// Writes `xsi:type` for a type of the service, with its namespace as the code for values
    /// expects it. In encoded messages all types are in one namespace.
    fn own_type(&mut self, own: TypeAt<'_>) {
        let (namespace, name) = own.qualified_name();
        match namespace {
            Some(namespace) => {
                self.attribute("xmlns:t", namespace);
                self.markup(&[" xsi:type=\"t:", name, "\""]);
            }
            None => self.attribute("xsi:type", name),
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.markup(&[" ", name, "=\""]);
        escape::attribute(&mut self.literal, value.as_bytes());
        self.markup(&["\""]);
    }

    fn object(
        &mut self,
        tokens: &mut Tokens<'i>,
        slot: Slot<'m>,
        complex: At<'m, ComplexType<'m>>,
    ) -> Result<()> {
        let name = slot.name;
        self.markup(&["<", name]);
        if slot.is_typed {
            self.own_type(TypeAt::Complex(complex));
        }
        if slot.is_header {
            self.soap_attributes(tokens);
        }
        for attribute in complex.row().attributes {
            if let Some(value) = tokens.attribute_of(self.scheme.types, attribute.name) {
                self.attribute(attribute.name, value);
            }
        }
        self.markup(&[">"]);
        self.mark(tokens)?;
        self.members(tokens, complex.row().elements)?;
        self.markup(&["</", name, ">"]);
        Ok(())
    }

    /// Copies the SOAP attributes of a header.
    fn soap_attributes(&mut self, tokens: &Tokens<'i>) {
        for (version, namespace) in ENVELOPES.into_iter().enumerate() {
            let names = ["mustUnderstand", "actor", "role", "relay"].into_iter();
            let values =
                names.filter_map(|name| Some((name, tokens.attribute_of(namespace, name)?)));
            let mut values = values.peekable();
            if values.peek().is_some() {
                self.attribute(&format!("xmlns:s{version}"), namespace);
            }
            for (name, value) in values {
                self.attribute(&format!("s{version}:{name}"), value);
            }
        }
    }

    fn array(
        &mut self,
        tokens: &mut Tokens<'i>,
        slot: Slot<'m>,
        item: At<'m, Element<'m>>,
    ) -> Result<()> {
        let of = item.type_at();
        match self.array_type(tokens)? {
            Some(array) => {
                let fits = match of {
                    TypeAt::List(_) => array.is_nested || array.item == Named::Any,
                    _ => !array.is_nested && self.scheme.fits(array.item, of),
                };
                if !fits {
                    let brackets = if array.is_nested { "[][]" } else { "[]" };
                    let found = format!("{}{brackets}", array.item.net_name());
                    return Err(unassignable(tokens, &found, &net_name(slot.type_at))?);
                }
            }
            // Other kinds of servers omit the type, meaning the declared one.
            None if self.of == Side::Server => {}
            // .NET reads it as null.
            None => return tokens.skip_value(),
        }
        let name = slot.name;
        let slot = Slot {
            is_item: true,
            ..Slot::of(item.row().name, of)
        };
        self.items(tokens, name, "", slot)
    }

    fn items(
        &mut self,
        tokens: &mut Tokens<'i>,
        name: &str,
        attributes: &str,
        item: Slot<'m>,
    ) -> Result<()> {
        self.markup(&["<", name, attributes, ">"]);
        self.mark(tokens)?;
        while tokens.child()? {
            self.value(tokens, item)?;
        }
        self.markup(&["</", name, ">"]);
        Ok(())
    }

    /// The type of the items of an array; `None` if the element is not an array.
    fn array_type(&self, tokens: &Tokens<'i>) -> Result<Option<Array<'m>>> {
        let [soap11, soap12] = ENCODINGS;
        if let Some(text) = tokens.attribute_of(soap11, "arrayType") {
            let text = text.trim();
            let (name, dimensions) = text.split_at(text.find('[').unwrap_or(text.len()));
            if dimensions.contains(',') {
                let message =
                    format!("'{text}' has several dimensions; an array of arrays is read instead.");
                return Err(tokens.error_at_element(ReadErrorKind::Value, message));
            }
            let (namespace, name) = tokens.resolved(name)?;
            return Ok(Some(Array {
                item: self.scheme.named(namespace, name),
                is_nested: dimensions.matches('[').count() > 1,
            }));
        }
        let item = match tokens.attribute_of(soap12, "itemType") {
            Some(name) => {
                let (namespace, name) = tokens.resolved(name.trim())?;
                self.scheme.named(namespace, name)
            }
            None if tokens.attribute_of(soap12, "arraySize").is_some() => Named::Any,
            None => return Ok(None),
        };
        Ok(Some(Array {
            item,
            is_nested: false,
        }))
    }

    /// Returns an error for another type than the expected one, or else the type that `xsi:type`
    /// names if it is one of the service.
    fn check_type(
        &self,
        tokens: &mut Tokens<'i>,
        expected: TypeAt<'m>,
    ) -> Result<Option<TypeAt<'m>>> {
        let Some((namespace, name)) = tokens.type_name()? else {
            return Ok(None);
        };
        // The usual case, without searching all types.
        if namespace == self.scheme.types && name == expected.name() {
            return Ok(None);
        }
        let named = self.scheme.named(namespace, name);
        if !self.scheme.fits(named, expected) {
            return Err(unassignable(
                tokens,
                &named.net_name(),
                &net_name(expected),
            )?);
        }
        Ok(match named {
            Named::Own(own) => Some(own),
            _ => None,
        })
    }

    /// Reads a value of any type.
    fn any(&mut self, tokens: &mut Tokens<'i>, name: &'m str) -> Result<()> {
        if let Some(array) = self.array_type(tokens)? {
            let own = match array.item {
                Named::Simple(simple) => TypeAt::Simple(simple),
                Named::Own(own) => own,
                _ => TypeAt::Simple(SimpleType::AnyType),
            };
            let (type_at, item) = match own {
                _ if array.is_nested => (TypeAt::Simple(SimpleType::AnyType), SimpleType::AnyType),
                TypeAt::Simple(simple) => (own, simple),
                _ => (own, SimpleType::AnyType),
            };
            let slot = Slot {
                is_item: true,
                is_typed: true,
                ..Slot::of(item.name(), type_at)
            };
            let attributes = format!(" xsi:type=\"{}\"", array_name(item.name()));
            return self.items(tokens, name, &attributes, slot);
        }
        let named = match tokens.type_name()? {
            Some((namespace, name)) => self.scheme.named(namespace, name),
            None => Named::Unknown,
        };
        match named {
            Named::Simple(simple) => {
                let prefix = match simple.row().microsoft {
                    Some(_) => "q1",
                    None => "xsd",
                };
                let attributes = format!(" xsi:type=\"{prefix}:{}\"", simple.name());
                self.simple(tokens, name, simple, &attributes)
            }
            Named::Own(own @ TypeAt::Complex(complex)) => {
                let slot = Slot {
                    is_typed: true,
                    ..Slot::of(name, own)
                };
                self.object(tokens, slot, complex)
            }
            Named::Own(own) => {
                self.markup(&["<", name]);
                self.own_type(own);
                self.content(tokens, name, TextForm::AsIs)
            }
            Named::Any | Named::Array | Named::Unknown => self.xml(tokens, name),
        }
    }

    /// Copies the element as XML, with the declarations that it needs.
    fn xml(&mut self, tokens: &mut Tokens<'i>, name: &str) -> Result<()> {
        let nothing = Tokens::new("", &Limits::default());
        let mut element = AnyElement::from_tokens(std::mem::replace(tokens, nothing));
        let fragment = element.raw();
        *tokens = element.tokens;
        let mut out = Content::compact(&mut self.literal);
        fragment?.write(name, &mut out);
        let written = out.finish();
        written.map_err(|error| ReadError::new(ReadErrorKind::Value, error.to_string()))
    }
}

/// The place for a value in the literal text.
#[derive(Clone, Copy)]
pub(super) struct Slot<'m> {
    name: &'m str,
    type_at: TypeAt<'m>,
    /// Whether it is an item of an array or of an unwrapped list.
    is_item: bool,
    /// Whether the value always states its type.
    is_typed: bool,
    /// Whether it is a SOAP header.
    is_header: bool,
}

impl<'m> Slot<'m> {
    pub(super) fn of_header(name: &'m str, type_at: TypeAt<'m>) -> Self {
        Self {
            is_header: true,
            ..Self::of(name, type_at)
        }
    }

    fn of(name: &'m str, type_at: TypeAt<'m>) -> Self {
        Self {
            name,
            type_at,
            is_item: false,
            is_typed: false,
            is_header: false,
        }
    }
}

/// The type of an array.
struct Array<'m> {
    /// The type of the items, or of the innermost items.
    item: Named<'m>,
    /// Whether the items are arrays.
    is_nested: bool,
}

/// The error of .NET for an object of another type, which is skipped first.
fn unassignable(tokens: &mut Tokens<'_>, found: &str, expected: &str) -> Result<ReadError> {
    let path = tokens.path();
    tokens.skip_value()?;
    let message = format!("Cannot assign object of type {found} to an object of type {expected}.");
    let place = Position::of(tokens.input, tokens.next_node());
    Ok(ReadError::new(ReadErrorKind::Value, message).at(place, path))
}

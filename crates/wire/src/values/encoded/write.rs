//! Literal XML → encoded XML, by the rows of the operation.

use std::borrow::Cow;
use std::collections::VecDeque;

use svcgen_model::{
    At, ComplexType, Element, MicrosoftType, SimpleType, Style, TextForm, TypeAt, array_name,
};

use super::scheme::{Named, Scheme, Side};
use crate::accept::Accepted;
use crate::limits::Limits;
use crate::values::content::Content;
use crate::values::element::Element as AnyElement;
use crate::values::name_text;
use crate::values::time_zone::TimeZone;
use crate::values::value::Value;
use crate::xml::error::{ReadError, WriteError};
use crate::xml::escape;
use crate::xml::names::local_name;
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML_SCHEMA};
use crate::xml::tokens::{Result, Tokens};

/// Writes the content of a Body: the element of a message, and the objects that it refers to.
/// `content` writes the parameters or the results.
///
/// # Errors
///
/// Returns an error if a value contains a character that XML cannot carry, or if the values are
/// nested too deeply.
pub fn encode(
    scheme: Scheme<'_>,
    side: Side,
    zone: TimeZone,
    content: &mut dyn FnMut(&mut Content<'_>),
    out: &mut Vec<u8>,
) -> std::result::Result<(), WriteError> {
    let mut literal = Vec::with_capacity(1024);
    let mut values = Content::compact(&mut literal);
    values.time_zone = zone;
    values.any_characters = side == Side::Server;
    open_literal("", &mut values);
    content(&mut values);
    close_literal(values)?;
    let prefixes = Vec::from(scheme.prefixes(side));
    let writer = Writer::new(scheme, side, prefixes, "id");
    writer.write(literal, out, Writer::message)
}

/// Starts a literal text to encode. `soap` is the namespace of the envelope, if the text contains
/// headers.
pub fn open_literal(soap: &str, values: &mut Content<'_>) {
    for part in [
        "<m xmlns:xsi=\"",
        SCHEMA_INSTANCE,
        "\" xmlns:xsd=\"",
        XML_SCHEMA,
    ] {
        values.raw(part);
    }
    if !soap.is_empty() {
        values.raw("\" xmlns:soap=\"");
        values.raw(soap);
    }
    values.raw("\">");
}

/// Ends a literal text to encode.
///
/// # Errors
///
/// Returns an error if a value contains a character that XML cannot carry.
pub fn close_literal(mut values: Content<'_>) -> std::result::Result<(), WriteError> {
    values.raw("</m>");
    values.finish()
}

/// No limits except for depth, which bounds recursion.
const UNLIMITED: Limits = Limits {
    body: usize::MAX,
    depth: Limits::MOST_DEPTH,
    elements: usize::MAX,
    attributes: usize::MAX,
    namespaces: usize::MAX,
    name: usize::MAX,
    attribute_value: usize::MAX,
    text: usize::MAX,
    values: usize::MAX,
    parameters: usize::MAX,
    json_length: usize::MAX,
    processing_instructions: true,
};

pub(super) struct Writer<'m> {
    pub(super) scheme: Scheme<'m>,
    side: Side,
    /// The prefixes that are declared, with their namespaces.
    prefixes: Vec<(Cow<'static, str>, String)>,
    /// The number of prefixes that the envelope declares.
    of_envelope: usize,
    /// The objects that are written after the message, in any order.
    pub(super) objects: Vec<Object>,
    /// The prefix of ids.
    pub(super) id: &'static str,
    /// The number of ids in SOAP 1.2.
    ids: usize,
    /// The number of prefixes that were generated for types.
    generated: usize,
}

/// Markup with references to objects. Their ids follow from the order of references, which is only
/// known at the end.
#[derive(Default)]
pub(super) struct Object {
    /// Its start tag up to the id.
    start: String,
    pub(super) markup: Vec<u8>,
    /// The offsets at which ids of other objects are inserted, with the indexes of these objects.
    pub(super) references: Vec<(usize, usize)>,
}

impl Object {
    pub(super) fn push(&mut self, parts: &[&str]) {
        for part in parts {
            self.markup.extend_from_slice(part.as_bytes());
        }
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.push(&[" ", name, "=\""]);
        escape::attribute(&mut self.markup, value.as_bytes());
        self.push(&["\""]);
    }

    /// Ends the start tag, writes the content, and ends the element.
    fn content<T>(&mut self, name: &str, write: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.push(&[">"]);
        let started = self.markup.len();
        let written = write(self)?;
        if self.markup.len() == started {
            self.markup.pop();
            self.push(&[" />"]);
        } else {
            self.push(&["</", name, ">"]);
        }
        Ok(written)
    }

    fn append(&mut self, other: &Self) {
        let before = self.markup.len();
        self.markup.extend_from_slice(&other.markup);
        let references = other.references.iter();
        let references = references.map(|(at, object)| (before + at, *object));
        self.references.extend(references);
    }
}

impl<'m> Writer<'m> {
    pub(super) fn new(
        scheme: Scheme<'m>,
        side: Side,
        prefixes: Vec<(&'static str, String)>,
        id: &'static str,
    ) -> Self {
        Self {
            scheme,
            side,
            of_envelope: prefixes.len(),
            prefixes: (prefixes.into_iter())
                .map(|(prefix, namespace)| (prefix.into(), namespace))
                .collect(),
            objects: Vec::new(),
            id,
            ids: 0,
            generated: 0,
        }
    }

    /// Writes the elements that `elements` creates from a literal text, and the objects that they
    /// refer to.
    pub(super) fn write(
        mut self,
        literal: Vec<u8>,
        out: &mut Vec<u8>,
        elements: impl FnOnce(&mut Self, &mut Tokens<'_>) -> Result<Object>,
    ) -> std::result::Result<(), WriteError> {
        let refused = |error: &dyn std::fmt::Display| WriteError::new(error.to_string());
        let literal = String::from_utf8(literal).map_err(|error| refused(&error))?;
        let mut tokens = Tokens::new(&literal, &UNLIMITED);
        tokens.accepted = Accepted::WRITTEN_BY_NET;
        let written = elements(&mut self, &mut tokens);
        let written = written.map_err(|error| refused(&error.message()))?;
        self.arrange(written, out);
        Ok(())
    }

    /// Enters an element that is not nested in another one. Returns the state to leave it with, and
    /// the declarations of the prefixes that types and ids need if the envelope declares none,
    /// because of a fault.
    pub(super) fn enter(&mut self) -> (Vec<(Cow<'static, str>, String)>, String) {
        let outer = self.prefixes.split_off(self.of_envelope);
        let mut declarations = String::new();
        if self.of_envelope == 0 {
            if self.scheme.is_inline {
                let encoding = self.scheme.encoding();
                declarations = format!(" xmlns:d3p1=\"{encoding}\"");
                self.prefixes.push(("d3p1".into(), encoding.to_owned()));
            }
            let types = self.scheme.types;
            let (prefix, declaration) = self.prefix(types);
            declarations += &declaration;
            self.prefixes.push((prefix.into(), types.to_owned()));
        }
        (outer, declarations)
    }

    pub(super) fn leave(&mut self, outer: Vec<(Cow<'static, str>, String)>) {
        self.prefixes.truncate(self.of_envelope);
        self.prefixes.extend(outer);
    }

    /// Writes the element of the message.
    fn message(&mut self, tokens: &mut Tokens<'_>) -> Result<Object> {
        let operation = self.scheme.operation.row();
        let (name, declaration) = match self.scheme.element(self.side) {
            ("", name) => (name.to_owned(), String::new()),
            (namespace, name) => {
                let (prefix, declaration) = self.prefix(namespace);
                (format!("{prefix}:{name}"), declaration)
            }
        };
        let mut message = Object::default();
        message.push(&["<", &name, &declaration]);
        tokens.root()?;
        message.content(&name, |message| {
            // SOAP 1.2 part 2 §4.2.1.
            let is_named = self.scheme.is_inline && self.side == Side::Server;
            if let Some(result) = operation.result.filter(|_| is_named)
                && operation.style == Style::Rpc
            {
                message.push(&["<rpc:result xmlns=\"\">", result.name, "</rpc:result>"]);
            }
            self.members(tokens, message, self.scheme.elements(self.side))
        })?;
        Ok(message)
    }

    /// Writes all objects in the order in which they are referred to.
    fn arrange(self, message: Object, out: &mut Vec<u8>) {
        let mut ids = vec![0_usize; self.objects.len()];
        let (mut last, mut next) = (0, VecDeque::new());
        let mut write = |object: &Object, next: &mut VecDeque<usize>| {
            let mut written = 0;
            for (at, other) in &object.references {
                out.extend_from_slice(&object.markup[written..*at]);
                written = *at;
                if ids[*other] == 0 {
                    last += 1;
                    ids[*other] = last;
                    next.push_back(*other);
                }
                out.extend_from_slice(itoa::Buffer::new().format(ids[*other]).as_bytes());
            }
            out.extend_from_slice(&object.markup[written..]);
        };
        write(&message, &mut next);
        while let Some(index) = next.pop_front() {
            write(&self.objects[index], &mut next);
        }
    }

    /// The prefix of a namespace, and its declaration unless the envelope has it.
    fn prefix(&mut self, namespace: &str) -> (String, String) {
        // The innermost declaration is the last one, which .NET also prefers.
        let mut known = self.prefixes.iter().rev();
        if let Some((prefix, _)) = known.find(|(_, known)| known == namespace) {
            return (prefix.to_string(), String::new());
        }
        self.generated += 1;
        let prefix = format!("q{}", self.generated);
        let mut declaration = Vec::new();
        escape::attribute(&mut declaration, namespace.as_bytes());
        let namespace = String::from_utf8_lossy(&declaration);
        let declaration = format!(" xmlns:{prefix}=\"{namespace}\"");
        (prefix, declaration)
    }

    /// The name of a simple type or a type of the service, and the declaration that it needs.
    pub(super) fn type_name(&mut self, type_at: TypeAt<'m>) -> (String, String) {
        let name = type_at.name();
        let namespace = match type_at {
            TypeAt::Simple(simple) if simple.row().microsoft.is_none() => {
                return (format!("xsd:{name}"), String::new());
            }
            TypeAt::Simple(_) => MicrosoftType::NAMESPACE,
            _ => self.scheme.types,
        };
        let (prefix, declaration) = self.prefix(namespace);
        (format!("{prefix}:{name}"), declaration)
    }

    /// Writes the children of the current element, through its end tag.
    fn members(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        elements: &'m [Element<'m>],
    ) -> Result<()> {
        let mut next = 0;
        while tokens.child()? {
            let name = tokens.local_name();
            let mut indexes = (next..elements.len()).chain(0..next);
            let Some(index) = indexes.find(|index| elements[*index].name == name) else {
                tokens.skip()?;
                continue;
            };
            let row = self.scheme.operation.beside(&elements[index]);
            next = index + usize::from(!row.row().repeated);
            if row.row().repeated && tokens.is_nil() {
                tokens.skip()?;
                to.push(&["<", row.row().name, " xsi:nil=\"true\" />"]);
                continue;
            }
            self.value(tokens, to, row.row().name, row.type_at(), false)?;
        }
        Ok(())
    }

    /// Writes the current element, through its end tag, as a value of a type.
    fn value(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        name: &str,
        type_at: TypeAt<'m>,
        is_item: bool,
    ) -> Result<()> {
        if tokens.is_nil() {
            tokens.skip()?;
            // .NET leaves out null values. Proxies write nillable numbers as nil, because their
            // properties are nullable.
            if is_item || self.side == Side::Client {
                to.push(&["<", name, " xsi:nil=\"true\" />"]);
            }
            return Ok(());
        }
        match type_at {
            TypeAt::Simple(simple) if simple.is_xml() => self.any(tokens, to, name),
            TypeAt::Simple(_) => self.simple(tokens, to, name, type_at, !is_item),
            TypeAt::Enumeration(_) => self.simple(tokens, to, name, type_at, true),
            TypeAt::Complex(declared) => {
                let complex = match self.own_type(tokens) {
                    Named::Own(TypeAt::Complex(complex)) => complex,
                    _ => declared,
                };
                self.object(tokens, to, name, complex, !is_item || complex != declared)
            }
            TypeAt::List(item) => self.array(tokens, to, name, item.type_at()),
            // A dictionary has no markup, so there is nothing to encode.
            TypeAt::Dictionary(_) => tokens.skip().map(drop),
        }
    }

    /// The type of the service that a value states, as the code for values writes it:
    /// `{NAMESPACE}NAME`, or `NAME`.
    pub(super) fn own_type(&self, tokens: &Tokens<'_>) -> Named<'m> {
        let written = tokens.attribute_of(SCHEMA_INSTANCE, "type");
        let name = written.map_or("", local_name);
        self.scheme.named(self.scheme.types, name)
    }

    fn simple(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        name: &str,
        type_at: TypeAt<'m>,
        is_typed: bool,
    ) -> Result<()> {
        to.push(&["<", name]);
        if is_typed {
            let (type_name, declaration) = self.type_name(type_at);
            to.push(&[&declaration, " xsi:type=\"", &type_name, "\""]);
        }
        // A QName declares its own prefix. `xsd` is declared by the envelope.
        if type_at == TypeAt::Simple(SimpleType::QName) {
            let declared = tokens.declared_here();
            for (prefix, namespace) in declared.filter(|(prefix, _)| *prefix != "xsd") {
                to.attribute(&format!("xmlns:{prefix}"), namespace);
            }
        }
        let form = match type_at {
            TypeAt::Simple(simple) => simple.row().text,
            _ => TextForm::AsIs,
        };
        let text = match form {
            TextForm::AsIs | TextForm::Trimmed => Cow::Borrowed(tokens.skip()?),
            // Characters that XML would escape are encoded in the name instead.
            _ => {
                let text = tokens.text()?;
                tokens.close();
                Cow::Owned(name_text::write(form, &text).into_owned())
            }
        };
        to.content(name, |to| {
            to.push(&[&text]);
            Ok(())
        })
    }

    /// Writes an object: after the message in SOAP 1.1, in place in SOAP 1.2.
    fn object(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        name: &str,
        complex: At<'m, ComplexType<'m>>,
        is_typed: bool,
    ) -> Result<()> {
        if self.scheme.is_inline {
            let (type_name, declaration) = self.type_name(TypeAt::Complex(complex));
            self.start_with_id(to, name);
            if is_typed {
                to.push(&[&declaration, " xsi:type=\"", &type_name, "\""]);
            }
            return self.fields(tokens, to, name, complex, "");
        }
        let (outer, mut declarations) = self.enter();
        let (type_name, declaration) = self.type_name(TypeAt::Complex(complex));
        declarations += &declaration;
        let mut object = Object {
            start: format!("<{type_name}"),
            ..Object::default()
        };
        object.push(&[" xsi:type=\"", &type_name, "\""]);
        self.fields(tokens, &mut object, &type_name, complex, &declarations)?;
        self.leave(outer);
        self.refer(to, name, object);
        Ok(())
    }

    pub(super) fn fields(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        name: &str,
        complex: At<'m, ComplexType<'m>>,
        declarations: &str,
    ) -> Result<()> {
        let row = complex.row();
        for attribute in row.attributes {
            if let Some(value) = tokens.attribute_of("", attribute.name) {
                let (prefix, declaration) = self.prefix(self.scheme.types);
                to.push(&[&declaration]);
                to.attribute(&format!("{prefix}:{}", attribute.name), value);
            }
        }
        to.push(&[declarations]);
        to.content(name, |to| self.members(tokens, to, row.elements))
    }

    fn array(
        &mut self,
        tokens: &mut Tokens<'_>,
        to: &mut Object,
        name: &str,
        item: TypeAt<'m>,
    ) -> Result<()> {
        if self.scheme.is_inline {
            self.start_with_id(to, name);
        }
        let (mut items, mut count) = (Object::default(), 0_usize);
        while tokens.child()? {
            self.value(tokens, &mut items, "Item", item, true)?;
            count += 1;
        }
        let (mut innermost, mut dimensions) = (item, String::new());
        while let TypeAt::List(item) = innermost {
            innermost = item.type_at();
            dimensions.push_str("[]");
        }
        if self.scheme.is_inline && innermost != item {
            // .NET has no name for an array here.
            innermost = TypeAt::Simple(SimpleType::AnyType);
        }
        let (encoding, declared) = self.prefix(self.scheme.encoding());
        let (type_name, declaration) = self.type_name(innermost);
        if self.scheme.is_inline {
            let size = count.to_string();
            let attributes = [
                declaration.as_str(),
                &format!(" {encoding}:itemType=\""),
                &type_name,
                &format!("\" {encoding}:arraySize=\""),
                &size,
                "\"",
            ];
            to.push(&attributes);
            return to.content(name, |to| {
                to.append(&items);
                Ok(())
            });
        }
        let name_of_array = format!("{encoding}:Array");
        let mut array = Object {
            start: format!("<{name_of_array}{declared}{declaration}"),
            ..Object::default()
        };
        let array_type = format!("{type_name}{dimensions}[{count}]");
        array.push(&[" ", &encoding, ":arrayType=\"", &array_type, "\""]);
        array.content(&name_of_array, |array| {
            array.append(&items);
            Ok(())
        })?;
        self.refer(to, name, array);
        Ok(())
    }

    /// Writes a reference to an object.
    fn refer(&mut self, to: &mut Object, name: &str, object: Object) {
        to.push(&["<", name, " href=\"#", self.id]);
        let (at, index) = (to.markup.len(), self.objects.len());
        to.references.push((at, index));
        to.push(&["\" />"]);
        // Its own id is that of the reference, which is not known yet.
        let mut whole = Object::default();
        whole.push(&[&object.start, " id=\"", self.id]);
        whole.references.push((whole.markup.len(), index));
        whole.push(&["\""]);
        whole.append(&object);
        self.objects.push(whole);
    }

    pub(super) fn start_with_id(&mut self, to: &mut Object, name: &str) {
        self.ids += 1;
        let id = self.ids.to_string();
        let (encoding, _) = self.prefix(self.scheme.encoding());
        to.push(&["<", name, " ", &encoding, ":id=\"", self.id, &id, "\""]);
    }

    /// Writes a value of any type.
    fn any(&mut self, tokens: &mut Tokens<'_>, to: &mut Object, name: &str) -> Result<()> {
        let named = match self.own_type(tokens) {
            Named::Unknown => match tokens.type_name()? {
                Some((namespace, name)) => self.scheme.named(namespace, name),
                None => Named::Any,
            },
            own => own,
        };
        match named {
            Named::Simple(simple) => self.simple(tokens, to, name, TypeAt::Simple(simple), true),
            Named::Own(TypeAt::Complex(complex)) => self.object(tokens, to, name, complex, true),
            Named::Own(own) => self.simple(tokens, to, name, own, true),
            Named::Any | Named::Array => self.xml(tokens, to, name),
            Named::Unknown => {
                let (_, own) = tokens.type_name()?.unwrap_or_default();
                let mut all = SimpleType::ALL.iter().copied();
                let item = all.find(|simple| array_name(simple.name()) == own);
                match item {
                    Some(item) => self.array(tokens, to, name, TypeAt::Simple(item)),
                    None => self.xml(tokens, to, name),
                }
            }
        }
    }

    /// Copies XML of an unknown type.
    fn xml(&mut self, tokens: &mut Tokens<'_>, to: &mut Object, name: &str) -> Result<()> {
        let mut element = AnyElement::from_tokens(tokens.clone());
        let fragment = element.raw();
        tokens.skip()?;
        let mut out = Content::compact(&mut to.markup);
        fragment?.write(name, &mut out);
        let written = out.finish();
        written.map_err(|error| ReadError::new(crate::xml::ReadErrorKind::Value, error.to_string()))
    }
}

//! The values of a JSON document, for the rows of a service.

use std::borrow::Cow;
use std::iter::successors;

use svcgen_model::{
    At, ComplexType, Element, Enumeration, Kind as Content, Module, Service, SimpleType, TypeAt,
    TypeRef, named_in,
};

use super::convert::{self, Refused};
use super::document::{Document, Kind};
use crate::values::TimeZone;
use crate::values::base64;
use crate::values::flags::names;
use crate::values::notation::{AnyType, Node, Source};
use crate::xml::error::{CONCEALED, ReadError, ReadErrorKind};
use crate::xml::names::expanded_name;

type Result<T> = std::result::Result<T, ReadError>;

/// The member that says the type of an object.
const TYPE: &str = "__type";

/// The end of the name of a member that says whether another one is there.
const SPECIFIED: &str = "Specified";

/// What .NET reads the parameters of an operation into.
const PARAMETERS: &str = "System.Collections.Generic.IDictionary`2[System.String,System.Object]";

/// A document whose values are those of a service.
pub(super) struct Values<'v> {
    document: &'v Document<'v>,
    service: At<'v, Service<'v>>,
    strict: bool,
}

impl<'v> Values<'v> {
    pub(super) fn new(document: &'v Document<'v>, service: At<'v, Service<'v>>) -> Self {
        let strict = false;
        Self {
            document,
            service,
            strict,
        }
    }

    /// Refuses unknown members if `strict` says so.
    pub(super) fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    fn refuse(&self, node: Node, message: impl Into<String>) -> ReadError {
        self.error(node, ReadErrorKind::Value, message.into())
    }

    /// The error that a value is not in the lexical space of a type. .NET quotes the value.
    #[cold]
    fn not_a(&self, node: Node, text: &str, name: &str) -> ReadError {
        let say = |text: &str| format!("{text} is not a valid value for {name}.");
        self.refuse(node, say(text)).or_concealed(say(CONCEALED))
    }

    /// The type that an object says to be of, with its name.
    fn said_type(&self, object: Node) -> Result<Option<(TypeAt<'v>, &'v str)>> {
        match self.document.member(object, TYPE) {
            Some(value) if self.document.is_object(object) => self.known_type(value),
            _ => Ok(None),
        }
    }

    /// The type that the value of such a member names.
    fn known_type(&self, value: Node) -> Result<Option<(TypeAt<'v>, &'v str)>> {
        if self.document.is_null(value) {
            return Ok(None);
        }
        let said = convert::net_text(self.document, value);
        let mut types = self.service.script_types();
        let known = types.find(|(_, name)| said.as_deref() == Some(name));
        match known {
            Some(known) => Ok(Some(known)),
            None => {
                let message = "Operation is not valid due to the current state of the object.";
                Err(self.refuse(value, message))
            }
        }
    }

    /// Refuses objects that say an unknown type, also those that no parameter holds, as .NET does.
    fn check_types(&self) -> Result<()> {
        let mut named = self.document.objects_with(TYPE);
        named.try_for_each(|value| self.known_type(value).map(drop))
    }

    /// The full name of a type in .NET.
    fn net_name(&self, complex: &ComplexType<'_>) -> String {
        if complex.is_message {
            return PARAMETERS.to_owned();
        }
        self.named((complex.scope.namespace, complex.name))
    }

    fn named(&self, (namespace, name): (Option<&str>, &str)) -> String {
        let mut types = self.service.script_types();
        let known = types.find(|(known, _)| known.qualified_name() == (namespace, name));
        if let Some((_, net)) = known {
            return net.to_owned();
        }
        let class = self
            .service
            .script
            .class
            .and_then(|class| class.rsplit_once('.'));
        match class {
            Some((namespace, _)) => format!("{namespace}.{name}"),
            None => name.to_owned(),
        }
    }

    /// The type of .NET that a value is of before it is converted.
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

    /// Refuses an object that says another type than the one that is read.
    fn check_type(&self, object: Node, value: Node, row: &ComplexType<'_>) -> Result<()> {
        let Some((known, name)) = self.known_type(value)? else {
            return Ok(());
        };
        let is_it = |one: At<'_, ComplexType<'_>>| {
            one.name == row.name && one.scope.namespace == row.scope.namespace
        };
        match known {
            TypeAt::Complex(complex)
                if successors(Some(complex), |one| one.base()).any(is_it) && !row.is_message =>
            {
                Ok(())
            }
            _ => Err(self.mismatch(object, name, &self.net_name(row))),
        }
    }

    /// Whether a member has another one beside it, which says whether it is there: `XSpecified` in .NET.
    fn is_specified(&self, row: &ComplexType<'_>, element: &Element<'_>) -> bool {
        element.is_left_out() && self.is_by_value(row, element)
    }

    fn is_by_value(&self, row: &ComplexType<'_>, element: &Element<'_>) -> bool {
        match element.type_ref {
            TypeRef::Simple(simple) => simple.row().by_value,
            TypeRef::Enumeration(_) => true,
            TypeRef::List(_) => false,
            TypeRef::Complex(id) => {
                let of_module = self.module_of(row);
                let module = match id.module.checked_sub(1) {
                    None => Some(of_module),
                    Some(index) => of_module.includes().nth(index),
                };
                let complex = module.and_then(|module| module.types().nth(id.index));
                complex.is_some_and(|complex| complex.by_value)
            }
        }
    }

    /// The module of a type; that of the service for messages.
    fn module_of(&self, row: &ComplexType<'_>) -> At<'v, Module<'v>> {
        let own = self.service.module();
        let is_it = |one: At<'_, ComplexType<'_>>| {
            one.name == row.name && one.scope.namespace == row.scope.namespace
        };
        let (mut modules, mut next) = (vec![own], 0);
        while let Some(module) = modules.get(next).copied() {
            if !row.is_message && module.types().any(is_it) {
                return module;
            }
            let more = module.includes().filter(|one| !modules.contains(one));
            modules.extend(more.collect::<Vec<_>>());
            next += 1;
        }
        own
    }

    /// Refuses types whose shape no value has here.
    fn check_shape(&self, object: Node, row: &ComplexType<'_>) -> Result<()> {
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

    /// The index of the member of which another one says whether it is there.
    fn specified(&self, row: &ComplexType<'_>, name: &str) -> Option<usize> {
        let end = name.len().checked_sub(SPECIFIED.len())?;
        let (name, suffix) = (name.get(..end)?, name.get(end..)?);
        let index = suffix
            .eq_ignore_ascii_case(SPECIFIED)
            .then(|| index_of(row, 0, name))??;
        let element = rows(row).nth(index)?;
        self.is_specified(row, element).then_some(index)
    }

    #[cold]
    fn unknown(&self, value: Node, row: &ComplexType<'_>) -> ReadError {
        // The name is not quoted: it may be part of a secret that was not escaped.
        let known: Vec<_> = rows(row).map(Element::field_name).collect();
        let known = known.join(", ");
        let name = row.name;
        let message =
            format!("An object of '{name}' has a member that is not known. Members: {known}.");
        ReadError::new(ReadErrorKind::Value, message).at(self.document.place(value), String::new())
    }

    #[cold]
    fn no_list(&self, node: Node, expected: &str) -> ReadError {
        if self.document.is_object(node) {
            return self.no_constructor(node, expected);
        }
        self.mismatch(node, self.net_type(node), expected)
    }

    fn bytes_of(&self, list: Node) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut item = self.document.first(list);
        while let Some(node) = item {
            let text = self.simple(node, SimpleType::UnsignedByte, TimeZone::AsWritten)?;
            // A text of the type is a number of it.
            bytes.push(text.parse().unwrap_or_default());
            item = self.document.next(node);
        }
        Ok(bytes)
    }
}

/// The rows of the members of an object.
fn rows<'r>(row: &'r ComplexType<'r>) -> impl Iterator<Item = &'r Element<'r>> {
    row.elements.iter().chain(row.attributes).chain(&row.text)
}

/// The index of the row of a member. The row that is expected is compared first.
fn index_of(row: &ComplexType<'_>, expected: usize, name: &str) -> Option<usize> {
    if row
        .elements
        .get(expected)
        .is_some_and(|one| one.field_name() == name)
    {
        return Some(expected);
    }
    let exact = rows(row).position(|one| one.field_name() == name);
    // .NET compares the names of parameters exactly.
    if exact.is_some() || row.is_message {
        return exact;
    }
    rows(row).position(|one| is_same(one.field_name(), name))
}

/// Whether names differ in the case of their letters at most.
fn is_same(one: &str, other: &str) -> bool {
    let lower = |name: &str| {
        name.chars()
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    one.eq_ignore_ascii_case(other)
        || (!other.is_ascii() && one.len() <= 2 * other.len() && lower(one) == lower(other))
}

impl Source for Values<'_> {
    fn is_absent(&self, node: Node) -> bool {
        self.document.is_null(node)
    }

    fn is_blank(&self, node: Node) -> bool {
        self.document.text(node).is_some_and(|text| text.is_empty())
    }

    fn simple(&self, node: Node, simple: SimpleType, zone: TimeZone) -> Result<Cow<'_, str>> {
        match convert::simple(self.document, node, simple, zone) {
            Ok(text) => Ok(text),
            Err(Refused::NotA(text)) => Err(self.not_a(node, &text, convert::short_name(simple))),
            Err(Refused::Said(message)) => Err(self.refuse(node, message)),
        }
    }

    fn bytes(&self, node: Node) -> Result<Vec<u8>> {
        match self.document.kind(node) {
            Kind::Null => Ok(Vec::new()),
            Kind::List => self.bytes_of(node),
            kind => {
                // .NET refuses text, which encoders of JSON write bytes as.
                let text = self.document.text(node).filter(|_| kind == Kind::Text);
                let bytes = text.and_then(|text| base64::decode(&text));
                let name = SimpleType::Base64Binary.row().net;
                bytes.ok_or_else(|| self.no_list(node, name))
            }
        }
    }

    fn enumeration(&self, node: Node, row: &Enumeration<'_>, open: bool) -> Result<Cow<'_, str>> {
        let name = || self.named((row.namespace, row.name));
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
            _ => return Err(self.no_object(node, &self.net_name(row))),
        }
        self.check_shape(node, row)?;
        if row.is_message {
            self.check_types()?;
        }
        let mut expected = 0;
        // Members that are said not to be there.
        let mut absent = Vec::new();
        for (name, value) in self.document.members(node) {
            if let Some(index) = index_of(row, expected, &name) {
                found[index] = Some(value);
                expected = index + 1;
            } else if name == TYPE {
                self.check_type(node, value, row)?;
            } else if let Some(index) = self.specified(row, &name) {
                absent.retain(|known| *known != index);
                let said = self.simple(value, SimpleType::Boolean, TimeZone::AsWritten)?;
                absent.extend((said == "false").then_some(index));
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
                Some(value) if self.document.is_null(*value) && self.is_specified(row, element) => {
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
            self.named(match expanded_name(declared) {
                Some((namespace, name)) => (Some(namespace), name),
                None => (None, declared),
            })
        };
        let Some((known, own)) = self.said_type(node)? else {
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
                let Some((known, own)) = self.said_type(node)? else {
                    if self.document.first(node).is_none() {
                        return Ok(AnyType::Empty);
                    }
                    let message = "An object whose type is not known has no place in a value of any type; `__type` names it.";
                    return Err(self.refuse(node, message));
                };
                let Some(index) = index_of_type(names, known) else {
                    return Err(self.mismatch(node, own, SimpleType::AnyType.row().net));
                };
                AnyType::Own(index)
            }
        })
    }

    fn error(&self, node: Node, kind: ReadErrorKind, message: String) -> ReadError {
        // Where a value may be absent, an empty text is, and there may be many.
        if self.is_blank(node) {
            return ReadError::new(kind, message);
        }
        self.document.error(node, kind, message)
    }
}

/// The index of a type among names as `xsi:type` has them.
fn index_of_type(names: &[&str], known: TypeAt<'_>) -> Option<usize> {
    let (namespace, name) = known.qualified_name();
    let name = named_in(namespace, name);
    names.iter().position(|known| *known == name)
}

/// The text in XML of a value of an enumeration: a number, names in any letter case, or several of them divided by commas.
fn enumeration_text(row: &Enumeration<'_>, text: &str, open: bool) -> Option<String> {
    let number_of = |part: &str| {
        let part = part.trim();
        if let Ok(number) = part.parse::<i64>() {
            return Some(number);
        }
        let exact = row
            .values
            .iter()
            .position(|value| value.field_name() == part);
        let index = exact.or_else(|| {
            let mut values = row.values.iter();
            values.position(|value| is_same(value.field_name(), part))
        });
        row.numbers().nth(index?)
    };
    let mut parts = text.split(',');
    let number = parts.try_fold(0, |sum, part| Some(sum | number_of(part)?))?;
    let names = if row.flags {
        names(row, number, " ", |value| value.name)
    } else {
        let mut known = row.numbers().zip(row.values);
        let known = known.find(|(known, _)| *known == number);
        known.map(|(_, value)| Cow::Borrowed(value.name))
    };
    names
        .map(Cow::into_owned)
        .or_else(|| open.then(|| number.to_string()))
}

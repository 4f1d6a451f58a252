//! The rules of reading: the effects on a message if its reader and its writer have different
//! definitions.
//!
//! Servers of svcgen and of ASMX read alike: they take child elements in any order, ignore unknown
//! ones, and leave missing ones at their defaults; in forms and in JSON, every parameter is
//! required. In JSON, members have the names and enumerations the numbers of .NET. Callers can use
//! any SOAP stack: one that validates against its schema may refuse messages that callers of svcgen
//! and .NET accept.

use crate::class::{Audience, Verdict};
use crate::codes::MemberKind;
use crate::member::Member;
use crate::message::{Direction, Message, Reading};
use crate::sides::Sides;
use svcgen_codegen::model::{
    Absence, ComplexType, ComplexTypeId, Element, Enumeration, EnumerationId, EnumerationValue,
    GroupId, ListForm, ListType, Model, SimpleType, TypeRef,
};

impl Member<'_> {
    /// Returns the reading of a member that the reader does not know. A choice is as unknown as its
    /// first alternative.
    pub fn unknown(self, message: Message) -> Reading {
        let name = &self.element.name.xml;
        if self.kind == MemberKind::Alternative {
            return Reading::breaks(format!(
                "`{name}` is not known to its reader, which takes the choice for absent or for its default"
            ));
        }
        if let Some(GroupId(id)) = self.element.type_ref.group() {
            let element = &self.model.groups[id].elements[0];
            return Self { element, ..self }.unknown(message);
        }
        if self.header.is_some_and(|rule| rule.must_understand) {
            let end = match message.direction {
                Direction::Request => "a MustUnderstand fault",
                Direction::Response => "the answer is refused",
            };
            return Reading::breaks(format!(
                "the header `{name}` must be understood and is not known: {end}"
            ));
        }
        match (message.audience, message.direction) {
            (Audience::Callers, Direction::Request) => Reading::depends(format!(
                "calls are served, what they say in `{name}` is ignored"
            )),
            (Audience::Callers, Direction::Response) if self.header.is_some() => Reading::works(
                format!("callers skip the header `{name}`, which they do not know"),
            ),
            (Audience::Callers, Direction::Response) if message.is_json() => {
                Reading::works(format!("callers skip `{name}`, which they do not know"))
            }
            (Audience::Callers, Direction::Response) => Reading::depends(format!(
                "callers do not know `{name}`: those of svcgen and .NET skip it, those that hold to the old schema refuse it"
            )),
            (_, Direction::Request) => Reading::depends(format!("the old server ignores `{name}`")),
            (_, Direction::Response) => Reading::works(format!("new clients skip `{name}`")),
        }
    }

    /// Returns the reading of a missing member that the writer does not know.
    pub fn missing(self, message: Message) -> Reading {
        let element = self.element;
        let name = &element.name.xml;
        if self.kind == MemberKind::Alternative {
            return Reading::works(format!("`{name}` is not chosen"));
        }
        if self.header.is_some_and(|rule| rule.required) && message.direction == Direction::Request
        {
            return Reading::breaks(format!(
                "refused: the header `{name}` is required and missing"
            ));
        }
        if message.is_form() && !may_lack_field(element) {
            return Reading::breaks(format!("refused: `Missing parameter: {name}.`"));
        }
        if message.is_json() && self.kind == MemberKind::Parameter {
            let name = element.field_name();
            return Reading::breaks(format!(
                "refused: `Invalid web service call, missing value for parameter: '{name}'.`"
            ));
        }
        let reads = message.reads();
        let default = self.default_value();
        if element.default().is_some() && message.direction == Direction::Request {
            return Reading::works(format!("{reads} {default}, the default of `{name}`"));
        }
        match (element.absence, message.direction) {
            (Absence::Nil, Direction::Response) if message.may_be_held_to_schema() => {
                Reading::depends(format!(
                    "`{name}` is left out where it was nil: callers of svcgen and .NET take it for absent, those that hold to the old schema miss it"
                ))
            }
            (Absence::Omitted | Absence::Nil | Absence::Either, _) => {
                Reading::works(format!("{reads} no `{name}`"))
            }
            (Absence::Required, Direction::Response) => {
                let sender = match message.audience {
                    Audience::Callers => "is not sent any more",
                    _ => "is not sent by the old server",
                };
                Reading::breaks(format!("`{name}` {sender}: {reads} {default}"))
            }
            (Absence::Required, Direction::Request) => Reading::depends(format!(
                "served: {reads} {default} for `{name}` and cannot tell it from one that was sent"
            )),
        }
    }

    /// Whether it is two members in JSON, its value and whether the value is present: `X` and
    /// `XSpecified`.
    fn has_specified(self) -> bool {
        let is_value = match &self.element.type_ref {
            TypeRef::Complex(id) => self.model.complex_types[id.0].by_value,
            type_ref => type_ref.by_value(),
        };
        is_value && matches!(self.element.absence, Absence::Omitted | Absence::Either)
    }

    /// Returns the value that a reader assumes if none was sent.
    pub fn default_value(self) -> String {
        if let Some(text) = self.element.initial() {
            return format!("`{text}`");
        }
        match &self.element.type_ref {
            TypeRef::List(_) => "an empty list".to_owned(),
            TypeRef::Dictionary(_) => "an empty dictionary".to_owned(),
            TypeRef::Complex(_) => "an object of defaults".to_owned(),
            TypeRef::Group(id) if self.model.groups[id.0].is_sequence() => {
                "a sequence of defaults".to_owned()
            }
            TypeRef::Group(_) => "the default of the choice".to_owned(),
            TypeRef::Enumeration(EnumerationId(id)) => {
                let enumeration = &self.model.enumerations[*id];
                if enumeration.is_flags {
                    return "an empty set".to_owned();
                }
                let first = enumeration.values.first();
                first.map_or_else(String::new, |first| format!("`{}`", first.name.xml))
            }
            TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => simple.row().default.to_owned(),
        }
    }
}

/// All members of an object of a type.
fn fields<'m>(model: &'m Model, complex: &'m ComplexType) -> Vec<Member<'m>> {
    let attributes = complex.attributes.iter();
    let attributes = attributes.map(|element| (MemberKind::Attribute, element));
    let text = complex.text.iter();
    let text = text.map(|element| (MemberKind::Text, element));
    let elements = complex.elements.iter();
    let elements = elements.map(|element| (MemberKind::Element, element));
    let all = attributes.chain(text).chain(elements);
    all.map(|(kind, element)| Member::new(kind, model, &complex.scope, element))
        .collect()
}

/// Whether a form may lack the field of an element: lists and bytes have a field for each item.
fn may_lack_field(element: &Element) -> bool {
    match &element.type_ref {
        TypeRef::List(_) => true,
        type_ref => type_ref.simple().is_some_and(SimpleType::is_bytes),
    }
}

/// The reading of a value that can be absent, by a reader that requires it.
pub(crate) fn absent(writer: Member<'_>, reader: Member<'_>, message: Message) -> Reading {
    if writer.is_required() || !reader.is_required() {
        return Reading::works("what is always there reads as what can be absent");
    }
    let is_result = reader.kind == MemberKind::Result;
    if is_result && message.is_soap() && writer.element.absence == Absence::Omitted {
        let caller = message.caller();
        return Reading::breaks(format!(
            "an absent result is left out: {caller} of svcgen miss it, those of .NET read null"
        ));
    }
    if is_result && message.is_json() {
        let caller = message.caller();
        return Reading::breaks(format!(
            "an absent result is `null`, which {caller} of svcgen refuse"
        ));
    }
    let name = &reader.element.name.xml;
    let is_value = reader.element.type_ref.by_value();
    let is_null = message.is_json() && !writer.has_specified();
    let default = reader.default_value();
    let reads = format!("{} {default} where `{name}` is absent", message.reads());
    if message.is_form() {
        if may_lack_field(reader.element) || !is_value {
            Reading::depends(reads)
        } else {
            Reading::breaks(format!(
                "an absent `{name}` comes as `{name}=`, which is refused"
            ))
        }
    } else if is_value && is_null {
        Reading::breaks(format!(
            "an absent `{name}` comes as `null`, which is refused"
        ))
    } else if is_value && writer.element.absence == Absence::Nil {
        Reading::breaks(format!(
            "an absent `{name}` comes as `xsi:nil`, which is refused"
        ))
    } else if is_value && message.is_any_caller() {
        Reading::breaks(format!("{reads}, which is a wrong value"))
    } else {
        Reading::depends(reads)
    }
}

/// The reading of an absent value that is written as `xsi:nil` instead of omitted, or the other way
/// round.
pub(crate) fn other_absence(old: Member<'_>, new: Member<'_>, message: Message) -> Reading {
    let name = &new.element.name.xml;
    if message.is_json() {
        let (writer, reader) = message.ends(old, new);
        return match (writer.has_specified(), reader.has_specified()) {
            (true, false) => Reading::breaks(format!(
                "an absent `{name}` is its default value in JSON, and `{name}Specified` says so, which the reader does not know"
            )),
            (false, true) if message.is_any_caller() => Reading::breaks(format!(
                "an absent `{name}` is `null`, and no `{name}Specified` says so, at which callers look"
            )),
            (false, true) => Reading::breaks(format!(
                "an absent `{name}` is `null`, which is refused where it is a value with `{name}Specified`"
            )),
            _ => Reading::works(format!("an absent `{name}` is `null` in JSON")),
        };
    }
    if message.is_any_caller() {
        Reading::depends(format!(
            "callers of svcgen and .NET read an absent `{name}` from both forms, those that hold to the old schema may refuse the other one"
        ))
    } else {
        Reading::works(format!("an absent `{name}` is read from both forms"))
    }
}

impl Sides<'_> {
    /// The reading of a value of another type.
    pub(crate) fn retyped(&self, old: &TypeRef, new: &TypeRef, message: Message) -> Reading {
        let (writer, reader) = message.ends(old, new);
        self.read(writer, reader, message, true)
    }

    fn read(
        &self,
        writer: &TypeRef,
        reader: &TypeRef,
        message: Message,
        look_inside: bool,
    ) -> Reading {
        if self.is_same_either_way(writer, reader, message) {
            return Reading::works("the same on the wire");
        }
        // Then an item is written like a single value.
        let has_no_wrapper = |list: &ListType| {
            message.is_form() || (message.is_xml() && list.form == ListForm::Unwrapped)
        };
        match (writer, reader) {
            (writer, reader) if message.is_json() && is_bytes(writer) && is_bytes(reader) => {
                Reading::works("bytes are a list of numbers in JSON")
            }
            (TypeRef::List(writer), TypeRef::List(reader)) => {
                self.read_list(writer, reader, message)
            }
            (TypeRef::List(list), item) => {
                let is_flat = has_no_wrapper(list);
                let is_same = is_flat && self.is_same_either_way(&list.item_type, item, message);
                Reading::breaks(if !is_same {
                    "a list does not read as one value"
                } else if message.is_form() {
                    "several items are joined by commas, no item is a missing parameter"
                } else {
                    "of several items the first one is read, none is a value that is missing"
                })
            }
            (item, TypeRef::List(list)) => {
                if has_no_wrapper(list) && self.is_same_either_way(item, &list.item_type, message) {
                    Reading::works("one value reads as a list of one")
                } else {
                    Reading::breaks("one value does not read as a list")
                }
            }
            (TypeRef::Dictionary(writer), TypeRef::Dictionary(reader)) => {
                if writer.nullable_values && !reader.nullable_values {
                    return Reading::breaks("null does not read as a value");
                }
                self.read(&writer.value_type, &reader.value_type, message, look_inside)
            }
            (TypeRef::Complex(writer), TypeRef::Complex(reader)) if look_inside => {
                self.read_other_type(*writer, *reader, message)
            }
            (TypeRef::Enumeration(writer), TypeRef::Enumeration(reader)) => {
                self.read_other_names(*writer, *reader, message)
            }
            (writer, reader) => read_text(writer, reader, message),
        }
    }

    fn read_list(&self, writer: &ListType, reader: &ListType, message: Message) -> Reading {
        if message.is_xml() {
            let is_text = |list: &ListType| list.form == ListForm::Text;
            if is_text(writer) != is_text(reader) {
                return Reading::breaks(
                    "values in one text do not read as elements, nor the other way round",
                );
            }
            if writer.is_wrapped() != reader.is_wrapped() {
                return Reading::breaks(
                    "items in an element of their own do not read as repeated elements, nor the other way round",
                );
            }
            if writer.is_wrapped() && writer.item != reader.item {
                let (written, known) = (&writer.item, &reader.item);
                return Reading::breaks(format!(
                    "the items are called `{written}` where `{known}` is read: the list reads as empty"
                ));
            }
        }
        let reading = self.read(&writer.item_type, &reader.item_type, message, false);
        if !writer.nillable_items || reader.nillable_items {
            return reading;
        }
        let nil = if !reader.item_type.by_value() {
            let reads = message.reads();
            Reading::depends(format!("{reads} an empty item where one is nil"))
        } else if message.is_form() {
            Reading::breaks("an item that is nil is refused")
        } else if message.is_json() {
            Reading::breaks("an item that is `null` is refused")
        } else {
            Reading::breaks("an item that is `xsi:nil` is refused")
        };
        if nil.verdict > reading.verdict {
            nil
        } else {
            reading
        }
    }

    fn is_same_either_way(&self, writer: &TypeRef, reader: &TypeRef, message: Message) -> bool {
        let (old, new) = message.ends(writer, reader);
        self.is_same(old, new)
    }

    /// Reads an object of another type, which may have the members that the reader looks for.
    fn read_other_type(
        &self,
        writer: ComplexTypeId,
        reader: ComplexTypeId,
        message: Message,
    ) -> Reading {
        let (writers, readers) = message.ends(self.old.model, self.new.model);
        let writer = &writers.complex_types[writer.0];
        let reader = &readers.complex_types[reader.0];
        let written = fields(writers, writer);
        let lacks = fields(readers, reader).into_iter().find(|wanted| {
            !written.iter().any(|member| {
                let (own, other) = (member.element, wanted.element);
                let read = || self.read(&own.type_ref, &other.type_ref, message, false);
                let is_named_so = if message.is_json() {
                    is_same_member(own, other, message)
                } else {
                    own.name.xml == other.name.xml
                        && member.kind == wanted.kind
                        && member.namespace() == wanted.namespace()
                };
                is_named_so && read().verdict == Verdict::Works
            })
        });
        let (writer, reader) = (&writer.name.key, &reader.name.key);
        match lacks {
            Some(lacks) => Reading::breaks(format!(
                "`{writer}` has no such `{}` as `{reader}` has",
                lacks.element.name.xml
            )),
            None if message.is_json() => Reading::depends(format!(
                "`{writer}` has all that `{reader}` has; an object that says another `__type` is refused"
            )),
            None => Reading::depends(format!(
                "`{writer}` has all that `{reader}` has; readers that hold to their schema may refuse what it has besides"
            )),
        }
    }

    fn read_other_names(
        &self,
        writer: EnumerationId,
        reader: EnumerationId,
        message: Message,
    ) -> Reading {
        let (writers, readers) = message.ends(self.old.model, self.new.model);
        let writer = &writers.enumerations[writer.0];
        let reader = &readers.enumerations[reader.0];
        if message.is_json() {
            return read_other_numbers(writer, reader);
        }
        let knows = |name: &str| reader.values.iter().any(|value| value.name.xml == name);
        let mut names = writer.values.iter().map(|value| &value.name.xml);
        let (writer, reader) = (&writer.name.xml, &reader.name.xml);
        match names.find(|name| !knows(name)) {
            Some(name) => {
                Reading::breaks(format!("`{name}` is refused: `{reader}` has no such value"))
            }
            None => Reading::works(format!("`{reader}` has all values of `{writer}`")),
        }
    }
}

/// Whether a member of an object in JSON is that of another type: servers and clients of svcgen
/// read names in any letter case.
pub(crate) fn is_same_member(written: &Element, read: &Element, message: Message) -> bool {
    let (written, read) = (written.field_name(), read.field_name());
    written == read || (!message.is_any_caller() && written.eq_ignore_ascii_case(read))
}

/// Whether a value is a list of the numbers of its bytes in JSON.
fn is_bytes(type_ref: &TypeRef) -> bool {
    match type_ref {
        TypeRef::List(list) => {
            list.item_type.simple() == Some(SimpleType::UnsignedByte) && !list.nillable_items
        }
        type_ref => type_ref.simple().is_some_and(SimpleType::is_bytes),
    }
}

/// Reads a value of an enumeration, which is a number in JSON.
fn read_other_numbers(writer: &Enumeration, reader: &Enumeration) -> Reading {
    let mut written = writer.values.iter().zip(writer.numbers());
    let lacks = |(value, number): &(&EnumerationValue, i64)| {
        let mut known = reader.values.iter().zip(reader.numbers());
        !known.any(|(other, known)| known == *number && other.name.xml == value.name.xml)
    };
    let (writer, reader) = (&writer.name.xml, &reader.name.xml);
    match written.find(lacks) {
        Some((value, number)) => Reading::breaks(format!(
            "`{}` is {number} in JSON, which is another value of `{reader}` or none",
            value.name.xml
        )),
        None => Reading::works(format!(
            "`{reader}` has all values of `{writer}`, with their numbers"
        )),
    }
}

/// Whether every value of a simple type in JSON is read as the same value of another one. Text
/// reads numbers as they are written, but booleans as `True`, dates as .NET shows them, and no
/// bytes.
fn is_read_in_json(writer: SimpleType, reader: SimpleType) -> bool {
    if writer.row().rust == reader.row().rust || reader == SimpleType::AnyType {
        return true;
    }
    let dates = [SimpleType::DateTime, SimpleType::Date, SimpleType::Time];
    let is_shown = writer == SimpleType::Boolean || dates.contains(&writer);
    let is_text = reader.is_text() && !is_shown && !writer.is_xml();
    !writer.is_bytes() && (is_text || writer.is_read_as(reader, true) && !reader.is_text())
}

/// Reads a value as text.
fn read_text(writer: &TypeRef, reader: &TypeRef, message: Message) -> Reading {
    let fits = match (writer.simple(), reader.simple()) {
        (writer, Some(SimpleType::Any)) => !message.is_form() && writer != Some(SimpleType::QName),
        (Some(writer), Some(reader)) if message.is_json() => is_read_in_json(writer, reader),
        (Some(writer), Some(reader)) => writer.is_read_as(reader, message.is_form()),
        (None, Some(_)) if message.is_json() => false,
        (None, Some(reader)) => matches!(writer, TypeRef::Enumeration(_)) && reader.is_text(),
        (_, None) => false,
    };
    let (writer, reader) = (kind(writer), kind(reader));
    if fits {
        Reading::works(format!("{writer} reads as {reader}"))
    } else {
        Reading::breaks(format!(
            "{writer} does not always read as {reader}: it is refused, or taken for another value"
        ))
    }
}

/// A type in a sentence.
fn kind(type_ref: &TypeRef) -> String {
    match type_ref {
        TypeRef::Enumeration(_) => "an enumeration".to_owned(),
        TypeRef::Complex(_) => "an object".to_owned(),
        TypeRef::Group(_) => "a choice or a sequence".to_owned(),
        TypeRef::List(_) => "a list".to_owned(),
        TypeRef::Dictionary(_) => "a dictionary".to_owned(),
        TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => format!("`{}`", simple.name()),
    }
}

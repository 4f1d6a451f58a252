//! Reads a message by its rows.

use std::borrow::Cow;

use svcgen_model::{
    At, ComplexType, Element as Row, Group, Occurs, Operation, Reading, SimpleType, TypeAt, renamed,
};

use crate::values::checks::{FacetRules, MessagePart, violated_length};
use crate::values::children::Children;
use crate::values::element::Element;
use crate::values::field_text::xml_text;
use crate::values::notation::AnyType;
use crate::values::value::Value;
use crate::xml::error::{CONCEALED, ReadError};

type Result<T = ()> = std::result::Result<T, ReadError>;

/// The name of the type of a list of objects.
const OBJECTS: &str = "ArrayOfAnyType";

impl Element<'_> {
    /// A copy of the element, to be read a second time.
    pub(super) fn copy(&self) -> Self {
        Self {
            tokens: self.tokens.clone(),
            given: self.given.clone(),
            time_zone: self.time_zone,
            going_on: self.going_on,
            list_names: self.list_names,
            text_form: self.text_form,
            items: self.items,
            checks: self.checks,
            parts: self.parts,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Walk<'i> {
    pub(crate) rules: &'i FacetRules,
    pub(crate) operation: At<'i, Operation<'i>>,
}

impl<'i> Walk<'i> {
    /// Checks a part of a call.
    pub(crate) fn part(self, part: MessagePart, element: &mut Element<'i>) -> Result {
        match (part, self.operation.result()) {
            (MessagePart::Parameters, _) => self.object(element, self.operation.parameters()),
            (MessagePart::Results, _) if self.operation.has_results() => {
                self.object(element, self.operation.response())
            }
            (_, Some(result)) => self.value(element, result),
            (_, None) => Ok(()),
        }
    }

    /// Checks the header with an index.
    pub(crate) fn header(
        self,
        part: MessagePart,
        index: usize,
        element: &mut Element<'i>,
    ) -> Result {
        let headers = match part {
            MessagePart::Parameters => self.operation.headers(),
            _ => self.operation.response_headers(),
        };
        let row = headers.and_then(|headers| headers.fields().elements().nth(index));
        row.map_or(Ok(()), |row| self.value(element, row))
    }

    /// Checks a value. It may leave the element unread.
    fn value(self, element: &mut Element<'i>, row: At<'i, Row<'i>>) -> Result {
        // If a value must not be nil, the content of the element is read anyway.
        if element.is_nil() && row.row().may_be_absent() {
            return Ok(());
        }
        match row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => self.any(element),
            TypeAt::Simple(simple) => self.simple(element, row, simple),
            TypeAt::Enumeration(_) => Ok(()),
            TypeAt::Complex(complex) => {
                element.open_leaf();
                let named = self.named(element)?;
                let named = named.filter(|named| named.is_a(complex));
                self.object(element, named.unwrap_or(complex))
            }
            TypeAt::List(item) => self.list(element, row.row().name, item),
            TypeAt::Dictionary(value) => {
                element.entries(&mut |_, element| self.value(element, value))
            }
        }
    }

    /// The type of the service that `xsi:type` names.
    fn named(self, element: &Element<'i>) -> Result<Option<At<'i, ComplexType<'i>>>> {
        let tokens = &element.tokens;
        if let Some((source, node)) = element.source() {
            let named = source.type_name(node)?;
            let named = named.and_then(|(namespace, name)| {
                self.rules.complex(self.operation.module(), namespace, name)
            });
            return Ok(named);
        }
        if element.given.is_some() || tokens.is_nil() {
            return Ok(None);
        }
        let Some((namespace, name)) = tokens.type_name()? else {
            return Ok(None);
        };
        let module = self.operation.module();
        let own = (namespace == tokens.type_namespace())
            .then(|| self.rules.complex(module, None, name))
            .flatten();
        Ok(own.or_else(|| self.rules.complex(module, Some(namespace), name)))
    }

    /// Checks a value of any type.
    fn any(self, element: &mut Element<'i>) -> Result {
        element.open_leaf();
        if let Some(named) = self.named(element)? {
            return self.object(element, named);
        }
        let is_list = match element.source() {
            Some((source, node)) => matches!(source.any_type(node, &[])?, AnyType::List),
            None => {
                let named = element.tokens.type_name()?;
                !element.is_nil() && named.is_some_and(|(_, name)| name == OBJECTS)
            }
        };
        if is_list {
            let item = SimpleType::AnyType.name();
            element.items(item, &mut |_, element| self.any(element))?;
        }
        Ok(())
    }

    fn list(self, element: &mut Element<'i>, name: &str, item: At<'i, Row<'i>>) -> Result {
        let is_absent = element.is_form() && element.fields().next().is_none();
        if is_absent || element.is_nil() {
            return Ok(());
        }
        let (mut count, occurs) = (0, item.row().occurs);
        let name_of_items = renamed(element.list_names, item.row().name);
        element.items(name_of_items, &mut |_, element| {
            count += 1;
            self.value(element, item)
        })?;
        check_count(element, name, occurs, count)
    }

    /// Checks an object through its end tag.
    fn object(self, element: &mut Element<'i>, complex: At<'i, ComplexType<'i>>) -> Result {
        let row = complex.row();
        let mut counts = Counts::of(row);
        let read = &mut |index: usize, element: &mut Element<'i>| {
            let Some(known) = row.elements.get(index) else {
                // In XML this is an attribute or the text.
                let mut parts = row.attributes.iter().chain(&row.text);
                let part = parts.nth(index - row.elements.len());
                return part.map_or(Ok(()), |part| self.value(element, complex.beside(part)));
            };
            counts.add(element, index)?;
            self.value(element, complex.beside(known))
        };
        if element.take_given(row, read)? {
            return counts.check(element, 0..row.elements.len(), 0);
        }
        element.open_leaf();
        if !row.attributes.is_empty() {
            element.attributes(row, &mut |index, attribute| {
                self.value(attribute, complex.beside(&row.attributes[index]))
            })?;
        }
        if let Some(text) = complex.text() {
            if element.has_no_text(text.row()) || !text.is_restricted() {
                return element.tokens.skip().map(drop);
            }
            let read = self.value(element, text);
            return read.map_err(|error| element.before_end_tag(error));
        }
        let scopes = element.tokens.scopes.as_mut();
        let rows = scopes.map(|scopes| scopes.in_type(row));
        element.children(Children::of(row), rows, read)?;
        counts.check(element, 0..row.elements.len(), 0)
    }

    fn simple(self, element: &mut Element<'i>, row: At<'i, Row<'i>>, simple: SimpleType) -> Result {
        let is_default = || row.reading() == Reading::UnlessEmpty && element.is_empty_tag();
        if !row.is_restricted() || is_default() {
            return Ok(());
        }
        if element.is_given() && row.may_be_absent() {
            let is_blank = element.is_blank_field() && !simple.is_text() && !simple.is_bytes();
            if is_blank || (element.is_form() && element.fields().next().is_none()) {
                return Ok(());
            }
        }
        let level = element.level();
        let source = element.source();
        let checked = if let Some(length) = element.length_of_part(simple)? {
            check_length(element, row.row(), length)
        } else if simple.is_bytes() && (element.is_form() || source.is_some()) {
            bytes(element, row.row())
        } else if let Some(list) = source.filter(|_| row.texts) {
            element.each_item(list, &mut |_, element| self.text(element, row, simple))
        } else {
            self.text(element, row, simple)
        };
        checked.map_err(|error| {
            if row.secret {
                error.conceal(level)
            } else {
                error
            }
        })
    }

    /// Checks a text, or the values in it.
    fn text(self, element: &mut Element<'i>, row: At<'i, Row<'i>>, simple: SimpleType) -> Result {
        let text = element.text_of(simple)?;
        let is_refused = |text: &str| {
            if element.is_form() {
                // A type of the application may accept other texts.
                let xml = xml_text(simple, element.time_zone, text);
                let text = xml.as_deref().unwrap_or(text);
                return self.rules.violated(row, simple, text);
            }
            self.rules.violated(row, simple, text)
        };
        let mut values = text.split_ascii_whitespace();
        let refused = if row.texts && element.source().is_none() {
            values.find_map(|value| Some((value, is_refused(value)?)))
        } else {
            is_refused(&text).map(|facet| (&*text, facet))
        };
        match refused {
            Some((value, facet)) => Err(violation(element, value, facet)),
            None => {
                element.close();
                Ok(())
            }
        }
    }
}

/// Checks the bytes of fields.
fn bytes(element: &mut Element<'_>, row: &Row<'_>) -> Result {
    let mut bytes = Vec::<u8>::new();
    bytes.read(element)?;
    check_length(element, row, bytes.len())
}

/// Checks the length of bytes that were read.
fn check_length(element: &Element<'_>, row: &Row<'_>, length: usize) -> Result {
    match violated_length(row.facets, length) {
        Some((facet, limit)) => {
            let message = format!("The {length} bytes violate {facet} '{limit}'.");
            let concealed = format!("The bytes violate {facet} '{limit}'.");
            Err(element.no_value(message).or_concealed(concealed))
        }
        None => Ok(()),
    }
}

/// The error for a text, already read, that violates a facet.
#[cold]
fn violation(element: &Element<'_>, text: &str, (facet, limit): (&str, Cow<'_, str>)) -> ReadError {
    let say = |text: &str| format!("The value '{text}' violates {facet} '{limit}'.");
    element.no_value(say(text)).or_concealed(say(CONCEALED))
}

/// Returns an error for a list, already read, of too few or too many items.
fn check_count(element: &Element<'_>, name: &str, occurs: Occurs, count: usize) -> Result {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let (facet, limit) = match occurs.most {
        Some(most) if count > most => ("maxOccurs", most),
        _ if count < occurs.least => ("minOccurs", occurs.least),
        _ => return Ok(()),
    };
    let message = format!("The {count} items of the list '{name}' violate {facet} '{limit}'.");
    Err(element.no_value(message))
}

/// Whether it is a list, or a wildcard that may be required.
fn is_counted(element: &Row<'_>) -> bool {
    element.repeated || element.wildcard.is_some()
}

/// The number of occurrences of the elements and groups of an object, if they are limited.
struct Counts<'i> {
    row: &'i ComplexType<'i>,
    /// A count for each element, then for each group; empty if there are no limits.
    counts: Vec<usize>,
}

impl<'i> Counts<'i> {
    fn of(row: &'i ComplexType<'i>) -> Self {
        let mut elements = row.elements.iter();
        let mut groups = row.groups.iter();
        let is_limited = elements.any(|one| is_counted(one) && one.occurs != Occurs::ANY)
            || groups.any(|group| group.occurs != Occurs::ANY);
        let length = row.elements.len() + row.groups.len();
        let length = if is_limited { length } else { 0 };
        let counts = vec![0; length];
        Self { row, counts }
    }

    /// Counts an element. If it begins an item of a repeated choice or sequence, the lists in the
    /// preceding item are complete and are checked.
    fn add(&mut self, element: &Element<'i>, index: usize) -> Result {
        if self.counts.is_empty() {
            return Ok(());
        }
        let groups = self.row.groups;
        let elements = self.row.elements.len();
        let around = groups.iter().enumerate();
        let mut repeated = around.filter(|(_, group)| group.repeated && group.contains(index));
        if let Some((started, group)) = repeated.nth(element.going_on) {
            self.check(element, group.first..group.end, started + 1)?;
            self.counts[group.first..group.end].fill(0);
            for (within, one) in groups.iter().enumerate().skip(started + 1) {
                if group.contains(one.first) {
                    self.counts[elements + within] = 0;
                }
            }
            self.counts[elements + started] += 1;
            repeated.for_each(|(within, _)| self.counts[elements + within] += 1);
        }
        self.counts[index] += 1;
        Ok(())
    }

    /// Checks the elements in a range, and the groups in it from `first_group` on. An absent list
    /// counts as one without items, unless it is in a choice, or in an absent sequence.
    fn check(
        &self,
        element: &Element<'i>,
        range: std::ops::Range<usize>,
        first_group: usize,
    ) -> Result {
        if self.counts.is_empty() {
            return Ok(());
        }
        let groups = self.row.groups;
        let (elements, of_groups) = self.counts.split_at(self.row.elements.len());
        for (index, count) in elements
            .iter()
            .enumerate()
            .take(range.end)
            .skip(range.start)
        {
            let row = &self.row.elements[index];
            if is_counted(row) && (*count > 0 || self.is_expected(index, groups)) {
                check_count(element, row.name, row.occurs, *count)?;
            }
        }
        for (at, count) in of_groups.iter().enumerate().skip(first_group) {
            let group = &groups[at];
            let is_checked = group.repeated && range.contains(&group.first);
            if is_checked && (*count > 0 || self.is_expected(group.first, &groups[..at])) {
                check_count(element, group.name, group.occurs, *count)?;
            }
        }
        Ok(())
    }

    /// Whether an element is in none of these groups, or the innermost one is a sequence that is
    /// present.
    fn is_expected(&self, index: usize, groups: &[Group<'_>]) -> bool {
        let innermost = groups.iter().rfind(|group| group.contains(index));
        innermost.is_none_or(|group| {
            let mut counts = self.counts[group.first..group.end].iter();
            group.is_sequence() && counts.any(|count| *count > 0)
        })
    }
}

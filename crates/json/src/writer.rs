//! Writes values as JSON.

use std::fmt;

use svcgen_model::{
    self as model, At, ComplexType, Enumeration, Service, SimpleType, TypeAt, Types,
};

use crate::members::{Members, push_name};
use crate::simple::Form;
use crate::{MOST_DEPTH, simple};
use svcgen_wire::Content;
use svcgen_wire::WriteError;
use svcgen_wire::internals::Sink;
use svcgen_wire::internals::append;
use svcgen_wire::internals::expanded_name;
use svcgen_wire::internals::json_text::{is_plain, push_text};
use svcgen_wire::internals::{TimeZone, index_of, is_row};

/// Writes a result, which `result` writes as an element with a name; `nan_as_null` makes NaN and
/// infinite numbers absent values.
///
/// # Errors
///
/// JSON cannot carry a value, or values are nested too deeply.
pub fn write_result<'m>(
    out: &mut Vec<u8>,
    service: At<'m, Service<'m>>,
    row: At<'m, model::Element<'m>>,
    nan_as_null: bool,
    result: &mut dyn FnMut(&str, &mut Content<'_>),
) -> Result<(), WriteError> {
    let mut writer = Writer::new(service);
    writer.nan_as_null = nan_as_null;
    writer.open.push(Open::One(Some(row)));
    writer.write(out, &mut |out| result(row.name, out))
}

/// Writes the output of `write` as an object of parameters.
///
/// # Errors
///
/// The errors of [`write_result`].
pub fn write_parameters<'m>(
    out: &mut Vec<u8>,
    service: At<'m, Service<'m>>,
    parameters: At<'m, ComplexType<'m>>,
    write: &mut dyn FnMut(&mut Content<'_>),
) -> Result<(), WriteError> {
    let mut writer = Writer::new(service);
    writer.around = 1;
    out.push(b'{');
    let members = Members::of(Some(parameters), out.len());
    writer.open.push(Open::Object(members));
    writer.write(out, write)
}

/// A value that is written.
enum Open<'m> {
    /// A place for one value; `None` once it is written.
    One(Option<At<'m, model::Element<'m>>>),
    Object(Members<'m>),
    /// A list of values of a type.
    Items(TypeAt<'m>),
    /// A dictionary of values of a type.
    Entries(TypeAt<'m>),
}

/// The place of a value.
struct Slot<'m> {
    /// The row of a member.
    row: Option<At<'m, model::Element<'m>>>,
    type_at: TypeAt<'m>,
    /// Whether it is for a list of these values.
    is_list: bool,
}

impl<'m> Slot<'m> {
    fn of(row: At<'m, model::Element<'m>>) -> Self {
        Self {
            row: Some(row),
            type_at: row.type_at(),
            is_list: row.repeated || row.texts,
        }
    }

    fn item(type_at: TypeAt<'m>) -> Self {
        Self {
            row: None,
            type_at,
            is_list: false,
        }
    }

    /// The type of the items, if it is for a list.
    fn items(&self) -> Option<TypeAt<'m>> {
        match self.type_at {
            _ if self.is_list => Some(self.type_at),
            TypeAt::List(item) => Some(item.type_at()),
            TypeAt::Simple(SimpleType::AnyType) => Some(self.type_at),
            _ => None,
        }
    }
}

/// Writes values according to the rows of a service. Each value in an object or a list is followed
/// by a comma, which the closing bracket replaces.
struct Writer<'m> {
    service: At<'m, Service<'m>>,
    zone: TimeZone,
    nan_as_null: bool,
    /// The open values, from the outside in.
    open: Vec<Open<'m>>,
    /// The number of values around those.
    around: usize,
    /// The name in `xsi:type` of the next object.
    derived: Option<&'static str>,
    /// The types of the service, once one is looked up by name.
    types: Option<Types<'m>>,
    /// The types that were looked up.
    found: Vec<(&'static str, At<'m, ComplexType<'m>>)>,
    /// The names of types for `__type` in objects.
    named: Vec<(At<'m, ComplexType<'m>>, Option<&'m str>)>,
    error: Option<WriteError>,
}

impl<'m> Writer<'m> {
    fn new(service: At<'m, Service<'m>>) -> Self {
        Self {
            service,
            zone: TimeZone::of(&service),
            nan_as_null: false,
            open: Vec::with_capacity(8),
            around: 0,
            derived: None,
            types: None,
            found: Vec::new(),
            named: Vec::new(),
            error: None,
        }
    }

    fn write(
        mut self,
        out: &mut Vec<u8>,
        write: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<(), WriteError> {
        let time_zone = self.zone;
        let mut content = Content::of_sink(out, &mut self);
        content.time_zone = time_zone;
        write(&mut content);
        content.finish()?;
        match self.open.last() {
            Some(Open::One(Some(_))) => out.extend_from_slice(b"null"),
            _ => self.close(out),
        }
        self.error.map_or(Ok(()), Err)
    }

    #[cold]
    fn fail(&mut self, message: impl fmt::Display) {
        let error = || WriteError::new(message.to_string());
        self.error.get_or_insert_with(error);
    }

    #[cold]
    fn no_place(&mut self, name: &str) {
        self.fail(format_args!("'{name}' has no place in JSON here."));
    }

    /// Writes the text before a value. Returns its place; `None` once there is an error.
    fn begin(&mut self, out: &mut Vec<u8>, name: &str) -> Option<Slot<'m>> {
        if self.error.is_some() || !self.has_room_for(self.open.len()) {
            return None;
        }
        let slot = match self.open.last_mut() {
            Some(Open::Object(_)) => self.begin_member(out, name),
            Some(Open::Items(item)) => Some(Slot::item(*item)),
            Some(Open::Entries(item)) => {
                push_text(out, name.as_bytes());
                out.push(b':');
                Some(Slot::item(*item))
            }
            Some(Open::One(row)) => row.take().map(Slot::of),
            None => None,
        };
        if slot.is_none() {
            self.no_place(name);
        }
        slot
    }

    /// Writes a value of the most common form in an object or a list. Returns whether it is one.
    #[inline]
    fn push_usual(
        &mut self,
        out: &mut Vec<u8>,
        name: &str,
        simple: SimpleType,
        text: &[u8],
    ) -> bool {
        let form = Form::of(simple);
        let is_usual = match form {
            Form::Literal => true,
            Form::Text => is_plain(text),
            _ => false,
        };
        if !is_usual || self.error.is_some() || self.open.len() + self.around > MOST_DEPTH {
            return false;
        }
        match self.open.last_mut() {
            Some(Open::Object(members)) => {
                let Some(name) = members.take_usual(name, simple) else {
                    return false;
                };
                match form {
                    Form::Text => append!(out, b"\"", name, b"\":\"", text, b"\","),
                    _ => append!(out, b"\"", name, b"\":", text, b","),
                }
                true
            }
            Some(Open::Items(TypeAt::Simple(item))) if *item == simple => {
                match form {
                    Form::Text => append!(out, b"\"", text, b"\","),
                    _ => append!(out, text, b","),
                }
                true
            }
            _ => false,
        }
    }

    /// Whether a value at this depth is not too deep.
    fn has_room_for(&mut self, depth: usize) -> bool {
        let has_room = depth + self.around <= MOST_DEPTH;
        if !has_room {
            self.fail("RecursionLimit exceeded.");
        }
        has_room
    }

    /// Finds the row of a member, and writes its name and the members before it that are absent.
    fn begin_member(&mut self, out: &mut Vec<u8>, name: &str) -> Option<Slot<'m>> {
        loop {
            let Some(Open::Object(members)) = self.open.last_mut() else {
                return None;
            };
            let row = members.next_row(out)?;
            if is_row(&row, name) || members.is_text(row) {
                let slot = Slot::of(row);
                push_name(out, row.field_name());
                if row.has_specified() {
                    members.specified = Some((row.field_name(), true));
                }
                return Some(slot);
            }
            self.write_missing(out, row);
        }
    }

    /// Writes the comma after a value.
    fn end(&mut self, out: &mut Vec<u8>) {
        if !matches!(self.open.last(), Some(Open::One(_))) {
            out.push(b',');
        }
    }

    /// Writes a member that is absent.
    fn write_missing(&mut self, out: &mut Vec<u8>, row: At<'m, model::Element<'m>>) {
        if row.is_named() && self.has_room_for(self.open.len()) {
            push_name(out, row.field_name());
            self.write_absent(out, row);
            self.end(out);
        }
    }

    /// Writes the value of a member that is absent: the initial value of its field in .NET.
    fn write_absent(&mut self, out: &mut Vec<u8>, row: At<'m, model::Element<'m>>) {
        let specified = row.has_specified();
        if specified && let Some(Open::Object(members)) = self.open.last_mut() {
            members.specified = Some((row.field_name(), false));
        }
        let is_value = row.is_by_value() && !row.is_several();
        let is_there = is_value && (specified || !row.may_be_absent());
        match row.type_at() {
            TypeAt::Complex(complex) if is_there => {
                self.start(out, Some(complex));
                self.close(out);
            }
            TypeAt::Enumeration(_) if is_there => out.push(b'0'),
            TypeAt::Simple(simple) if is_there => simple::push_initial(out, simple, self.zone),
            _ => out.extend_from_slice(b"null"),
        }
    }

    /// Starts an object of a type; `None` for one without members.
    fn start(&mut self, out: &mut Vec<u8>, complex: Option<At<'m, ComplexType<'m>>>) {
        out.push(b'{');
        if let Some(name) = complex.and_then(|complex| self.type_name(complex)) {
            push_name(out, "__type");
            push_text(out, name.as_bytes());
            out.push(b',');
        }
        let members = Members::of(complex, out.len());
        self.open.push(Open::Object(members));
    }

    /// Ends the innermost object.
    fn close(&mut self, out: &mut Vec<u8>) {
        while self.error.is_none()
            && let Some(Open::Object(members)) = self.open.last_mut()
            && !members.are_all_written()
            && let Some(row) = members.next_row(out)
        {
            self.write_missing(out, row);
        }
        if self.error.is_none()
            && let Some(Open::Object(members)) = self.open.pop()
        {
            members.put_derived_first(out);
            end_with(out, b'}');
        }
    }

    /// The name of a type for `__type` in objects.
    fn type_name(&mut self, complex: At<'m, ComplexType<'m>>) -> Option<&'m str> {
        if self.service.script.types.is_empty() {
            return None;
        }
        // Most objects have the same type as the one before.
        let mut named = self.named.iter().rev();
        if let Some((_, name)) = named.find(|(known, _)| *known == complex) {
            return *name;
        }
        let mut known = self.service.script_types();
        let known = known.find(|(known, _)| *known == TypeAt::Complex(complex));
        let name = known.map(|(_, name)| name);
        self.named.reserve(8);
        self.named.push((complex, name));
        name
    }

    /// The type of the service with this name in `xsi:type`.
    fn type_of_name(&mut self, name: &'static str) -> Option<At<'m, ComplexType<'m>>> {
        let mut found = self.found.iter();
        if let Some((_, complex)) = found.find(|(known, _)| *known == name) {
            return Some(*complex);
        }
        let types = self.types.get_or_insert_with(|| Types::of(self.service));
        let (namespace, local) = match expanded_name(name) {
            Some((namespace, local)) => (Some(namespace), local),
            None => (None, name),
        };
        let mut definitions = types.definitions();
        let complex = definitions.find_map(|one| match one {
            TypeAt::Complex(complex) if one.qualified_name() == (namespace, local) => Some(complex),
            _ => None,
        })?;
        self.found.push((name, complex));
        Some(complex)
    }
}

impl Sink for Writer<'_> {
    fn simple(&mut self, out: &mut Vec<u8>, name: &str, simple: SimpleType, text: &[u8]) {
        if self.push_usual(out, name, simple, text) {
            return;
        }
        let Some(slot) = self.begin(out, name) else {
            return;
        };
        let written = match slot.type_at {
            TypeAt::Enumeration(row) => push_number_of(out, &row, text),
            // A type of another crate writes text.
            TypeAt::Simple(row) if simple == SimpleType::String && row != SimpleType::AnyType => {
                simple::is_value(row, text) && simple::push(out, row, text, self.zone)
            }
            _ if self.nan_as_null && simple::is_no_number(simple, text) => {
                out.extend_from_slice(b"null");
                true
            }
            _ => simple::push(out, simple, text, self.zone),
        };
        if !written {
            self.no_place(name);
        }
        self.end(out);
    }

    fn bytes(&mut self, out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
        let inner = self.open.len() + usize::from(!bytes.is_empty());
        if self.begin(out, name).is_none() || !self.has_room_for(inner) {
            return;
        }
        out.push(b'[');
        let mut end = out.len();
        out.resize(end + bytes.len() * NUMBERS[0].len(), 0);
        for byte in bytes {
            let number = &NUMBERS[usize::from(*byte)];
            if let Some(to) = out[end..].first_chunk_mut() {
                *to = *number;
            }
            end += if *byte < 10 {
                2
            } else if *byte < 100 {
                3
            } else {
                4
            };
        }
        out.truncate(end);
        end_with(out, b']');
        self.end(out);
    }

    fn number(&mut self, out: &mut Vec<u8>, name: &str, number: i64) {
        if self.begin(out, name).is_some() {
            out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            self.end(out);
        }
    }

    fn absent(&mut self, out: &mut Vec<u8>, name: &str) {
        let Some(slot) = self.begin(out, name) else {
            return;
        };
        match slot.row {
            Some(row) => self.write_absent(out, row),
            None => out.extend_from_slice(b"null"),
        }
        self.end(out);
    }

    fn start_object(&mut self, out: &mut Vec<u8>, name: &str) {
        let derived = self.derived.take();
        let Some(slot) = self.begin(out, name) else {
            return;
        };
        let complex = match (slot.type_at, derived) {
            (TypeAt::Complex(_) | TypeAt::Simple(SimpleType::AnyType), Some(name)) => {
                self.type_of_name(name).map(Some)
            }
            (TypeAt::Complex(complex), None) => Some(Some(complex)),
            (TypeAt::Simple(SimpleType::AnyType), None) => Some(None),
            _ => None,
        };
        match complex {
            Some(complex) if !slot.is_list => self.start(out, complex),
            _ => self.no_place(name),
        }
    }

    fn end_object(&mut self, out: &mut Vec<u8>) {
        if self.error.is_none() {
            self.close(out);
            self.end(out);
        }
    }

    fn start_list(&mut self, out: &mut Vec<u8>, name: &str) {
        self.derived = None;
        let Some(slot) = self.begin(out, name) else {
            return;
        };
        match slot.items() {
            Some(item) => {
                out.push(b'[');
                self.open.push(Open::Items(item));
            }
            None => self.no_place(name),
        }
    }

    fn end_list(&mut self, out: &mut Vec<u8>) {
        if self.error.is_none() {
            self.open.pop();
            end_with(out, b']');
            self.end(out);
        }
    }

    fn start_dictionary(&mut self, out: &mut Vec<u8>, name: &str) {
        self.derived = None;
        let Some(slot) = self.begin(out, name) else {
            return;
        };
        let value = match slot.type_at {
            TypeAt::Simple(SimpleType::AnyType) if !slot.is_list => slot.type_at,
            TypeAt::Dictionary(value) => value.type_at(),
            _ => return self.no_place(name),
        };
        out.push(b'{');
        self.open.push(Open::Entries(value));
    }

    fn end_dictionary(&mut self, out: &mut Vec<u8>) {
        if self.error.is_none() {
            self.open.pop();
            end_with(out, b'}');
            self.end(out);
        }
    }

    fn derived(&mut self, type_name: &'static str) {
        self.derived = Some(type_name);
    }
}

/// The numbers of bytes, each followed by a comma.
static NUMBERS: [[u8; 4]; 256] = {
    let mut numbers = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let digits = [byte / 100, byte / 10 % 10, byte % 10];
        let mut at = match byte {
            0..10 => 2,
            10..100 => 1,
            _ => 0,
        };
        let mut end = 0;
        while at < 3 {
            numbers[byte][end] = b'0' + digits[at] as u8;
            (at, end) = (at + 1, end + 1);
        }
        numbers[byte][end] = b',';
        byte += 1;
    }
    numbers
};

/// Ends an object or a list, replacing the comma after its last value.
fn end_with(out: &mut Vec<u8>, end: u8) {
    match out.last_mut() {
        Some(last) if *last == b',' => *last = end,
        _ => out.push(end),
    }
}

/// Appends the number of an enumeration's value with this text in XML. Returns whether there is
/// one.
fn push_number_of(out: &mut Vec<u8>, row: &Enumeration<'_>, text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let number = index_of(row, text).and_then(|index| row.numbers().nth(index));
    // In an open enumeration, a number without a name was read as its text.
    let number = number.or_else(|| text.parse().ok());
    if let Some(number) = number {
        out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
    number.is_some()
}

#[cfg(test)]
mod tests;

//! Writing values: what emitted code calls for each shape, by rows.

use serde_json::{Map, Value as Json};
use svcgen::ReadError;
use svcgen::codegen::{Content, Element, Fields, Texts, Value};
use svcgen::types::{DataSet, SoapHeader, XmlAttributes, XmlFragment};
use svcgen_model::{Absence, SimpleType, TypeAt, ValueConstraint};

use crate::initial::{self, bits};
use crate::known::{Group, Known, Layout, Member, Part, Row, Type, is_several};
use crate::path::Path;
use crate::read::absence;
use crate::simple::{Plain, with_type};

/// A value that is written.
#[derive(Clone, Copy)]
pub(crate) struct Item<'v> {
    pub(crate) known: &'static Known,
    pub(crate) row: Row,
    /// Whether `null` is an absent value.
    pub(crate) optional: bool,
    pub(crate) json: &'v Json,
    pub(crate) path: Path<'v>,
}

/// An object that is written.
#[derive(Clone, Copy)]
pub(crate) struct Object<'v> {
    pub(crate) known: &'static Known,
    pub(crate) complex: Type,
    pub(crate) layout: &'static Layout,
    pub(crate) map: &'v Map<String, Json>,
    pub(crate) path: Path<'v>,
}

/// Whether a value is its default.
struct IsDefault(bool);

impl PartialEq<IsDefault> for Item<'_> {
    fn eq(&self, is_default: &IsDefault) -> bool {
        is_default.0
    }
}

/// What kind of JSON a value is.
fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "nothing",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

fn refuse(path: &Path<'_>, expected: &str, json: &Json, out: &mut Content<'_>) {
    out.fail(format!(
        "{path}: {expected} is expected, not {}.",
        kind(json)
    ));
}

fn refuse_name<'n>(
    path: &Path<'_>,
    name: &str,
    what: &str,
    names: impl Iterator<Item = &'n str>,
    out: &mut Content<'_>,
) {
    let names: Vec<_> = names.take(40).collect();
    let names = names.join(", ");
    out.fail(format!(
        "{path}: there is no {what} '{name}'. Known: {names}."
    ));
}

impl<'v> Object<'v> {
    /// The object that a value is.
    pub(crate) fn of(
        known: &'static Known,
        complex: Type,
        json: &'v Json,
        path: Path<'v>,
        out: &mut Content<'_>,
    ) -> Option<Self> {
        let Json::Object(map) = json else {
            refuse(&path, "an object", json, out);
            return None;
        };
        let layout = known.layout(complex);
        let object = Self {
            known,
            complex,
            layout,
            map,
            path,
        };
        object.check(out).then_some(object)
    }

    /// Whether all its members are known.
    pub(crate) fn check(&self, out: &mut Content<'_>) -> bool {
        let members = || self.layout.members().map(|member| &*member.key);
        known_members(self.map, members, &self.path, out)
    }
}

fn known_members<'n, I: Iterator<Item = &'n str>>(
    map: &Map<String, Json>,
    members: impl Fn() -> I,
    path: &Path<'_>,
    out: &mut Content<'_>,
) -> bool {
    let unknown = map.keys().find(|key| !members().any(|known| known == *key));
    if let Some(unknown) = unknown {
        refuse_name(path, unknown, "member", members(), out);
    }
    unknown.is_none()
}

impl Fields for Object<'_> {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        if self.check(out) {
            members(self.known, &self.layout.elements, self.map, &self.path, out);
        }
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        // What is not named comes last.
        let (any, named): (Vec<_>, Vec<_>) =
            (self.layout.attributes.iter()).partition(|member| member.is_wildcard());
        for member in named.into_iter().chain(any) {
            attribute(self, member, out);
        }
    }

    fn write_text(&self, out: &mut Content<'_>) {
        let Some(member) = &self.layout.text else {
            return;
        };
        let Part::Element { row, .. } = &member.part else {
            return;
        };
        let path = self.path.member(&member.key);
        let json = self.map.get(&member.key).unwrap_or(&Json::Null);
        if let Some(set) = &self.layout.empty_set {
            let set = match json {
                Json::Null => Some(set.get()),
                Json::String(text) if text.is_empty() => Some(set.get()),
                json => DataSet::of_json(json),
            };
            return match set {
                Some(set) => out.content(&set),
                None => refuse(&path, DataSet::JSON, json, out),
            };
        }
        let missing = initial::member_value(self.known, member);
        let Some(item) = item(self.known, *row, json, &missing, path, out) else {
            return;
        };
        if row.texts {
            out.content_texts(&item);
        } else {
            out.content(&item);
        }
    }
}

/// The value of a member. A list that is missing is empty, and a default may be missing; nothing else may that is not absent.
fn item<'v>(
    known: &'static Known,
    row: Row,
    json: &'v Json,
    missing: &'v Json,
    path: Path<'v>,
    out: &mut Content<'_>,
) -> Option<Item<'v>> {
    let optional = row.may_be_absent() && !row.repeated;
    let json = match json {
        Json::Null if is_several(row) || row.constraint.is_some() => missing,
        json => json,
    };
    if json.is_null() && !optional {
        out.fail(format!(
            "{path}: {} is expected, and missing.",
            expected(row)
        ));
        return None;
    }
    Some(Item {
        known,
        row,
        optional,
        json,
        path,
    })
}

/// What a value of a row is, for messages.
pub(crate) fn expected(row: Row) -> String {
    match row.type_at() {
        _ if is_several(row) => "an array".to_owned(),
        TypeAt::Simple(SimpleType::AnyType) => "a value of any type".to_owned(),
        TypeAt::Simple(simple) => with_type!(simple, T => <T as Plain>::JSON).to_owned(),
        TypeAt::Enumeration(enumeration) => format!("a value of {}", enumeration.name),
        TypeAt::Complex(complex) => format!("an object of the type {}", complex.name),
        TypeAt::List(_) => "an array".to_owned(),
        TypeAt::Dictionary(_) => "an object".to_owned(),
    }
}

/// Writes the members of a type or a sequence.
fn members(
    known: &'static Known,
    members: &'static [Member],
    map: &Map<String, Json>,
    path: &Path<'_>,
    out: &mut Content<'_>,
) {
    for member in members {
        let json = map.get(&member.key).unwrap_or(&Json::Null);
        let path = path.member(&member.key);
        match &member.part {
            Part::Element { row, written } => element(known, *row, written, json, path, out),
            Part::Group(one) if one.repeated => match json {
                Json::Null => {}
                Json::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        group(known, one, item, path.item(index), out);
                    }
                }
                json => refuse(&path, "an array", json, out),
            },
            Part::Group(one) if one.optional && json.is_null() => {
                let _ = one;
            }
            Part::Group(one) => group(known, one, json, path, out),
        }
    }
}

/// Writes a choice or a sequence.
fn group(
    known: &'static Known,
    group: &'static Group,
    json: &Json,
    path: Path<'_>,
    out: &mut Content<'_>,
) {
    let names = || group.members.iter().map(|member| &*member.key);
    let Json::Object(map) = json else {
        let names: Vec<_> = names().take(40).collect();
        let one = if group.is_sequence() { "" } else { "with one " };
        let what = format!("an object {one}of {}", names.join(", "));
        return refuse(&path, &what, json, out);
    };
    if !known_members(map, names, &path, out) {
        return;
    }
    if group.is_sequence() {
        return members(known, &group.members, map, &path, out);
    }
    let mut chosen = map.iter();
    let (Some((key, json)), None) = (chosen.next(), chosen.next()) else {
        let names: Vec<_> = names().take(40).collect();
        return out.fail(format!(
            "{path}: one alternative is expected of {}.",
            names.join(", ")
        ));
    };
    let Some(member) = group.members.iter().find(|member| member.key == *key) else {
        return;
    };
    alternative(known, member, json, path.member(key), out);
}

fn alternative(
    known: &'static Known,
    member: &'static Member,
    json: &Json,
    path: Path<'_>,
    out: &mut Content<'_>,
) {
    let (row, written) = match &member.part {
        Part::Group(inner) => return group(known, inner, json, path, out),
        Part::Element { row, written } => (*row, written),
    };
    if member.is_gathered() {
        return element(known, row, written, json, path, out);
    }
    let Some(item) = item(known, row, json, &Json::Null, path, out) else {
        return;
    };
    if row.characters {
        out.characters(&item);
    } else {
        out.element(written, &item);
    }
}

/// Writes an element of a type, a sequence or a choice.
pub(crate) fn element(
    known: &'static Known,
    row: Row,
    written: &str,
    json: &Json,
    path: Path<'_>,
    out: &mut Content<'_>,
) {
    let missing = match json {
        Json::Null if is_several(row) || row.constraint.is_some() => initial::element(known, row),
        _ => Json::Null,
    };
    let Some(item) = item(known, row, json, &missing, path, out) else {
        return;
    };
    let name = match row.net {
        Some(net) => out.field_name(written, net),
        None => written,
    };
    let is_nil = item.json.is_null() && row.absence == Absence::Nil;
    if row.wildcard.is_some() {
        return wildcard(&item, out);
    }
    if row.repeated {
        if let Some(items) = item.items(row, row.may_be_absent(), out) {
            out.items(name, &items);
        }
        return;
    }
    if is_nil {
        return out.nil(name);
    }
    if row.texts {
        return out.texts(name, &item);
    }
    match row.constraint {
        Some(ValueConstraint::Default(text)) => {
            out.element_unless(name, &item, &IsDefault(item.is_text(text)));
        }
        _ => out.element(name, &item),
    }
}

fn wildcard(item: &Item<'_>, out: &mut Content<'_>) {
    let each = match item.json {
        Json::Null => return,
        Json::Array(items) if item.row.repeated => &items[..],
        one => std::slice::from_ref(one),
    };
    for json in each {
        match XmlFragment::of_json(json) {
            Some(fragment) => out.any([&fragment]),
            None => refuse(&item.path, "XML", json, out),
        }
    }
}

fn attribute(object: &Object<'_>, member: &Member, out: &mut Content<'_>) {
    let Part::Element { row, written } = &member.part else {
        return;
    };
    let row = *row;
    let json = object.map.get(&member.key).unwrap_or(&Json::Null);
    let path = object.path.member(&member.key);
    if member.is_wildcard() {
        return match json {
            Json::Null => {}
            json => match XmlAttributes::of_json(json) {
                Some(attributes) => out.attribute(written, &attributes),
                None => refuse(&path, XmlAttributes::JSON, json, out),
            },
        };
    }
    let missing = initial::member_value(object.known, member);
    let Some(item) = item(object.known, row, json, &missing, path, out) else {
        return;
    };
    if row.texts {
        return out.attribute_texts(written, &item);
    }
    match row.constraint {
        Some(ValueConstraint::Default(text)) => {
            out.attribute_unless(written, &item, &IsDefault(item.is_text(text)));
        }
        _ => out.attribute(written, &item),
    }
}

impl<'v> Item<'v> {
    /// Whether it is the value of a text.
    fn is_text(&self, text: &str) -> bool {
        match self.row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => false,
            TypeAt::Simple(simple) => with_type!(simple, T => {
                T::of_json(self.json) == Some(svcgen::codegen::value_of::<T>(text))
            }),
            TypeAt::Enumeration(one) if one.flags => {
                let known = self.json.as_str().and_then(|names| bits(one.row(), names));
                let known = known.or_else(|| self.json.as_i64());
                known.is_some() && known == bits(one.row(), text)
            }
            TypeAt::Enumeration(_) => self.json.as_str() == Some(text),
            TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => false,
        }
    }

    /// Its items, each of the type of a row.
    fn items(&'v self, row: Row, optional: bool, out: &mut Content<'_>) -> Option<Vec<Self>> {
        let Json::Array(items) = self.json else {
            refuse(&self.path, "an array", self.json, out);
            return None;
        };
        let items = items.iter().enumerate();
        let items = items.map(|(index, json)| Self {
            known: self.known,
            row,
            optional,
            json,
            path: self.path.item(index),
        });
        Some(items.collect())
    }

    fn list(&self, name: &str, item: Row, out: &mut Content<'_>) {
        let Some(items) = self.items(item, item.may_be_absent(), out) else {
            return;
        };
        let TypeAt::List(inner) = item.type_at() else {
            return out.list_of(name, item.name, &items);
        };
        out.lists_of(name, item.name, &mut |list, out| {
            for values in &items {
                if values.json.is_null() && values.optional {
                    out.nil(list);
                } else {
                    values.list(list, inner, out);
                }
            }
        });
    }

    fn refuse(&self, out: &mut Content<'_>) {
        refuse(&self.path, &expected(self.row), self.json, out);
    }

    /// Writes a value of a type.
    fn of_type(&self, name: &str, out: &mut Content<'_>) {
        match self.row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => self.any_type(name, out),
            TypeAt::Simple(simple) => self.simple(simple, self.json, name, out),
            TypeAt::Enumeration(enumeration) => {
                let row = enumeration.row();
                self.enumeration(row, self.known.is_open(enumeration), self.json, name, out);
            }
            TypeAt::List(item) => self.list(name, item, out),
            TypeAt::Dictionary(row) => self.dictionary(name, out, |key, json, path, out| {
                if let Some(value) = item(self.known, row, json, &Json::Null, path, out) {
                    value.write_nillable(key, out);
                }
            }),
            TypeAt::Complex(complex) => match self.known.family(self.row, complex) {
                None => self.object(complex, self.json, self.path, name, out),
                Some(family) => {
                    let names = || {
                        let types = family.types.iter().skip(usize::from(family.is_abstract()));
                        types.map(|one| one.name)
                    };
                    let Some((key, json)) = only(self.json) else {
                        let names: Vec<_> = names().take(40).collect();
                        let names = names.join(", ");
                        let what = format!("an object with one of the types {names}");
                        return refuse(&self.path, &what, self.json, out);
                    };
                    let mut types = family.types.iter();
                    let Some(index) = types.position(|one| one.name == key && !one.is_abstract)
                    else {
                        return refuse_name(&self.path, key, "type", names(), out);
                    };
                    let (complex, path) = (family.types[index], self.path.member(key));
                    let Some(object) = Object::of(self.known, complex, json, path, out) else {
                        return;
                    };
                    if index == 0 {
                        out.object(name, complex.row(), &object);
                    } else {
                        out.described(name, family.names[index], &object);
                    }
                }
            },
        }
    }

    fn object(
        &self,
        complex: Type,
        json: &Json,
        path: Path<'_>,
        name: &str,
        out: &mut Content<'_>,
    ) {
        if let Some(object) = Object::of(self.known, complex, json, path, out) {
            out.object(name, complex.row(), &object);
        }
    }

    fn simple(&self, simple: SimpleType, json: &Json, name: &str, out: &mut Content<'_>) {
        with_type!(simple, T => match T::of_json(json) {
            Some(value) => value.write(name, out),
            None => refuse(&self.path, <T as Plain>::JSON, json, out),
        });
    }

    fn enumeration(
        &self,
        row: &svcgen_model::Enumeration<'_>,
        is_open: bool,
        json: &Json,
        name: &str,
        out: &mut Content<'_>,
    ) {
        let number = match json {
            Json::Number(number) if row.flags => number.to_string(),
            _ => String::new(),
        };
        let text = match json {
            Json::String(text) => text,
            _ if !number.is_empty() => &number,
            _ => return self.refuse(out),
        };
        let is_known = |name: &str| row.values.iter().any(|value| value.name == name);
        let unknown = if row.flags && text.trim().parse::<i64>().is_err() {
            text.split_ascii_whitespace().find(|name| !is_known(name))
        } else {
            Some(&**text).filter(|name| !row.flags && !is_open && !is_known(name))
        };
        if let Some(unknown) = unknown {
            let names = row.values.iter().map(|value| value.name);
            return refuse_name(&self.path, unknown, "value", names, out);
        }
        if is_open && row.values.iter().all(|value| value.net.is_none()) {
            return out.text(name, text);
        }
        out.enumeration_name(name, row, text);
    }

    /// Writes a value of the type `anyType`.
    fn any_type(&self, name: &str, out: &mut Content<'_>) {
        if self.json.as_str() == Some("Empty") {
            return out.empty_object(name);
        }
        let Some((kind, json)) = only(self.json) else {
            let what = "\"Empty\", or an object with one of Own, List, Array, Dictionary, Xml and the simple types";
            return refuse(&self.path, what, self.json, out);
        };
        let path = self.path.member(kind);
        let inner = Item {
            json,
            path,
            ..*self
        };
        match kind {
            "Own" => inner.own(name, out),
            "Xml" => inner.simple(SimpleType::Any, json, name, out),
            "List" => inner.object_items(SimpleType::AnyType, json, name, out),
            "Dictionary" => inner.dictionary(name, out, |key, json, path, out| match json {
                Json::Null => out.nil(key),
                json => Item {
                    json,
                    path,
                    ..inner
                }
                .any_type(key, out),
            }),
            "Array" => match json.as_array().map(Vec::as_slice) {
                Some([Json::String(item), items]) if SimpleType::of_name(item).is_some() => {
                    let item = SimpleType::of_name(item).unwrap_or(SimpleType::String);
                    inner.object_items(item, items, name, out);
                }
                _ => refuse(
                    &path,
                    "an array of the name of a simple type and an array",
                    json,
                    out,
                ),
            },
            kind => {
                let mut all = SimpleType::ALL.iter().copied();
                match all.find(|simple| simple.variant() == kind && !simple.is_xml()) {
                    Some(simple) => out.object_value(name, simple, &mut |name, out| {
                        inner.simple(simple, json, name, out);
                    }),
                    None => {
                        let others = ["Own", "List", "Array", "Dictionary", "Xml"].into_iter();
                        let all = SimpleType::ALL.iter().filter(|simple| !simple.is_xml());
                        let names = others.chain(all.map(|simple| simple.variant()));
                        refuse_name(&self.path, kind, "kind of value", names, out);
                    }
                }
            }
        }
    }

    fn own(&self, name: &str, out: &mut Content<'_>) {
        let objects = self.known.objects(self.row);
        let Some((key, json)) = only(self.json) else {
            return refuse(
                &self.path,
                "an object with the name of a type",
                self.json,
                out,
            );
        };
        let mut types = objects.types.iter();
        let Some(index) = types.position(|one| one.name() == key) else {
            let names = objects.types.iter().map(|one| one.name());
            return refuse_name(&self.path, key, "type", names, out);
        };
        let path = self.path.member(key);
        let own = Own {
            item: Item {
                json,
                path,
                ..*self
            },
            of: objects.types[index],
        };
        out.described(name, objects.names[index], &own);
    }

    /// Writes a dictionary, each value of it by `write`, which is given its key, itself and its path.
    fn dictionary(
        &self,
        name: &str,
        out: &mut Content<'_>,
        write: impl Fn(&str, &'v Json, Path<'_>, &mut Content<'_>),
    ) {
        let Json::Object(entries) = self.json else {
            return refuse(&self.path, "an object", self.json, out);
        };
        out.dictionary(name, &mut |out| {
            for (key, json) in entries {
                write(key, json, self.path.member(key), out);
            }
        });
    }

    fn object_items(&self, item: SimpleType, json: &Json, name: &str, out: &mut Content<'_>) {
        let Json::Array(items) = json else {
            return refuse(&self.path, "an array", json, out);
        };
        out.object_list(name, item, &mut |name, out| {
            for (index, json) in items.iter().enumerate() {
                let path = self.path.item(index);
                let one = Item {
                    json,
                    path,
                    ..*self
                };
                match (json, only(json)) {
                    (Json::Null, _) => out.nil(name),
                    _ if item == SimpleType::AnyType => one.any_type(name, out),
                    (_, Some((kind, json))) if kind == item.variant() => {
                        one.simple(item, json, name, out);
                    }
                    _ => {
                        let what = format!("an object with {}", item.variant());
                        refuse(&path, &what, json, out);
                    }
                }
            }
        });
    }
}

/// The only member of an object.
fn only(json: &Json) -> Option<(&str, &Json)> {
    let mut members = json.as_object()?.iter();
    let (key, value) = members.next()?;
    members.next().is_none().then_some((key, value))
}

/// A value of a type of the service, as that of an object.
struct Own<'v> {
    item: Item<'v>,
    of: TypeAt<'static>,
}

impl Value for Own<'_> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        let Item {
            known, json, path, ..
        } = self.item;
        match self.of {
            TypeAt::Complex(complex) => self.item.object(complex, json, path, name, out),
            TypeAt::Enumeration(one) => {
                self.item
                    .enumeration(one.row(), known.is_open(one), json, name, out);
            }
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
        }
    }
}

impl Value for Object<'_> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        out.object(name, self.complex.row(), self);
    }
}

/// It is written only.
impl Value for Item<'_> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if self.json.is_null() {
            if !self.optional {
                return self.refuse(out);
            }
            return out.absent(name, absence(self.row.type_at()).repeated);
        }
        if self.known.has_soap_attributes(self.row) {
            return self.header(name, out);
        }
        self.of_type(name, out);
    }

    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        if self.json.is_null() && self.optional {
            return out.nil(name);
        }
        self.write(name, out);
    }
}

impl Item<'_> {
    /// Writes a SOAP header with the attributes of SOAP.
    fn header(&self, name: &str, out: &mut Content<'_>) {
        let Some(json) = self.json.get("value") else {
            return refuse(&self.path, "an object with `value`", self.json, out);
        };
        let value = Inside(Item {
            json,
            path: self.path.member("value"),
            ..*self
        });
        let is_true = |key| self.json.get(key).and_then(Json::as_bool).unwrap_or(false);
        let actor = self.json.get("actor").and_then(Json::as_str);
        let mut header = SoapHeader::from(value);
        header.actor = actor.map(str::to_owned);
        (header.must_understand, header.relay) = (is_true("must_understand"), is_true("relay"));
        header.write(name, out);
    }
}

/// What is in a header with the attributes of SOAP.
struct Inside<'v>(Item<'v>);

impl Value for Inside<'_> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        self.0.of_type(name, out);
    }
}

/// Values in one text.
impl Texts for Item<'_> {
    fn read_texts(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_texts(&self, name: &str, out: &mut Content<'_>) {
        if self.json.is_null() {
            return out.absent(name, true);
        }
        if let Some(items) = self.items(self.row, false, out) {
            out.texts_of(name, &items);
        }
    }
}

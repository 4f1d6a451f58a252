//! Writing values by rows: the counterpart of the calls in emitted code for each shape.

mod any_type;
mod given;

use serde_json::{Map, Value as Json};
use svcgen::ReadError;
use svcgen::codegen::{Content, Element, Fields, Texts, Value};
use svcgen::types::{DataSet, SoapHeader, XmlAttributes, XmlFragment};
use svcgen_model::{At, Enumeration, SimpleType, TypeAt};

use crate::initial::bits;
use crate::layouts::{Family, Layout, Row, Type};
use crate::place::{Kind, Place};
use crate::read::absence;
use crate::simple::{Plain, expected, with_type};
use crate::value_path::ValuePath;
pub(crate) use given::Given;
use given::only;

/// A value of a row.
#[derive(Clone, Copy)]
pub(crate) struct Item<'v> {
    pub(crate) given: Given<'v>,
    pub(crate) row: Row,
    /// Whether `null` is an absent value.
    pub(crate) optional: bool,
}

/// An object that is written.
#[derive(Clone, Copy)]
pub(crate) struct Object<'v> {
    given: Given<'v>,
    layout: &'static Layout,
    map: &'v Map<String, Json>,
}

/// Whether it is the value of a text.
impl PartialEq<str> for Item<'_> {
    fn eq(&self, text: &str) -> bool {
        let json = self.given.json;
        match self.row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => false,
            TypeAt::Simple(simple) => with_type!(simple, T => {
                T::of_json(json) == Some(svcgen::codegen::value_of::<T>(text))
            }),
            TypeAt::Enumeration(one) if one.flags => {
                let known = json.as_str().and_then(|names| bits(one.row(), names));
                let known = known.or_else(|| json.as_i64());
                known.is_some() && known == bits(one.row(), text)
            }
            TypeAt::Enumeration(_) => json.as_str() == Some(text),
            TypeAt::Complex(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => false,
        }
    }
}

impl<'v> Object<'v> {
    /// The object in a value, if all its members are known.
    pub(crate) fn of(given: Given<'v>, complex: Type, out: &mut Content<'_>) -> Option<Self> {
        let layout = given.known.layout(complex);
        let map = given.object(Place::of_type(given.known, complex), out)?;
        Some(Self { given, layout, map })
    }
}

/// This type is only written.
impl Fields for Object<'_> {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        self.given.members(&self.layout.elements, self.map, out);
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        // Wildcards come last.
        let (any, named): (Vec<_>, Vec<_>) =
            (self.layout.attributes.iter()).partition(|member| member.is_wildcard());
        self.given
            .members(named.into_iter().chain(any), self.map, out);
    }

    fn write_text(&self, out: &mut Content<'_>) {
        let Some(member) = &self.layout.text else {
            return;
        };
        let json = self.map.get(&member.key).unwrap_or(&Json::Null);
        let Some(set) = &self.layout.empty_set else {
            return self.given.members([member], self.map, out);
        };
        let set = match json {
            Json::Null => Some(set.get()),
            Json::String(text) if text.is_empty() => Some(set.get()),
            json => DataSet::of_json(json),
        };
        match set {
            Some(set) => out.content(&set),
            None => {
                let path = self.given.path.member(&member.key);
                self.given.with(json, path).refuse(DataSet::JSON, out);
            }
        }
    }
}

impl<'v> Item<'v> {
    fn with(&self, json: &'v Json, path: ValuePath<'v>) -> Self {
        let given = self.given.with(json, path);
        Self { given, ..*self }
    }

    /// Writes it as the element of a wildcard.
    fn any(&self, out: &mut Content<'_>) {
        match XmlFragment::of_json(self.given.json) {
            Some(fragment) => out.any([&fragment]),
            None => self.given.refuse("XML", out),
        }
    }

    /// Writes it as the attributes of a wildcard.
    fn attributes(&self, name: &str, out: &mut Content<'_>) {
        match XmlAttributes::of_json(self.given.json) {
            Some(attributes) => out.attribute(name, &attributes),
            None if self.given.json.is_null() => {}
            None => self.given.refuse(XmlAttributes::JSON, out),
        }
    }

    /// Its items, each of the type of a row.
    fn items(&'v self, row: Row, optional: bool, out: &mut Content<'_>) -> Option<Vec<Self>> {
        let Json::Array(items) = self.given.json else {
            self.given.refuse("an array", out);
            return None;
        };
        let items = items.iter().enumerate();
        let items = items.map(|(index, json)| Self {
            given: self.given.with(json, self.given.path.item(index)),
            row,
            optional,
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
                if values.given.json.is_null() && values.optional {
                    out.nil(list);
                } else {
                    values.list(list, inner, out);
                }
            }
        });
    }

    /// Writes a value of a type.
    fn of_type(&self, name: &str, out: &mut Content<'_>) {
        match self.row.type_at() {
            TypeAt::Simple(SimpleType::AnyType) => self.any_type(name, out),
            TypeAt::Simple(simple) => self.simple(simple, name, out),
            TypeAt::Enumeration(one) => self.enumeration(one, name, out),
            TypeAt::List(item) => self.list(name, item, out),
            TypeAt::Dictionary(row) => self.dictionary(name, out, |key, value, out| {
                if let Some(value) = value.given.item(row, &Json::Null, out) {
                    value.write_nillable(key, out);
                }
            }),
            TypeAt::Complex(complex) => match self.given.known.family(self.row, complex) {
                None => self.object(complex, name, out),
                Some(family) => self.one_of(family, name, out),
            },
        }
    }

    fn object(&self, complex: Type, name: &str, out: &mut Content<'_>) {
        if let Some(object) = Object::of(self.given, complex, out) {
            out.object(name, complex.row(), &object);
        }
    }

    /// Writes an object with the type that it names.
    fn one_of(&self, family: &'static Family, name: &str, out: &mut Content<'_>) {
        let place = Place::of_row(self.given.known, self.row).with(Kind::One(self.row));
        let Some((key, json)) = only(self.given.json) else {
            return self.given.refuse(&place.expected(), out);
        };
        let index = family.position(key);
        let Some(index) = index.filter(|index| !family.types[*index].is_abstract) else {
            return self
                .given
                .refuse_name("type", key, place.members().into_iter(), out);
        };
        let (item, complex) = (
            self.with(json, self.given.path.member(key)),
            family.types[index],
        );
        let write = |name: &str, out: &mut Content<'_>| item.object(complex, name, out);
        if index == 0 {
            write(name, out);
        } else {
            out.described(name, family.names[index], &WrittenBy(write));
        }
    }

    fn simple(&self, simple: SimpleType, name: &str, out: &mut Content<'_>) {
        with_type!(simple, T => match T::of_json(self.given.json) {
            Some(value) => value.write(name, out),
            None => self.given.refuse(<T as Plain>::JSON, out),
        });
    }

    fn enumeration(
        &self,
        one: At<'static, Enumeration<'static>>,
        name: &str,
        out: &mut Content<'_>,
    ) {
        let (row, is_open) = (one.row(), self.given.known.is_open(one));
        let number = match self.given.json {
            Json::Number(number) if row.flags => number.to_string(),
            _ => String::new(),
        };
        let text = match self.given.json {
            Json::String(text) => text,
            _ if !number.is_empty() => &number,
            _ => return self.given.refuse(&expected(self.row), out),
        };
        let is_known = |name: &str| row.values.iter().any(|value| value.name == name);
        let unknown = if row.flags && text.trim().parse::<i64>().is_err() {
            text.split_ascii_whitespace().find(|name| !is_known(name))
        } else {
            Some(&**text).filter(|name| !row.flags && !is_open && !is_known(name))
        };
        if let Some(unknown) = unknown {
            let names = row.values.iter().map(|value| value.name);
            return self.given.refuse_name("value", unknown, names, out);
        }
        if is_open && row.values.iter().all(|value| value.net.is_none()) {
            return out.text(name, text);
        }
        out.enumeration_name(name, row, text);
    }

    /// Writes a dictionary; `write` is called with the key and the value of each entry.
    fn dictionary(
        &self,
        name: &str,
        out: &mut Content<'_>,
        write: impl Fn(&str, Item<'_>, &mut Content<'_>),
    ) {
        let Json::Object(entries) = self.given.json else {
            return self.given.refuse("an object", out);
        };
        out.dictionary(name, &mut |out| {
            for (key, json) in entries {
                write(key, self.with(json, self.given.path.member(key)), out);
            }
        });
    }

    /// Writes a SOAP header with the attributes of SOAP.
    fn header(&self, name: &str, out: &mut Content<'_>) {
        let json = self.given.json;
        let Some(value) = json.get("value") else {
            return self.given.refuse("an object with `value`", out);
        };
        let value = self.with(value, self.given.path.member("value"));
        let is_true = |key| json.get(key).and_then(Json::as_bool).unwrap_or(false);
        let actor = json.get("actor").and_then(Json::as_str);
        let write = |name: &str, out: &mut Content<'_>| value.of_type(name, out);
        let mut header = SoapHeader::from(WrittenBy(write));
        header.actor = actor.map(str::to_owned);
        (header.must_understand, header.relay) = (is_true("must_understand"), is_true("relay"));
        header.write(name, out);
    }
}

/// A value that a function writes, which is called with its name.
pub(crate) struct WrittenBy<F>(pub(crate) F);

impl<F: Fn(&str, &mut Content<'_>)> Value for WrittenBy<F> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        (self.0)(name, out);
    }
}

/// This type is only written.
impl Value for Item<'_> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        let given = &self.given;
        if given.json.is_null() && !self.optional {
            given.refuse(&expected(self.row), out);
        } else if given.json.is_null() {
            out.absent(name, absence(self.row.type_at()).repeated);
        } else if given.known.has_soap_attributes(self.row) {
            self.header(name, out);
        } else {
            self.of_type(name, out);
        }
    }

    fn write_nillable(&self, name: &str, out: &mut Content<'_>) {
        if self.given.json.is_null() && self.optional {
            return out.nil(name);
        }
        self.write(name, out);
    }
}

/// Values in one text.
impl Texts for Item<'_> {
    fn read_texts(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_texts(&self, name: &str, out: &mut Content<'_>) {
        if self.given.json.is_null() {
            return out.absent(name, true);
        }
        if let Some(items) = self.items(self.row, false, out) {
            out.texts_of(name, &items);
        }
    }

    fn write_texts_nillable(&self, name: &str, out: &mut Content<'_>) {
        if self.given.json.is_null() {
            return out.nil(name);
        }
        self.write_texts(name, out);
    }
}

//! Writing values: what emitted code calls for each shape, by rows.

mod any_type;
mod given;

use serde_json::{Map, Value as Json};
use svcgen::ReadError;
use svcgen::codegen::{Content, Element, Fields, Texts, Value};
use svcgen::types::{DataSet, SoapHeader, XmlAttributes, XmlFragment};
use svcgen_model::{At, Enumeration, SimpleType, TypeAt, ValueConstraint};

use crate::initial::{self, bits};
use crate::layouts::{Family, Layout, Member, MemberContent, Row, Type};
use crate::read::absence;
use crate::simple::{Plain, with_type};
use crate::value_path::ValuePath;
use given::only;
pub(crate) use given::{Given, expected, listed};

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
    complex: Type,
    layout: &'static Layout,
    map: &'v Map<String, Json>,
}

/// Whether a value is its default.
struct IsDefault(bool);

impl PartialEq<IsDefault> for Item<'_> {
    fn eq(&self, is_default: &IsDefault) -> bool {
        is_default.0
    }
}

impl<'v> Object<'v> {
    /// The object that a value is, if all its members are known.
    pub(crate) fn of(given: Given<'v>, complex: Type, out: &mut Content<'_>) -> Option<Self> {
        let layout = given.known.layout(complex);
        let names = || layout.members().map(|member| &*member.key);
        let map = given.object(|| "an object".to_owned(), names, out)?;
        Some(Self {
            given,
            complex,
            layout,
            map,
        })
    }

    /// What stands for a member.
    fn member(&self, member: &'static Member) -> Given<'_> {
        let json = self.map.get(&member.key).unwrap_or(&Json::Null);
        let (known, path) = (self.given.known, self.given.path.member(&member.key));
        Given { known, json, path }
    }

    fn attribute(&self, member: &'static Member, out: &mut Content<'_>) {
        let MemberContent::Element { row, written } = &member.part else {
            return;
        };
        let (row, given) = (*row, self.member(member));
        if member.is_wildcard() {
            return match XmlAttributes::of_json(given.json) {
                _ if given.json.is_null() => {}
                Some(attributes) => out.attribute(written, &attributes),
                None => given.refuse(XmlAttributes::JSON, out),
            };
        }
        let missing = initial::member_value(given.known, member);
        let Some(item) = given.item(row, &missing, out) else {
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
}

/// It is written only.
impl Fields for Object<'_> {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        self.given.members(&self.layout.elements, self.map, out);
    }

    fn write_attributes(&self, out: &mut Content<'_>) {
        // What is not named comes last.
        let (any, named): (Vec<_>, Vec<_>) =
            (self.layout.attributes.iter()).partition(|member| member.is_wildcard());
        for member in named.into_iter().chain(any) {
            self.attribute(member, out);
        }
    }

    fn write_text(&self, out: &mut Content<'_>) {
        let Some(member) = &self.layout.text else {
            return;
        };
        let MemberContent::Element { row, .. } = &member.part else {
            return;
        };
        let given = self.member(member);
        if let Some(set) = &self.layout.empty_set {
            let set = match given.json {
                Json::Null => Some(set.get()),
                Json::String(text) if text.is_empty() => Some(set.get()),
                json => DataSet::of_json(json),
            };
            return match set {
                Some(set) => out.content(&set),
                None => given.refuse(DataSet::JSON, out),
            };
        }
        let missing = initial::member_value(given.known, member);
        let Some(item) = given.item(*row, &missing, out) else {
            return;
        };
        if row.texts {
            out.content_texts(&item);
        } else {
            out.content(&item);
        }
    }
}

impl<'v> Item<'v> {
    fn with(&self, json: &'v Json, path: ValuePath<'v>) -> Self {
        let given = self.given.with(json, path);
        Self { given, ..*self }
    }

    /// Whether it is the value of a text.
    fn is_text(&self, text: &str) -> bool {
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

    fn wildcard(&self, out: &mut Content<'_>) {
        let each = match self.given.json {
            Json::Null => return,
            Json::Array(items) if self.row.repeated => &items[..],
            one => std::slice::from_ref(one),
        };
        for json in each {
            match XmlFragment::of_json(json) {
                Some(fragment) => out.any([&fragment]),
                None => self.given.with(json, self.given.path).refuse("XML", out),
            }
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

    /// Writes an object of the type that it names.
    fn one_of(&self, family: &'static Family, name: &str, out: &mut Content<'_>) {
        let names = || {
            let types = family.types.iter().skip(usize::from(family.is_abstract()));
            types.map(|one| one.name)
        };
        let Some((key, json)) = only(self.given.json) else {
            let what = format!("an object with one of the types {}", listed(names()));
            return self.given.refuse(&what, out);
        };
        let mut types = family.types.iter();
        let Some(index) = types.position(|one| one.name == key && !one.is_abstract) else {
            return self.given.refuse_name(key, "type", names(), out);
        };
        let given = self.given.with(json, self.given.path.member(key));
        let Some(object) = Object::of(given, family.types[index], out) else {
            return;
        };
        if index == 0 {
            out.object(name, object.complex.row(), &object);
        } else {
            out.described(name, family.names[index], &object);
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
            return self.given.refuse_name(unknown, "value", names, out);
        }
        if is_open && row.values.iter().all(|value| value.net.is_none()) {
            return out.text(name, text);
        }
        out.enumeration_name(name, row, text);
    }

    /// Writes a dictionary, each value of it by `write`, which is given its key and itself.
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

/// A value that a function writes, which is given its name.
pub(crate) struct WrittenBy<F>(pub(crate) F);

impl<F: Fn(&str, &mut Content<'_>)> Value for WrittenBy<F> {
    fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        (self.0)(name, out);
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
}

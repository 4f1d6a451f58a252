//! Values without their secrets: what the definition describes, and does not mark `secret`. XML, and what has no row or does not fit it, is left out.

use serde_json::Value as Json;
use svcgen::mask::{OMITTED, SECRET};
use svcgen_model::{SimpleType, TypeAt};

use crate::known::{Group, Known, Member, Part, Row, Type, is_several};

/// Masks each member of an object by its name. What is no object is left out.
pub(crate) fn each(json: &Json, mask: impl Fn(&str, &Json) -> Json) -> Json {
    match json {
        Json::Object(map) => {
            let masked = map
                .iter()
                .map(|(name, json)| (name.clone(), mask(name, json)));
            Json::Object(masked.collect())
        }
        Json::Null => Json::Null,
        _ => omitted(),
    }
}

pub(crate) fn omitted() -> Json {
    Json::from(OMITTED)
}

pub(crate) fn object(known: &Known, complex: Type, json: &Json) -> Json {
    let layout = known.layout(complex);
    members(known, || layout.members(), json)
}

fn members<'m, I: Iterator<Item = &'m Member>>(
    known: &Known,
    members: impl Fn() -> I,
    json: &Json,
) -> Json {
    each(json, |name, json| {
        match members().find(|member| member.key == name) {
            Some(member) => self::member(known, member, json),
            None => omitted(),
        }
    })
}

fn member(known: &Known, member: &Member, json: &Json) -> Json {
    match (&member.part, json) {
        (Part::Element { row, .. }, json) => value(known, *row, json),
        (Part::Group(group), Json::Array(items)) => items
            .iter()
            .map(|item| self::group(known, group, item))
            .collect(),
        (Part::Group(group), json) => self::group(known, group, json),
    }
}

fn group(known: &Known, group: &Group, json: &Json) -> Json {
    members(known, || group.members.iter(), json)
}

/// A value of a row, an item of a list too.
pub(crate) fn value(known: &Known, row: Row, json: &Json) -> Json {
    if json.is_null() {
        return Json::Null;
    }
    if row.secret {
        return Json::from(SECRET);
    }
    if known.has_soap_attributes(row) {
        return each(json, |name, json| match name {
            "value" => of_type(known, row, json),
            _ => json.clone(),
        });
    }
    match (row.type_at(), json) {
        (TypeAt::List(item), Json::Array(items)) => {
            items.iter().map(|json| value(known, item, json)).collect()
        }
        (_, Json::Array(items)) if is_several(row) => {
            items.iter().map(|json| of_type(known, row, json)).collect()
        }
        _ => of_type(known, row, json),
    }
}

fn of_type(known: &Known, row: Row, json: &Json) -> Json {
    match row.type_at() {
        _ if json.is_null() => Json::Null,
        _ if row.wildcard.is_some() => omitted(),
        TypeAt::Complex(complex) => match known.family(row, complex) {
            None => object(known, complex, json),
            Some(family) => each(json, |name, json| {
                match family.types.iter().find(|one| one.name == name) {
                    Some(one) => object(known, *one, json),
                    None => omitted(),
                }
            }),
        },
        TypeAt::Simple(SimpleType::AnyType) => any_type(known, row, json),
        TypeAt::Simple(simple) if simple.is_xml() => omitted(),
        TypeAt::Simple(_) | TypeAt::Enumeration(_) => text(json),
        TypeAt::List(_) => omitted(),
    }
}

/// A value of a simple type. The names of flags are several.
fn text(json: &Json) -> Json {
    match json {
        Json::Array(_) | Json::Object(_) => omitted(),
        text => text.clone(),
    }
}

/// A value that says its type, and is masked by that.
fn any_type(known: &Known, row: Row, json: &Json) -> Json {
    if json == "Empty" {
        return json.clone();
    }
    each(json, |kind, json| match (kind, json) {
        ("Own", json) => each(json, |name, json| {
            let types = &known.objects(row).types;
            match types.iter().find(|one| one.name() == name) {
                Some(TypeAt::Complex(complex)) => object(known, *complex, json),
                Some(TypeAt::Enumeration(_)) => text(json),
                _ => omitted(),
            }
        }),
        ("List", Json::Array(items)) => items
            .iter()
            .map(|item| any_type(known, row, item))
            .collect(),
        ("Xml" | "Array" | "List" | "Dictionary", _) => omitted(),
        (_, json) => text(json),
    })
}

//! The values of members that a message does not contain.

use serde_json::{Map, Value as Json};
use svcgen_model::{SimpleType, TypeAt, ValueConstraint};

use crate::layouts::{Group, Layout, Member, MemberContent, Row, ServiceLayouts, Type};
use crate::simple::{Plain, with_type};

/// An object without any members in the message, and its approximate size in memory in bytes.
pub(crate) fn object<'l>(
    known: &ServiceLayouts,
    layout: &'l Layout,
) -> &'l (Map<String, Json>, usize) {
    layout.initial.get_or_init(|| {
        let object = new_object(known, layout);
        let weight = weight_of(&object);
        (object, weight)
    })
}

fn new_object(known: &ServiceLayouts, layout: &Layout) -> Map<String, Json> {
    let mut map = members(known, layout.elements.iter());
    if let (Some(_), Some(text)) = (&layout.empty_set, &layout.text) {
        // A set with the tables of its schema.
        map.insert(text.key.clone(), Json::String(String::new()));
        return map;
    }
    map.extend(members(known, layout.text.iter()));
    map.extend(members(known, layout.attributes.iter()));
    map
}

fn members<'m>(
    known: &ServiceLayouts,
    members: impl Iterator<Item = &'m Member>,
) -> Map<String, Json> {
    let values = members.filter_map(|member| {
        let value = member_value(known, member);
        (!value.is_null()).then(|| (member.key.clone(), value))
    });
    values.collect()
}

/// The value of a member; `null` if it is absent.
pub(crate) fn member_value(known: &ServiceLayouts, member: &Member) -> Json {
    match &member.part {
        MemberContent::Element { row, .. } => element(known, *row),
        MemberContent::Group(group) if group.repeated => Json::Array(Vec::new()),
        MemberContent::Group(group) if group.optional => Json::Null,
        MemberContent::Group(one) => group(known, one),
    }
}

/// A value of a choice or a sequence.
pub(crate) fn group(known: &ServiceLayouts, group: &Group) -> Json {
    if group.is_sequence() {
        return Json::Object(members(known, group.members.iter()));
    }
    let first = group.members.first();
    first.map_or(Json::Null, |first| {
        variant(first, member_value(known, first))
    })
}

/// A value of an alternative.
pub(crate) fn variant(member: &Member, value: Json) -> Json {
    Json::Object(Map::from_iter([(member.key.clone(), value)]))
}

pub(crate) fn element(known: &ServiceLayouts, row: Row) -> Json {
    if row.repeated {
        return Json::Array(Vec::new());
    }
    if row.may_be_absent() {
        return Json::Null;
    }
    if row.is_several() {
        return Json::Array(Vec::new());
    }
    if row.wildcard.is_some() {
        return Json::String(String::new());
    }
    match row.constraint {
        Some(constraint) => of_text(row, constraint),
        None => of_type(known, row),
    }
}

/// The value of a default or a fixed text.
pub(crate) fn of_text(row: Row, constraint: ValueConstraint<&str>) -> Json {
    let (_, text) = constraint.attribute();
    match row.type_at() {
        TypeAt::Simple(SimpleType::AnyType) => Json::from("Empty"),
        TypeAt::Simple(simple) => {
            with_type!(simple, T => svcgen::codegen::value_of::<T>(text).to_json())
        }
        TypeAt::Enumeration(one) if one.flags => {
            let sum = bits(one.row(), text);
            let mut values = one.values.iter().zip(one.numbers());
            let known = values.find(|(_, number)| Some(*number) == sum);
            Json::from(known.map_or(text, |(value, _)| value.name))
        }
        _ => Json::from(text),
    }
}

/// The sum of the numbers of names; `None` if one is unknown.
pub(crate) fn bits(row: &svcgen_model::Enumeration<'_>, names: &str) -> Option<i64> {
    if let Ok(sum) = names.trim().parse() {
        return Some(sum);
    }
    let mut names = names.split_ascii_whitespace();
    names.try_fold(0, |bits, name| {
        let mut values = row.values.iter().zip(row.numbers());
        let (_, number) = values.find(|(value, _)| value.name == name)?;
        Some(bits | number)
    })
}

fn of_type(known: &ServiceLayouts, row: Row) -> Json {
    match row.type_at() {
        TypeAt::Simple(SimpleType::AnyType) => Json::from("Empty"),
        TypeAt::Simple(simple) => with_type!(simple, T => T::default().to_json()),
        TypeAt::Enumeration(enumeration) if enumeration.flags => {
            let mut values = enumeration.values.iter().zip(enumeration.numbers());
            let zero = values.find(|(_, number)| *number == 0);
            Json::from(zero.map_or("", |(value, _)| value.name))
        }
        TypeAt::Enumeration(enumeration) => {
            Json::from(enumeration.values.first().map_or("", |value| value.name))
        }
        TypeAt::List(_) => Json::Array(Vec::new()),
        TypeAt::Dictionary(_) => Json::Object(Map::new()),
        TypeAt::Complex(complex) => match known.family(row, complex) {
            None => of_object(known, complex),
            Some(family) => {
                let first = family.first();
                let value = of_object(known, family.types[first]);
                Json::Object(Map::from_iter([(family.keys[first].to_owned(), value)]))
            }
        },
    }
}

fn of_object(known: &ServiceLayouts, complex: Type) -> Json {
    Json::Object(object(known, known.layout(complex)).0.clone())
}

fn weight_of(map: &Map<String, Json>) -> usize {
    let members = map.iter();
    members
        .map(|(key, value)| key.len() + size_of::<(String, Json)>() + 16 + weight(value))
        .sum()
}

/// The approximate size in bytes of the parts of a value outside of itself.
pub(crate) fn weight(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items
            .iter()
            .map(|item| size_of::<Json>() + weight(item))
            .sum(),
        Json::Object(map) => weight_of(map),
        _ => 0,
    }
}

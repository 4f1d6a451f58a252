//! Values without their secrets.

use serde_json::Value as Json;
use svcgen_model::TypeAt;

use crate::known::{Group, Known, Member, Part, Row, Type};

const SECRET: &str = "[secret]";

pub(crate) fn object(known: &Known, complex: Type, json: &Json) -> Json {
    let layout = known.layout(complex);
    members(known, || layout.members(), json)
}

fn members<'m, I: Iterator<Item = &'m Member>>(
    known: &Known,
    members: impl Fn() -> I,
    json: &Json,
) -> Json {
    let Json::Object(map) = json else {
        return json.clone();
    };
    let each = map.iter().map(|(key, json)| {
        let masked = match members().find(|member| member.key == *key) {
            Some(member) => self::member(known, member, json),
            None => json.clone(),
        };
        (key.clone(), masked)
    });
    Json::Object(each.collect())
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
        let mut masked = json.clone();
        if let Some(inner) = masked.get_mut("value") {
            *inner = of_type(known, row, inner);
        }
        return masked;
    }
    match (row.type_at(), json) {
        (TypeAt::List(item), Json::Array(items)) => {
            items.iter().map(|json| value(known, item, json)).collect()
        }
        (_, Json::Array(items)) if row.repeated => {
            items.iter().map(|json| of_type(known, row, json)).collect()
        }
        _ => of_type(known, row, json),
    }
}

fn of_type(known: &Known, row: Row, json: &Json) -> Json {
    let (complex, types): (_, &[Type]) = match row.type_at() {
        TypeAt::Complex(complex) => {
            let family = known.family(row, complex);
            (complex, family.map_or(&[], |family| &family.types))
        }
        // An object says its type, and is masked by that.
        TypeAt::Simple(svcgen_model::SimpleType::AnyType) => return any_type(known, row, json),
        _ => return json.clone(),
    };
    let Json::Object(map) = json else {
        return json.clone();
    };
    if types.is_empty() {
        return object(known, complex, json);
    }
    let each = map.iter().map(|(key, json)| {
        let masked = match types.iter().find(|one| one.name == key) {
            Some(one) => object(known, *one, json),
            None => json.clone(),
        };
        (key.clone(), masked)
    });
    Json::Object(each.collect())
}

fn any_type(known: &Known, row: Row, json: &Json) -> Json {
    let Json::Object(map) = json else {
        return json.clone();
    };
    let each = map.iter().map(|(kind, json)| {
        let masked = match (kind.as_str(), json) {
            ("Own", Json::Object(own)) => {
                let types = &known.objects(row).types;
                let own = own.iter().map(|(name, json)| {
                    let masked = match types.iter().find(|one| one.name() == name) {
                        Some(TypeAt::Complex(complex)) => object(known, *complex, json),
                        _ => json.clone(),
                    };
                    (name.clone(), masked)
                });
                Json::Object(own.collect())
            }
            ("List", Json::Array(items)) => items
                .iter()
                .map(|item| any_type(known, row, item))
                .collect(),
            _ => json.clone(),
        };
        (kind.clone(), masked)
    });
    Json::Object(each.collect())
}

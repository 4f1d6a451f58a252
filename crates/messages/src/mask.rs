//! Values without their secrets: a walk through them with the rows that describe them, which decide what of each is shown.

use serde_json::{Map, Value as Json};
use svcgen::mask::{Masked, OMITTED};
use svcgen_model::{Shown, SimpleType, TypeAt};

use crate::layouts::{
    Group, Member, MemberContent, Row, SOAP_ATTRIBUTES, ServiceLayouts, Type, is_several,
};

/// Masks each member of an object by its name; `None` if it has no such member, of which not even the name is shown. What is no object is left out.
pub(crate) fn each(
    json: &Json,
    mask: impl Fn(&str, &Json) -> Option<(&'static str, Masked<Json>)>,
) -> Masked<Json> {
    let Json::Object(map) = json else {
        return nothing_but_null(json);
    };
    let masked = map.iter().map(|(name, json)| {
        let (name, json) = mask(name, json).unwrap_or_else(|| (OMITTED, omitted()));
        Masked::fixed(name).map(str::to_owned).and(json)
    });
    let masked: Masked<Map<_, _>> = masked.collect();
    masked.map(Json::Object)
}

pub(crate) fn omitted() -> Masked<Json> {
    Masked::fixed(OMITTED).map(Json::from)
}

/// `null`, of which there is nothing to hide, or what stands for any other value.
pub(crate) fn nothing_but_null(json: &Json) -> Masked<Json> {
    match json {
        Json::Null => Masked::fixed("").map(|_| Json::Null),
        _ => omitted(),
    }
}

fn list<'j>(items: &'j [Json], mask: impl Fn(&'j Json) -> Masked<Json>) -> Masked<Json> {
    let masked: Masked<Vec<_>> = items.iter().map(mask).collect();
    masked.map(Json::Array)
}

pub(crate) fn object(known: &'static ServiceLayouts, complex: Type, json: &Json) -> Masked<Json> {
    let layout = known.layout(complex);
    members(known, || layout.members(), json)
}

fn members<I: Iterator<Item = &'static Member>>(
    known: &'static ServiceLayouts,
    members: impl Fn() -> I,
    json: &Json,
) -> Masked<Json> {
    each(json, |name, json| {
        let member = members().find(|member| member.key == name)?;
        Some((&member.key, self::member(known, member, json)))
    })
}

fn member(known: &'static ServiceLayouts, member: &'static Member, json: &Json) -> Masked<Json> {
    match (&member.part, json) {
        (MemberContent::Element { row, .. }, json) => value(known, *row, json),
        (MemberContent::Group(group), Json::Array(items)) => {
            list(items, |item| self::group(known, group, item))
        }
        (MemberContent::Group(group), json) => self::group(known, group, json),
    }
}

fn group(known: &'static ServiceLayouts, group: &'static Group, json: &Json) -> Masked<Json> {
    members(known, || group.members.iter(), json)
}

/// A value of a row, an item of a list too.
pub(crate) fn value(known: &'static ServiceLayouts, row: Row, json: &Json) -> Masked<Json> {
    match (row.shown(), json) {
        (_, Json::Null) => nothing_but_null(json),
        (Shown::Secret, _) => Masked::value(row, json.clone(), Json::from),
        _ if known.has_soap_attributes(row) => each(json, |name, json| {
            let name = *SOAP_ATTRIBUTES.iter().find(|known| **known == name)?;
            Some(match name {
                "value" => (name, of_type(known, row, json)),
                name => {
                    let written = if name == "must_understand" {
                        "mustUnderstand"
                    } else {
                        name
                    };
                    let json = json.clone();
                    (name, Masked::protocol_attribute(written, json, Json::from))
                }
            })
        }),
        (Shown::Items(item), Json::Array(items)) => list(items, |json| value(known, item, json)),
        (_, Json::Array(items)) if is_several(row) => list(items, |json| of_type(known, row, json)),
        _ => of_type(known, row, json),
    }
}

fn of_type(known: &'static ServiceLayouts, row: Row, json: &Json) -> Masked<Json> {
    match row.shown() {
        Shown::Object(complex) => match known.family(row, complex) {
            None => object(known, complex, json),
            Some(family) => each(json, |name, json| {
                let one = family.types.iter().find(|one| one.name == name)?;
                Some((one.row().name, object(known, *one, json)))
            }),
        },
        Shown::AnyType => any_type(known, row, json),
        Shown::Text => text(row, json),
        Shown::Entries(one) if one.shown() == Shown::Text => texts(one, json),
        Shown::Secret | Shown::Undescribed | Shown::Items(_) | Shown::Entries(_) => {
            nothing_but_null(json)
        }
    }
}

/// A dictionary of values of this row, which are texts. What may hold a secret is left out as a whole: no row says what its keys are.
fn texts(row: Row, json: &Json) -> Masked<Json> {
    let Json::Object(entries) = json else {
        return nothing_but_null(json);
    };
    let masked = entries.iter().map(|(key, json)| {
        let key = Masked::value(row, key.clone(), str::to_owned);
        key.and(text(row, json))
    });
    let masked: Masked<Map<_, _>> = masked.collect();
    masked.map(Json::Object)
}

/// A value of a simple type. What is not one does not fit.
fn text(row: Row, json: &Json) -> Masked<Json> {
    match json {
        Json::Array(_) | Json::Object(_) => omitted(),
        text => Masked::value(row, text.clone(), Json::from),
    }
}

/// A value that says its type, and is masked by that.
fn any_type(known: &'static ServiceLayouts, row: Row, json: &Json) -> Masked<Json> {
    if json == "Empty" {
        return text(row, json);
    }
    each(json, |kind, json| {
        let simple = SimpleType::ALL.iter().map(|simple| simple.variant());
        let mut kinds = ["Own", "List", "Array", "Dictionary", "Xml"]
            .into_iter()
            .chain(simple);
        let kind = kinds.find(|known| *known == kind)?;
        let masked = match (kind, json) {
            ("Own", json) => each(json, |name, json| {
                let types = &known.objects(row).types;
                let one = types.iter().find(|one| one.name() == name)?;
                Some(match one {
                    TypeAt::Complex(complex) => (one.name(), object(known, *complex, json)),
                    _ => (one.name(), text(row, json)),
                })
            }),
            ("List", Json::Array(items)) => list(items, |item| any_type(known, row, item)),
            ("Xml" | "Array" | "List" | "Dictionary", _) => omitted(),
            (_, json) => text(row, json),
        };
        Some((kind, masked))
    })
}

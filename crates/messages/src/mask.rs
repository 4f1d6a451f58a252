//! Values without their secrets: a walk through them with the rows of their places, which decide
//! the shown parts.

use serde_json::{Map, Value as Json};
use svcgen::mask::{Masked, OMITTED};
use svcgen_model::{Shown, SimpleType, TypeAt};

use crate::layouts::Row;
use crate::place::{Kind, Place};

/// Masks each member of an object by its name; `None` if it has no such member, whose name is
/// hidden, too. Values other than objects are omitted.
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

/// `null`, which hides nothing, or a placeholder for any other value.
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

impl Place {
    /// Returns a value without its secrets, and without XML: they are replaced by `[secret]` and
    /// `[omitted]`.
    #[must_use]
    pub fn mask(self, json: &Json) -> Masked<Json> {
        match self.kind {
            Kind::Row(row) | Kind::One(row) if row.shown() == Shown::Secret && !json.is_null() => {
                return Masked::value(row, json.clone(), Json::from);
            }
            _ => {}
        }
        if let (Json::Array(items), Some(item)) = (json, self.item()) {
            return list(items, |json| item.mask(json));
        }
        match (self.resolved(), json) {
            (_, Json::Null) => nothing_but_null(json),
            (Kind::Header(_), json) => each(json, |name, json| {
                let (name, place) = self.named_member(name)?;
                let written = match name {
                    "value" => return Some((name, place.mask(json))),
                    "must_understand" => "mustUnderstand",
                    name => name,
                };
                let json = json.clone();
                Some((name, Masked::protocol_attribute(written, json, Json::from)))
            }),
            (Kind::Object(_) | Kind::Family(_) | Kind::OneGroup(_), json) => {
                each(json, |name, json| {
                    let (name, place) = self.named_member(name)?;
                    Some((name, place.mask(json)))
                })
            }
            (Kind::One(row), json) => match row.shown() {
                Shown::AnyType => self.mask_any_type(row, json),
                Shown::Text => text(row, json),
                Shown::Entries(one) if one.shown() == Shown::Text => texts(one, json),
                _ => omitted(),
            },
            _ => omitted(),
        }
    }

    /// Masks a value that contains its type according to this type.
    fn mask_any_type(self, row: Row, json: &Json) -> Masked<Json> {
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
                    let objects = self.known.objects(row);
                    let index = objects.position(name)?;
                    let masked = match objects.types[index] {
                        TypeAt::Complex(complex) => self.with(Kind::Object(complex)).mask(json),
                        _ => text(row, json),
                    };
                    Some((objects.keys[index], masked))
                }),
                ("List", Json::Array(items)) => list(items, |item| self.mask_any_type(row, item)),
                ("Xml" | "Array" | "List" | "Dictionary", _) => omitted(),
                (_, json) => text(row, json),
            };
            Some((kind, masked))
        })
    }
}

/// Masks a dictionary of values of this row, which are texts. Dictionaries of values that may
/// contain a secret are omitted as a whole, since no row describes their keys.
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

/// Masks a value of a simple type. A list or an object does not fit.
fn text(row: Row, json: &Json) -> Masked<Json> {
    match json {
        Json::Array(_) | Json::Object(_) => omitted(),
        text => Masked::value(row, text.clone(), Json::from),
    }
}

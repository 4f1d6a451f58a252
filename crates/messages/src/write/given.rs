//! Values to write, and errors with the expected values at their places.

use serde_json::{Map, Value as Json};
use svcgen::codegen::{Content, Value as _};
use svcgen_model::Writing;

use super::Item;
use crate::error::unknown_name;
use crate::initial;
use crate::layouts::{Group, Member, MemberContent, Row, ServiceLayouts};
use crate::place::Place;
use crate::simple::expected;
use crate::value_path::ValuePath;

/// An empty list.
static NO_ITEMS: Json = Json::Array(Vec::new());

/// A value to write, and its place.
#[derive(Clone, Copy)]
pub(crate) struct Given<'v> {
    pub(crate) known: &'static ServiceLayouts,
    pub(crate) json: &'v Json,
    pub(crate) path: ValuePath<'v>,
}

/// The kind of a JSON value.
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

impl<'v> Given<'v> {
    pub(super) fn with(&self, json: &'v Json, path: ValuePath<'v>) -> Self {
        let known = self.known;
        Self { known, json, path }
    }

    pub(super) fn refuse(&self, expected: &str, out: &mut Content<'_>) {
        let (path, kind) = (&self.path, kind(self.json));
        out.fail(format!("{path}: {expected} is expected, not {kind}."));
    }

    /// Reports an unknown name.
    pub(super) fn refuse_name<'n>(
        &self,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
        out: &mut Content<'_>,
    ) {
        let known: Vec<_> = known.collect();
        let (path, unknown) = (&self.path, unknown_name(what, name, &known));
        out.fail(format!("{path}: {unknown}"));
    }

    /// The members of the object, if all are members of a place.
    pub(super) fn object(
        &self,
        place: Place,
        out: &mut Content<'_>,
    ) -> Option<&'v Map<String, Json>> {
        let Json::Object(map) = self.json else {
            self.refuse(&place.expected(), out);
            return None;
        };
        let unknown = map.keys().find(|name| place.member(name).is_none());
        if let Some(unknown) = unknown {
            let path = &self.path;
            out.fail(format!("{path}: {}", place.no_member(unknown)));
        }
        unknown.is_none().then_some(map)
    }

    /// Converts it to a value of a row. `missing` replaces a missing value, such as an empty list
    /// or a default; it is an error if the value is then still missing and must not be absent.
    pub(super) fn item(
        mut self,
        row: Row,
        missing: &'v Json,
        out: &mut Content<'_>,
    ) -> Option<Item<'v>> {
        let optional = row.may_be_absent();
        if self.json.is_null() {
            self.json = missing;
        }
        if self.json.is_null() && !optional {
            let (path, expected) = (&self.path, expected(row));
            out.fail(format!("{path}: {expected} is expected, and missing."));
            return None;
        }
        let given = self;
        Some(Item {
            given,
            row,
            optional,
        })
    }

    /// Converts it to the result of an operation. A missing list is empty.
    pub(crate) fn result(mut self, row: Row) -> Item<'v> {
        let optional = row.may_be_absent();
        if self.json.is_null() && !optional && row.is_several() {
            self.json = &NO_ITEMS;
        }
        let given = self;
        Item {
            given,
            row,
            optional,
        }
    }

    /// Writes members of an object.
    pub(super) fn members(
        &self,
        members: impl IntoIterator<Item = &'static Member>,
        map: &Map<String, Json>,
        out: &mut Content<'_>,
    ) {
        for member in members {
            let json = map.get(&member.key).unwrap_or(&Json::Null);
            let known = self.known;
            let path = self.path.member(&member.key);
            Given { known, json, path }.member(member, out);
        }
    }

    /// Writes a member of an object, or an alternative.
    fn member(&self, member: &'static Member, out: &mut Content<'_>) {
        let group = match &member.part {
            MemberContent::Element {
                row,
                written,
                writing,
                ..
            } => return self.element((*row, *writing), written, out),
            MemberContent::Group(group) => group,
        };
        match self.json {
            Json::Null if group.repeated || group.optional => {}
            Json::Array(items) if group.repeated => {
                for (index, json) in items.iter().enumerate() {
                    self.with(json, self.path.item(index)).group(group, out);
                }
            }
            _ if group.repeated => self.refuse("an array", out),
            _ => self.group(group, out),
        }
    }

    /// Writes a choice or a sequence.
    fn group(&self, group: &'static Group, out: &mut Content<'_>) {
        let place = Place::of_group(self.known, group);
        let Some(map) = self.object(place, out) else {
            return;
        };
        if group.is_sequence() {
            return self.members(&group.members, map, out);
        }
        let Some((key, json)) = only(self.json) else {
            let (path, names) = (&self.path, place.members().join(", "));
            return out.fail(format!("{path}: one alternative is expected of {names}."));
        };
        if let Some(member) = group.members.iter().find(|member| member.key == key) {
            self.with(json, self.path.member(key)).member(member, out);
        }
    }

    /// Writes an element, an attribute or a text.
    pub(crate) fn element(
        &self,
        (row, writing): (Row, Writing),
        written: &str,
        out: &mut Content<'_>,
    ) {
        let missing = match self.json {
            Json::Null if row.is_several() || row.constraint.is_some() => {
                initial::element(self.known, row)
            }
            _ => Json::Null,
        };
        let Some(item) = Given { ..*self }.item(row, &missing, out) else {
            return;
        };
        let name = match row.net {
            Some(net) => out.field_name(written, net),
            None => written,
        };
        let default = row.constraint.map_or("", |one| one.attribute().1);
        match writing {
            Writing::Any if item.given.json.is_null() => {}
            Writing::Any | Writing::AnyOne => item.any(out),
            Writing::AnyItems => {
                let items = item.items(row, false, out);
                items.iter().flatten().for_each(|item| item.any(out));
            }
            Writing::AnyAttributes => item.attributes(name, out),
            Writing::Items => {
                if let Some(items) = item.items(row, row.may_be_absent(), out) {
                    out.items(name, &items);
                }
            }
            Writing::Nillable | Writing::NillableList => item.write_nillable(name, out),
            Writing::Value | Writing::List => out.element(name, &item),
            Writing::NillableTexts => out.nillable_texts(name, &item),
            Writing::Texts => out.texts(name, &item),
            Writing::UnlessDefault => out.element_unless(name, &item, default),
            Writing::Characters => out.characters(&item),
            Writing::Attribute => out.attribute(name, &item),
            Writing::AttributeTexts => out.attribute_texts(name, &item),
            Writing::AttributeUnlessDefault => out.attribute_unless(name, &item, default),
            Writing::Content => out.content(&item),
            Writing::ContentTexts => out.content_texts(&item),
        }
    }
}

/// The only member of an object.
pub(super) fn only(json: &Json) -> Option<(&str, &Json)> {
    let mut members = json.as_object()?.iter();
    let (key, value) = members.next()?;
    members.next().is_none().then_some((key, value))
}

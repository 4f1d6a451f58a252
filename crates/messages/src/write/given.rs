//! Values that are to be written, and errors that say what is expected in their place.

use serde_json::{Map, Value as Json};
use svcgen::codegen::Content;
use svcgen_model::{Absence, SimpleType, TypeAt, ValueConstraint};

use super::{IsDefault, Item};
use crate::initial;
use crate::layouts::{Group, Member, MemberContent, Row, ServiceLayouts, is_several};
use crate::simple::{Plain, with_type};
use crate::value_path::ValuePath;

/// The most names that an error lists.
const MOST_NAMES: usize = 40;

/// A list of nothing.
static NO_ITEMS: Json = Json::Array(Vec::new());

/// A value that is to be written, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Given<'v> {
    pub(crate) known: &'static ServiceLayouts,
    pub(crate) json: &'v Json,
    pub(crate) path: ValuePath<'v>,
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

pub(crate) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.take(MOST_NAMES).collect::<Vec<_>>().join(", ")
}

fn keys(members: &'static [Member]) -> impl Iterator<Item = &'static str> {
    members.iter().map(|member| &*member.key)
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

    pub(super) fn refuse_name<'n>(
        &self,
        name: &str,
        what: &str,
        names: impl Iterator<Item = &'n str>,
        out: &mut Content<'_>,
    ) {
        let (path, known) = (&self.path, listed(names));
        out.fail(format!(
            "{path}: there is no {what} '{name}'. Known: {known}."
        ));
    }

    /// The members of the object that it is, if all have these names.
    pub(super) fn object<I: Iterator<Item = &'static str>>(
        &self,
        expected: impl FnOnce() -> String,
        names: impl Fn() -> I,
        out: &mut Content<'_>,
    ) -> Option<&'v Map<String, Json>> {
        let Json::Object(map) = self.json else {
            self.refuse(&expected(), out);
            return None;
        };
        let unknown = map.keys().find(|key| !names().any(|known| known == *key));
        if let Some(unknown) = unknown {
            self.refuse_name(unknown, "member", names(), out);
        }
        unknown.is_none().then_some(map)
    }

    /// It as a value of a row. A list that is missing is empty, and a default may be missing; nothing else may that is not absent.
    pub(super) fn item(
        mut self,
        row: Row,
        missing: &'v Json,
        out: &mut Content<'_>,
    ) -> Option<Item<'v>> {
        let optional = row.may_be_absent() && !row.repeated;
        if self.json.is_null() && (is_several(row) || row.constraint.is_some()) {
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

    /// It as the result of an operation. A list that is missing is empty.
    pub(crate) fn result(mut self, row: Row) -> Item<'v> {
        let optional = row.may_be_absent();
        if self.json.is_null() && !optional && is_several(row) {
            self.json = &NO_ITEMS;
        }
        let given = self;
        Item {
            given,
            row,
            optional,
        }
    }

    /// Writes the members of a type or a sequence.
    pub(super) fn members(
        &self,
        members: &'static [Member],
        map: &Map<String, Json>,
        out: &mut Content<'_>,
    ) {
        for member in members {
            let json = map.get(&member.key).unwrap_or(&Json::Null);
            let known = self.known;
            let path = self.path.member(&member.key);
            let given = Given { known, json, path };
            match &member.part {
                MemberContent::Element { row, written } => given.element(*row, written, out),
                MemberContent::Group(group) if group.repeated => match json {
                    Json::Null => {}
                    Json::Array(items) => {
                        for (index, json) in items.iter().enumerate() {
                            given.with(json, path.item(index)).group(group, out);
                        }
                    }
                    _ => given.refuse("an array", out),
                },
                MemberContent::Group(group) if group.optional && json.is_null() => {}
                MemberContent::Group(group) => given.group(group, out),
            }
        }
    }

    /// Writes a choice or a sequence.
    fn group(&self, group: &'static Group, out: &mut Content<'_>) {
        let names = || keys(&group.members);
        let expected = || {
            let one = if group.is_sequence() { "" } else { "with one " };
            format!("an object {one}of {}", listed(names()))
        };
        let Some(map) = self.object(expected, names, out) else {
            return;
        };
        if group.is_sequence() {
            return self.members(&group.members, map, out);
        }
        let Some((key, json)) = only(self.json) else {
            let (path, names) = (&self.path, listed(names()));
            return out.fail(format!("{path}: one alternative is expected of {names}."));
        };
        if let Some(member) = group.members.iter().find(|member| member.key == key) {
            self.with(json, self.path.member(key))
                .alternative(member, out);
        }
    }

    fn alternative(self, member: &'static Member, out: &mut Content<'_>) {
        let (row, written) = match &member.part {
            MemberContent::Group(inner) => return self.group(inner, out),
            MemberContent::Element { row, written } => (*row, written),
        };
        if member.is_gathered() {
            return self.element(row, written, out);
        }
        let Some(item) = self.item(row, &Json::Null, out) else {
            return;
        };
        if row.characters {
            out.characters(&item);
        } else {
            out.element(written, &item);
        }
    }

    /// Writes an element of a type, a sequence or a choice.
    pub(crate) fn element(&self, row: Row, written: &str, out: &mut Content<'_>) {
        let missing = match self.json {
            Json::Null if is_several(row) || row.constraint.is_some() => {
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
        if row.wildcard.is_some() {
            return item.wildcard(out);
        }
        if row.repeated {
            if let Some(items) = item.items(row, row.may_be_absent(), out) {
                out.items(name, &items);
            }
            return;
        }
        if item.given.json.is_null() && row.absence == Absence::Nil {
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

/// The only member of an object.
pub(super) fn only(json: &Json) -> Option<(&str, &Json)> {
    let mut members = json.as_object()?.iter();
    let (key, value) = members.next()?;
    members.next().is_none().then_some((key, value))
}

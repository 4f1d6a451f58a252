//! Sample values of places in messages, with every possible member.

mod alternatives;
mod fill;
mod pattern;
mod text;

use std::iter;

use serde_json::{Map, Value as Json, json};
use svcgen::codegen::value_of;
use svcgen::types;
use svcgen_model::{Occurs, SAMPLE_ITEMS, SampleExtent, SimpleType, TypeAt};

use crate::initial::{self, variant};
use crate::layouts::{Group, Member, MemberContent, Row, ServiceLayouts, Type};
use crate::operation::{Answer, Operation};
use crate::place::{Kind, Place};
use crate::simple::{Plain, with_type};

/// The maximum number of items of a list, even if the schema requires more.
const MOST_ITEMS: usize = 1_000;

impl Place {
    /// Returns a possible value at this place, the same at every call: each member has a value that
    /// its facets allow, except for recursive objects and the elements of wildcards, which are
    /// omitted if they may be. A list has two items, a choice has its first alternative.
    ///
    /// A pattern that matches no short text is ignored.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen_messages::Service;
    ///
    /// let service = Service::of_definition("orders.yaml", "
    /// service: Orders
    /// namespace: http://example.com/orders
    /// path: /Orders.asmx
    /// operations:
    ///   Order:
    ///     parameters: { article: { type: 'string?', facets: { pattern: '[A-Z]{2}-\\d' } }, count: int }
    ///     result: decimal
    /// ")?;
    /// let order = service.operation("Order")?;
    /// assert_eq!(order.parameter_place().sample(), json!({ "article": "AA-0", "count": 1 }));
    /// assert_eq!(order.answer_place().sample(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(self) -> Json {
        Sampler::new(self.known).value(self.kind)
    }
}

impl Operation {
    /// Returns an answer with its SOAP headers, like [`Place::sample`].
    pub fn sample_answer(self) -> Answer {
        let row = self.row();
        let value = if row.result().is_some() || row.has_results() {
            self.answer_place().sample()
        } else {
            Json::Null
        };
        Answer::from(value).with_headers(self.answer_header_place().sample())
    }
}

/// Creates one sample.
struct Sampler {
    known: &'static ServiceLayouts,
    extent: SampleExtent<'static>,
}

impl Sampler {
    fn new(known: &'static ServiceLayouts) -> Self {
        let extent = SampleExtent::default();
        Self { known, extent }
    }

    /// A possible value at a place; `null` if it is omitted.
    fn value(&mut self, kind: Kind) -> Json {
        match kind {
            Kind::Object(complex) => self.message(complex),
            Kind::Row(row) => self.element(row),
            Kind::One(row) => self.one(row),
            Kind::Group(group) if group.repeated => Json::Array(self.items_of_group(group)),
            Kind::Group(group) | Kind::OneGroup(group) => match self.group(group) {
                Some(value) => value,
                None if group.optional => Json::Null,
                None => initial::group(self.known, group),
            },
            Kind::Header(_) | Kind::Family(_) | Kind::Unknown => Json::Null,
        }
    }

    fn message(&mut self, complex: Type) -> Json {
        let known = self.known;
        let layout = known.layout(complex);
        let members = layout.elements.iter().chain(&layout.text);
        let mut map = self.members(members);
        for attribute in &layout.attributes {
            let value = if attribute.is_wildcard() {
                initial::member_value(known, attribute)
            } else {
                self.value(Kind::of(attribute))
            };
            if !value.is_null() {
                map.insert(attribute.key.clone(), value);
            }
        }
        Json::Object(map)
    }

    fn members(&mut self, members: impl Iterator<Item = &'static Member>) -> Map<String, Json> {
        let values = members.filter_map(|member| {
            let value = self.value(Kind::of(member));
            (!value.is_null()).then(|| (member.key.clone(), value))
        });
        values.collect()
    }

    /// A value of a choice or a sequence; `None` if it contains a recursive object or nothing.
    fn group(&mut self, group: &'static Group) -> Option<Json> {
        if !group.is_sequence() {
            let mut members = group.members.iter();
            return members.find_map(|member| self.alternative(member));
        }
        let map = self.members(group.members.iter());
        let is_nothing = |value: &Json| value.as_array().is_some_and(Vec::is_empty);
        (!map.values().all(is_nothing)).then_some(Json::Object(map))
    }

    fn alternative(&mut self, member: &'static Member) -> Option<Json> {
        let value = match &member.part {
            MemberContent::Element { row, .. } if row.wildcard.is_some() => {
                let one = wildcard(*row, self.known);
                Some(if row.repeated { json!([one]) } else { one })
            }
            MemberContent::Element { row, .. } if member.is_gathered() => Some(self.element(*row)),
            MemberContent::Element { row, .. } => self.item(*row),
            MemberContent::Group(group) if group.repeated => {
                Some(Json::Array(self.items_of_group(group)))
            }
            MemberContent::Group(group) => self.group(group),
        };
        let is_nothing = |value: &Json| value.as_array().is_some_and(Vec::is_empty);
        let value = value.filter(|value| !value.is_null() && !is_nothing(value))?;
        Some(variant(member, value))
    }

    /// The values of a repeated choice, one of each alternative, or of a repeated sequence.
    fn items_of_group(&mut self, group: &'static Group) -> Vec<Json> {
        let all: Vec<Json> = if group.is_sequence() {
            iter::repeat_n((), items(group.occurs))
                .filter_map(|()| self.group(group))
                .collect()
        } else {
            let members = group.members.iter();
            members
                .filter_map(|member| self.alternative(member))
                .collect()
        };
        let count = clamped(all.len(), group.occurs);
        all.iter().cycle().take(count).cloned().collect()
    }

    /// The value of an element, an attribute or a text; `null` if it is omitted.
    fn element(&mut self, row: Row) -> Json {
        if row.wildcard.is_some() {
            return self.elements_of_wildcard(row);
        }
        if row.repeated {
            let items = iter::repeat_n((), items(row.occurs)).filter_map(|()| self.item(row));
            return Json::Array(items.collect());
        }
        if row.texts {
            let items = iter::repeat_n((), SAMPLE_ITEMS).filter_map(|()| self.item(row));
            return Json::Array(items.collect());
        }
        let value = self.one(row);
        if value.is_null() || !self.known.has_soap_attributes(row) {
            return value;
        }
        json!({ "value": value, "actor": null, "must_understand": false, "relay": false })
    }

    /// One value of a row; `null` if it is omitted.
    fn one(&mut self, row: Row) -> Json {
        match self.item(row) {
            Some(value) => value,
            None if row.may_be_absent() => Json::Null,
            None => initial::element(self.known, row),
        }
    }

    fn elements_of_wildcard(&self, row: Row) -> Json {
        let one = || wildcard(row, self.known);
        match row.occurs.least {
            least if row.repeated => {
                let least = usize::try_from(least).unwrap_or(MOST_ITEMS).min(MOST_ITEMS);
                Json::Array(iter::repeat_with(one).take(least).collect())
            }
            0 if row.may_be_absent() => Json::Null,
            _ => one(),
        }
    }

    /// One value of a row; `None` if it contains a recursive object.
    fn item(&mut self, row: Row) -> Option<Json> {
        self.extent.count();
        if let Some(constraint) = row.constraint {
            return Some(initial::of_text(row, constraint));
        }
        match row.type_at() {
            TypeAt::Simple(simple) => Some(self.simple(row, simple)),
            TypeAt::Enumeration(one) => {
                let first = one.row().values.first();
                Some(Json::from(first.map_or("", |value| value.name)))
            }
            TypeAt::List(item) => {
                let items = iter::repeat_n((), items(item.occurs)).filter_map(|()| self.item(item));
                Some(Json::Array(items.collect()))
            }
            TypeAt::Dictionary(value) => {
                let value = self.item(value).map(|value| ("key".to_owned(), value));
                Some(Json::Object(value.into_iter().collect()))
            }
            TypeAt::Complex(complex) => self.object(row, complex),
        }
    }

    fn object(&mut self, row: Row, declared: Type) -> Option<Json> {
        let family = self.known.family(row, declared);
        let complex = match family {
            None => declared,
            Some(family) => self.extent.chosen(family.concrete().map(|(_, one)| one))?,
        };
        if !self.extent.has_room_for(complex) {
            return None;
        }
        self.extent.enter(complex);
        let layout = self.known.layout(complex);
        let object = match &layout.empty_set {
            // A set with the tables of its schema.
            Some(set) => initial_set(&layout.text, &set.get()),
            None => self.message(complex),
        };
        self.extent.leave();
        Some(match family {
            None => object,
            Some(family) => {
                let (key, _) = family.concrete().find(|(_, one)| *one == complex)?;
                Json::Object(Map::from_iter([(key.to_owned(), object)]))
            }
        })
    }

    fn simple(&self, row: Row, simple: SimpleType) -> Json {
        match simple {
            SimpleType::AnyType => json!({ "String": text::usual(SimpleType::String) }),
            SimpleType::Any => Json::from(FRAGMENT),
            SimpleType::QName => Json::from(text::usual(simple)),
            SimpleType::DataTable => table().to_json(),
            simple if simple.is_xml() => with_type!(simple, T => T::default().to_json()),
            simple => {
                let text = text::sample(row, simple, self.known);
                with_type!(simple, T => value_of::<T>(&text).to_json())
            }
        }
    }
}

/// Any XML.
const FRAGMENT: &str = "<x xmlns=\"urn:example\" />";

/// A table with a row. A table must have a name to be written.
fn table() -> types::DataTable {
    let mut table = types::DataTable::new("Table");
    let (column, text) = ("Text", text::usual(SimpleType::String));
    table.column::<String>(column);
    table.push([text.into()]).expect("a text for its column");
    table.accept_changes();
    table
}

/// An element for a wildcard.
fn wildcard(row: Row, known: &ServiceLayouts) -> Json {
    let own = known.service.namespace;
    let named = row.wildcard.unwrap_or_default().split_ascii_whitespace();
    let mut namespaces = ["urn:example", "", own].into_iter().chain(named);
    let namespace = namespaces.find(|namespace| row.row().is_wildcard_for(namespace, own));
    Json::from(match namespace {
        Some("") => "<x />".to_owned(),
        Some(namespace) => FRAGMENT.replace("urn:example", &namespace.replace('&', "&amp;")),
        None => FRAGMENT.to_owned(),
    })
}

fn initial_set(text: &Option<Member>, set: &types::DataSet) -> Json {
    let text = text.iter();
    Json::Object(text.map(|text| (text.key.clone(), set.to_json())).collect())
}

/// The number of items.
fn items(occurs: Occurs) -> usize {
    clamped(SAMPLE_ITEMS, occurs)
}

fn clamped(count: usize, occurs: Occurs) -> usize {
    let number = |number: u32| {
        usize::try_from(number)
            .unwrap_or(MOST_ITEMS)
            .min(MOST_ITEMS)
    };
    let most = occurs.most.map_or(count, number);
    count.min(most).max(number(occurs.least))
}

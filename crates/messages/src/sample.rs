//! Sample values of messages, with every member that there may be.

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
use crate::operation::{Answer, Operation, UnknownFault};
use crate::simple::{Plain, with_type};

/// The most items of a list, also where the schema asks for more.
const MOST_ITEMS: usize = 1_000;

impl Operation {
    /// Parameters that it accepts, the same at every call: each member has a value that its facets allow, but for objects in themselves and the elements of
    /// wildcards, which are left out where they may be. A list has two items, a choice is of its first alternative.
    ///
    /// A pattern that no short text matches is not followed.
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
    /// assert_eq!(order.sample_parameters(), json!({ "article": "AA-0", "count": 1 }));
    /// assert_eq!(order.sample_answer().value, "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample_parameters(self) -> Json {
        self.sampler().message(self.parameters())
    }

    /// SOAP headers of a request, as [`sample_parameters`](Self::sample_parameters) are.
    pub fn sample_headers(self) -> Json {
        self.sampler()
            .message(self.headers_of(self.row().headers()))
    }

    /// An answer with its SOAP headers, as [`sample_parameters`](Self::sample_parameters) are.
    pub fn sample_answer(self) -> Answer {
        let row = self.row();
        let value = match row.result() {
            _ if row.has_results() => self.sampler().message(row.response()),
            Some(result) => self.sampler().element(result),
            None => Json::Null,
        };
        let headers = self.headers_of(row.response_headers());
        Answer::from(value).with_headers(self.sampler().message(headers))
    }

    /// The detail of a fault of the service, as [`sample_parameters`](Self::sample_parameters) are.
    ///
    /// # Errors
    ///
    /// The service has no such fault.
    pub fn sample_detail(self, name: &str) -> Result<Json, UnknownFault> {
        Ok(self.sampler().element(self.fault(name)?))
    }

    /// The SOAP headers of a fault, as [`sample_parameters`](Self::sample_parameters) are: those that the operation declares for faults, or else those of its answers.
    pub fn sample_fault_headers(self) -> Json {
        self.sampler()
            .message(self.fault_headers_or_those_of_answers())
    }

    fn sampler(self) -> Sampler {
        Sampler {
            known: self.service.0,
            extent: SampleExtent::default(),
        }
    }
}

/// Makes one sample.
struct Sampler {
    known: &'static ServiceLayouts,
    extent: SampleExtent<'static>,
}

impl Sampler {
    fn message(&mut self, complex: Type) -> Json {
        let known = self.known;
        let layout = known.layout(complex);
        let members = layout.elements.iter().chain(&layout.text);
        let mut map = self.members(members);
        for attribute in &layout.attributes {
            let value = if attribute.is_wildcard() {
                initial::member_value(known, attribute)
            } else {
                self.member(attribute)
            };
            if !value.is_null() {
                map.insert(attribute.key.clone(), value);
            }
        }
        Json::Object(map)
    }

    fn members<'m>(&mut self, members: impl Iterator<Item = &'m Member>) -> Map<String, Json> {
        let values = members.filter_map(|member| {
            let value = self.member(member);
            (!value.is_null()).then(|| (member.key.clone(), value))
        });
        values.collect()
    }

    /// The value of a member; `null` if it is left out.
    fn member(&mut self, member: &Member) -> Json {
        match &member.part {
            MemberContent::Element { row, .. } => self.element(*row),
            MemberContent::Group(group) if group.repeated => {
                Json::Array(self.items_of_group(group))
            }
            MemberContent::Group(group) => {
                let value = self.group(group);
                match value {
                    Some(value) => value,
                    None if group.optional => Json::Null,
                    None => initial::group(self.known, group),
                }
            }
        }
    }

    /// A value of a choice or a sequence, unless it holds an object in itself, or nothing.
    fn group(&mut self, group: &Group) -> Option<Json> {
        if !group.is_sequence() {
            let mut members = group.members.iter();
            return members.find_map(|member| self.alternative(member));
        }
        let map = self.members(group.members.iter());
        let is_nothing = |value: &Json| value.as_array().is_some_and(Vec::is_empty);
        (!map.values().all(is_nothing)).then_some(Json::Object(map))
    }

    fn alternative(&mut self, member: &Member) -> Option<Json> {
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

    /// The values of a repeated choice, which are one of each alternative, or of a repeated sequence.
    fn items_of_group(&mut self, group: &Group) -> Vec<Json> {
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

    /// The value of an element, an attribute or a text; `null` if it is left out.
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
        match self.item(row) {
            Some(value) if self.known.has_soap_attributes(row) => {
                json!({ "value": value, "actor": null, "must_understand": false, "relay": false })
            }
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

    /// One value of a row, unless it holds an object in itself.
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
            Some(family) => self.extent.chosen(family.concrete())?,
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
            Some(_) => Json::Object(Map::from_iter([(complex.name.to_owned(), object)])),
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

/// A table with a row. Without a name none can be written.
fn table() -> types::DataTable {
    let mut table = types::DataTable::new("Table");
    let (column, text) = ("Text", text::usual(SimpleType::String));
    table.column::<String>(column);
    table.push([text.into()]).expect("a text for its column");
    table.accept_changes();
    table
}

/// An element that a wildcard stands for.
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

/// How many items there are.
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

//! Values of which a part is given, and samples for the rest.

use serde_json::{Map, Value as Json};
use svcgen_model::TypeAt;

use super::Sampler;
use crate::initial::{self, variant};
use crate::layouts::{Group, Member, MemberContent, Row, Type};
use crate::operation::{Answer, Operation, UnknownFault};

/// Whether a sample stands for a value that is given: it is not known yet, such as what a template will make.
type IsOpen<'f> = &'f dyn Fn(&Json) -> bool;

impl Operation {
    /// Parameters of which some are given: [samples](Self::sample_parameters) stand for members that are missing in them and in the objects that they hold, and for values that are open.
    /// A `null` is an absent value. What does not fit is kept, and refused when it is written.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen_messages::Service;
    ///
    /// # let definition = "
    /// # service: Orders
    /// # namespace: http://example.com/orders
    /// # path: /Orders.asmx
    /// # operations:
    /// #   Order: { parameters: { article: 'string?', count: int, note: 'string?' } }
    /// # ";
    /// let order = Service::of_definition("orders.yaml", definition)?.operation("Order")?;
    /// let filled = order.fill_parameters(&json!({ "count": 7, "note": "?" }), &|value| value == "?");
    /// assert_eq!(filled, json!({ "article": "string", "count": 7, "note": "string" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fill_parameters(self, given: &Json, is_open: IsOpen<'_>) -> Json {
        let mut filler = self.filler(is_open);
        filler.message(self.parameters(), given)
    }

    /// SOAP headers of a request of which some are given, as [`fill_parameters`](Self::fill_parameters) fills parameters.
    #[must_use]
    pub fn fill_headers(self, given: &Json, is_open: IsOpen<'_>) -> Json {
        let headers = self.headers_of(self.row().headers());
        self.filler(is_open).message(headers, given)
    }

    /// An answer of which a part is given, as [`fill_parameters`](Self::fill_parameters) fills parameters; headers that are missing have samples, too.
    #[must_use]
    pub fn fill_answer(self, given: &Answer, is_open: IsOpen<'_>) -> Answer {
        let row = self.row();
        let mut filler = self.filler(is_open);
        let value = match row.result() {
            _ if row.has_results() => filler.message(row.response(), &given.value),
            Some(result) => filler.element(result, &given.value),
            None => given.value.clone(),
        };
        let headers = self.headers_of(row.response_headers());
        let headers = self.filler(is_open).message(headers, &given.headers);
        Answer::from(value).with_headers(headers)
    }

    /// The detail of a fault of the service of which a part is given, as [`fill_parameters`](Self::fill_parameters) fills parameters.
    ///
    /// # Errors
    ///
    /// The service has no such fault.
    pub fn fill_detail(
        self,
        name: &str,
        given: &Json,
        is_open: IsOpen<'_>,
    ) -> Result<Json, UnknownFault> {
        let row = self.fault(name)?;
        Ok(self.filler(is_open).element(row, given))
    }

    fn filler(self, is_open: IsOpen<'_>) -> Filler<'_> {
        Filler {
            sampler: self.sampler(),
            is_open,
        }
    }
}

struct Filler<'f> {
    sampler: Sampler,
    is_open: IsOpen<'f>,
}

impl Filler<'_> {
    fn message(&mut self, complex: Type, given: &Json) -> Json {
        if (self.is_open)(given) {
            return self.sampler.message(complex);
        }
        let Json::Object(map) = given else {
            return given.clone();
        };
        let layout = self.sampler.known.layout(complex);
        // What no name stands for is given or not there.
        let wanted = |member: &&Member| !member.is_wildcard() || map.contains_key(&member.key);
        let members = layout.members().filter(wanted);
        Json::Object(self.members(members, map))
    }

    fn members<'m>(
        &mut self,
        members: impl Iterator<Item = &'m Member>,
        map: &Map<String, Json>,
    ) -> Map<String, Json> {
        let mut filled = Map::new();
        for member in members {
            let value = match map.get(&member.key) {
                Some(given) => self.member(member, given),
                None => self.sampler.member(member),
            };
            if !value.is_null() || map.contains_key(&member.key) {
                filled.insert(member.key.clone(), value);
            }
        }
        for (key, value) in map {
            if !filled.contains_key(key) {
                filled.insert(key.clone(), value.clone());
            }
        }
        filled
    }

    fn member(&mut self, member: &Member, given: &Json) -> Json {
        if (self.is_open)(given) {
            return self.sampler.member(member);
        }
        match (&member.part, given) {
            (MemberContent::Element { row, .. }, given) => self.element(*row, given),
            (MemberContent::Group(group), Json::Array(items)) if group.repeated => {
                items.iter().map(|item| self.group(group, item)).collect()
            }
            (MemberContent::Group(group), given) => self.group(group, given),
        }
    }

    fn group(&mut self, group: &Group, given: &Json) -> Json {
        if (self.is_open)(given) {
            let sample = self.sampler.group(group);
            return sample.unwrap_or_else(|| initial::group(self.sampler.known, group));
        }
        let Json::Object(map) = given else {
            return given.clone();
        };
        if group.is_sequence() {
            return Json::Object(self.members(group.members.iter(), map));
        }
        let mut chosen = map.iter();
        let member = match (chosen.next(), chosen.next()) {
            (Some((key, value)), None) => {
                let mut members = group.members.iter();
                members.find(|member| member.key == *key).zip(Some(value))
            }
            _ => None,
        };
        match member {
            Some((member, value)) => variant(member, self.member(member, value)),
            None => given.clone(),
        }
    }

    /// A value of a row, or the item of a list.
    fn element(&mut self, row: Row, given: &Json) -> Json {
        if (self.is_open)(given) {
            return self.sampler.element(row);
        }
        if self.sampler.known.has_soap_attributes(row) {
            let mut filled = given.clone();
            if let Some(value) = filled.get_mut("value") {
                *value = self.of_type(row, value);
            }
            return filled;
        }
        match (row.type_at(), given) {
            (_, Json::Array(items)) if row.repeated || row.texts => {
                items.iter().map(|item| self.of_type(row, item)).collect()
            }
            (TypeAt::List(item), Json::Array(items)) => items
                .iter()
                .map(|given| self.element(item, given))
                .collect(),
            _ => self.of_type(row, given),
        }
    }

    fn of_type(&mut self, row: Row, given: &Json) -> Json {
        if (self.is_open)(given) {
            let sample = self.sampler.item(row);
            return sample.unwrap_or(Json::Null);
        }
        let TypeAt::Complex(declared) = row.type_at() else {
            return given.clone();
        };
        let Json::Object(map) = given else {
            return given.clone();
        };
        let Some(family) = self.sampler.known.family(row, declared) else {
            return self.object(declared, given);
        };
        let each = map.iter().map(|(key, given)| {
            let mut types = family.types.iter();
            let value = match types.find(|one| one.name == key) {
                Some(complex) => self.object(*complex, given),
                None => given.clone(),
            };
            (key.clone(), value)
        });
        Json::Object(each.collect())
    }

    fn object(&mut self, complex: Type, given: &Json) -> Json {
        self.sampler.extent.enter(complex);
        let object = self.message(complex, given);
        self.sampler.extent.leave();
        object
    }
}

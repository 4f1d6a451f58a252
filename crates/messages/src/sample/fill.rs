//! Partial values, with samples for the rest.

use serde_json::{Map, Value as Json};

use super::Sampler;
use crate::operation::{Answer, Operation};
use crate::place::{Kind, Place};

/// Whether a sample replaces a given value, which is not known yet, such as the result of a
/// template.
type IsOpen<'f> = &'f dyn Fn(&Json) -> bool;

impl Place {
    /// Fills a partial value: [samples](Self::sample) are added for members that are missing in it
    /// and in the objects that it contains, and replace values that are open. A `null` is an absent
    /// value. A value that does not fit is kept, and refused when it is written.
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
    /// let place = Service::of_definition("orders.yaml", definition)?.operation("Order")?.parameter_place();
    /// let filled = place.fill(&json!({ "count": 7, "note": "?" }), &|value| value == "?");
    /// assert_eq!(filled, json!({ "article": "string", "count": 7, "note": "string" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fill(self, given: &Json, is_open: IsOpen<'_>) -> Json {
        let sampler = Sampler::new(self.known);
        Filler { sampler, is_open }.value(self, given)
    }
}

impl Operation {
    /// Fills a partial answer, as [`Place::fill`] fills values; samples are added for missing
    /// headers, too.
    #[must_use]
    pub fn fill_answer(self, given: &Answer, is_open: IsOpen<'_>) -> Answer {
        let value = self.answer_place().fill(&given.value, is_open);
        let headers = self.answer_header_place().fill(&given.headers, is_open);
        Answer::from(value).with_headers(headers)
    }
}

struct Filler<'f> {
    sampler: Sampler,
    is_open: IsOpen<'f>,
}

impl Filler<'_> {
    fn value(&mut self, place: Place, given: &Json) -> Json {
        if (self.is_open)(given) {
            return self.sampler.value(place.kind);
        }
        let map = match (given, place.item()) {
            (Json::Array(items), Some(item)) => {
                return items.iter().map(|given| self.value(item, given)).collect();
            }
            (Json::Object(map), _) => map,
            _ => return given.clone(),
        };
        Json::Object(match place.resolved() {
            Kind::Object(complex) => {
                self.sampler.extent.enter(complex);
                let filled = self.members(place, map);
                self.sampler.extent.leave();
                filled
            }
            Kind::OneGroup(group) if group.is_sequence() => self.members(place, map),
            // An alternative, a value with its type, or a SOAP header.
            _ => map
                .iter()
                .map(|(name, given)| self.given(place, name, given))
                .collect(),
        })
    }

    /// All members, and entries that are not members.
    fn members(&mut self, place: Place, map: &Map<String, Json>) -> Map<String, Json> {
        let mut filled = Map::new();
        for (name, member) in place.named_members() {
            match map.get(name) {
                Some(given) => {
                    filled.insert(name.to_owned(), self.value(member, given));
                }
                // A wildcard has no sample: its elements are given or absent.
                None if member.is_wildcard() => {}
                None => {
                    let sample = self.sampler.value(member.kind);
                    filled.extend((!sample.is_null()).then(|| (name.to_owned(), sample)));
                }
            }
        }
        let others = map.iter().filter(|(name, _)| !filled.contains_key(*name));
        let others: Vec<_> = others
            .map(|(name, json)| (name.clone(), json.clone()))
            .collect();
        filled.extend(others);
        filled
    }

    fn given(&mut self, place: Place, name: &str, given: &Json) -> (String, Json) {
        let member = place.member(name);
        let filled = member.map_or_else(|| given.clone(), |place| self.value(place, given));
        (name.to_owned(), filled)
    }
}

//! Samples of every alternative.

use serde_json::{Map, Value as Json};

use crate::place::Place;

/// The maximum number of alternatives with samples, and the maximum depth of the search.
const MOST: usize = 200;
const DEEPEST: usize = 6;

/// A placeholder that is replaced by a sample.
const OPEN: &str = "\u{0}";

impl Place {
    /// Returns the [sample](Self::sample), and others that contain each alternative of choices and
    /// each derived type once: up to 200 of them.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen_messages::Service;
    ///
    /// let service = Service::of_definition("pay.yaml", "
    /// service: Pay
    /// namespace: http://example.com/pay
    /// path: /Pay.asmx
    /// operations: { Pay: { bindings: [soap11], parameters: { by: Means } } }
    /// types: { Means: {}, Card: { extends: Means, elements: { Number: string } } }
    /// ")?;
    /// let samples = service.operation("Pay")?.parameter_place().samples();
    /// assert!(samples.contains(&json!({ "by": { "Card": { "Number": "string" } } })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn samples(self) -> Vec<Json> {
        let mut alternatives = Vec::new();
        self.add_alternatives(0, &mut alternatives);
        alternatives.truncate(MOST);
        let mut samples = vec![self.sample()];
        for given in alternatives {
            let sample = self.fill(&given, &|json| *json == OPEN);
            if !samples.contains(&sample) {
                samples.push(sample);
            }
        }
        samples
    }

    /// Adds values in which one alternative is chosen.
    fn add_alternatives(self, depth: usize, found: &mut Vec<Json>) {
        if depth > DEEPEST || found.len() > MOST {
            return;
        }
        let before = found.len();
        if let Some(item) = self.item() {
            item.add_alternatives(depth + 1, found);
            for one in &mut found[before..] {
                *one = Json::Array(vec![one.take()]);
            }
            return;
        }
        for (name, member) in self.named_members() {
            let before = found.len();
            member.add_alternatives(depth + 1, found);
            if self.is_choice() && found.len() == before {
                found.push(Json::from(OPEN));
            }
            for one in &mut found[before..] {
                *one = Json::Object(Map::from_iter([(name.to_owned(), one.take())]));
            }
        }
    }
}

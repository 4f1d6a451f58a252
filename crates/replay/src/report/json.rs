//! Reports as JSON.

use serde_json::{Value as Json, json};

use super::groups::Finding;
use super::{RESULTS, Report};
use crate::likeness::Likeness;

impl Report {
    /// Returns an object with these members:
    ///
    /// - `summary`: for each operation, the number of calls with each outcome.
    /// - `not_a_call`: the other requests, with the number of exchanges of each.
    /// - `groups`: a list of differences and missing answers, each once: `operation`, `result`;
    ///   `kind`, `place`, `expected` and `found` of the first exchange, or `why`; and the names of
    ///   the `exchanges` that have it.
    /// - `exchanges`: a list: `name`, `call`, `operation`, `binding`, `result`, `milliseconds`,
    ///   `why` if there is no comparison, `asks` if it was generated for a comparison, `notes`, and
    ///   `differences` with `kind`, `likeness`, `place`, `expected` and `found`.
    /// - `sections`: an object of headings with their lines.
    pub fn to_json(&self) -> Json {
        let summary = self.summary().into_iter().map(|(operation, counts)| {
            let counts = RESULTS.iter().zip(counts);
            let counts = counts.map(|(name, count)| ((*name).to_owned(), Json::from(count)));
            (operation.to_owned(), Json::Object(counts.collect()))
        });
        let groups = self.groups(Likeness::Identical).into_iter().map(|group| {
            let mut told = json!({ "operation": group.subject, "result": group.result });
            match group.finding {
                Finding::Uncompared(why) => told["why"] = why.into(),
                Finding::Difference(one) => {
                    told["kind"] = one.kind.name().into();
                    told["place"] = one.place.as_str().into();
                    told["expected"] = one.expected.as_str().into();
                    told["found"] = one.found.as_str().into();
                }
            }
            told["exchanges"] = group.exchanges.into();
            told
        });
        let exchanges = self.exchanges().iter().map(|one| {
            let differences = one.comparison().map(|comparison| &comparison.differences);
            json!({
                "name": one.name,
                "call": one.call,
                "operation": one.operation,
                "binding": one.binding.map(svcgen::Binding::key),
                "asks": one.asks,
                "result": one.result(),
                "milliseconds": one.milliseconds,
                "why": one.why(),
                "notes": one.notes,
                "differences": differences.map_or_else(|| json!([]), |differences| json!(differences)),
            })
        });
        json!({
            "summary": Json::Object(summary.collect()),
            "not_a_call": self.not_calls(),
            "groups": groups.collect::<Vec<_>>(),
            "exchanges": exchanges.collect::<Vec<_>>(),
            "sections": Json::from_iter(self.sections.iter().map(|(heading, lines)| (*heading, lines.clone()))),
        })
    }
}

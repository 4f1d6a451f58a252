//! For programs.

use serde_json::{Value as Json, json};

use super::{RESULTS, Report};

impl Report {
    /// An object with `summary`, by operation how many exchanges have each outcome, and `exchanges`, a list: `name`, `call`, `operation`, `binding`, `result`, `milliseconds`, `why` if there is no
    /// comparison, `notes`, and `differences` with `kind`, `likeness`, `place`, `expected` and `found`.
    pub fn to_json(&self) -> Json {
        let summary = self.summary().into_iter().map(|(operation, counts)| {
            let counts = RESULTS.iter().zip(counts);
            let counts = counts.map(|(name, count)| ((*name).to_owned(), Json::from(count)));
            (operation.to_owned(), Json::Object(counts.collect()))
        });
        let exchanges = self.exchanges().iter().map(|one| {
            let differences = one.comparison().map(|comparison| &comparison.differences);
            json!({
                "name": one.name,
                "call": one.call,
                "operation": one.operation,
                "binding": one.binding.map(svcgen::Binding::key),
                "result": one.result(),
                "milliseconds": one.milliseconds,
                "why": one.why(),
                "notes": one.notes,
                "differences": differences.map_or_else(|| json!([]), |differences| json!(differences)),
            })
        });
        json!({
            "summary": Json::Object(summary.collect()),
            "exchanges": exchanges.collect::<Vec<_>>(),
        })
    }
}

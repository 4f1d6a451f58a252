//! The report of a replay.

mod groups;
mod html;
mod json;
mod junit;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use svcgen::Binding;
use svcgen::mask::Masked;

use crate::comparison::{Comparison, Difference};
use crate::content::words;
use crate::likeness::Likeness;

/// The maximum number of differences in a report; of further exchanges it contains one difference
/// each.
const MOST: usize = 20_000;

/// The outcomes of the exchanges of a [`Replay`](crate::Replay), in their order, without secrets.
#[derive(Debug, Clone)]
pub struct Report {
    exchanges: Vec<Replayed>,
    sections: Vec<(&'static str, Vec<String>)>,
}

/// An exchange that was replayed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Replayed {
    /// The name of its folder.
    pub name: String,
    /// The method and the path.
    pub call: Masked<String>,
    /// The operation, if known from a definition.
    pub operation: Option<String>,
    /// The binding, if known from a definition.
    pub binding: Option<Binding>,
    /// A description of the call, if it was generated for a comparison and not recorded.
    /// Differences in such exchanges are reported for each exchange separately.
    pub asks: Option<Masked<String>>,
    /// The time that the answer took.
    pub milliseconds: f64,
    /// Notes besides the outcome, for example about masked values.
    pub notes: Vec<String>,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of an exchange.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The server answered.
    Compared(Comparison),
    /// There was no answer, for this reason.
    Unanswered(Masked<String>),
    /// It could not be sent, for this reason: it was not recorded completely, or its masked values
    /// are not known.
    Unsent(Masked<String>),
    /// It is not a call but a request for the WSDL or the help page, for example, and was not sent.
    NotACall,
}

impl Replayed {
    /// Creates an exchange with this name and without an outcome.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            call: words(""),
            operation: None,
            binding: None,
            asks: None,
            milliseconds: 0.0,
            notes: Vec::new(),
            outcome: Outcome::Unsent(words("")),
        }
    }

    pub(crate) fn unsent(mut self, why: Masked<String>) -> Self {
        self.outcome = Outcome::Unsent(why);
        self
    }

    /// Returns its name with its description, if it was generated for a comparison, and its notes.
    fn told(&self) -> impl Iterator<Item = String> {
        let asks = self
            .asks
            .iter()
            .map(|asks| format!("{}: {}", self.name, asks.as_str()));
        asks.chain(self.notes.iter().map(|note| format!("({note})")))
    }

    /// Returns the comparison, if there was an answer.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.outcome {
            Outcome::Compared(comparison) => Some(comparison),
            _ => None,
        }
    }

    /// Returns the name of the outcome: the name of the likeness, `unanswered`, `unsent` or
    /// `not-a-call`.
    pub fn result(&self) -> &'static str {
        match &self.outcome {
            Outcome::Compared(comparison) => comparison.likeness.name(),
            Outcome::Unanswered(_) => "unanswered",
            Outcome::Unsent(_) => "unsent",
            Outcome::NotACall => NOT_A_CALL,
        }
    }

    /// Returns the reason why there is no comparison.
    fn why(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Compared(_) | Outcome::NotACall => None,
            Outcome::Unanswered(why) | Outcome::Unsent(why) => Some(why),
        }
    }

    /// Returns the differences beyond the accepted likeness.
    fn differences_beyond(&self, accepted: Likeness) -> impl Iterator<Item = &Difference> {
        let differences = self
            .comparison()
            .into_iter()
            .flat_map(|one| &one.differences);
        differences.filter(move |one| one.likeness > accepted)
    }

    /// Whether the exchange needs no report: it is as alike as accepted, or not a call.
    fn is_fine(&self, accepted: Likeness) -> bool {
        match &self.outcome {
            Outcome::Compared(comparison) => comparison.likeness <= accepted,
            Outcome::Unanswered(_) | Outcome::Unsent(_) => false,
            Outcome::NotACall => true,
        }
    }

    fn operation(&self) -> &str {
        self.operation.as_deref().unwrap_or(match self.outcome {
            Outcome::NotACall => "(not a call)",
            _ => "(unknown operation)",
        })
    }

    /// Returns the operation, or else the method and the path.
    fn subject(&self) -> &str {
        match &self.operation {
            Some(operation) => operation,
            None if self.call.is_empty() => self.operation(),
            None => &self.call,
        }
    }
}

const NOT_A_CALL: &str = "not-a-call";

/// The names of the outcomes of calls, in the order of columns.
const RESULTS: [&str; 6] = [
    "identical",
    "same-document",
    "same-values",
    "differs",
    "unanswered",
    "unsent",
];

impl Report {
    /// Creates a report of exchanges, in this order.
    pub fn new(mut exchanges: Vec<Replayed>) -> Self {
        let mut held = 0;
        for exchange in &mut exchanges {
            if let Outcome::Compared(comparison) = &mut exchange.outcome {
                // The values are no longer needed, and may be secrets.
                comparison.learned.clear();
                held += comparison.differences.len();
                if held > MOST {
                    let worst = comparison.likeness;
                    comparison.differences.retain(|one| one.likeness == worst);
                    comparison.differences.truncate(1);
                }
            }
        }
        Self {
            exchanges,
            sections: Vec::new(),
        }
    }

    /// Adds lines under a heading, after the differences.
    #[must_use]
    pub fn with_section(mut self, heading: &'static str, lines: Vec<String>) -> Self {
        self.sections.push((heading, lines));
        self
    }

    /// Returns the exchanges, in their order.
    pub fn exchanges(&self) -> &[Replayed] {
        &self.exchanges
    }

    /// Returns the number of exchanges that are less alike than accepted.
    fn differing(&self, accepted: Likeness) -> usize {
        let compared = self.exchanges.iter().filter_map(Replayed::comparison);
        compared
            .filter(|comparison| comparison.likeness > accepted)
            .count()
    }

    /// Returns the number of calls that have no answer to compare.
    fn uncompared(&self) -> usize {
        let missing = self.exchanges.iter().filter(|one| one.why().is_some());
        missing.count()
    }

    /// Returns the exchanges that are calls.
    fn calls(&self) -> impl Iterator<Item = &Replayed> {
        let exchanges = self.exchanges.iter();
        exchanges.filter(|one| !matches!(one.outcome, Outcome::NotACall))
    }

    /// Returns the requests that are not calls, with the number of exchanges of each.
    fn not_calls(&self) -> BTreeMap<&str, usize> {
        let mut others = BTreeMap::new();
        for exchange in &self.exchanges {
            if matches!(exchange.outcome, Outcome::NotACall) {
                *others.entry(exchange.call.as_str()).or_default() += 1;
            }
        }
        others
    }

    /// Returns this report, or an error if it contains no call.
    pub(crate) fn with_calls(self) -> Result<Self, String> {
        if self.calls().next().is_some() {
            return Ok(self);
        }
        let others = self.not_calls();
        let others: Vec<_> = others.keys().map(|call| line(call)).collect();
        Err(match others.as_slice() {
            [] => "no recorded call is of what is asked for".to_owned(),
            others => format!(
                "no recorded exchange is a call; what they ask for: {}",
                groups::first(others)
            ),
        })
    }

    /// Checks that all answers are at least as alike as this.
    ///
    /// # Errors
    ///
    /// Returns an error if some answers are less alike or missing. Its text is the text of the
    /// report.
    pub fn verify(&self, accepted: Likeness) -> Result<(), Mismatch> {
        if self.differing(accepted) == 0 && self.uncompared() == 0 {
            return Ok(());
        }
        Err(Mismatch {
            text: self.to_text(accepted, 20),
            has_differences: self.differing(accepted) > 0,
        })
    }

    /// Returns the number of calls of each operation with each outcome, in the order of
    /// [`RESULTS`].
    fn summary(&self) -> BTreeMap<&str, [usize; RESULTS.len()]> {
        let mut summary = BTreeMap::new();
        for exchange in self.calls() {
            let counts: &mut [usize; RESULTS.len()] =
                summary.entry(exchange.operation()).or_default();
            let column = RESULTS.iter().position(|name| *name == exchange.result());
            counts[column.unwrap_or_default()] += 1;
        }
        summary
    }
}

/// The error for answers that are less alike than accepted. [`Debug`](fmt::Debug) shows the text,
/// too.
#[derive(Clone, PartialEq, Eq)]
pub struct Mismatch {
    text: String,
    has_differences: bool,
}

impl Mismatch {
    /// Whether answers differ; otherwise some are missing.
    pub fn has_differences(&self) -> bool {
        self.has_differences
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mismatch {}

/// Writes a text on one line, and escapes characters that XML cannot contain or that change the
/// text around them.
fn line(text: &str) -> String {
    let characters = text.chars().flat_map(|c| {
        let is_hidden =
            c.is_control() || svcgen_model::is_hidden(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}');
        let escaped = is_hidden.then(|| c.escape_default());
        escaped
            .into_iter()
            .flatten()
            .chain((!is_hidden).then_some(c))
    });
    characters.collect()
}

/// Escapes a text for HTML or XML.
fn escaped(text: &str) -> String {
    line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

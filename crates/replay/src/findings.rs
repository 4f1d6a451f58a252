//! The findings while two answers are compared.

use std::collections::HashSet;

use svcgen::mask::{CUT, Masked, OMITTED, SECRET};

use crate::comparison::{Difference, Learned};
use crate::content::Content;
use crate::description::Description;
use crate::kind::DifferenceKind;
use crate::likeness::Likeness;
use crate::rules::Rules;
use crate::value_path::ValuePath;

/// The maximum number of differences of a comparison.
const MOST: usize = 1000;

/// The maximum number of characters of a value that are shown.
const SHOWN: usize = 200;

/// The minimum number of characters shown before and after the first that differs.
const CONTEXT: usize = 50;

/// The text shown for a missing value.
pub(crate) const NOTHING: &str = "(nothing)";
pub(crate) const NIL: &str = "(nil)";

/// A difference whose likeness may depend on values that are read later.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) difference: Difference,
    /// The place, if it is one of values.
    pub(crate) place: Option<ValuePath>,
}

#[derive(Debug)]
pub(crate) struct Findings<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) content: &'r Content<'r>,
    pub(crate) found: Vec<Finding>,
    /// Places whose values do not count, or are known to be equal.
    pub(crate) settled: Vec<ValuePath>,
    pub(crate) learned: Vec<Learned>,
    told: HashSet<(DifferenceKind, [Masked<String>; 2])>,
}

impl<'r> Findings<'r> {
    pub(crate) fn new(rules: &'r Rules, content: &'r Content<'r>) -> Self {
        Self {
            rules,
            content,
            found: Vec::new(),
            settled: Vec::new(),
            learned: Vec::new(),
            told: HashSet::new(),
        }
    }

    /// Adds a difference outside the values, with the expected and the found text.
    pub(crate) fn add(
        &mut self,
        kind: DifferenceKind,
        place: impl Into<String>,
        told: [Masked<String>; 2],
    ) {
        self.push(kind, place.into(), None, told);
    }

    /// Adds a difference at a place of values. Differences of notation or of references with the
    /// same kind and texts are added only once.
    pub(crate) fn add_at(
        &mut self,
        kind: DifferenceKind,
        place: &ValuePath,
        told: [Masked<String>; 2],
    ) {
        let is_once =
            kind.likeness() == Likeness::SameDocument || kind == DifferenceKind::Reference;
        if is_once && !self.told.insert((kind, told.clone())) {
            return;
        }
        let text = match place.to_string() {
            text if text.is_empty() => "body".to_owned(),
            text => text,
        };
        self.push(kind, text, Some(place.clone()), told);
    }

    fn push(
        &mut self,
        kind: DifferenceKind,
        place: String,
        at: Option<ValuePath>,
        [expected, found]: [Masked<String>; 2],
    ) {
        if self.found.len() >= MOST {
            // The first difference with the worst likeness is always kept.
            let likeness = kind.likeness();
            if self
                .found
                .iter()
                .all(|one| one.difference.likeness < likeness)
            {
                self.found.pop();
            } else {
                return;
            }
        }
        let both = expected.and(found).map(bounded);
        self.found.push(Finding {
            difference: Difference {
                kind,
                likeness: kind.likeness(),
                place,
                expected: both.clone().map(|(expected, _)| expected),
                found: both.map(|(_, found)| found),
            },
            place: at,
        });
    }

    pub(crate) fn settle(&mut self, place: &ValuePath) {
        self.settled.push(place.clone());
    }

    pub(crate) fn is_settled(&self, place: &ValuePath) -> bool {
        self.settled.iter().any(|settled| settled.holds(place))
    }

    /// Whether the values at a place do not count, because they are secret, masked, learned, near
    /// or ignored. Records learned values.
    pub(crate) fn passes(
        &mut self,
        known: Description,
        place: &ValuePath,
        texts: Option<(&str, &str)>,
    ) -> bool {
        if self.rules.ignores(place) {
            return true;
        }
        if let Some((recorded, now)) = texts {
            let is_masked = is_placeholder(recorded);
            // A masked value replaces masked values of the same name in later requests. Secrets are
            // learned, too, as they differ from run to run.
            let is_secret = known.is_secret() || is_masked && recorded.trim() == SECRET;
            if self.rules.learns(place) || is_secret {
                if recorded != now {
                    self.learned.push(Learned {
                        name: place.name().to_owned(),
                        recorded: recorded.to_owned(),
                        now: now.to_owned(),
                        is_cookie: false,
                    });
                }
                return true;
            }
            let near = self.rules.distance(place);
            if is_masked || near.is_some_and(|most| is_near(recorded, now, most)) {
                return true;
            }
        }
        known.is_secret()
    }
}

/// Whether a text is a placeholder for a value in a masked message.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text == SECRET || text == OMITTED || text.ends_with(CUT)
}

pub(crate) fn is_near(one: &str, other: &str, most: f64) -> bool {
    let (one, other) = (one.trim(), other.trim());
    if let (Ok(one), Ok(other)) = (one.parse::<f64>(), other.parse::<f64>()) {
        return (one - other).abs() <= most;
    }
    let (Some(one), Some(other)) = (moment(one), moment(other)) else {
        return false;
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a distance of centuries is never near"
    )]
    let seconds = (one - other).num_milliseconds().unsigned_abs() as f64 / 1000.0;
    seconds <= most
}

/// Reads a time. A time without a zone is read as if in UTC, as the other side of the comparison
/// usually has no zone either.
fn moment(text: &str) -> Option<chrono::NaiveDateTime> {
    if let Ok(time) = chrono::DateTime::parse_from_rfc3339(text) {
        return Some(time.naive_utc());
    }
    // JSON of page scripts has milliseconds since 1970.
    let script = text
        .strip_prefix("/Date(")
        .and_then(|rest| rest.strip_suffix(")/"));
    if let Some(milliseconds) = script {
        let time = chrono::DateTime::from_timestamp_millis(milliseconds.parse().ok()?)?;
        return Some(time.naive_utc());
    }
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00"));
    let date = chrono::NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    let time = chrono::NaiveTime::parse_from_str(time, "%H:%M:%S%.f").ok()?;
    Some(date.and_time(time))
}

/// Returns the number of common leading characters to leave out so that the first that differs is
/// shown.
fn skipped(expected: &str, found: &str) -> usize {
    let both = expected.chars().zip(found.chars());
    let same = both.take_while(|(one, other)| one == other).count();
    if same + CONTEXT <= SHOWN {
        return 0;
    }
    same - CONTEXT
}

/// Shortens two texts, and escapes invisible characters.
fn bounded((expected, found): (String, String)) -> (String, String) {
    let skipped = skipped(&expected, &found);
    (part(&expected, skipped), part(&found, skipped))
}

fn part(text: &str, skipped: usize) -> String {
    let mut shown = String::new();
    let mut characters = text.chars().skip(skipped);
    if skipped > 0 {
        shown.push('…');
    }
    for c in characters.by_ref().take(SHOWN) {
        if c.is_control() || svcgen_model::is_hidden(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

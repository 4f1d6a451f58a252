//! What does not count in a comparison.

use std::fmt;

use serde::Deserialize;

use crate::kind::DifferenceKind;
use crate::value_path::{PathPattern, ValuePath};

/// What does not count when answers are compared, and what later requests take from earlier
/// answers.
///
/// A place is written as [`Difference::place`](crate::Difference::place) shows it, as
/// `GetOrderResult.Items[2].Price` or `header Set-Cookie`. An item without an index is any of its
/// list, `*` is any name, and `**` any names. A rule holds for all that is beneath a place, too.
///
/// ```
/// use svcgen_replay::Rules;
///
/// let rules = Rules::new().ignore("**.Token")?.near("GetOrderResult.Time", 2.0)?;
/// let same = Rules::from_yaml("
/// ignore: ['**.Token']
/// near: { GetOrderResult.Time: 2 }
/// ")?;
/// assert_eq!(rules, same);
/// # Ok::<(), svcgen_replay::RulesError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    ignore: Vec<PathPattern>,
    near: Vec<(PathPattern, f64)>,
    learn: Vec<PathPattern>,
    depart: Vec<(String, Vec<DifferenceKind>)>,
}

impl Rules {
    /// Everything counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves a place out of comparisons.
    ///
    /// # Errors
    ///
    /// The text is not a place.
    pub fn ignore(mut self, place: &str) -> Result<Self, RulesError> {
        self.ignore
            .push(PathPattern::read(place).map_err(RulesError)?);
        Ok(self)
    }

    /// Takes numbers at a place as equal that differ by so much at most, and times that differ by
    /// as many seconds.
    ///
    /// # Errors
    ///
    /// The text is not a place of values, or the number is negative or no number.
    pub fn near(mut self, place: &str, most: f64) -> Result<Self, RulesError> {
        if !most.is_finite() || most < 0.0 {
            return Err(RulesError(format!(
                "`{place}`: {most} is not a distance; write a number of at least 0"
            )));
        }
        let pattern = PathPattern::read(place).map_err(RulesError)?;
        if let PathPattern::Header(name) = pattern {
            return Err(RulesError(format!(
                "`header {name}`: headers have no distance; use `ignore`"
            )));
        }
        self.near.push((pattern, most));
        Ok(self)
    }

    /// Takes a value from answers: where a later request holds the recorded value, it is sent with
    /// the value that was answered now. The place itself may differ. `header Set-Cookie` takes
    /// cookies. Callers that were given different values keep them: a request holds the latest
    /// value of its own recorded connection, else of the address of its caller, else of any.
    ///
    /// # Errors
    ///
    /// The text is not a place.
    pub fn learn(mut self, place: &str) -> Result<Self, RulesError> {
        self.learn
            .push(PathPattern::read(place).map_err(RulesError)?);
        Ok(self)
    }

    /// Accepts that answers to calls that are made for a comparison differ in these kinds, where
    /// [what they ask](crate::Replayed::asks) has this text in it.
    ///
    /// # Errors
    ///
    /// The text is empty, or a kind is none.
    pub fn depart(mut self, asks: &str, kinds: &[impl AsRef<str>]) -> Result<Self, RulesError> {
        if asks.is_empty() {
            return Err(RulesError(
                "a text of calls that may differ is empty".to_owned(),
            ));
        }
        let known = kinds.iter().map(|name| {
            let mut all = DifferenceKind::ALL.iter();
            let found = all.find(|kind| kind.name() == name.as_ref());
            found.copied().ok_or_else(|| {
                let all: Vec<_> = DifferenceKind::ALL.iter().map(|kind| kind.name()).collect();
                RulesError(format!(
                    "`{asks}`: there is no kind of differences `{}`; there are {}",
                    name.as_ref(),
                    all.join(", ")
                ))
            })
        });
        let known = known.collect::<Result<_, _>>()?;
        self.depart.push((asks.to_owned(), known));
        Ok(self)
    }

    /// Whether answers to a call that asks this may differ in this kind.
    pub fn departs(&self, asks: &str, kind: DifferenceKind) -> bool {
        let mut rules = self.depart.iter();
        rules.any(|(text, kinds)| asks.contains(text) && kinds.contains(&kind))
    }

    /// Reads rules from YAML: `ignore`, a list of places; `near`, an object of places and numbers;
    /// `learn`, a list of places; `depart`, an object of texts and lists of kinds. Each may be
    /// absent.
    ///
    /// # Errors
    ///
    /// The text is not of this shape, or a place is none.
    pub fn from_yaml(text: &str) -> Result<Self, RulesError> {
        let read: Option<Written> =
            serde_yaml::from_str(text).map_err(|error| RulesError(error.to_string()))?;
        let written = read.unwrap_or_default();
        let mut rules = Self::new();
        for place in &written.ignore {
            rules = rules.ignore(place)?;
        }
        for (place, most) in &written.near {
            rules = rules.near(place, *most)?;
        }
        for place in &written.learn {
            rules = rules.learn(place)?;
        }
        for (asks, kinds) in &written.depart {
            rules = rules.depart(asks, kinds)?;
        }
        Ok(rules)
    }

    pub(crate) fn ignores(&self, place: &ValuePath) -> bool {
        self.ignore.iter().any(|pattern| pattern.is(place))
    }

    pub(crate) fn ignores_header(&self, name: &http::HeaderName) -> bool {
        let mut patterns = self.ignore.iter().chain(&self.learn);
        patterns.any(|pattern| pattern.is_header(name))
    }

    pub(crate) fn learns(&self, place: &ValuePath) -> bool {
        self.learn.iter().any(|pattern| pattern.is(place))
    }

    pub(crate) fn learns_header(&self, name: &http::HeaderName) -> bool {
        self.learn.iter().any(|pattern| pattern.is_header(name))
    }

    /// How far values at a place may be from each other.
    pub(crate) fn distance(&self, place: &ValuePath) -> Option<f64> {
        let mut near = self.near.iter();
        near.find_map(|(pattern, most)| pattern.is(place).then_some(*most))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    ignore: Vec<String>,
    near: std::collections::BTreeMap<String, f64>,
    learn: Vec<String>,
    depart: std::collections::BTreeMap<String, Vec<String>>,
}

/// Why rules cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError(String);

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RulesError {}

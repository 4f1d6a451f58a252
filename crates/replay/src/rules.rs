//! The rules of a comparison.

use std::fmt;

use serde::Deserialize;

use crate::kind::DifferenceKind;
use crate::value_path::{PathPattern, ValuePath};

/// Rules for differences that do not count when answers are compared, and for values that later
/// requests take from earlier answers.
///
/// A place is written as [`Difference::place`](crate::Difference::place) shows it, as
/// `GetOrderResult.Items[2].Price` or `header Set-Cookie`. A list without an index stands for any
/// of its items, `*` for any name, and `**` for any number of names. `ignore` applies to everything
/// beneath a place, too.
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
    /// Creates rules by which every difference counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves a place out of comparisons.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a place.
    pub fn ignore(mut self, place: &str) -> Result<Self, RulesError> {
        self.ignore
            .push(PathPattern::read(place).map_err(RulesError)?);
        Ok(self)
    }

    /// Treats numbers at a place as equal if they differ by `most` or less, and times if they
    /// differ by that number of seconds or less.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a place of values, or the number is negative or not
    /// finite.
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

    /// Learns a value from answers: a later request that contains the recorded value is sent with
    /// the value of the current answer. Differences at the place itself do not count. The place
    /// `header Set-Cookie` learns cookies. Callers that received different values keep them: a
    /// request gets the latest value of its own recorded connection, or else of the address of its
    /// caller, or else of any caller.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a place.
    pub fn learn(mut self, place: &str) -> Result<Self, RulesError> {
        self.learn
            .push(PathPattern::read(place).map_err(RulesError)?);
        Ok(self)
    }

    /// Accepts differences of these kinds between answers to generated calls whose
    /// [description](crate::Replayed::asks) contains this text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is empty, or a kind does not exist.
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

    /// Whether answers to a call with this description may have a difference of this kind.
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
    /// Returns an error if the text has another structure, or a place, a number or a kind is not
    /// valid.
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

    /// Returns the accepted distance of values at a place.
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

/// The error for rules that are not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError(String);

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RulesError {}

//! The conditions of rules.

use regex::Regex;
use serde_json::Value as Json;
use svcgen_messages::Request;
use svcgen_model::Bindings;

use super::text_of;

/// The key for SOAP headers, next to the parameters.
pub(super) const HEADERS: &str = "$headers";

/// The key for the binding, next to the parameters.
pub(super) const BINDING: &str = "$binding";

/// The conditions that a call has to meet for a rule.
#[derive(Default)]
pub(super) struct When {
    pub(super) parameters: Vec<Condition>,
    pub(super) headers: Vec<Condition>,
    /// `None` for any binding.
    pub(super) bindings: Option<Bindings>,
}

impl When {
    /// Whether a call meets the conditions.
    pub(super) fn fits(&self, request: &Request) -> bool {
        let all_hold = |conditions: &[Condition], values: &Json| {
            let mut conditions = conditions.iter();
            conditions.all(|condition| condition.holds(values))
        };
        self.bindings
            .is_none_or(|wanted| wanted.contains(request.binding))
            && all_hold(&self.parameters, &request.parameters)
            && all_hold(&self.headers, &request.headers)
    }
}

/// A condition for the value at a place.
pub(super) struct Condition {
    path: Vec<PathStep>,
    wanted: Wanted,
}

#[derive(Clone)]
enum PathStep {
    Member(String),
    Item(usize),
}

enum Wanted {
    Equal(Json),
    Matches(Regex),
    Absent,
    Items(usize),
}

/// Returns the key and the value of a matcher, such as `{ matches: REGEX }`; `None` for other
/// values.
pub(super) fn matcher(json: &Json) -> Option<(&str, &Json)> {
    let mut members = json.as_object()?.iter();
    let (key, value) = members.next()?;
    let is_one = members.next().is_none() && matches!(&**key, "matches" | "absent");
    is_one.then_some((&**key, value))
}

/// Converts given values to conditions, with the values as the service reads them.
///
/// # Errors
///
/// Returns an error if a pattern is not valid, or `absent` is not `true`.
pub(super) fn conditions(given: &Json, known: &Json) -> Result<Vec<Condition>, String> {
    let mut conditions = Vec::new();
    collect(given, Some(known), &mut Vec::new(), &mut conditions)?;
    Ok(conditions)
}

fn collect(
    given: &Json,
    known: Option<&Json>,
    path: &mut Vec<PathStep>,
    conditions: &mut Vec<Condition>,
) -> Result<(), String> {
    let wanted = match (matcher(given), given) {
        (Some(("matches", Json::String(pattern))), _) => {
            let pattern = Regex::new(pattern);
            // The library shows the pattern on separate lines before the message.
            let pattern = pattern.map_err(|error| {
                let text = error.to_string();
                let last = text.lines().last().unwrap_or_default();
                format!("`matches` is not a valid regular expression: {last}")
            })?;
            Wanted::Matches(pattern)
        }
        (Some(("absent", Json::Bool(true))), _) | (None, Json::Null) => Wanted::Absent,
        (Some((key, _)), _) => {
            return Err(format!(
                "`{key}` is written as `{{ matches: REGEX }}` or `{{ absent: true }}`"
            ));
        }
        (None, Json::Object(map)) => {
            for (key, value) in map {
                path.push(PathStep::Member(key.clone()));
                collect(
                    value,
                    known.and_then(|known| known.get(key)),
                    path,
                    conditions,
                )?;
                path.pop();
            }
            return Ok(());
        }
        (None, Json::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                path.push(PathStep::Item(index));
                let known = known.and_then(|known| known.get(index));
                collect(value, known, path, conditions)?;
                path.pop();
            }
            Wanted::Items(items.len())
        }
        (None, given) => Wanted::Equal(known.unwrap_or(given).clone()),
    };
    let path = path.clone();
    conditions.push(Condition { path, wanted });
    Ok(())
}

impl Condition {
    /// Whether values meet the condition.
    fn holds(&self, values: &Json) -> bool {
        let mut path = self.path.iter();
        let value = path.try_fold(values, |value, step| match step {
            PathStep::Member(name) => value.get(name),
            PathStep::Item(index) => value.get(index),
        });
        let value = value.filter(|value| !value.is_null());
        match (&self.wanted, value) {
            (Wanted::Absent, value) => value.is_none(),
            (_, None) => false,
            (Wanted::Equal(wanted), Some(value)) => value == wanted,
            (Wanted::Matches(pattern), Some(value)) => pattern.is_match(&text_of(value)),
            (Wanted::Items(count), Some(value)) => {
                value.as_array().is_some_and(|items| items.len() == *count)
            }
        }
    }
}

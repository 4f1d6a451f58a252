//! Places in answers, and patterns of places.

use std::fmt;

/// The maximum depth of places. Deeper values have the place around them, as the places of a
/// malicious document would take quadratic time.
const DEEPEST: usize = 64;

/// A place in an answer: `GetOrderResult.Items[2].Price`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ValuePath(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    /// Empty for an item of an item.
    name: String,
    index: Option<usize>,
}

impl ValuePath {
    pub(crate) fn of(name: &str) -> Self {
        Self::default().member(name)
    }

    pub(crate) fn member(&self, name: &str) -> Self {
        let mut steps = self.0.clone();
        if steps.len() >= DEEPEST {
            return Self(steps);
        }
        let name = name.to_owned();
        steps.push(Step { name, index: None });
        Self(steps)
    }

    pub(crate) fn item(&self, index: usize) -> Self {
        let mut steps = self.0.clone();
        let is_deepest = steps.len() >= DEEPEST;
        match steps.last_mut() {
            Some(last) if last.index.is_none() => last.index = Some(index),
            _ if is_deepest => {}
            _ => steps.push(Step {
                name: String::new(),
                index: Some(index),
            }),
        }
        Self(steps)
    }

    /// Returns the name of the value at this place.
    pub(crate) fn name(&self) -> &str {
        let mut names = self.0.iter().rev().map(|step| step.name.as_str());
        names.find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// Whether one of two places is the other, or within it.
    pub(crate) fn is_about(&self, other: &Self) -> bool {
        self.holds(other) || other.holds(self)
    }

    /// Whether another place is this one or beneath it. The other may have more names in between:
    /// values that a definition reads are within alternatives of choices and named types, which
    /// documents do not show.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        let (Some(outer), Some(inner)) = (self.0.first(), other.0.first()) else {
            return self.0.is_empty();
        };
        let mut steps = other.0[1..].iter();
        outer.fits(inner)
            && self.0[1..]
                .iter()
                .all(|step| steps.any(|one| one.fits(step)))
    }
}

impl Step {
    fn fits(&self, other: &Self) -> bool {
        let indexes = (self.index, other.index);
        self.name == other.name && !matches!(indexes, (Some(one), Some(another)) if one != another)
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.0.iter().enumerate() {
            if number > 0 && !step.name.is_empty() {
                f.write_str(".")?;
            }
            f.write_str(&step.name)?;
            if let Some(index) = step.index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

/// A pattern of places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathPattern {
    /// The name of an HTTP header.
    Header(http::HeaderName),
    /// A pattern of the steps to values.
    Steps(Vec<PatternStep>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PatternStep {
    /// `**`: any steps, or none.
    Any,
    /// A name, or `None` for `*`, with an index if only that item is meant.
    Step {
        name: Option<String>,
        index: Option<usize>,
    },
}

impl PathPattern {
    /// Reads `header NAME`, or names with dots between them: `*` stands for any name, `**` for any
    /// number of names, `[2]` for an item, `[*]` for any item.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix("header ") {
            let name = name.trim().parse();
            return name
                .map(Self::Header)
                .map_err(|_| format!("`{text}` names no HTTP header"));
        }
        let parts = text.split('.').map(|part| {
            PatternStep::read(part).ok_or_else(|| {
                format!("`{text}` is not a place; write it as `GetOrderResult.Items[2].Price`, `**.Token` or `header Set-Cookie`")
            })
        });
        parts.collect::<Result<_, _>>().map(Self::Steps)
    }

    pub(crate) fn is(&self, place: &ValuePath) -> bool {
        matches!(self, Self::Steps(parts) if fit(parts, &place.0))
    }

    pub(crate) fn is_header(&self, name: &http::HeaderName) -> bool {
        matches!(self, Self::Header(header) if header == name)
    }
}

impl PatternStep {
    fn read(text: &str) -> Option<Self> {
        if text == "**" {
            return Some(Self::Any);
        }
        let (name, index) = match text.split_once('[') {
            None => (text, None),
            Some((name, "*]")) => (name, None),
            Some((name, index)) => (name, Some(index.strip_suffix(']')?.parse().ok()?)),
        };
        let is_name = !name.is_empty() && !name.contains(['*', ' ', '[', ']']);
        let name = match name {
            "*" => None,
            name => Some(is_name.then(|| name.to_owned())?),
        };
        Some(Self::Step { name, index })
    }

    fn fits(&self, step: &Step) -> bool {
        match self {
            Self::Any => true,
            Self::Step { name, index } => {
                name.as_ref().is_none_or(|name| *name == step.name)
                    && index.is_none_or(|index| step.index == Some(index))
            }
        }
    }
}

/// Whether all steps match, in quadratic time for any number of `**`.
fn fit(parts: &[PatternStep], steps: &[Step]) -> bool {
    // `reached[n]`: whether the parts so far can match the first `n` steps.
    let mut reached = vec![false; steps.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; steps.len() + 1];
        let mut any = false;
        for count in 0..=steps.len() {
            if *part == PatternStep::Any {
                any |= reached[count];
                next[count] = any;
            } else if let (true, Some(step)) = (reached[count], steps.get(count)) {
                next[count + 1] |= part.fits(step);
            }
        }
        reached = next;
    }
    reached[steps.len()]
}

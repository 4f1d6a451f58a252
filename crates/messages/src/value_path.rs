//! The places of values in the written data.

use std::fmt;

/// A place among values, for messages: `Lines[2].Article`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValuePath<'p> {
    around: Option<&'p ValuePath<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    Member(&'p str),
    Item(usize),
}

impl<'p> ValuePath<'p> {
    /// The outermost value.
    pub(crate) const fn of(name: &'p str) -> Self {
        Self {
            around: None,
            step: Step::Member(name),
        }
    }

    pub(crate) const fn member(&'p self, name: &'p str) -> Self {
        Self {
            around: Some(self),
            step: Step::Member(name),
        }
    }

    pub(crate) const fn item(&'p self, index: usize) -> Self {
        Self {
            around: Some(self),
            step: Step::Item(index),
        }
    }
}

impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(around) = self.around {
            around.fmt(f)?;
        }
        match self.step {
            Step::Member(name) if self.around.is_some() => write!(f, ".{name}"),
            Step::Member(name) => f.write_str(name),
            Step::Item(index) => write!(f, "[{index}]"),
        }
    }
}

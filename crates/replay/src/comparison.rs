//! The result of a comparison.

use std::fmt;

use serde::Serialize;
use svcgen::Binding;
use svcgen::mask::Masked;

use crate::kind::DifferenceKind;
use crate::likeness::Likeness;

/// A difference between two answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The likeness of two answers that differ only in this.
    pub likeness: Likeness,
    /// The place: `status`, `header Content-Type`, `body`, `GetOrderResult.Items[2].Price`,
    /// `Header.Session`, `Fault.faultstring`. Items are counted from 0.
    pub place: String,
    /// The expected text; `[secret]` and `[omitted]` as in masked messages.
    pub expected: Masked<String>,
    /// The text that was found.
    pub found: Masked<String>,
}

impl Difference {
    /// Returns the place as rules write it for all items of a list: `Items.Price` for
    /// `Items[2].Price`.
    pub fn place_of_all_items(&self) -> String {
        let mut parts = self.place.split('[');
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.split_once(']') {
                Some((index, rest)) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
                    whole += rest;
                }
                _ => whole = format!("{whole}[{part}"),
            }
        }
        whole
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            place,
            expected,
            found,
            ..
        } = self;
        write!(f, "{kind} at {place}: expected {expected}, found {found}")
    }
}

/// The likeness of two answers, and their differences.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The likeness of the answers.
    pub likeness: Likeness,
    /// The operation that was called, if known from a definition.
    pub operation: Option<String>,
    /// The binding, if known from a definition.
    pub binding: Option<Binding>,
    /// The differences, in the order of the answers, a thousand at most; empty if the answers are
    /// identical.
    pub differences: Vec<Difference>,
    /// The values that replace recorded values in later requests: see
    /// [`Rules::learn`](crate::Rules::learn).
    pub learned: Vec<Learned>,
}

/// A value of an answer that replaces the recorded value in later requests. It may be a secret:
/// [`Debug`] does not show it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Learned {
    /// The name of the element, member or cookie.
    pub name: String,
    /// The value in the recorded answer; `[secret]` if it is masked.
    pub recorded: String,
    /// The value in the answer that was found.
    pub now: String,
    /// Whether it is a cookie.
    pub is_cookie: bool,
}

impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

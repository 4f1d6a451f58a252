//! What a comparison finds.

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
    /// What kind of difference it is.
    pub kind: DifferenceKind,
    /// How alike answers are that differ in this alone.
    pub likeness: Likeness,
    /// Where it is: `status`, `header Content-Type`, `body`, `GetOrderResult.Items[2].Price`,
    /// `Header.Session`, `Fault.faultstring`. Items are counted from 0.
    pub place: String,
    /// What was expected there; `[secret]` and `[omitted]` as in masked messages.
    pub expected: Masked<String>,
    /// What was found there.
    pub found: Masked<String>,
}

impl Difference {
    /// The place as rules write it for all items of a list: `Items.Price` for `Items[2].Price`.
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

/// How alike two answers are, and in what they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// How alike they are.
    pub likeness: Likeness,
    /// The operation that was called, if a definition tells.
    pub operation: Option<String>,
    /// The binding, if a definition tells.
    pub binding: Option<Binding>,
    /// The differences, in the order of the answers, a thousand at most; none if the answers are
    /// equal by their bytes.
    pub differences: Vec<Difference>,
    /// The values that later requests hold in the place of recorded ones: see
    /// [`Rules::learn`](crate::Rules::learn).
    pub learned: Vec<Learned>,
}

/// A value of an answer that later requests hold in the place of the recorded one. It may be a
/// secret: [`Debug`] does not show it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Learned {
    /// The name of the element, the member or the cookie.
    pub name: String,
    /// The value in the recorded answer; `[secret]` in a masked one.
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

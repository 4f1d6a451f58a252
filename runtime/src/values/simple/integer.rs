//! integer.

use std::fmt;

use svcgen_model::SimpleType;

use super::number::{is_digits, split_sign, trim};
use super::text_value::{Mismatch, Simple, from_text, simple_values};

simple_values!(Integer);
from_text!(Integer);

/// A whole number of any length (XML Schema integer and its unbounded kin; ASMX keeps it as text).
///
/// ```
/// let total: svcgen::types::Integer = "+00340282366920938463463374607431768211456".parse()?;
/// assert_eq!(total.as_str(), "340282366920938463463374607431768211456");
/// assert!(i128::try_from(&total).is_err());
/// assert_eq!(svcgen::types::Integer::from(-7), "-7".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is kept as its canonical text: no `+`, no zeros at the start, no `-0`. ASMX would write it as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Integer(String);

impl Integer {
    /// The digits, after `-` if it is negative.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Integer {
    fn default() -> Self {
        Self("0".to_owned())
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        Self(value.to_string())
    }
}

/// Fails for a number of more than 128 bits.
impl TryFrom<&Integer> for i128 {
    type Error = std::num::ParseIntError;

    fn try_from(integer: &Integer) -> Result<Self, Self::Error> {
        integer.0.parse()
    }
}

impl Simple for Integer {
    const TYPE: SimpleType = SimpleType::Integer;
    const NIL_IS_DEFAULT: bool = true;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        let (negative, digits) = split_sign(trim(text));
        if digits.is_empty() || !is_digits(digits) {
            return Err(Mismatch::NotA("Integer"));
        }
        Ok(match (digits.trim_start_matches('0'), negative) {
            ("", _) => Self::default(),
            (digits, true) => Self(format!("-{digits}")),
            (digits, false) => Self(digits.to_owned()),
        })
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(self.0.as_bytes());
    }
}

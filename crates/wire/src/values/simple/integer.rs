//! integer.

use std::fmt;

use svcgen_model::SimpleType;

use super::mismatch::Mismatch;
use super::text_value::{self, Simple, from_text};
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::value::Value;
use crate::xml::error::ReadError;

from_text!(Integer);

/// A whole number of any length (XML Schema integer and its unbounded relatives), kept as text as
/// in ASMX.
///
/// ```
/// let total: svcgen::types::Integer = "+00340282366920938463463374607431768211456".parse()?;
/// assert_eq!(total.as_str(), "+00340282366920938463463374607431768211456");
/// assert!(i128::try_from(&total).is_err());
/// assert_eq!(i128::try_from(&"+007".parse()?), Ok(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// As in ASMX, it is not checked to be a number: any text is read, without surrounding white space,
/// and written unchanged. Convert it to check.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Integer(String);

impl Integer {
    /// The text.
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

/// Fails for a number of more than 128 bits, and for text that is not a number.
impl TryFrom<&Integer> for i128 {
    type Error = std::num::ParseIntError;

    fn try_from(integer: &Integer) -> Result<Self, Self::Error> {
        integer.0.parse()
    }
}

impl Simple for Integer {
    const TYPE: SimpleType = SimpleType::Integer;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        Ok(Self(text.trim().to_owned()))
    }

    fn read_field(text: &str) -> Result<Self, Mismatch> {
        Ok(Self(text.to_owned()))
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(self.0.as_bytes());
    }
}

impl Value for Integer {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        *self = if element.take_absent(false)? {
            Self::default()
        } else {
            text_value::read(element)?
        };
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'-';
        if self.0.bytes().all(is_plain) {
            text_value::write(self, name, out);
        } else {
            out.text(name, &self.0);
        }
    }
}

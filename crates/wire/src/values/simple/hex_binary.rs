//! hexBinary.

use std::fmt;
use std::str::FromStr;

use svcgen_model::SimpleType;

use super::bytes::read_bytes;
use super::text_value::LexicalError;
use crate::values::content::Content;
use crate::values::element::Element;
use crate::values::value::Value;
use crate::xml::characters::is_space;
use crate::xml::error::ReadError;

/// Bytes as hexadecimal digits (XML Schema hexBinary, .NET `Byte[]`).
///
/// ```
/// let digest: svcgen::types::HexBinary = "0fb7".parse()?;
/// assert_eq!(digest.0, [0x0F, 0xB7]);
/// assert_eq!(digest.to_string(), "0FB7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Digits are written in upper case and read in either case, with white space anywhere, as in .NET.
/// An odd number of digits is refused, although .NET accepts it. In a form it is like other bytes,
/// one decimal field for each.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct HexBinary(
    /// The bytes.
    pub Vec<u8>,
);

impl From<Vec<u8>> for HexBinary {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<HexBinary> for Vec<u8> {
    fn from(binary: HexBinary) -> Self {
        binary.0
    }
}

impl AsRef<[u8]> for HexBinary {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for HexBinary {
    type Err = LexicalError;

    fn from_str(text: &str) -> Result<Self, LexicalError> {
        decode(text).map(Self).ok_or(LexicalError::new("hexBinary"))
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut digits = text
        .bytes()
        .filter(|byte| !is_space(*byte))
        .map(|byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len() / 2);
    while let Some(high) = digits.next() {
        bytes.push((high? << 4 | digits.next()??) as u8);
    }
    Some(bytes)
}

impl fmt::Display for HexBinary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

const NOT_HEXADECIMAL: &str = "Invalid hexBinary: characters other than 0-9 A-F a-f and white space, or an odd number of digits.";

/// As with base64, .NET reports an invalid hexBinary as malformed XML.
impl Value for HexBinary {
    const REPEATED: bool = true;

    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
        self.0 = read_bytes(element, decode, NOT_HEXADECIMAL)?;
        Ok(())
    }

    fn write(&self, name: &str, out: &mut Content<'_>) {
        if out.is_form() || out.is_sink() {
            return out.bytes(name, &self.0);
        }
        out.plain(name, self.to_string().as_bytes(), SimpleType::HexBinary);
    }
}

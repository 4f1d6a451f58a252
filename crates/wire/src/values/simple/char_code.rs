//! char, the type of Microsoft's own namespace of types.

use svcgen_model::SimpleType;

use super::mismatch::Mismatch;
use super::number;
use super::text_value::{Simple, simple_values};

simple_values!(char);

/// .NET `Char`, one UTF-16 code unit. XML has its number, a form the character itself.
impl Simple for char {
    const TYPE: SimpleType = SimpleType::Char;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        let unit = number::integer(text)?
            .and_then(|value| u16::try_from(value).ok())
            .ok_or(Mismatch::Range("a UInt16"))?;
        Self::from_u32(unit.into()).ok_or(Mismatch::Message(
            "The number is that of a surrogate, which is half a character.",
        ))
    }

    fn read_field(text: &str) -> Result<Self, Mismatch> {
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) if is_unit(character) => Ok(character),
            _ => Err(Mismatch::Message(
                "String must be exactly one character long.",
            )),
        }
    }

    fn unwritable(&self) -> Option<&'static str> {
        let wrong = "holds a character of two UTF-16 code units, and a char is one";
        (!is_unit(*self)).then_some(wrong)
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(itoa::Buffer::new().format(u32::from(*self)).as_bytes());
    }

    fn field(&self, write: impl FnOnce(&[u8])) {
        write(self.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

fn is_unit(character: char) -> bool {
    character.len_utf16() == 1
}

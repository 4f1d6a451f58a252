//! guid, the type of Microsoft's own namespace of types.

use uuid::Uuid;

use svcgen_model::SimpleType;

use super::mismatch::Mismatch;
use super::number::{Digits, trim};
use super::text_value::{Simple, simple_values};

simple_values!(Uuid);

/// Reads the texts that .NET's `Guid` reads: 32 digits in either case, with dashes as 8-4-4-4-12
/// (optionally in braces or parentheses) or without. .NET also has a form of hexadecimal numbers,
/// which nobody sends.
fn parse(text: &str) -> Option<Uuid> {
    let enclosed = |open, close| {
        text.strip_prefix(open)
            .and_then(|text| text.strip_suffix(close))
    };
    let digits = match enclosed('{', '}').or_else(|| enclosed('(', ')')) {
        Some(digits) if digits.len() == 36 => digits,
        Some(_) => return None,
        None => text,
    };
    // `Uuid` also takes braces and `urn:uuid:`.
    if matches!(digits.len(), 32 | 36)
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    {
        Uuid::try_parse(digits).ok()
    } else {
        None
    }
}

/// .NET `Guid`, written as `8-4-4-4-12` in lower case.
impl Simple for Uuid {
    const TYPE: SimpleType = SimpleType::Guid;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        let digits = trim(text);
        parse(digits).ok_or(Mismatch::Message(match digits {
            "" => "Unrecognized Guid format.",
            _ => "Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).",
        }))
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(Digits::of_display(&self.hyphenated()).as_bytes());
    }
}

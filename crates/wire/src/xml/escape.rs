//! Escaping text.

use std::fmt::Write as _;

use super::characters;
use super::error::WriteError;

/// Appends text between tags: `<`, `>`, `&` and CR are escaped. Returns `false` if it contains
/// characters that XML forbids; references to them are appended, as in .NET.
pub(crate) fn text(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_TEXT)
}

/// Appends text between double quotes, where white space is escaped as well, because readers
/// normalize it.
pub(crate) fn attribute(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_ATTRIBUTE)
}

/// Whether text certainly needs no escaping between tags or quotes, as nearly all text does.
#[inline(always)]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    is_all_clean::<Markup>(text)
}

/// The bytes that need no escaping in a notation.
pub trait Clean {
    /// Whether a byte may need escaping.
    fn is_special(byte: u8) -> bool;

    /// Zero for the bytes that may need escaping, without a table.
    fn clean(byte: u8) -> u8;
}

struct Markup;

impl Clean for Markup {
    #[inline(always)]
    fn is_special(byte: u8) -> bool {
        IN_ATTRIBUTE[usize::from(byte)]
    }

    /// `<` and `>`, as well as `&` and `"`, differ in one bit.
    #[inline(always)]
    fn clean(byte: u8) -> u8 {
        let control = byte & !0x1F;
        let (angle, mark) = ((byte | 2) ^ b'>', (byte | 4) ^ b'&');
        control.min(angle).min(mark).min(byte ^ 0xEF)
    }
}

/// Whether certainly no byte needs escaping.
#[inline(always)]
pub fn is_all_clean<C: Clean>(text: &[u8]) -> bool {
    match text.len() {
        0..4 => !text.iter().any(|byte| C::is_special(*byte)),
        4..8 => has_clean_ends::<C, 4>(text),
        8..16 => has_clean_ends::<C, 8>(text),
        _ => {
            let mut is_plain = has_clean_ends::<C, 16>(text);
            for chunk in text.as_chunks::<16>().0 {
                is_plain = is_plain && is_clean::<C, 16>(chunk);
            }
            is_plain
        }
    }
}

/// Whether the first and the last bytes are clean; the two ranges may overlap.
#[inline(always)]
fn has_clean_ends<C: Clean, const N: usize>(text: &[u8]) -> bool {
    // Both fit into one vector if they are short.
    text.first_chunk::<N>().is_some_and(is_clean::<C, N>)
        & text.last_chunk::<N>().is_some_and(is_clean::<C, N>)
}

/// The bytes that cannot be copied unchanged.
type Special = [bool; 256];

const IN_TEXT: Special = {
    let mut special = IN_ATTRIBUTE;
    special[b'\t' as usize] = false;
    special[b'\n' as usize] = false;
    special[b'"' as usize] = false;
    special
};

const IN_ATTRIBUTE: Special = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = byte < 0x20 || matches!(byte as u8, b'<' | b'>' | b'&' | b'"' | 0xEF);
        byte += 1;
    }
    special
};

/// The index of the first special byte.
#[inline]
fn next_special(text: &[u8], special: &Special) -> Option<usize> {
    let is_special = |byte: &u8| special[usize::from(*byte)];
    let (chunks, rest) = text.as_chunks::<16>();
    for (index, chunk) in chunks.iter().enumerate() {
        if !is_clean::<Markup, 16>(chunk)
            && let Some(at) = chunk.iter().position(is_special)
        {
            return Some(index * 16 + at);
        }
    }
    let at = rest.iter().position(is_special)?;
    Some(chunks.len() * 16 + at)
}

/// Whether certainly no byte needs escaping. It compiles to a few vector instructions.
#[inline(always)]
pub fn is_clean<C: Clean, const N: usize>(chunk: &[u8; N]) -> bool {
    // A loop is compiled inline; `fold` may become a call.
    let mut is_clean = true;
    for byte in chunk {
        is_clean &= C::clean(*byte) != 0;
    }
    is_clean
}

#[inline]
fn escape(out: &mut Vec<u8>, text: &[u8], special: &Special) -> bool {
    let (mut rest, mut is_xml) = (text, true);
    while let Some(at) = next_special(rest, special) {
        out.extend_from_slice(&rest[..at]);
        let (written, read): (&[u8], usize) = match rest[at] {
            b'<' => (b"&lt;", 1),
            b'>' => (b"&gt;", 1),
            b'&' => (b"&amp;", 1),
            b'"' => (b"&quot;", 1),
            b'\r' => (b"&#xD;", 1),
            b'\n' => (b"&#xA;", 1),
            b'\t' => (b"&#x9;", 1),
            // Whole characters, so that the output stays UTF-8.
            0xEF if !characters::is_noncharacter(&rest[at..]) => (&rest[at..at + 3], 3),
            first => {
                is_xml = false;
                let (code, read) = match first {
                    // Only the last two bits of U+FFFE and U+FFFF differ.
                    0xEF => (0xFFFC | u16::from(rest[at + 2] & 3), 3),
                    control => (control.into(), 1),
                };
                out.extend_from_slice(format!("&#x{code:X};").as_bytes());
                (b"", read)
            }
        };
        out.extend_from_slice(written);
        rest = &rest[at + read..];
    }
    out.extend_from_slice(rest);
    is_xml
}

/// Appends text between tags to markup.
pub(crate) fn push_text(out: &mut String, text: &str) -> Result<(), WriteError> {
    if push_escaped(out, text, self::text) {
        return Ok(());
    }
    Err(WriteError::new(
        "A text holds a character that XML cannot carry.",
    ))
}

/// Appends an attribute to a start tag.
pub(crate) fn push_attribute(out: &mut String, name: &str, value: &str) -> Result<(), WriteError> {
    let _ = write!(out, " {name}=\"");
    if !push_escaped(out, value, attribute) {
        return Err(WriteError::new(format!(
            "The attribute '{name}' holds a character that XML cannot carry."
        )));
    }
    out.push('"');
    Ok(())
}

fn push_escaped(out: &mut String, text: &str, escape: fn(&mut Vec<u8>, &[u8]) -> bool) -> bool {
    let mut escaped = Vec::with_capacity(text.len());
    let carried = escape(&mut escaped, text.as_bytes());
    // Escaping leaves UTF-8 as it is.
    out.push_str(&String::from_utf8_lossy(&escaped));
    carried
}

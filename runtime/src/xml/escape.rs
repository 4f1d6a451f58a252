//! Escaping text.

use std::fmt::Write as _;

use super::characters;
use super::error::WriteError;

/// Appends text between tags: `<`, `>`, `&` and CR are escaped. Returns `false` if XML cannot carry the text; then any part of it is appended.
pub(crate) fn text(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_TEXT)
}

/// Appends text between double quotes, where white space is escaped as well, since readers normalise it.
pub(crate) fn attribute(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_ATTRIBUTE)
}

/// Whether text certainly needs no escaping between tags or quotes, as nearly all text does.
#[inline(always)]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    match text.len() {
        0..4 => !text.iter().any(|byte| IN_ATTRIBUTE[usize::from(*byte)]),
        4..8 => has_clean_ends::<4>(text),
        8..16 => has_clean_ends::<8>(text),
        _ => text.as_chunks::<16>().0.iter().all(is_clean) && has_clean_ends::<16>(text),
    }
}

/// Whether the first and the last bytes are clean; some may be both.
#[inline(always)]
fn has_clean_ends<const N: usize>(text: &[u8]) -> bool {
    // Both in one vector, if they fit.
    text.first_chunk::<N>().is_some_and(is_clean) & text.last_chunk::<N>().is_some_and(is_clean)
}

/// The bytes that cannot be copied.
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
        if !is_clean(chunk)
            && let Some(at) = chunk.iter().position(is_special)
        {
            return Some(index * 16 + at);
        }
    }
    let at = rest.iter().position(is_special)?;
    Some(chunks.len() * 16 + at)
}

/// Whether certainly none of the bytes is special.
#[inline(always)]
fn is_clean<const N: usize>(chunk: &[u8; N]) -> bool {
    // Zero for special bytes; it compiles to a few vector instructions. `<` and `>`, as well as `&` and `"`, differ in one bit.
    let clean = |byte: u8| {
        let control = byte & !0x1F;
        let (angle, mark) = ((byte | 2) ^ b'>', (byte | 4) ^ b'&');
        control.min(angle).min(mark).min(byte ^ 0xEF)
    };
    chunk
        .iter()
        .fold(true, |all, byte| all & (clean(*byte) != 0))
}

#[inline]
fn escape(out: &mut Vec<u8>, text: &[u8], special: &Special) -> bool {
    let mut rest = text;
    while let Some(at) = next_special(rest, special) {
        let (written, read): (&[u8], usize) = match rest[at] {
            b'<' => (b"&lt;", 1),
            b'>' => (b"&gt;", 1),
            b'&' => (b"&amp;", 1),
            b'"' => (b"&quot;", 1),
            b'\r' => (b"&#xD;", 1),
            b'\n' => (b"&#xA;", 1),
            b'\t' => (b"&#x9;", 1),
            // Whole characters, so that what was written before a refusal is UTF-8, too.
            0xEF if !characters::is_noncharacter(&rest[at..]) => (&rest[at..at + 3], 3),
            _ => return false,
        };
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(written);
        rest = &rest[at + read..];
    }
    out.extend_from_slice(rest);
    true
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

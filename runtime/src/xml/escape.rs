//! Text as XML carries it.

use super::characters;

/// Appends text as it stands between tags: `<`, `>`, `&` and CR are escaped. Returns whether XML can carry it; if not, nothing is certain about what was appended.
pub(super) fn text(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_TEXT)
}

/// Appends text as it stands between double quotes, where white space would be normalised.
pub(super) fn attribute(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, &IN_ATTRIBUTE)
}

/// Whether text stands between tags as it is, as nearly all text does.
#[inline]
pub(super) fn is_plain(text: &[u8]) -> bool {
    next_special(text, &IN_TEXT).is_none()
}

/// The bytes that may not be copied as they are.
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

/// Where the first special byte is.
#[inline]
fn next_special(text: &[u8], special: &Special) -> Option<usize> {
    let (chunks, rest) = text.as_chunks::<16>();
    let clean = chunks.iter().take_while(|chunk| is_clean(chunk)).count() * 16;
    let rest = if clean + rest.len() == text.len() {
        rest
    } else {
        &text[clean..]
    };
    rest.iter()
        .position(|byte| special[usize::from(*byte)])
        .map(|at| clean + at)
}

/// Whether certainly none of the bytes is special. The compiler makes a few vector instructions of it.
#[inline]
fn is_clean(chunk: &[u8; 16]) -> bool {
    let suspect = |byte: u8| {
        // `<` and `>`, as well as `&` and `"`, differ in one bit.
        u8::from(byte < b' ')
            | u8::from(byte | 2 == b'>')
            | u8::from(byte | 4 == b'&')
            | u8::from(byte >= 0xEF)
    };
    chunk.iter().fold(0, |any, &byte| any | suspect(byte)) == 0
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

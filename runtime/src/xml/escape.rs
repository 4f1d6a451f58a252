//! Text as XML carries it.

use super::characters;

/// Appends text as it stands between tags: `<`, `>`, `&` and CR are escaped. Returns whether XML can carry it; if not, nothing is certain about what was appended.
pub(super) fn text(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, is_special_in_text)
}

/// Appends text as it stands between double quotes, where white space would be normalised.
pub(super) fn attribute(out: &mut Vec<u8>, text: &[u8]) -> bool {
    escape(out, text, is_special_in_attribute)
}

fn is_special_in_text(byte: u8) -> bool {
    (byte < b' ' && byte != b'\t' && byte != b'\n') | matches!(byte, b'<' | b'>' | b'&' | 0xEF)
}

fn is_special_in_attribute(byte: u8) -> bool {
    byte < b' ' || matches!(byte, b'<' | b'>' | b'&' | b'"' | 0xEF)
}

/// Copies what needs no escaping at once: nearly all text needs none.
#[inline]
fn escape(out: &mut Vec<u8>, text: &[u8], is_special: impl Fn(u8) -> bool) -> bool {
    let mut copied = 0;
    if text.iter().fold(false, |any, &byte| any | is_special(byte)) {
        for (at, &byte) in text.iter().enumerate() {
            if !is_special(byte) {
                continue;
            }
            let replacement: &[u8] = match byte {
                b'<' => b"&lt;",
                b'>' => b"&gt;",
                b'&' => b"&amp;",
                b'"' => b"&quot;",
                b'\r' => b"&#xD;",
                b'\n' => b"&#xA;",
                b'\t' => b"&#x9;",
                0xEF if !characters::is_noncharacter(&text[at..]) => continue,
                _ => return false,
            };
            out.extend_from_slice(&text[copied..at]);
            out.extend_from_slice(replacement);
            copied = at + 1;
        }
    }
    out.extend_from_slice(&text[copied..]);
    true
}

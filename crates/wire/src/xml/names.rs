//! Names of XML 1.0 (fifth edition, productions 4 and 4a).

/// The ASCII bytes that are allowed in an NCName after its first byte.
const IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        is_name[byte] =
            matches!(byte as u8, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.');
        byte += 1;
    }
    is_name
};

/// The namespace and the local name in `{NAMESPACE}NAME`.
pub fn expanded_name(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('{')?.split_once('}')
}

/// The local name in `{NAMESPACE}NAME` or `NAME`.
pub(crate) fn local_name(name: &str) -> &str {
    expanded_name(name).map_or(name, |(_, local)| local)
}

/// The lengths in bytes of the name at the start of a text, and of its prefix. `None` if there is
/// no name, or if the name or the byte after it is not ASCII.
#[inline]
pub(crate) fn ascii_qualified_name(text: &[u8]) -> Option<(usize, usize)> {
    let first = ascii_ncname(text)?;
    match text.get(first)? {
        b':' => {
            let length = first + 1 + ascii_ncname(&text[first + 1..])?;
            (*text.get(length)? < 0x80 && text[length] != b':').then_some((length, first))
        }
        byte => byte.is_ascii().then_some((first, 0)),
    }
}

/// The length in bytes of the ASCII part of the NCName at the start of a text.
#[inline]
pub(crate) fn ascii_ncname(text: &[u8]) -> Option<usize> {
    let is_start = matches!(text.first()?, b'A'..=b'Z' | b'a'..=b'z' | b'_');
    let end = text.iter().position(|byte| !IS_NAME[usize::from(*byte)])?;
    is_start.then_some(end)
}

/// The length in bytes of the NCName (a name without a colon) at the start of a text; 0 if there is
/// none.
#[inline]
pub(crate) fn ncname_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let length = bytes
        .iter()
        .position(|byte| !IS_NAME[usize::from(*byte)])
        .unwrap_or(bytes.len());
    match (bytes.get(length), bytes.first()) {
        (Some(0x80..), _) => ncname_length_by_character(text),
        (_, Some(b'A'..=b'Z' | b'a'..=b'z' | b'_')) => length,
        _ => 0,
    }
}

#[cold]
fn ncname_length_by_character(text: &str) -> usize {
    let ascii = |character: char| character.is_ascii() && IS_NAME[character as usize];
    let end = text
        .find(|character| !(ascii(character) || is_name_start(character) || is_name(character)));
    match text.chars().next() {
        Some('0'..='9' | '-' | '.') => 0,
        Some(first) if ascii(first) || is_name_start(first) => end.unwrap_or(text.len()),
        _ => 0,
    }
}

/// Whether a text is an NCName.
pub(crate) fn is_ncname(text: &str) -> bool {
    !text.is_empty() && ncname_length(text) == text.len()
}

/// NameStartChar beyond ASCII.
fn is_name_start(character: char) -> bool {
    matches!(character,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// The characters beyond ASCII that are NameChar and not NameStartChar.
fn is_name(character: char) -> bool {
    matches!(character, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

//! The Name productions of XML 1.0 (fifth edition, [4] and [4a]).

/// What a byte may be in a name: 0 nothing, 1 a name character, 2 a name start character too. Bytes of non-ASCII characters are 3.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => 2,
            b'0'..=b'9' | b'-' | b'.' => 1,
            0x80..=0xFF => 3,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// How many bytes of an NCName (a name without a colon) stand at the start of a text.
#[inline]
pub(super) fn ncname_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        match CLASSES[usize::from(byte)] {
            2 => length += 1,
            1 if length > 0 => length += 1,
            3 => match text[length..].chars().next() {
                Some(character)
                    if is_name_start(character) || (length > 0 && is_name(character)) =>
                {
                    length += character.len_utf8()
                }
                _ => break,
            },
            _ => break,
        }
    }
    length
}

/// Whether a text is an NCName.
pub(super) fn is_ncname(text: &str) -> bool {
    !text.is_empty() && ncname_length(text) == text.len()
}

/// NameStartChar beyond ASCII.
fn is_name_start(character: char) -> bool {
    matches!(character,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// What NameChar beyond ASCII adds to NameStartChar.
fn is_name(character: char) -> bool {
    matches!(character, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

//! The characters of XML.

/// Facts about a document that the tokenizer needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The index of the first character that XML forbids, or the length.
    pub(crate) end: usize,
    /// Whether a carriage return occurs.
    pub(crate) carriage_return: bool,
    /// Whether `]]>` occurs.
    pub(crate) section_end: bool,
}

impl Survey {
    /// Surveys a document.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let rare = Rare::of(bytes);
        let (mut end, mut carriage_return) = (bytes.len(), false);
        if rare.control {
            (end, carriage_return) = controls(bytes);
        }
        if rare.noncharacter {
            end = first_illegal(&text[..end]);
        }
        Self {
            end,
            carriage_return,
            section_end: rare.bracket && memchr::memmem::find(bytes, b"]]>").is_some(),
        }
    }
}

/// Bytes that occur in few documents: most documents need no second search.
struct Rare {
    /// A control character other than LF.
    control: bool,
    /// The first byte of U+FFFE and U+FFFF, or of another character above U+EFFF.
    noncharacter: bool,
    /// `]`.
    bracket: bool,
}

/// The number of bytes that are compared together.
const STEP: usize = 32;

impl Rare {
    // Minima of bytes, mapped so that the byte in question is the least; each compiles to three
    // vector instructions.
    fn of(bytes: &[u8]) -> Self {
        let (mut control, mut greatest, mut bracket) =
            ([u8::MAX; STEP], [0; STEP], [u8::MAX; STEP]);
        let mut look = |step: &[u8; STEP]| {
            for (lane, &byte) in step.iter().enumerate() {
                control[lane] = control[lane].min((byte ^ b'\n').wrapping_sub(1));
                greatest[lane] = greatest[lane].max(byte);
                bracket[lane] = bracket[lane].min(byte ^ b']');
            }
        };
        let (steps, rest) = bytes.as_chunks();
        steps.iter().for_each(&mut look);
        // The last bytes, padded with blanks.
        let mut last = [b' '; STEP];
        last[..rest.len()].copy_from_slice(rest);
        look(&last);
        let least = |lanes: [u8; STEP]| lanes.into_iter().fold(u8::MAX, u8::min);
        // Control characters are below a blank, and LF is mapped to the greatest byte.
        Self {
            control: least(control) < b' ' - 1,
            noncharacter: greatest.into_iter().fold(0, u8::max) >= 0xEF,
            bracket: least(bracket) == 0,
        }
    }
}

/// The index of the first control character that XML forbids, or the length; and whether CR occurs.
fn controls(bytes: &[u8]) -> (usize, bool) {
    let (mut forbidden, mut carriage_return) = (0, 0);
    for &byte in bytes {
        forbidden |= u8::from(byte < b' ')
            & u8::from(byte != b'\t')
            & u8::from(byte != b'\n')
            & u8::from(byte != b'\r');
        carriage_return |= u8::from(byte == b'\r');
    }
    let is_forbidden = |byte: &u8| *byte < b' ' && !is_space(*byte);
    let end = if forbidden == 0 {
        None
    } else {
        bytes.iter().position(is_forbidden)
    };
    (end.unwrap_or(bytes.len()), carriage_return != 0)
}

/// The index of the first character that is not a Char of XML, or the length.
pub(crate) fn first_illegal(text: &str) -> usize {
    text.char_indices()
        .find(|(_, character)| !is_char(*character))
        .map_or(text.len(), |(at, _)| at)
}

/// Char, XML 1.0 production 2.
pub fn is_char(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// White space, XML 1.0 production 3.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Trims white space of XML.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// Whether UTF-8 bytes start with U+FFFE or U+FFFF.
pub(crate) fn is_noncharacter(bytes: &[u8]) -> bool {
    matches!(bytes, [0xEF, 0xBF, 0xBE | 0xBF, ..])
}

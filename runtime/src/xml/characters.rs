//! Which characters XML can carry, and how text is escaped.

/// What one look over a document finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Survey {
    /// Where the first character is that no document may hold, else the length.
    pub(super) end: usize,
    /// Whether a carriage return occurs.
    pub(super) carriage_return: bool,
    /// Whether `]]>` occurs.
    pub(super) section_end: bool,
}

impl Survey {
    /// Looks over a document once.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let found = bytes
            .chunks(BLOCK)
            .map(Marks::of)
            .fold(Marks::default(), Marks::or);
        let end = if found.control || found.noncharacter {
            first_illegal(text)
        } else {
            bytes.len()
        };
        Self {
            end,
            carriage_return: found.carriage_return,
            section_end: found.bracket && memchr::memmem::find(bytes, b"]]>").is_some(),
        }
    }
}

const BLOCK: usize = 4096;

/// What may be of interest among some bytes.
#[derive(Clone, Copy, Default)]
struct Marks {
    control: bool,
    noncharacter: bool,
    carriage_return: bool,
    bracket: bool,
}

impl Marks {
    // Plain comparisons joined by `|`, without a branch, are what the compiler turns into vector instructions.
    fn of(bytes: &[u8]) -> Self {
        let (mut control, mut noncharacter, mut carriage_return, mut bracket) =
            (0u8, 0u8, 0u8, 0u8);
        for &byte in bytes {
            control |= u8::from(byte < b' ')
                & u8::from(byte != b'\t')
                & u8::from(byte != b'\n')
                & u8::from(byte != b'\r');
            noncharacter |= u8::from(byte == 0xEF);
            carriage_return |= u8::from(byte == b'\r');
            bracket |= u8::from(byte == b']');
        }
        Self {
            control: control != 0,
            noncharacter: noncharacter != 0,
            carriage_return: carriage_return != 0,
            bracket: bracket != 0,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            control: self.control | other.control,
            noncharacter: self.noncharacter | other.noncharacter,
            carriage_return: self.carriage_return | other.carriage_return,
            bracket: self.bracket | other.bracket,
        }
    }
}

/// Where the first character that is no XML Char stands, else the length.
pub(super) fn first_illegal(text: &str) -> usize {
    text.char_indices()
        .find(|(_, character)| !is_char(*character))
        .map_or(text.len(), |(at, _)| at)
}

/// Char, XML 1.0 production [2].
pub(super) fn is_char(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// White space, XML 1.0 production [3].
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether UTF-8 bytes start with U+FFFE or U+FFFF.
pub(super) fn is_noncharacter(bytes: &[u8]) -> bool {
    matches!(bytes, [0xEF, 0xBF, 0xBE | 0xBF, ..])
}

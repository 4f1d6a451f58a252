//! Comparing and searching a few bytes without a call.

/// Whether a text starts with a name, which is short.
#[inline]
pub(super) fn starts_with(text: &[u8], name: &[u8]) -> bool {
    let Some(text) = text.get(..name.len()) else {
        return false;
    };
    // Two words that may overlap hold all bytes.
    match name.len() {
        0..=3 => text.iter().zip(name).all(|(one, other)| one == other),
        4..=7 => {
            text.first_chunk::<4>() == name.first_chunk::<4>()
                && text.last_chunk::<4>() == name.last_chunk::<4>()
        }
        8..=16 => {
            text.first_chunk::<8>() == name.first_chunk::<8>()
                && text.last_chunk::<8>() == name.last_chunk::<8>()
        }
        17..=32 => {
            text.first_chunk::<16>() == name.first_chunk::<16>()
                && text.last_chunk::<16>() == name.last_chunk::<16>()
        }
        _ => text == name,
    }
}

/// Where the first `<` or `&` stands.
#[inline]
pub(super) fn markup(text: &[u8]) -> Option<usize> {
    // Most values are short, and a search that is fast for long ones has to be called.
    const NEAR: usize = 4;
    let (words, _) = text.as_chunks::<8>();
    for (index, word) in words.iter().take(NEAR).enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zero_bytes(word ^ repeat(b'<')) | zero_bytes(word ^ repeat(b'&'));
        if found != 0 {
            return Some(index * 8 + (found.trailing_zeros() / 8) as usize);
        }
    }
    let far = words.len().min(NEAR) * 8;
    memchr::memchr2(b'<', b'&', &text[far..]).map(|at| far + at)
}

/// Where the first byte stands that the value of an attribute ends with, or that it cannot hold as it is: the quote, `<`, `&` and control characters, which are white space.
#[inline]
pub(super) fn attribute_stop(text: &[u8], quote: u8) -> Option<usize> {
    let stops = |byte: u8| byte == quote || byte < b' ' || matches!(byte, b'<' | b'&');
    let (words, rest) = text.as_chunks::<8>();
    for (index, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        // All but `<` are below `(`, and few others are.
        let low = word.wrapping_sub(repeat(b'(')) & !word & repeat(0x80);
        if low | zero_bytes(word ^ repeat(b'<')) != 0
            && let Some(at) = bytes.iter().position(|byte| stops(*byte))
        {
            return Some(index * 8 + at);
        }
    }
    rest.iter()
        .position(|byte| stops(*byte))
        .map(|at| words.len() * 8 + at)
}

/// Whether two names, which are short, are the same.
#[inline]
pub(super) fn equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && starts_with(one.as_bytes(), other.as_bytes())
}

const fn repeat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The high bit of the lowest byte that is zero, and perhaps of higher bytes.
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeat(1)) & !word & repeat(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_length() {
        let name: Vec<u8> = (0..40).collect();
        for length in 0..=name.len() {
            assert!(starts_with(&name, &name[..length]));
            assert_eq!(starts_with(&name[..length], &name), length == name.len());
            for wrong in 0..length {
                let mut other = name.clone();
                other[wrong] ^= 1;
                assert!(!starts_with(&other, &name[..length]));
            }
        }
    }

    #[test]
    fn attribute_stops_at_every_place() {
        for length in 0..40 {
            assert_eq!(attribute_stop(&vec![b'\''; length], b'"'), None);
            for at in 0..length {
                for byte in *b"<&\"\0\t\n\r\x1F" {
                    let mut text: Vec<u8> = b"\xBC='\xA6\x00\xFF>\x7F\x80\x9F\xA0 "
                        .iter()
                        .copied()
                        .cycle()
                        .take(length)
                        .collect();
                    text.iter_mut()
                        .filter(|byte| **byte == 0)
                        .for_each(|byte| *byte = b'!');
                    text[at] = byte;
                    assert_eq!(attribute_stop(&text, b'"'), Some(at));
                }
            }
        }
    }

    #[test]
    fn markup_at_every_place() {
        for length in 0..80 {
            assert_eq!(markup(&vec![b'='; length]), None);
            for at in 0..length {
                for byte in [b'<', b'&'] {
                    // Bytes that differ from the ones searched in one bit, or in the high bit.
                    let mut text: Vec<u8> = b"\xBC=%'\xA6\x00\xFF>"
                        .iter()
                        .copied()
                        .cycle()
                        .take(length)
                        .collect();
                    text[at] = byte;
                    text[length - 1] = if at == length - 1 { byte } else { b'<' };
                    assert_eq!(markup(&text), Some(at));
                }
            }
        }
    }
}

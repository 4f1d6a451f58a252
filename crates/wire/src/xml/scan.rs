//! Compares and searches a few bytes without a call.

/// Whether a text starts with a name, which is short. Where the fast path was not taken, this is
/// faster than [`after_same`] for names that differ early.
#[inline]
pub(crate) fn starts_with(text: &[u8], name: &[u8]) -> bool {
    let Some(text) = text.get(..name.len()) else {
        return false;
    };
    // Two words that may overlap contain all bytes.
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

/// The rest of a text after a name that it starts with and that is short.
#[inline(always)]
pub(crate) fn after_same<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let (start, after) = text.split_at_checked(name.len())?;
    (difference(start, name) == 0).then_some(after)
}

/// Zero if two texts of the same length are equal.
#[inline(always)]
fn difference(one: &[u8], other: &[u8]) -> u64 {
    // Two words that may overlap contain all bytes.
    macro_rules! words {
        ($word:ty, $size:literal) => {
            if let (Some(a), Some(b), Some(c), Some(d)) = (
                one.first_chunk::<$size>(),
                other.first_chunk::<$size>(),
                one.last_chunk::<$size>(),
                other.last_chunk::<$size>(),
            ) {
                let first = <$word>::from_le_bytes(*a) ^ <$word>::from_le_bytes(*b);
                let last = <$word>::from_le_bytes(*c) ^ <$word>::from_le_bytes(*d);
                return u64::from(first | last);
            }
        };
    }
    if one.len() > 16 {
        return long_difference(one, other);
    }
    words!(u64, 8);
    words!(u32, 4);
    words!(u16, 2);
    u64::from(one.first() != other.first())
}

#[inline(always)]
fn long_difference(one: &[u8], other: &[u8]) -> u64 {
    let is_same = if one.len() > 32 {
        one == other
    } else {
        one.first_chunk::<16>() == other.first_chunk::<16>()
            && one.last_chunk::<16>() == other.last_chunk::<16>()
    };
    u64::from(!is_same)
}

/// The rest after an end tag whose name and `>` are `name`.
#[inline(always)]
pub(crate) fn after_end<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let (end, after) = text.split_at_checked(2 + name.len())?;
    let (slash, end) = end.split_first_chunk::<2>()?;
    (slash == b"</" && difference(end, name) == 0).then_some(after)
}

/// Reads the digits at the start of a text: the number and the count of digits, at least one. The
/// number is right for up to 19 digits.
#[inline(always)]
pub(crate) fn digits(text: &[u8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*text.first_chunk::<8>()?) ^ repeat(b'0');
    // The high bit of every byte that is not a digit, exactly.
    let others = (((word & repeat(0x7F)) + repeat(0x80 - 10)) | word) & repeat(0x80);
    if others == 0 {
        return many_digits(text);
    }
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return None;
    }
    // The digits as the last of eight, after zeros; then combined to numbers of two digits, of
    // four, and all.
    let word = word << (64 - 8 * count);
    let pairs = (word.wrapping_mul(10) + (word >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let all = (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF;
    Some((all, count as usize))
}

#[inline(never)]
fn many_digits(text: &[u8]) -> Option<(u64, usize)> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = text[..length].iter().fold(0u64, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u64::from(digit - b'0'))
    });
    Some((number, length))
}

/// The index of the first `<` or `&`.
#[inline(always)]
pub(crate) fn markup(text: &[u8]) -> Option<usize> {
    // Most values are short; for them this search is faster than a call of memchr.
    const NEAR: usize = 32;
    let mut rest = text;
    let mut at = 0;
    while at < NEAR
        && let Some((word, after)) = rest.split_first_chunk::<8>()
    {
        let word = u64::from_le_bytes(*word);
        // The high bit of the lowest byte that is one of them, and perhaps of higher bytes. Neither
        // has a high bit itself.
        let zero = |byte: u8| (word ^ repeat(byte)).wrapping_sub(repeat(1));
        let found = (zero(b'<') | zero(b'&')) & !word & repeat(0x80);
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        rest = after;
        at += 8;
    }
    far_markup(rest).map(|length| at + length)
}

#[inline(never)]
fn far_markup(text: &[u8]) -> Option<usize> {
    memchr::memchr2(b'<', b'&', text)
}

/// The number of blanks and control characters at the start.
// Not inlined, because most messages have none.
#[inline(never)]
pub(crate) fn blanks(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (index, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        // Exact, as no byte borrows from the next one.
        let found = (((word | repeat(0x80)) - repeat(b' ' + 1)) | word) & repeat(0x80);
        if found != 0 {
            return index * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let more = rest.iter().take_while(|byte| **byte <= b' ').count();
    words.len() * 8 + more
}

/// The index of the first byte that ends the value of an attribute or cannot be copied: the quote,
/// `<`, `&` and control characters, which are white space.
#[inline]
pub(crate) fn attribute_stop(text: &[u8], quote: u8) -> Option<usize> {
    let stops = |byte: u8| byte == quote || byte < b' ' || matches!(byte, b'<' | b'&');
    let (words, rest) = text.as_chunks::<8>();
    for (index, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        // All but `<` are below `(`, and few others are.
        let low = word.wrapping_sub(repeat(b'(')) & !word & repeat(0x80);
        let found = low | zero_bytes(word ^ repeat(b'<'));
        if found != 0 {
            let first = (found.trailing_zeros() / 8) as usize;
            let stop = bytes[first..].iter().position(|byte| stops(*byte));
            if let Some(at) = stop {
                return Some(index * 8 + first + at);
            }
        }
    }
    rest.iter()
        .position(|byte| stops(*byte))
        .map(|at| words.len() * 8 + at)
}

/// Whether two names, which are short, are equal.
#[inline]
pub(crate) fn equal(one: &str, other: &str) -> bool {
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
            assert_eq!(after_same(&name, &name[..length]), Some(&name[length..]));
            assert!(starts_with(&name, &name[..length]));
            let longer = after_same(&name[..length], &name);
            assert_eq!(longer.is_some(), length == name.len());
            for wrong in 0..length {
                let mut other = name.clone();
                other[wrong] ^= 1;
                assert_eq!(after_same(&other, &name[..length]), None);
                assert!(!starts_with(&other, &name[..length]));
            }
        }
    }

    #[test]
    fn digits_up_to_every_place() {
        for length in 0..=19 {
            let text: String = "9081726354".chars().cycle().take(length).collect();
            let number = text.parse().ok().map(|number| (number, length));
            for end in [
                "<       ",
                "/       ",
                ":       ",
                "\u{FF}      ",
                "\0       ",
                "\u{B0}\u{B9}    ",
            ] {
                assert_eq!(
                    digits((text.clone() + end).as_bytes()),
                    number,
                    "{text}{end}"
                );
            }
        }
        assert_eq!(digits(b"1234567"), None);
        let long = digits("7".repeat(40).as_bytes());
        assert_eq!(long.map(|(_, length)| length), Some(40));
    }

    #[test]
    fn blanks_up_to_every_place() {
        for length in 0..40 {
            let blank: Vec<u8> = b" \n\t\r\0".iter().copied().cycle().take(length).collect();
            assert_eq!(blanks(&blank), length);
            for at in 0..length {
                for byte in [b'!', b'<', b'@', 0x7F, 0x80, 0xA0, 0xFF] {
                    let mut text = blank.clone();
                    text[at] = byte;
                    text[length - 1] = if at == length - 1 { byte } else { b'<' };
                    assert_eq!(blanks(&text), at);
                }
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

//! Writing text into a form.

/// Appends text as Microsoft's proxies escape it: letters, digits and `-_.!*'()` as they are, a
/// blank as `+`, every other byte of the UTF-8 text as `%XX`.
pub fn escape(out: &mut Vec<u8>, text: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in text {
        match byte {
            _ if byte.is_ascii_alphanumeric() || b"-_.!*'()".contains(&byte) => out.push(byte),
            b' ' => out.push(b'+'),
            _ => out.extend_from_slice(&[
                b'%',
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]),
        }
    }
}

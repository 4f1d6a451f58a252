//! Parsing texts from their start.

/// Takes a character from the start.
pub(crate) fn take(text: &mut &str, token: char) -> Option<()> {
    *text = text.strip_prefix(token)?;
    Some(())
}

/// Takes all digits from the start, if any.
pub(crate) fn take_digits<'t>(text: &mut &'t str) -> &'t str {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    *text = rest;
    digits
}

/// Reads a text to its end.
pub(crate) fn whole<T>(mut text: &str, take: impl FnOnce(&mut &str) -> Option<T>) -> Option<T> {
    let value = take(&mut text)?;
    text.is_empty().then_some(value)
}

/// Whether dropping digits rounds the last digit up, half to even; `odd` is whether that digit is
/// odd.
#[cfg(any(feature = "time", feature = "decimal"))]
pub(crate) fn rounds_up(dropped: &str, odd: bool) -> bool {
    match dropped.as_bytes() {
        [] | [b'0'..=b'4', ..] => false,
        [b'5', rest @ ..] => odd || rest.iter().any(|digit| *digit != b'0'),
        _ => true,
    }
}

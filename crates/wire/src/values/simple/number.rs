//! Numbers as text.

use std::fmt::{self, Write as _};

use super::mismatch::Mismatch;

/// Trims the white space that .NET trims around numbers: that of XML, vertical tab and form feed.
pub fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\u{B}', '\u{C}', '\r'])
}

/// Reads `[+-]digits` with surrounding white space; `None` is a number of more than 64 bits.
pub fn integer(text: &str) -> Result<Option<i128>, Mismatch> {
    let (negative, digits) = split_sign(trim(text));
    if digits.is_empty() || !is_digits(digits) {
        return Err(Mismatch::Number);
    }
    let value = digits.bytes().try_fold(0u64, |value, digit| {
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    });
    Ok(value.map(|value| i128::from(value) * if negative { -1 } else { 1 }))
}

/// Reads digits with surrounding white space: .NET accepts no sign for unsigned numbers, except in
/// a form.
pub(crate) fn unsigned(text: &str) -> Result<Option<i128>, Mismatch> {
    if trim(text).starts_with(['+', '-']) {
        return Err(Mismatch::Number);
    }
    integer(text)
}

/// Reads an optional sign: whether it is `-`, and the rest.
pub fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// Whether there are only digits.
pub fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is `[+-]digits[.digits][e[+-]digits]`; digits may be missing on one side of the
/// point.
pub fn is_float(text: &str) -> bool {
    let (_, unsigned) = split_sign(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(split_sign(exponent).1)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    is_digits(whole)
        && is_digits(fraction)
        && whole.len() + fraction.len() > 0
        && exponent.is_none_or(|exponent| !exponent.is_empty() && is_digits(exponent))
}

/// The short text of a number, a date or the like.
pub(crate) struct Digits {
    bytes: [u8; 40],
    end: usize,
}

impl Digits {
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; 40],
            end: 0,
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Formats a number with at most `precision` significant digits, and not zero, as .NET does:
    /// with an exponent of at least two digits if more than `precision` digits are before the
    /// point, or more than three zeros directly after it.
    pub(crate) fn of_float(scientific: &[u8], precision: usize) -> Self {
        let (mantissa, exponent) = scientific.split_at(mantissa_length(scientific));
        let negative = mantissa.starts_with(b"-");
        let mut significant = Self::new();
        for digit in mantissa.iter().filter(|byte| byte.is_ascii_digit()) {
            significant.push(&[*digit]);
        }
        while significant.as_bytes().ends_with(b"0") {
            significant.end -= 1;
        }
        let exponent = std::str::from_utf8(&exponent[1..]).unwrap_or_default();
        // The number of digits before the point.
        let scale = exponent.parse::<i32>().unwrap_or_default() + 1;
        let mut digits = Self::new();
        if negative {
            digits.push(b"-");
        }
        if scale < -3 || usize::try_from(scale).is_ok_and(|scale| scale > precision) {
            digits.push_with_point(significant.as_bytes(), 1);
            digits.push(if scale > 0 { b"E+" } else { b"E-" });
            let exponent = (scale - 1).unsigned_abs();
            if exponent < 10 {
                digits.push(b"0");
            }
            digits.push(itoa::Buffer::new().format(exponent).as_bytes());
        } else {
            digits.push_with_point(significant.as_bytes(), scale);
        }
        digits
    }

    /// Appends digits with a point after the first `before`, padded with zeros. Without digits
    /// after the point, the point is omitted.
    pub(crate) fn push_with_point(&mut self, digits: &[u8], before: i32) {
        let kept = usize::try_from(before).map_or(0, |before| before.min(digits.len()));
        let (whole, fraction) = digits.split_at(kept);
        self.push(if whole.is_empty() { b"0" } else { whole });
        for _ in kept..usize::try_from(before).unwrap_or(0) {
            self.push(b"0");
        }
        if !fraction.is_empty() {
            self.push(b".");
            for _ in before..0 {
                self.push(b"0");
            }
            self.push(fraction);
        }
    }

    /// The text of a value, at most 40 bytes.
    pub(crate) fn of_display(value: &impl fmt::Display) -> Self {
        let mut digits = Self::new();
        // It would only fail for a value that cannot format itself.
        let _ = write!(digits, "{value}");
        digits
    }

    /// Appends text.
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes[self.end..self.end + text.len()].copy_from_slice(text);
        self.end += text.len();
    }
}

impl fmt::Write for Digits {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

/// The number of digits in the mantissa of a number.
pub(crate) fn count_digits(scientific: &[u8]) -> usize {
    let mantissa = &scientific[..mantissa_length(scientific)];
    mantissa.iter().filter(|byte| byte.is_ascii_digit()).count()
}

/// The length of the mantissa, before the exponent that Rust always writes.
fn mantissa_length(scientific: &[u8]) -> usize {
    let exponent = scientific.iter().rposition(|byte| *byte == b'e');
    exponent.unwrap_or_default()
}

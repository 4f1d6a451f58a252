//! Numbers as text.

use std::fmt::{self, Write as _};

use super::simple::Mismatch;

/// Takes off the white space that .NET takes off around numbers: that of XML, vertical tab and form feed.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\u{B}', '\u{C}', '\r'])
}

/// Reads a few digits and nothing else, which is what most integers are.
#[inline]
pub(super) fn digits(text: &[u8]) -> Option<u64> {
    // 19 digits fit 64 bits.
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    let digit = |byte: u8| Some(u64::from(byte.wrapping_sub(b'0'))).filter(|digit| *digit <= 9);
    text.iter()
        .try_fold(0, |value, byte| Some(value * 10 + digit(*byte)?))
}

/// Reads `[+-]digits` with white space around it; `None` is a number of more than 64 bits.
pub(super) fn integer(text: &str) -> Result<Option<i128>, Mismatch> {
    let (negative, digits) = sign(trim(text));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Mismatch::Number);
    }
    let value = digits.bytes().try_fold(0u64, |value, digit| {
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    });
    Ok(value.map(|value| {
        if negative {
            -i128::from(value)
        } else {
            i128::from(value)
        }
    }))
}

fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// A floating-point number as it was written.
pub(super) enum Float<'t> {
    Infinity,
    NegativeInfinity,
    NaN,
    Finite(&'t str),
}

/// Reads `[+-]digits[.digits][e[+-]digits]`, `INF`, `-INF` or `NaN` with white space around it; digits may be missing on one side of the point.
pub(super) fn float(text: &str) -> Result<Float<'_>, Mismatch> {
    let text = trim(text);
    match text {
        "INF" => return Ok(Float::Infinity),
        "-INF" => return Ok(Float::NegativeInfinity),
        "NaN" => return Ok(Float::NaN),
        _ => {}
    }
    let (_, unsigned) = sign(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(sign(exponent).1)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = digits(whole)
        && digits(fraction)
        && whole.len() + fraction.len() > 0
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    if well_formed {
        Ok(Float::Finite(text))
    } else {
        Err(Mismatch::Number)
    }
}

/// The short text of a number.
pub(super) struct Digits {
    bytes: [u8; 40],
    start: usize,
    end: usize,
}

impl Digits {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// A number of up to `precision` digits as .NET lays it out: with an exponent of at least two digits if there are more digits before the point, or more than four zeros after it.
    pub(super) fn of_float(scientific: &str, precision: i32) -> Self {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let (negative, mantissa) = sign(mantissa.trim_end_matches('0'));
        let significant: Vec<u8> = mantissa.bytes().filter(|byte| *byte != b'.').collect();
        // How many digits stand before the point.
        let scale = exponent.parse::<i32>().unwrap_or(0) + 1;
        let mut digits = Self::empty();
        if negative {
            digits.push(b"-");
        }
        if significant == b"0" {
            digits.push(b"0");
        } else if scale > precision || scale < -3 {
            digits.with_point(&significant, 1);
            digits.push(if scale > 0 { b"E+" } else { b"E-" });
            // Of at least two digits.
            let exponent = (scale - 1).unsigned_abs();
            let _ = write!(digits, "{exponent:02}");
        } else {
            digits.with_point(&significant, scale);
        }
        digits
    }

    /// Digits with a point after so many of them, if any follow it.
    fn with_point(&mut self, digits: &[u8], before: i32) {
        for place in 0..before.max(1) {
            let digit = usize::try_from(place)
                .ok()
                .filter(|_| before > 0)
                .and_then(|place| digits.get(place));
            self.push(&[digit.copied().unwrap_or(b'0')]);
        }
        let before_point = usize::try_from(before).unwrap_or(0);
        if before_point < digits.len() {
            self.push(b".");
            for _ in before..0 {
                self.push(b"0");
            }
            self.push(&digits[before_point..]);
        }
    }

    /// The text of a value, of 40 bytes at most.
    pub(super) fn of_display(value: &impl fmt::Display) -> Self {
        let mut digits = Self::empty();
        // Only a value that cannot format itself would fail.
        let _ = write!(digits, "{value}");
        digits
    }

    fn empty() -> Self {
        Self {
            bytes: [0; 40],
            start: 0,
            end: 0,
        }
    }

    fn push(&mut self, text: &[u8]) {
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

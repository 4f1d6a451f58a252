//! Decimal numbers of any length.

use std::cmp::Ordering;

/// A decimal number: the digits of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'t> {
    is_negative: bool,
    /// The digits before the point, without leading zeros.
    whole: &'t str,
    /// The digits after the point, without trailing zeros.
    fraction: &'t str,
}

impl<'t> Number<'t> {
    /// Reads `[+-]digits[.digits]`; digits may be missing on one side of the point.
    pub fn parse(text: &'t str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let (whole, fraction) = (
            whole.trim_start_matches('0'),
            fraction.trim_end_matches('0'),
        );
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Self {
            is_negative: text.starts_with('-') && !is_zero,
            whole,
            fraction,
        })
    }

    /// Returns the number of digits of the value (XML Schema 1.0 Part 2 §4.3.11): 4 for `012.340`.
    pub fn total_digits(self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// Returns the number of digits after the point (XML Schema 1.0 Part 2 §4.3.12): 2 for
    /// `012.340`.
    pub fn fraction_digits(self) -> usize {
        self.fraction.len()
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = |number: &Self| (number.whole.len(), number.whole, number.fraction);
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => size(self).cmp(&size(other)),
            (true, true) => size(other).cmp(&size(self)),
        }
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

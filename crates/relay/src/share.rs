//! Shares of the traffic.

use std::fmt;
use std::str::FromStr;

use ring::digest::{SHA256, digest};

/// A share of the traffic, from nothing to everything: `5%`, `0.5%`.
///
/// ```
/// use svcgen_relay::Share;
///
/// let share: Share = "5%".parse()?;
/// assert_eq!(share.to_string(), "5%");
/// assert!("5".parse::<Share>().unwrap_err().to_string().contains("from 0% to 100%"));
/// # Ok::<(), svcgen_relay::NoShare>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(f64);

impl Share {
    /// Nothing.
    pub const NONE: Self = Self(0.0);
    /// Everything.
    pub const ALL: Self = Self(1.0);

    /// Creates a share from a percentage; `None` if it is not a number from 0 to 100.
    pub fn percent(percent: f64) -> Option<Self> {
        (0.0..=100.0)
            .contains(&percent)
            .then_some(Self(percent / 100.0))
    }

    /// Returns the share as a number from 0 to 1.
    pub fn fraction(self) -> f64 {
        self.0
    }

    /// Whether a key is part of this share. A key that is part of a share is part of every greater
    /// one, on each machine and in each version.
    pub fn takes(self, key: &[u8]) -> bool {
        // The first 48 bits of the hash, which a double represents exactly.
        let hash = digest(&SHA256, key);
        let digits = hash.as_ref().iter().take(6);
        let point = digits.fold(0u64, |point, byte| point << 8 | u64::from(*byte));
        (point as f64) < self.0 * (1u64 << 48) as f64
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounds off the digits that come only from the division by a hundred.
        write!(f, "{}%", (self.0 * 1e8).round() / 1e6)
    }
}

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Self, NoShare> {
        let number = text.trim().strip_suffix('%').ok_or(NoShare)?;
        let percent = number.trim_end().parse().map_err(|_| NoShare)?;
        Self::percent(percent).ok_or(NoShare)
    }
}

/// The error for a text that is not a [`Share`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoShare;

impl fmt::Display for NoShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a share as a number from 0% to 100%, such as 5% or 0.5%")
    }
}

impl std::error::Error for NoShare {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_contain_smaller_ones_and_are_as_large_as_they_say() {
        let shares = [0.0, 0.5, 5.0, 10.0, 50.0, 100.0].map(|one| Share::percent(one).unwrap());
        let mut taken = [0; 6];
        for key in 0..20_000u32 {
            let takes = shares.map(|share| share.takes(&key.to_be_bytes()));
            assert!(takes.is_sorted(), "{key}");
            for (taken, takes) in taken.iter_mut().zip(takes) {
                *taken += u32::from(takes);
            }
        }
        let expected = [0, 100, 1_000, 2_000, 10_000, 20_000];
        for (taken, expected) in taken.into_iter().zip(expected) {
            assert!(u32::abs_diff(taken, expected) < 200, "{taken} {expected}");
        }
        assert_eq!((taken[0], taken[5]), (0, 20_000));
        // Callers stay on their side when the relay is updated: these results are fixed. SHA-256 of
        // these bytes begins with b42e9a90d679, which is 70.383…%.
        let caller = [127, 0, 0, 1];
        assert!(!Share::percent(70.38).unwrap().takes(&caller));
        assert!(Share::percent(70.39).unwrap().takes(&caller));
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in ["0%", "0.5%", "5%", "33.3%", "100%", "0.01%"] {
            assert_eq!(text.parse::<Share>().unwrap().to_string(), text);
        }
        for text in ["", "%", "5", "-1%", "101%", "NaN%", "inf%", "5 percent"] {
            assert_eq!(text.parse::<Share>(), Err(NoShare), "{text}");
        }
    }
}

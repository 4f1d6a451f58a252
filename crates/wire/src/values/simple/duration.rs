//! duration.

use std::fmt;

use svcgen_model::SimpleType;

use super::lexical::{take, take_digits, whole};
use super::mismatch::Mismatch;
use super::number::{is_digits, trim};
use super::text_value::{LexicalError, Simple, from_text, simple_values};

simple_values!(Duration);
from_text!(Duration);

/// A length of time (XML Schema duration; ASMX keeps it as text).
///
/// ```
/// let lease: svcgen::types::Duration = "P1Y2M3DT4H5M6.5S".parse()?;
/// assert_eq!((lease.years, lease.seconds, lease.nanoseconds), (1, 6, 500_000_000));
/// assert_eq!(lease.to_string(), "P1Y2M3DT4H5M6.5S");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its parts stay as they were written: `PT90M` does not become `PT1H30M`, because a month has no
/// fixed length and XML Schema does not order all durations. Reading follows XML Schema; digits of
/// a fraction after the ninth are dropped, and a part of more than 64 bits is refused. Writing
/// leaves out zeros, as in .NET, down to `PT0S`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Duration {
    /// Whether the duration is negative, with all its parts.
    pub negative: bool,
    /// Years.
    pub years: u64,
    /// Months, of which there may be more than 11.
    pub months: u64,
    /// Days.
    pub days: u64,
    /// Hours.
    pub hours: u64,
    /// Minutes.
    pub minutes: u64,
    /// Whole seconds.
    pub seconds: u64,
    /// The fraction of the last second, less than 1,000,000,000.
    pub nanoseconds: u32,
}

impl Duration {
    fn is_zero(&self) -> bool {
        *self
            == Self {
                negative: self.negative,
                ..Self::default()
            }
    }
}

fn parse(text: &mut &str) -> Option<Duration> {
    let mut duration = Duration {
        negative: take(text, '-').is_some(),
        ..Duration::default()
    };
    take(text, 'P')?;
    // `P` and `T` must be followed by a part.
    if text.is_empty() || text.ends_with('T') {
        return None;
    }
    duration.years = take_part(text, 'Y')?;
    duration.months = take_part(text, 'M')?;
    duration.days = take_part(text, 'D')?;
    if take(text, 'T').is_some() {
        duration.hours = take_part(text, 'H')?;
        duration.minutes = take_part(text, 'M')?;
        (duration.seconds, duration.nanoseconds) = take_seconds(text)?;
    }
    duration.negative &= !duration.is_zero();
    Some(duration)
}

/// Takes digits and their designator, or takes nothing if another designator follows.
fn take_part(text: &mut &str, designator: char) -> Option<u64> {
    let mut rest = *text;
    let digits = take_digits(&mut rest);
    if take(&mut rest, designator).is_none() {
        return Some(0);
    }
    *text = rest;
    digits.parse().ok()
}

/// Takes seconds with or without a fraction, or takes nothing.
fn take_seconds(text: &mut &str) -> Option<(u64, u32)> {
    let Some((whole, fraction)) = text.split_once('.') else {
        return Some((take_part(text, 'S')?, 0));
    };
    let fraction = fraction.strip_suffix('S')?;
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    *text = "";
    let kept = &fraction[..fraction.len().min(9)];
    let nanoseconds = kept.parse::<u32>().ok()? * 10u32.pow(9 - kept.len() as u32);
    Some((whole.parse().ok()?, nanoseconds))
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("PT0S");
        }
        f.write_str(if self.negative { "-P" } else { "P" })?;
        write_part(f, self.years, "Y")?;
        write_part(f, self.months, "M")?;
        write_part(f, self.days, "D")?;
        if (self.hours, self.minutes, self.seconds, self.nanoseconds) == (0, 0, 0, 0) {
            return Ok(());
        }
        f.write_str("T")?;
        write_part(f, self.hours, "H")?;
        write_part(f, self.minutes, "M")?;
        if self.nanoseconds == 0 {
            return write_part(f, self.seconds, "S");
        }
        // The field is public, so it may exceed a second.
        let seconds = u128::from(self.seconds) + u128::from(self.nanoseconds / NANOSECONDS);
        let fraction = format!("{:09}", self.nanoseconds % NANOSECONDS);
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{seconds}S"),
            fraction => write!(f, "{seconds}.{fraction}S"),
        }
    }
}

const NANOSECONDS: u32 = 1_000_000_000;

fn write_part(f: &mut fmt::Formatter<'_>, value: u64, designator: &str) -> fmt::Result {
    if value == 0 {
        Ok(())
    } else {
        write!(f, "{value}{designator}")
    }
}

impl From<std::time::Duration> for Duration {
    fn from(time: std::time::Duration) -> Self {
        Self {
            seconds: time.as_secs(),
            nanoseconds: time.subsec_nanos(),
            ..Self::default()
        }
    }
}

/// Fails if the duration is negative, has years or months, which have no fixed length, or is too
/// long.
impl TryFrom<Duration> for std::time::Duration {
    type Error = LexicalError;

    fn try_from(duration: Duration) -> Result<Self, LexicalError> {
        let error = LexicalError::new("length of time in seconds");
        if duration.negative || duration.years != 0 || duration.months != 0 {
            return Err(error);
        }
        let whole = [
            (duration.days, 86_400),
            (duration.hours, 3_600),
            (duration.minutes, 60),
            (duration.seconds, 1),
        ];
        let sum = whole.into_iter().try_fold(0u64, |sum, (count, length)| {
            sum.checked_add(count.checked_mul(length)?)
        });
        let whole = sum.map(Self::from_secs).ok_or(error)?;
        whole
            .checked_add(Self::from_nanos(duration.nanoseconds.into()))
            .ok_or(error)
    }
}

impl Simple for Duration {
    const TYPE: SimpleType = SimpleType::Duration;
    const NIL_IS_DEFAULT: bool = true;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        whole(trim(text), parse).ok_or(Mismatch::NotA("Duration"))
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(self.to_string().as_bytes());
    }
}

//! Dates, times of day and zones as text, for the types that consist of them.

use std::fmt::{self, Write as _};

use chrono::{
    Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike as _,
};

use super::lexical::{rounds_up, take, take_digits, whole};
use super::number::{Digits, is_digits, trim};

/// The zone of a date or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Zone {
    /// No zone is given.
    #[default]
    Unspecified,
    /// `Z`.
    Utc,
    /// An offset from UTC, such as `+02:00`, of whole minutes up to 14 hours.
    Offset(FixedOffset),
}

impl Zone {
    /// The offset from UTC, if there is one.
    pub fn offset(self) -> Option<FixedOffset> {
        match self {
            Self::Unspecified => None,
            Self::Utc => Some(UTC),
            Self::Offset(offset) => Some(offset),
        }
    }

    /// Whether XML Schema can represent it.
    pub(crate) fn is_writable(self) -> bool {
        let seconds = self.offset().map_or(0, |offset| offset.local_minus_utc());
        seconds % 60 == 0 && seconds.abs() <= GREATEST_OFFSET
    }
}

pub(crate) const UTC: FixedOffset = match FixedOffset::east_opt(0) {
    Some(utc) => utc,
    None => panic!("an offset of nothing"),
};

/// In seconds: XML Schema Part 2 §3.2.7.3.
pub(crate) const GREATEST_OFFSET: i32 = 14 * 3600;

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Digits::new();
        write_zone(&mut text, *self);
        f.write_str(text.as_str())
    }
}

/// Converts a date or time of ISO 8601 to the form that .NET reads: with `T` instead of the blank
/// before the time, a colon in the offset, and midnight instead of 24:00:00. Also returns whether
/// that midnight belongs to the next day.
pub(crate) fn as_net_reads(text: &str) -> (String, bool) {
    const END: &str = "24:00:00";
    let mut text = trim(text).replacen(' ', "T", 1);
    let end = text.find(END).filter(|at| {
        let is_time = *at == 0 || text[..*at].ends_with('T');
        let fraction = text[at + END.len()..].strip_prefix('.').unwrap_or_default();
        let fraction = fraction.trim_start_matches('0');
        is_time && !fraction.starts_with(|digit: char| digit.is_ascii_digit())
    });
    if let Some(at) = end {
        text.replace_range(at..at + END.len(), "00:00:00");
    }
    // The sign of an offset, not one in a date.
    let sign = text
        .rfind(['+', '-'])
        .filter(|at| text[..*at].contains(':'));
    if let Some(start) = sign.map(|at| at + 1)
        && text[start..].bytes().all(|byte| byte.is_ascii_digit())
    {
        match text.len() - start {
            2 => text.push_str(":00"),
            4 => text.insert(start + 2, ':'),
            _ => {}
        }
    }
    (text, end.is_some())
}

/// The nanoseconds of a tick, the unit of time in .NET.
const TICK: i64 = 100;
pub(crate) const TICKS_PER_SECOND: i64 = 10_000_000;
pub(crate) const DIGITS_OF_TICKS: usize = 7;

/// Whether the year of a date exists in .NET.
pub(crate) fn is_writable(date: NaiveDate) -> bool {
    (1..=9999).contains(&date.year())
}

/// The date of .NET's `DateTime.MinValue`.
pub(crate) const FIRST_DATE: NaiveDate = match NaiveDate::from_ymd_opt(1, 1, 1) {
    Some(date) => date,
    None => NaiveDate::MIN,
};

/// Takes a number of exactly `digits` digits.
pub(crate) fn take_number(text: &mut &str, digits: usize) -> Option<u32> {
    let (number, rest) = text.split_at_checked(digits)?;
    *text = rest;
    number.parse().ok().filter(|_| is_digits(number))
}

/// Takes `yyyy-MM-dd`.
pub(crate) fn take_date(text: &mut &str) -> Option<NaiveDate> {
    let year = take_number(text, 4)?;
    take(text, '-')?;
    let month = take_number(text, 2)?;
    take(text, '-')?;
    let day = take_number(text, 2)?;
    date(year, month, day)
}

/// The parts of a date for which XML Schema has types (Part 2 §3.2.10 to §3.2.14), with `y`, `m`
/// and `d` for their numbers.
const PARTS_OF_DATES: [&str; 6] = ["y-m", "y", "--m-d", "--m--", "--m", "---d"];

/// Reads a part of a date and its zone; a missing month or day is the first, as in .NET.
pub(crate) fn part_of_date(text: &str, missing_year: u32) -> Option<(NaiveDate, Zone)> {
    let mut parts = PARTS_OF_DATES.iter();
    parts.find_map(|parts| whole(text, |text| take_parts(text, parts, missing_year)))
}

fn take_parts(text: &mut &str, parts: &str, missing_year: u32) -> Option<(NaiveDate, Zone)> {
    let (mut year, mut month, mut day) = (missing_year, 1, 1);
    for part in parts.chars() {
        match part {
            'y' => year = take_number(text, 4)?,
            'm' => month = take_number(text, 2)?,
            'd' => day = take_number(text, 2)?,
            token => take(text, token)?,
        }
    }
    Some((date(year, month, day)?, take_zone(text)?))
}

/// A date of the years 1 to 9999.
pub(crate) fn date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    let year = i32::try_from(year).ok().filter(|year| *year > 0)?;
    NaiveDate::from_ymd_opt(year, month, day)
}

/// Takes `HH:mm:ss` with any fraction, as the time since midnight; a fraction may be rounded up to
/// a whole day.
pub(crate) fn take_time(text: &mut &str) -> Option<TimeDelta> {
    let hour = take_number(text, 2)?;
    take(text, ':')?;
    let minute = take_number(text, 2)?;
    take(text, ':')?;
    let second = take_number(text, 2)?;
    since_midnight(hour, minute, second, take_fraction(text)?)
}

/// A time of day as the time since midnight. 24:00:00 is valid in XML Schema, but not in .NET.
pub(crate) fn since_midnight(hour: u32, minute: u32, second: u32, ticks: i64) -> Option<TimeDelta> {
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    Some(TimeDelta::nanoseconds(
        (seconds * TICKS_PER_SECOND + ticks) * TICK,
    ))
}

/// Takes `.` and at least one digit, or nothing, as ticks; rounds half to even, as in .NET.
pub(crate) fn take_fraction(text: &mut &str) -> Option<i64> {
    if take(text, '.').is_none() {
        return Some(0);
    }
    let digits = take_digits(text);
    let (kept, rest) = digits.split_at(digits.len().min(DIGITS_OF_TICKS));
    let mut ticks: i64 = kept.parse().ok()?;
    for _ in kept.len()..DIGITS_OF_TICKS {
        ticks *= 10;
    }
    Some(ticks + i64::from(rounds_up(rest, ticks % 2 == 1)))
}

/// Reads `Z`, `+02:00` or nothing.
pub(crate) fn zone(text: &str) -> Option<Zone> {
    whole(text, take_zone)
}

/// Takes `Z`, `+02:00` or nothing.
pub(crate) fn take_zone(text: &mut &str) -> Option<Zone> {
    let (sign, rest) = match text.as_bytes() {
        [b'Z' | b'z', ..] => (0, &text[1..]),
        [b'+', ..] => (1, &text[1..]),
        [b'-', ..] => (-1, &text[1..]),
        _ => return Some(Zone::Unspecified),
    };
    *text = rest;
    if sign == 0 {
        return Some(Zone::Utc);
    }
    let hours = take_number(text, 2)?;
    take(text, ':')?;
    let minutes = take_number(text, 2).filter(|minutes| *minutes < 60)?;
    let seconds = i32::try_from(hours * 3600 + minutes * 60)
        .ok()
        .filter(|seconds| *seconds <= GREATEST_OFFSET)?;
    FixedOffset::east_opt(sign * seconds).map(Zone::Offset)
}

/// Joins a date and a time; `None` after the year 9999.
pub(crate) fn join(date: NaiveDate, time: TimeDelta) -> Option<NaiveDateTime> {
    let joined = date.and_time(NaiveTime::MIN).checked_add_signed(time)?;
    is_writable(joined.date()).then_some(joined)
}

/// Converts to a time of day; a whole day is midnight.
pub(crate) fn time_of_day(time: TimeDelta) -> NaiveTime {
    NaiveTime::MIN.overflowing_add_signed(time).0
}

/// Writes `yyyy-MM-dd`.
pub(crate) fn write_date(out: &mut Digits, date: NaiveDate) {
    let mut text = *b"0000-00-00";
    set_digits(&mut text[5..7], date.month());
    set_digits(&mut text[8..], date.day());
    match u32::try_from(date.year()) {
        Ok(year @ 0..=9999) => {
            set_digits(&mut text[..4], year);
            out.push(&text);
        }
        // For `Display` only: no message can contain such a date.
        _ => {
            let _ = write!(out, "{:04}", date.year());
            out.push(&text[4..]);
        }
    }
}

/// Writes a number right-aligned into digits that are sufficient for it.
fn set_digits(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Writes `HH:mm:ss` and up to seven digits of a fraction, without trailing zeros.
pub(crate) fn write_time(out: &mut Digits, time: NaiveTime) {
    let (text, end) = clock_text(time);
    out.push(&text[..end]);
}

/// Writes `HH:mm:ss` and seven digits of a fraction.
pub(crate) fn write_whole_time(out: &mut Digits, time: NaiveTime) {
    out.push(&clock_text(time).0);
}

/// Returns `HH:mm:ss.fffffff`, and the length without trailing zeros.
fn clock_text(time: NaiveTime) -> ([u8; 16], usize) {
    let mut text = *b"00:00:00.0000000";
    set_digits(&mut text[..2], time.hour());
    set_digits(&mut text[3..5], time.minute());
    set_digits(&mut text[6..8], time.second());
    // The nanoseconds of a leap second in chrono exceed a second.
    let ticks = time.nanosecond().min(999_999_999) / TICK as u32;
    set_digits(&mut text[9..], ticks);
    let end = match ticks {
        0 => 8,
        _ => text
            .iter()
            .rposition(|digit| *digit != b'0')
            .map_or(0, |last| last + 1),
    };
    (text, end)
}

/// Writes `Z`, `+02:00` or nothing.
pub(crate) fn write_zone(out: &mut Digits, zone: Zone) {
    match zone {
        Zone::Unspecified => {}
        Zone::Utc => out.push(b"Z"),
        Zone::Offset(offset) => write_offset(out, offset),
    }
}

/// Writes `+02:00`.
pub(crate) fn write_offset(out: &mut Digits, offset: FixedOffset) {
    let minutes = offset.local_minus_utc().unsigned_abs() / 60;
    let mut text = *b"+00:00";
    if offset.local_minus_utc() < 0 {
        text[0] = b'-';
    }
    set_digits(&mut text[1..3], minutes / 60);
    set_digits(&mut text[4..], minutes % 60);
    out.push(&text);
}

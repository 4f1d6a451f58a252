//! dateTime, date and time.

mod invariant;

use std::fmt;

use chrono::{Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

use svcgen_model::SimpleType;

use super::calendar::{self, DIGITS_OF_TICKS, FIRST_DATE, Zone, take_date, take_time, take_zone};
use super::lexical::{take, take_digits, whole};
use super::mismatch::Mismatch;
use super::number::{Digits, trim};
use super::text_value::{Simple, from_text, simple_values};
use crate::values::time_zone::TimeZone;

simple_values!(DateTime Date Time);
from_text!(DateTime Date Time);

macro_rules! display {
    ($($type:ty)*) => {
        $(
            impl fmt::Display for $type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.to_text().as_str())
                }
            }
        )*
    };
}
display!(DateTime Date Time);

/// A date and time, with an optional zone (XML Schema dateTime, .NET `DateTime`).
///
/// ```
/// let start: svcgen::types::DateTime = "2002-05-30T09:30:10.5+02:00".parse()?;
/// assert_eq!(start.to_utc().unwrap().to_string(), "2002-05-30 07:30:10.500 UTC");
/// assert_eq!(start.to_string(), "2002-05-30T09:30:10.5+02:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is read and written as in .NET, with these differences. Reading:
/// - An offset of up to 14 hours is kept, unless the service names a time zone; .NET converts to
///   local time and accepts up to 99:99.
/// - A date alone is its midnight, and a time alone is of today, as in .NET. In the same way
///   `2002-05`, `2002`, `--05-30`, `--05` and `---30` are read, with missing parts taken from
///   1904-01-01.
/// - Years are 0001 to 9999, as in .NET; XML Schema allows longer and negative ones. A second 60 is
///   refused, as in both.
/// - Digits of a fraction after the seventh are rounded half to even, as in .NET.
///
/// Writing: up to seven digits of a fraction, without trailing zeros; `Z`, an offset or nothing. A
/// value that .NET could not read (another year, an offset of more than 14 hours or with seconds)
/// is a [`WriteError`](crate::WriteError). A leap second of chrono is written as the end of second
/// 59.
///
/// In a form it is read as by `DateTime.Parse` in the invariant culture: `05/30/2002 09:30:10`,
/// which Microsoft's proxies send, `30 May 2002`, `Thu, 30 May 2002 09:30:10 GMT` and so on; with
/// an offset of more than 14 hours the value is converted to UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DateTime {
    /// The date and time as written, in the zone it names.
    pub local: NaiveDateTime,
    /// The zone.
    pub zone: Zone,
}

impl DateTime {
    /// Creates a date and time in a zone.
    pub const fn new(local: NaiveDateTime, zone: Zone) -> Self {
        Self { local, zone }
    }

    /// The moment in UTC; `None` if it names no zone.
    pub fn to_utc(&self) -> Option<chrono::DateTime<Utc>> {
        self.local
            .checked_sub_offset(self.zone.offset()?)
            .map(|utc| utc.and_utc())
    }

    /// The same moment in a time zone, with its offset there; `None` if the value names no zone, or
    /// if values are shown as written.
    fn shown_in(self, zone: TimeZone) -> Option<Self> {
        let utc = self.to_utc()?.naive_utc();
        let offset = zone.offset_at(utc)?;
        let local = utc.checked_add_offset(offset)?;
        calendar::is_writable(local.date()).then(|| Self::new(local, Zone::Offset(offset)))
    }

    fn to_text(self) -> Digits {
        let mut text = Digits::new();
        calendar::write_date(&mut text, self.local.date());
        text.push(b"T");
        calendar::write_time(&mut text, self.local.time());
        calendar::write_zone(&mut text, self.zone);
        text
    }
}

/// The start of the year 1, as in .NET.
impl Default for DateTime {
    fn default() -> Self {
        Self::new(FIRST_DATE.and_time(NaiveTime::MIN), Zone::Unspecified)
    }
}

impl From<NaiveDateTime> for DateTime {
    fn from(local: NaiveDateTime) -> Self {
        Self::new(local, Zone::Unspecified)
    }
}

impl From<chrono::DateTime<Utc>> for DateTime {
    fn from(moment: chrono::DateTime<Utc>) -> Self {
        Self::new(moment.naive_utc(), Zone::Utc)
    }
}

impl From<chrono::DateTime<FixedOffset>> for DateTime {
    fn from(moment: chrono::DateTime<FixedOffset>) -> Self {
        Self::new(moment.naive_local(), Zone::Offset(*moment.offset()))
    }
}

fn take_date_time(text: &mut &str) -> Option<DateTime> {
    let date = take_date(text)?;
    let time = match take(text, 'T') {
        Some(()) => take_time(text)?,
        None => TimeDelta::zero(),
    };
    let zone = take_zone(text)?;
    Some(DateTime::new(calendar::join(date, time)?, zone))
}

/// Reads other texts that .NET accepts as a date and time: parts of it, as XML Schema writes them.
fn part_of_date_time(text: &str, zone: TimeZone) -> Option<DateTime> {
    if let Some((time, named)) = whole(text, take_time_and_zone) {
        return Some(DateTime::new(calendar::join(zone.today(), time)?, named));
    }
    let (date, named) = calendar::part_of_date(text, YEAR_OF_PARTS)?;
    Some(DateTime::new(date.and_time(NaiveTime::MIN), named))
}

/// Reads a form field.
fn field(text: &str, zone: TimeZone) -> Result<DateTime, Mismatch> {
    let (local, named) = invariant::date_time(text, zone.today()).ok_or(NO_DATE_TIME)?;
    let value = DateTime::new(local, named);
    Ok(value.shown_in(zone).unwrap_or(value))
}

/// The year of a dateTime without a year, a leap year.
const YEAR_OF_PARTS: u32 = 1904;

/// A time of day, with an optional zone (XML Schema time, .NET `DateTime`).
///
/// ```
/// let opening: svcgen::types::Time = "09:30:00".parse()?;
/// assert_eq!(opening.zone, svcgen::types::Zone::Unspecified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is read as in .NET. XML has it as .NET writes it, with seven digits and an offset:
/// `09:30:00.0000000+00:00` if it names no zone. `Display` writes only the parts that the value
/// has, as forms do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Time {
    /// The time as written, in the zone it names.
    pub local: NaiveTime,
    /// The zone.
    pub zone: Zone,
}

impl Time {
    /// Creates a time of day in a zone.
    pub const fn new(local: NaiveTime, zone: Zone) -> Self {
        Self { local, zone }
    }

    fn to_text(self) -> Digits {
        let mut text = Digits::new();
        calendar::write_time(&mut text, self.local);
        calendar::write_zone(&mut text, self.zone);
        text
    }
}

impl From<NaiveTime> for Time {
    fn from(local: NaiveTime) -> Self {
        Self::new(local, Zone::Unspecified)
    }
}

fn take_time_and_zone(text: &mut &str) -> Option<(TimeDelta, Zone)> {
    Some((take_time(text)?, take_zone(text)?))
}

/// A date (XML Schema date, .NET `DateTime` written without its time).
///
/// ```
/// let day: svcgen::types::Date = "2002-05-30".parse()?;
/// assert_eq!(day.0, svcgen::chrono::NaiveDate::from_ymd_opt(2002, 5, 30).unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A part of a date, such as `2002-05`, `2002`, `--05-30` or `---30`, is read as in .NET: a missing
/// year is the current one, a missing month or day is the first. A zone in the text is dropped; a
/// date and time is refused. A year that .NET could not read (other than 1 to 9999) is a
/// [`WriteError`](crate::WriteError).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub NaiveDate);

impl Date {
    fn to_text(self) -> Digits {
        let mut text = Digits::new();
        calendar::write_date(&mut text, self.0);
        text
    }
}

/// The first day of the year 1, as in .NET.
impl Default for Date {
    fn default() -> Self {
        Self(FIRST_DATE)
    }
}

impl From<NaiveDate> for Date {
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl From<Date> for NaiveDate {
    fn from(date: Date) -> Self {
        date.0
    }
}

fn take_date_and_zone(text: &mut &str) -> Option<(NaiveDate, Zone)> {
    Some((take_date(text)?, take_zone(text)?))
}

/// Reads a date or a part of it.
fn date(text: &str, zone: TimeZone) -> Option<Date> {
    let this_year = || zone.today().year().try_into().ok();
    let whole = whole(text, take_date_and_zone);
    let (date, named) = whole.or_else(|| calendar::part_of_date(text, this_year()?))?;
    let midnight = DateTime::new(date.and_time(NaiveTime::MIN), named);
    let shown = midnight.shown_in(zone).unwrap_or(midnight);
    Some(Date(shown.local.date()))
}

const OUT_OF_RANGE: &str =
    "is outside the years 1 to 9999, or its offset is not of whole minutes up to 14 hours";
const NO_DATE_TIME: Mismatch = Mismatch::Message("String was not recognized as a valid DateTime.");

impl Simple for DateTime {
    const TYPE: SimpleType = SimpleType::DateTime;

    fn read_accepted(zone: TimeZone, text: &str) -> Option<Self> {
        let (text, is_next_day) = calendar::as_net_reads(text);
        let mut value = Self::read_in(zone, false, &text).ok()?;
        if is_next_day {
            value.local = value.local.checked_add_signed(TimeDelta::days(1))?;
        }
        Some(value)
    }

    fn read_in(zone: TimeZone, is_form: bool, text: &str) -> Result<Self, Mismatch> {
        if is_form {
            return field(text, zone);
        }
        let text = trim(text);
        let value = whole(text, take_date_time).or_else(|| part_of_date_time(text, zone));
        let value = value.ok_or(Mismatch::NotA("AllXsd"))?;
        Ok(value.written_in(zone).unwrap_or(value))
    }

    fn written_in(&self, zone: TimeZone) -> Option<Self> {
        match self.zone {
            Zone::Offset(_) => self.shown_in(zone),
            Zone::Unspecified | Zone::Utc => None,
        }
    }

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        Self::read_in(TimeZone::AsWritten, false, text)
    }

    fn unwritable(&self) -> Option<&'static str> {
        (!calendar::is_writable(self.local.date()) || !self.zone.is_writable())
            .then_some(OUT_OF_RANGE)
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(self.to_text().as_bytes());
    }
}

impl Simple for Time {
    const TYPE: SimpleType = SimpleType::Time;

    fn read_accepted(zone: TimeZone, text: &str) -> Option<Self> {
        Self::read_in(zone, false, &calendar::as_net_reads(text).0).ok()
    }

    fn read_in(zone: TimeZone, is_form: bool, text: &str) -> Result<Self, Mismatch> {
        if is_form {
            let value = field(text, zone)?;
            return Ok(Self::new(value.local.time(), value.zone));
        }
        let fraction = text
            .split_once('.')
            .map(|(_, mut rest)| take_digits(&mut rest));
        // .NET rounds more digits in dates, but refuses them in times.
        if fraction.is_some_and(|digits| digits.len() > DIGITS_OF_TICKS) {
            return Err(NO_DATE_TIME);
        }
        let (time, named) = whole(trim(text), take_time_and_zone).ok_or(NO_DATE_TIME)?;
        let value = Self::new(calendar::time_of_day(time), named);
        Ok(match named {
            Zone::Offset(_) => value.written_in(zone).unwrap_or(value),
            Zone::Unspecified | Zone::Utc => value,
        })
    }

    /// The time at the current offset of the zone, as in .NET, because it belongs to no day.
    fn written_in(&self, zone: TimeZone) -> Option<Self> {
        let offset = zone.offset_now()?;
        let shift = self
            .zone
            .offset()
            .map_or(0, |own| offset.local_minus_utc() - own.local_minus_utc());
        let shift = TimeDelta::seconds(shift.into());
        let local = self.local.overflowing_add_signed(shift).0;
        Some(Self::new(local, Zone::Offset(offset)))
    }

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        Self::read_in(TimeZone::AsWritten, false, text)
    }

    fn unwritable(&self) -> Option<&'static str> {
        (!self.zone.is_writable()).then_some(OUT_OF_RANGE)
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        let mut text = Digits::new();
        calendar::write_whole_time(&mut text, self.local);
        let offset = self.zone.offset().unwrap_or(calendar::UTC);
        calendar::write_offset(&mut text, offset);
        write(text.as_bytes());
    }

    fn field(&self, write: impl FnOnce(&[u8])) {
        write(self.to_text().as_bytes());
    }
}

impl Simple for Date {
    const TYPE: SimpleType = SimpleType::Date;

    fn read_in(zone: TimeZone, is_form: bool, text: &str) -> Result<Self, Mismatch> {
        if is_form {
            return field(text, zone).map(|value| Self(value.local.date()));
        }
        date(trim(text), zone).ok_or(NO_DATE_TIME)
    }

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        Self::read_in(TimeZone::AsWritten, false, text)
    }

    fn unwritable(&self) -> Option<&'static str> {
        (!calendar::is_writable(self.0)).then_some(OUT_OF_RANGE)
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        write(self.to_text().as_bytes());
    }
}

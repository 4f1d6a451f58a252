//! `DateTime.Parse` of .NET in its invariant culture.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, TimeDelta, Weekday};

use crate::values::simple::calendar::{self, Zone, since_midnight, take_fraction, take_zone};
use crate::values::simple::lexical::{take, take_digits};

/// Reads a date, a time or both. Of a date and time, `2002-05-30T09:30:00Z`, `05/30/2002 9:30 AM`, `30 May 2002`, `May 30, 2002`, `May 2002` and
/// `Thu, 30 May 2002 09:30:00 GMT` are read; two numbers without a name and a year of four digits are the month and the day. A missing day is the first, a missing year and a missing date are those of today.
pub(crate) fn date_time(text: &str, today: NaiveDate) -> Option<(NaiveDateTime, Zone)> {
    let mut rest = text.trim();
    let mut parts = Parts::default();
    while !rest.is_empty() {
        parts.take(&mut rest)?;
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
    }
    let date = parts.date.date(today)?;
    let (time, zone) = match parts.time {
        Some(time) => time,
        None if parts.date.is_empty() => return None,
        None => (TimeDelta::zero(), Zone::Unspecified),
    };
    Some((calendar::join(date, time)?, zone))
}

/// The parts of a date and time that are read so far.
#[derive(Default)]
struct Parts {
    date: DateParts,
    time: Option<(TimeDelta, Zone)>,
}

impl Parts {
    /// Takes the next number, word or time.
    fn take(&mut self, text: &mut &str) -> Option<()> {
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (word, mut rest) = text.split_at(letters);
        let digits = take_digits(&mut rest);
        if word == "T" && !digits.is_empty() {
            // It stands between a date and a time.
            let is_between = !self.date.is_empty() && self.time.is_none();
            *text = &text[1..];
            return is_between.then_some(());
        }
        if letters == 0 && rest.starts_with(':') {
            let clock = take_clock(text)?;
            return self.time.replace(clock).is_none().then_some(());
        }
        if letters > 0 {
            *text = &text[letters..];
            self.date.take_word(word)?;
        } else {
            *text = rest;
            self.date.take_number(digits)?;
        }
        self.take_separator(text)
    }

    /// Takes `/` or `-` between parts of a date, or nothing.
    fn take_separator(&self, text: &mut &str) -> Option<()> {
        let Some(rest) = text.trim_start().strip_prefix(['/', '-']) else {
            return Some(());
        };
        *text = rest.trim_start();
        let mut rest = *text;
        take_digits(&mut rest);
        // A time is divided from the date by something else.
        (!text.is_empty() && !rest.starts_with(':')).then_some(())
    }
}

/// Numbers and names of a date.
#[derive(Default)]
struct DateParts {
    /// Numbers, and how many digits each has.
    numbers: [(u32, usize); 3],
    count: usize,
    month: Option<u32>,
    weekday: Option<Weekday>,
}

impl DateParts {
    fn is_empty(&self) -> bool {
        self.count == 0 && self.month.is_none() && self.weekday.is_none()
    }

    fn take_number(&mut self, digits: &str) -> Option<()> {
        let number = digits.parse().ok().filter(|_| digits.len() <= 4)?;
        *self.numbers.get_mut(self.count)? = (number, digits.len());
        self.count += 1;
        Some(())
    }

    /// Takes the name of a month or of a day of the week, or its first three letters.
    fn take_word(&mut self, word: &str) -> Option<()> {
        let is =
            |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
        if let Some(index) = WEEKDAYS.iter().position(|name| is(name)) {
            let weekday = Weekday::try_from(index as u8).ok()?;
            return self.weekday.replace(weekday).is_none().then_some(());
        }
        let index = MONTHS.iter().position(|name| is(name))?;
        self.month.replace(index as u32 + 1).is_none().then_some(())
    }

    /// The date; without any part it is today.
    fn date(&self, today: NaiveDate) -> Option<NaiveDate> {
        let numbers = &self.numbers[..self.count];
        // A number of three digits or more is a year, whatever place it has.
        let is_year = |index: usize| numbers.get(index).is_some_and(|(_, digits)| *digits > 2);
        let number = |index: usize| Some(numbers[index].0);
        let (year, month, day) = match (self.month, numbers.len()) {
            (None, 0) if self.is_empty() => return Some(today),
            (None, 3) if is_year(0) => (Some(0), number(1), number(2)),
            (None, 3) => (Some(2), number(0), number(1)),
            (None, 2) if is_year(0) => (Some(0), number(1), None),
            (None, 2) if is_year(1) => (Some(1), number(0), None),
            (None, 2) => (None, number(0), number(1)),
            (month, 2) if is_year(0) => (Some(0), month, number(1)),
            (month @ Some(_), 2) => (Some(1), month, number(0)),
            (month @ Some(_), 1) if is_year(0) => (Some(0), month, None),
            (month @ Some(_), 1) => (None, month, number(0)),
            _ => return None,
        };
        let year = match year.map(|index| numbers[index]) {
            None => today.year().try_into().ok()?,
            // `TwoDigitYearMax` of .NET's calendar.
            Some((year, 1 | 2)) => year + if year < 30 { 2000 } else { 1900 },
            Some((year, _)) => year,
        };
        let date = calendar::date(year, month?, day.unwrap_or(1))?;
        let fits = self.weekday.is_none_or(|weekday| weekday == date.weekday());
        fits.then_some(date)
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// In the order of [`Weekday`].
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Takes `H:mm`, `H:mm:ss` or `H:mm:ss.f`, `AM` or `PM`, and a zone.
fn take_clock(text: &mut &str) -> Option<(TimeDelta, Zone)> {
    let hour = take_short_number(text)?;
    take(text, ':')?;
    let minute = take_short_number(text)?;
    let (second, ticks) = match take(text, ':') {
        Some(()) => (take_short_number(text)?, take_fraction(text)?),
        None => (0, 0),
    };
    let time = match take_half(text) {
        None => since_midnight(hour, minute, second, ticks),
        Some(_) if !(1..=12).contains(&hour) => None,
        Some(half) => since_midnight(hour % 12 + half, minute, second, ticks),
    };
    Some((time?, take_field_zone(text)?))
}

/// Takes `AM` or `PM`: the hours before it.
fn take_half(text: &mut &str) -> Option<u32> {
    let rest = text.trim_start();
    let (word, rest) = rest.split_at_checked(2)?;
    let hours = match word {
        _ if word.eq_ignore_ascii_case("AM") => 0,
        _ if word.eq_ignore_ascii_case("PM") => 12,
        _ => return None,
    };
    *text = rest;
    Some(hours)
}

/// Takes `Z`, `GMT`, `+02:00` or nothing.
fn take_field_zone(text: &mut &str) -> Option<Zone> {
    let rest = text.trim_start();
    if let Some(rest) = rest.strip_prefix("GMT") {
        *text = rest;
        return Some(Zone::Utc);
    }
    if rest.starts_with(['Z', 'z', '+', '-']) {
        *text = rest;
    }
    take_zone(text)
}

/// Takes a number of one or two digits.
fn take_short_number(text: &mut &str) -> Option<u32> {
    let digits = take_digits(text);
    digits.parse().ok().filter(|_| digits.len() <= 2)
}

//! `DateTime.Parse` of .NET in its invariant culture, according to its reference source: a scanner
//! splits the text into tokens, a table of states decides which numbers and names are a date or a
//! time, and each of these is used when it is complete. So `2 January` is the first of January 2002
//! and `January 2` the second of this year, because the invariant culture writes `1999 January` and
//! `January 31`.

mod scan;
mod states;

use chrono::{Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, TimeDelta, Weekday};

use crate::values::simple::calendar::{
    self, GREATEST_OFFSET, TICKS_PER_SECOND, Zone, since_midnight,
};
use scan::Scanner;
use states::{Complete, State, Step, Token};

/// Reads a date, a time or both. A missing day is the first of the month; a missing year or date is
/// today's.
pub(crate) fn date_time(text: &str, today: NaiveDate) -> Option<(NaiveDateTime, Zone)> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        today,
        numbers: Numbers::default(),
        named_month: None,
        long_year: None,
        weekday: None,
        half: None,
        year: None,
        month: None,
        day: None,
        hour: 0,
        minute: 0,
        second: 0,
        fraction: 0.0,
        units: [false; 6],
        has_date: false,
        has_time: false,
        offset: None,
    };
    parser.read()
}

/// The maximum number of numbers that are kept until they are a date or a time.
const MOST_NUMBERS: usize = 3;

/// Numbers whose meaning is not known yet.
#[derive(Default)]
struct Numbers {
    values: [u32; MOST_NUMBERS],
    count: usize,
}

/// Half of a day.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Am,
    Pm,
}

/// An offset from UTC.
#[derive(Clone, Copy)]
enum Offset {
    Utc,
    Minutes(i32),
}

/// The unit of a number, given by the Chinese, Japanese or Korean sign after it.
#[derive(Clone, Copy)]
enum Unit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    today: NaiveDate,
    numbers: Numbers,
    named_month: Option<u32>,
    /// A year of three digits or more.
    long_year: Option<u32>,
    weekday: Option<Weekday>,
    half: Option<Half>,
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    hour: u32,
    minute: u32,
    second: u32,
    /// The fraction of a second. .NET adds its digits up in binary.
    fraction: f64,
    /// The units that were read, in the order of [`Unit`].
    units: [bool; 6],
    /// Whether a numeric date is complete; another one must not follow.
    has_date: bool,
    has_time: bool,
    offset: Option<Offset>,
}

impl Parser<'_> {
    fn read(&mut self) -> Option<(NaiveDateTime, Zone)> {
        let mut state = State::Start;
        let mut is_complete = false;
        loop {
            let Some(token) = self.token(state)? else {
                continue;
            };
            if token == Token::NumberT {
                let is_after_date = matches!(state, State::YearNumber | State::YearNumberDash);
                return if is_after_date { self.iso_time() } else { None };
            }
            match states::step(state, token)? {
                Step::To(next) => state = next,
                Step::Done(complete) => {
                    self.complete(complete)?;
                    is_complete = true;
                    state = State::Start;
                }
            }
            if matches!(token, Token::End | Token::NumberEnd | Token::MonthEnd) {
                break;
            }
        }
        is_complete.then_some(())?;
        self.whole()
    }

    /// Stores a date or a time that is complete.
    fn complete(&mut self, complete: Complete) -> Option<()> {
        use Complete as C;
        let [one, two, three] = self.numbers.values;
        let is_date = !matches!(
            complete,
            C::Hour
                | C::HourMinute
                | C::HourMinuteSecond
                | C::Suffixed
                | C::Day
                | C::YearOfSuffixed
                | C::NumbersOfSuffixed
        );
        if is_date && self.has_date {
            return None;
        }
        let (named, long) = (self.named_month, self.long_year);
        match complete {
            C::MonthDay => self.set_date(self.this_year(), one, two)?,
            C::MonthDayYear => self.set_date(four_digits(three), one, two)?,
            C::NamedMonthDay => self.set_date(self.this_year(), named?, one)?,
            C::NamedMonthYear => self.set_date(four_digits(one), named?, 1)?,
            C::NamedMonthNumbers => {
                let is_day_first = self.set_date(four_digits(two), named?, one);
                is_day_first.or_else(|| self.set_date(four_digits(one), named?, two))?;
            }
            C::YearMonthDay => self.set_date(long?, one, two)?,
            C::YearNamedMonthDay => self.set_date(long?, named?, one)?,
            C::YearMonth => self.set_date(long?, one, 1)?,
            C::YearNamedMonth => self.set_date(long?, named?, 1)?,
            C::Hour => {
                self.half?;
                self.set_time([one, self.minute, self.second])?;
            }
            C::HourMinute => self.set_time([one, two, self.second])?,
            C::HourMinuteSecond => self.set_time([one, two, three])?,
            C::Suffixed => {}
            C::Day if self.numbers.count == 1 && self.day.is_none() => self.day = Some(one),
            C::YearOfSuffixed if self.month.is_some() && self.year.is_none() => {
                self.year = Some(four_digits(one));
                self.day = Some(1);
            }
            C::NumbersOfSuffixed => match self.units[..3] {
                [true, false, false] => self.set_date(four_digits(long?), one, two)?,
                [false, true, false] => self.set_date(four_digits(two), self.month?, one)?,
                _ => return None,
            },
            C::Day | C::YearOfSuffixed => return None,
        }
        // A month with a single number may be followed by another date.
        self.has_date |= is_date && !matches!(complete, C::NamedMonthDay | C::NamedMonthYear);
        self.numbers.count = 0;
        Some(())
    }

    fn this_year(&self) -> u32 {
        self.today.year().try_into().unwrap_or_default()
    }

    fn set_date(&mut self, year: u32, month: u32, day: u32) -> Option<()> {
        calendar::date(year, month, day)?;
        (self.year, self.month, self.day) = (Some(year), Some(month), Some(day));
        Some(())
    }

    fn set_time(&mut self, time: [u32; 3]) -> Option<()> {
        [self.hour, self.minute, self.second] = time;
        let is_again = std::mem::replace(&mut self.has_time, true);
        (!is_again).then_some(())
    }

    /// Stores a number with its unit.
    fn set_unit(&mut self, unit: Unit, number: u32) -> Option<()> {
        match unit {
            Unit::Year => (self.year, self.long_year) = (Some(number), Some(number)),
            Unit::Month => (self.month, self.named_month) = (Some(number), Some(number)),
            Unit::Day => self.day = Some(number),
            Unit::Hour => self.hour = number,
            Unit::Minute => self.minute = number,
            Unit::Second => self.second = number,
        }
        let is_again = std::mem::replace(&mut self.units[unit as usize], true);
        (!is_again).then_some(())
    }

    /// Completes the parts that were read with default values.
    fn whole(&self) -> Option<(NaiveDateTime, Zone)> {
        let hour = match (self.half, self.hour) {
            (Some(Half::Am), 12) => 0,
            (Some(Half::Am), 13..) => return None,
            (Some(Half::Pm), hour @ 0..12) => hour + 12,
            (_, hour) => hour,
        };
        let date = match (self.year, self.month, self.day) {
            (None, None, None) => self.today,
            (year, month, day) => calendar::date(
                year.unwrap_or_else(|| self.this_year()),
                month.unwrap_or(1),
                day.unwrap_or(1),
            )?,
        };
        let moment = self.moment(date, [hour, self.minute, self.second])?;
        // The weekday must match the date before an offset is applied.
        let fits = self
            .weekday
            .is_none_or(|weekday| weekday == moment.0.weekday());
        fits.then_some(moment)
    }

    fn moment(
        &self,
        date: NaiveDate,
        [hour, minute, second]: [u32; 3],
    ) -> Option<(NaiveDateTime, Zone)> {
        let ticks = (self.fraction * TICKS_PER_SECOND as f64).round_ties_even() as i64;
        let local = calendar::join(date, since_midnight(hour, minute, second, ticks)?)?;
        let minutes = match self.offset {
            None => return Some((local, Zone::Unspecified)),
            Some(Offset::Utc) => return Some((local, Zone::Utc)),
            Some(Offset::Minutes(minutes)) => minutes,
        };
        let utc = local.checked_sub_signed(TimeDelta::minutes(minutes.into()))?;
        if local.date() == calendar::FIRST_DATE && utc.date() < local.date() {
            // .NET treats it as a time on any day.
            return Some((utc + TimeDelta::days(1), Zone::Utc));
        }
        if !calendar::is_writable(utc.date()) {
            return None;
        }
        // XML Schema allows no greater offset; .NET shows the moment in the zone of the server.
        if minutes.abs() * 60 > GREATEST_OFFSET {
            return Some((utc, Zone::Utc));
        }
        Some((local, Zone::Offset(FixedOffset::east_opt(minutes * 60)?)))
    }
}

/// The year that two digits denote, by `TwoDigitYearMax` of .NET's calendar.
fn four_digits(year: u32) -> u32 {
    match year {
        0..=29 => year + 2000,
        30..=99 => year + 1900,
        _ => year,
    }
}

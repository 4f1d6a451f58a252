//! Dates, times, parts of dates, and durations.

use std::cmp::Ordering;

use crate::SimpleType;

/// The layout of a type's texts: `Y`, `M` and `D` stand for the numbers of a year, a month and a
/// day, `t` for a time of day.
pub(super) fn layout(simple: SimpleType) -> Option<&'static str> {
    Some(match simple {
        SimpleType::DateTime => "Y-M-DTt",
        SimpleType::Date => "Y-M-D",
        SimpleType::Time => "t",
        SimpleType::GYear => "Y",
        SimpleType::GYearMonth => "Y-M",
        SimpleType::GMonth => "--M",
        SimpleType::GMonthDay => "--M-D",
        SimpleType::GDay => "---D",
        _ => return None,
    })
}

const SECOND: i128 = 1_000_000_000;
const MINUTE: i128 = 60 * SECOND;
const DAY: i128 = 24 * 60 * MINUTE;
/// The maximum offset from UTC (XML Schema 1.0 Part 2 §3.2.7.3).
const GREATEST_OFFSET: i128 = 14 * 60 * MINUTE;

/// A moment, or the start of a period or of a recurring one. Missing parts of its date are those of
/// 1 January 2000, a leap year.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    /// Nanoseconds since the beginning of the year 0, in its own zone.
    local: i128,
    /// The offset of `local` from UTC in nanoseconds, if there is one.
    offset: Option<i128>,
    year: i64,
    /// Whether .NET's ticks of 100 nanoseconds express it exactly, and it is not the end of a day.
    is_whole: bool,
}

impl Moment {
    pub(super) fn parse(layout: &str, text: &str) -> Option<Self> {
        let mut scan = Scan(text);
        let (mut year, mut month, mut day) = (2000, 1, 1);
        let (mut time, mut is_whole) = (0, true);
        for part in layout.chars() {
            match part {
                'Y' => year = scan.year()?,
                'M' => month = scan.number(2)?,
                'D' => day = scan.number(2)?,
                't' => (time, is_whole) = scan.time()?,
                mark => scan.mark(mark)?,
            }
        }
        let offset = scan.zone()?;
        let exists = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        (scan.0.is_empty() && exists).then(|| Self {
            local: i128::from(days_before(year, month) + day - 1) * DAY + time,
            offset,
            year,
            is_whole,
        })
    }

    /// Whether the Rust type keeps the value exactly, which requires a year from 1 to 9999.
    pub(super) fn is_exact(self, simple: SimpleType) -> bool {
        let has_zone = self.offset.is_some();
        self.is_whole
            && (1..=9999).contains(&self.year)
            && !(has_zone && simple == SimpleType::Date)
    }

    /// Compares two moments (XML Schema 1.0 Part 2 §3.2.7.4): one without a zone may be in any
    /// zone.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let earliest = |moment: Self| moment.local - moment.offset.unwrap_or(GREATEST_OFFSET);
        let latest = |moment: Self| moment.local - moment.offset.unwrap_or(-GREATEST_OFFSET);
        if self.offset.is_some() == other.offset.is_some() {
            return Some(earliest(self).cmp(&earliest(other)));
        }
        if latest(self) < earliest(other) {
            return Some(Ordering::Less);
        }
        (earliest(self) > latest(other)).then_some(Ordering::Greater)
    }
}

/// The number of days of a month.
fn days_of(year: i64, month: i64) -> i64 {
    days_before(year, month + 1) - days_before(year, month)
}

/// The number of days from the beginning of the year 0 to that of a month; the thirteenth month is
/// January of the next year.
fn days_before(year: i64, month: i64) -> i64 {
    const BEFORE_MONTHS: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let months = usize::try_from(month - 1).unwrap_or_default();
    let leap_day = i64::from(month > 2 && is_leap(year));
    let last = year - 1;
    // Includes one day for the year 0, a leap year.
    let leap_days = last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400) + 1;
    year * 365 + leap_days + BEFORE_MONTHS[months.min(12)] + leap_day
}

/// A length of time.
#[derive(Clone, Copy)]
pub(super) struct Duration {
    months: i128,
    nanoseconds: i128,
}

/// The months by which durations are compared (XML Schema 1.0 Part 2 §3.2.6.2).
const REFERENCES: [(i64, i64); 4] = [(1696, 9), (1697, 2), (1903, 3), (1903, 7)];

impl Duration {
    /// Reads `-P1Y2M3DT4H5M6.7S`, in which parts may be missing; digits of a fraction after the
    /// ninth are ignored. Each number has at most 64 bits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-');
        let sign = if unsigned.is_some() { -1 } else { 1 };
        let rest = unsigned.unwrap_or(text).strip_prefix('P')?;
        let (date, time) = match rest.split_once('T') {
            Some((_, "")) => return None,
            Some((date, time)) => (date, time),
            None if rest.is_empty() => return None,
            None => (rest, ""),
        };
        let ([years, months, days], _) = parts(date, "YMD")?;
        let ([hours, minutes, seconds], fraction) = parts(time, "HMS")?;
        let seconds = (hours * 60 + minutes) * 60 + seconds;
        Some(Self {
            months: sign * (years * 12 + months),
            nanoseconds: sign * (days * DAY + seconds * SECOND + fraction),
        })
    }

    /// Compares two durations; `None` if the order depends on the months in which they begin.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let orders = REFERENCES.map(|reference| self.after(reference).cmp(&other.after(reference)));
        let [first, ..] = orders;
        orders.iter().all(|order| *order == first).then_some(first)
    }

    /// The time from the beginning of the year 0 to the end of the duration in nanoseconds, if it
    /// begins in a month.
    fn after(self, (year, month): (i64, i64)) -> i128 {
        let months = i128::from(year * 12 + month - 1) + self.months;
        // Whole periods of 400 years, after which the calendar repeats itself.
        const PERIOD: i128 = 400 * 12;
        let (periods, rest) = (months.div_euclid(PERIOD), months.rem_euclid(PERIOD));
        let rest = i64::try_from(rest).unwrap_or_default();
        let days = i128::from(days_before(rest / 12, rest % 12 + 1));
        (periods * 146_097 + days) * DAY + self.nanoseconds
    }
}

/// Reads numbers with units in this order, of which the last one may be a second with a fraction.
/// Returns the numbers and the nanoseconds of the fraction.
fn parts(mut text: &str, units: &str) -> Option<([i128; 3], i128)> {
    let (mut parts, mut fraction) = ([0; 3], 0);
    let mut units = units.chars().zip(0..);
    while !text.is_empty() {
        let end = text.find(|c: char| !c.is_ascii_digit())?;
        let number = text[..end].parse::<u64>().ok()?;
        let mut scan = Scan(&text[end..]);
        let has_fraction = scan.0.starts_with('.');
        if has_fraction {
            (fraction, _) = scan.fraction()?;
        }
        let unit = scan.0.chars().next()?;
        let (_, index) = units.find(|(known, _)| *known == unit)?;
        if has_fraction && unit != 'S' {
            return None;
        }
        parts[index] = number.into();
        text = &scan.0[unit.len_utf8()..];
    }
    Some((parts, fraction))
}

/// The rest of a text.
struct Scan<'t>(&'t str);

impl Scan<'_> {
    fn mark(&mut self, mark: char) -> Option<()> {
        self.0 = self.0.strip_prefix(mark)?;
        Some(())
    }

    /// Reads a number with this many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        self.0 = rest;
        number.parse().ok().filter(|_| is_number)
    }

    /// Reads a year of four to nine digits; one of more than four must not begin with zero.
    fn year(&mut self) -> Option<i64> {
        let sign = if self.mark('-').is_some() { -1 } else { 1 };
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let is_short = digits == 4 || ((5..=9).contains(&digits) && !self.0.starts_with('0'));
        let year = self.number(digits).filter(|year| is_short && *year > 0)?;
        Some(sign * year)
    }

    /// Reads a time of day. Returns the nanoseconds since midnight, and whether .NET's ticks
    /// express it exactly and it is not `24:00:00`.
    fn time(&mut self) -> Option<(i128, bool)> {
        let hours = self.number(2)?;
        self.mark(':')?;
        let minutes = self.number(2)?;
        self.mark(':')?;
        let seconds = self.number(2)?;
        let (fraction, digits) = self.fraction()?;
        let is_end = (hours, minutes, seconds, fraction) == (24, 0, 0, 0);
        if (hours > 23 && !is_end) || minutes > 59 || seconds > 59 {
            return None;
        }
        let whole = i128::from((hours * 60 + minutes) * 60 + seconds) * SECOND;
        Some((whole + fraction, digits <= 7 && !is_end))
    }

    /// Reads `.` and digits, or nothing. Returns the nanoseconds and the number of digits.
    fn fraction(&mut self) -> Option<(i128, usize)> {
        if self.mark('.').is_none() {
            return Some((0, 0));
        }
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (fraction, rest) = self.0.split_at(digits);
        self.0 = rest;
        let kept = &fraction[..digits.min(9)];
        let scale = 10_i128.pow(9 - kept.len() as u32);
        Some((kept.parse::<i128>().ok()? * scale, digits))
    }

    /// Reads the offset of `Z` or `+02:00`, or none.
    fn zone(&mut self) -> Option<Option<i128>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.mark('Z').is_some() {
            return Some(Some(0));
        }
        let sign = match self.mark('-') {
            Some(()) => -1,
            None => self.mark('+').map(|()| 1)?,
        };
        let hours = self.number(2)?;
        self.mark(':')?;
        let minutes = self.number(2).filter(|minutes| *minutes < 60)?;
        let offset = i128::from(hours * 60 + minutes) * MINUTE;
        (offset <= GREATEST_OFFSET).then_some(Some(sign * offset))
    }
}

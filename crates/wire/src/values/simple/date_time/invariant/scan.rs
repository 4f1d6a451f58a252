//! The tokens of a date and time.

use chrono::{NaiveDateTime, Weekday};

use super::states::{Complete, State, Step, Token, step};
use super::{Half, MOST_NUMBERS, Offset, Parser, Unit, four_digits};
use crate::values::simple::calendar::{self, Zone};
use crate::values::simple::lexical::take_digits;

/// More digits are not a number.
const MOST_DIGITS: usize = 8;

/// The rest of a text.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, rest: text }
    }

    fn next(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip_white_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip_one(&mut self) {
        self.rest = self.next().map_or("", |next| &self.rest[next.len_utf8()..]);
    }

    fn take(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the longest word that the text starts with, ignoring case. If the word consists of
    /// letters, no letter may follow.
    fn take_word<T: Copy>(&mut self, words: impl Iterator<Item = (&'static str, T)>) -> Option<T> {
        let starts = |word: &str| {
            let start = self.rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let (word, meaning) = words
            .filter(|(word, _)| starts(word))
            .max_by_key(|(word, _)| word.len())?;
        let rest = &self.rest[word.len()..];
        let is_letters = word.starts_with(char::is_alphabetic);
        if is_letters && rest.starts_with(char::is_alphabetic) {
            return None;
        }
        self.rest = rest;
        Some(meaning)
    }

    /// Takes digits: their number, and their count.
    fn take_number(&mut self) -> Option<(u32, usize)> {
        let digits = take_digits(&mut self.rest);
        let number = digits
            .parse()
            .ok()
            .filter(|_| digits.len() <= MOST_DIGITS)?;
        Some((number, digits.len()))
    }

    /// Skips white space and takes two digits.
    fn take_two_digits(&mut self) -> Option<u32> {
        self.skip_white_space();
        calendar::take_number(&mut self.rest, 2)
    }

    /// Skips white space and takes a character, or takes nothing.
    fn take_after_space(&mut self, wanted: char) -> Option<()> {
        let rest = self.rest.trim_start().strip_prefix(wanted)?;
        self.rest = rest;
        Some(())
    }

    /// Takes the digits of a fraction.
    fn take_fraction(&mut self) -> Option<f64> {
        let digits = take_digits(&mut self.rest);
        let (mut fraction, mut place) = (0.0, 0.1);
        for digit in digits.bytes() {
            fraction += f64::from(digit - b'0') * place;
            place *= 0.1;
        }
        (!digits.is_empty()).then_some(fraction)
    }

    /// Takes `+8`, `+08:30`, `+830` or `+0830` as minutes.
    fn take_offset(&mut self) -> Option<i32> {
        let is_negative = match self.next()? {
            '+' => false,
            '-' => true,
            _ => return None,
        };
        self.skip_one();
        let (number, digits) = self.take_number()?;
        let (hours, minutes) = match digits {
            1 | 2 if self.take(':') => {
                let (minutes, _) = self.take_number().filter(|(_, digits)| *digits <= 2)?;
                (number, minutes)
            }
            1 | 2 => (number, 0),
            3 | 4 => (number / 100, number % 100),
            _ => return None,
        };
        let total = i32::try_from(hours * 60 + minutes)
            .ok()
            .filter(|_| minutes < 60)?;
        Some(if is_negative { -total } else { total })
    }

    /// Takes `#`, a pair of which may enclose the whole text, as in Visual Basic's dates, or U+0000
    /// up to the end.
    fn take_punctuation(&mut self) -> bool {
        if self.rest.starts_with('\0') {
            let rest = std::mem::take(&mut self.rest);
            return rest.chars().all(|c| c == '\0');
        }
        let parts: Vec<&str> = self.text.splitn(4, '#').collect();
        let [before, within, after] = parts[..] else {
            return false;
        };
        let is_blank = |c: char| c.is_whitespace() || c == '\0';
        let is_around = before.trim().is_empty() && after.chars().all(is_blank);
        is_around && !within.contains('\0') && self.take('#')
    }
}

/// The separator after a number or a month.
#[derive(Clone, Copy)]
enum Separator {
    End,
    Space,
    /// `/`.
    Slash,
    /// `-`, which may also begin an offset.
    Dash,
    Colon,
    T,
    Half(Half),
    Unit(Unit),
}

const SEPARATORS: [(&str, Separator); 16] = [
    ("/", Separator::Slash),
    ("-", Separator::Dash),
    (":", Separator::Colon),
    ("T", Separator::T),
    ("AM", Separator::Half(Half::Am)),
    ("PM", Separator::Half(Half::Pm)),
    ("\u{5e74}", Separator::Unit(Unit::Year)),
    ("\u{b144}", Separator::Unit(Unit::Year)),
    ("\u{6708}", Separator::Unit(Unit::Month)),
    ("\u{c6d4}", Separator::Unit(Unit::Month)),
    ("\u{65e5}", Separator::Unit(Unit::Day)),
    ("\u{c77c}", Separator::Unit(Unit::Day)),
    ("\u{6642}", Separator::Unit(Unit::Hour)),
    ("\u{65f6}", Separator::Unit(Unit::Hour)),
    ("\u{5206}", Separator::Unit(Unit::Minute)),
    ("\u{79d2}", Separator::Unit(Unit::Second)),
];

/// The words that are not numbers.
#[derive(Clone, Copy)]
enum Word {
    Month(u32),
    Weekday(Weekday),
    Half(Half),
    Utc,
    Era,
    Ignored,
}

const WORDS: [(&str, Word); 8] = [
    ("AM", Word::Half(Half::Am)),
    ("PM", Word::Half(Half::Pm)),
    ("GMT", Word::Utc),
    ("Z", Word::Utc),
    ("A.D.", Word::Era),
    ("AD", Word::Era),
    (",", Word::Ignored),
    (".", Word::Ignored),
];

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

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("Monday", Weekday::Mon),
    ("Tuesday", Weekday::Tue),
    ("Wednesday", Weekday::Wed),
    ("Thursday", Weekday::Thu),
    ("Friday", Weekday::Fri),
    ("Saturday", Weekday::Sat),
    ("Sunday", Weekday::Sun),
];

/// All words; months and weekdays also by their first three letters.
fn words() -> impl Iterator<Item = (&'static str, Word)> {
    let months = MONTHS.into_iter().zip(1..);
    let months = months.map(|(name, number)| (name, Word::Month(number)));
    let weekdays = WEEKDAYS.into_iter();
    let weekdays = weekdays.map(|(name, weekday)| (name, Word::Weekday(weekday)));
    let names = months.chain(weekdays);
    let names = names.flat_map(|(name, word)| [(name, word), (&name[..3], word)]);
    names.chain(WORDS)
}

impl<'t> Parser<'t> {
    /// Takes the next token; `Some(None)` if it does not change the state.
    pub(super) fn token(&mut self, state: State) -> Option<Option<Token>> {
        self.scanner.skip_white_space();
        let Some(next) = self.scanner.next() else {
            return Some(Some(Token::End));
        };
        if next.is_ascii_digit() {
            return self.number(state);
        }
        let is_new = match self.scanner.take_word(words()) {
            Some(Word::Month(month)) => {
                let token = self.after_month(state)?;
                return self
                    .named_month
                    .replace(month)
                    .is_none()
                    .then_some(Some(token));
            }
            Some(Word::Weekday(weekday)) => {
                let is_new = self.weekday.replace(weekday).is_none();
                return is_new.then_some(Some(Token::Weekday));
            }
            Some(Word::Utc) => {
                let is_new = self.offset.replace(Offset::Utc).is_none();
                return is_new.then_some(Some(Token::Utc));
            }
            Some(Word::Era) => return Some(Some(Token::Era)),
            Some(Word::Half(half)) => self.half.replace(half).is_none(),
            Some(Word::Ignored) => true,
            None if next.is_alphabetic() => false,
            None => {
                let before = self.scanner;
                match self.scanner.take_offset().filter(|_| self.offset.is_none()) {
                    Some(minutes) => {
                        self.offset = Some(Offset::Minutes(minutes));
                        true
                    }
                    None => {
                        self.scanner = before;
                        self.scanner.take_punctuation()
                    }
                }
            }
        };
        is_new.then_some(None)
    }

    fn after_month(&mut self, state: State) -> Option<Token> {
        let (before, separator) = self.separator();
        Some(match separator {
            Separator::End => Token::MonthEnd,
            Separator::Space => Token::MonthSpace,
            Separator::Slash => Token::MonthDash,
            Separator::Dash => self.dash(state, before, [Token::MonthDash, Token::MonthSpace]),
            _ => return None,
        })
    }

    fn number(&mut self, state: State) -> Option<Option<Token>> {
        if self.numbers.count == MOST_NUMBERS {
            return None;
        }
        let (number, digits) = self.scanner.take_number()?;
        let is_in_time = matches!(state, State::Hour | State::HourMinute);
        // A point at the end of the text does not begin a fraction.
        if state == State::HourMinute && self.scanner.rest.len() > 1 && self.scanner.take('.') {
            self.fraction = self.scanner.take_fraction().unwrap_or(0.0);
        }
        if is_in_time {
            self.offset_after_time()?;
        }
        let is_year = digits > 2;
        if is_year && self.long_year.replace(number).is_some() {
            return None;
        }
        let (before, separator) = self.separator();
        let of = |of_year, of_number| if is_year { of_year } else { of_number };
        let (dash, space) = (
            of(Token::YearDash, Token::NumberDash),
            of(Token::YearSpace, Token::NumberSpace),
        );
        let token = match separator {
            Separator::End => of(Token::YearEnd, Token::NumberEnd),
            Separator::Space => space,
            Separator::Slash => dash,
            Separator::Dash => self.dash(state, before, [dash, space]),
            Separator::Colon | Separator::T if is_year => return None,
            Separator::Colon => Token::NumberColon,
            Separator::T => Token::NumberT,
            // .NET drops the number before a second `AM` or `PM`.
            Separator::Half(_) if self.half.is_some() => return Some(None),
            Separator::Half(half) => {
                self.half = Some(half);
                // As in `1/10 5 AM`.
                if state == State::TwoOfDate && !is_year {
                    self.complete(Complete::MonthDay)?;
                }
                of(Token::YearSpace, Token::NumberHalf)
            }
            Separator::Unit(unit) => {
                let is_short = matches!(unit, Unit::Year) && !is_year;
                self.set_unit(
                    unit,
                    if is_short {
                        four_digits(number)
                    } else {
                        number
                    },
                )?;
                let is_of_time = matches!(unit, Unit::Hour | Unit::Minute | Unit::Second);
                return Some(Some(if is_of_time {
                    Token::NumberTimeUnit
                } else {
                    Token::NumberDateUnit
                }));
            }
        };
        if !is_year {
            self.numbers.values[self.numbers.count] = number;
            self.numbers.count += 1;
        }
        if is_in_time && token == Token::NumberHalf {
            self.offset_after_time()?;
        }
        Some(Some(token))
    }

    /// Takes an offset, if one follows after white space.
    fn offset_after_time(&mut self) -> Option<()> {
        let rest = self.scanner.rest.trim_start();
        // A sign at the end of the text does not begin an offset.
        if !rest.starts_with(['+', '-']) || self.scanner.rest.len() == 1 {
            return Some(());
        }
        self.scanner.rest = rest;
        let minutes = self.scanner.take_offset()?;
        let before = self.offset.replace(Offset::Minutes(minutes));
        before.is_none().then_some(())
    }

    /// Takes the separator after a number or a month. Also returns the position before it.
    fn separator(&mut self) -> (Scanner<'t>, Separator) {
        let before = self.scanner;
        self.scanner.skip_white_space();
        let separator = match self.scanner.next() {
            None => Separator::End,
            Some(_) => {
                let taken = self.scanner.take_word(SEPARATORS.into_iter());
                taken.unwrap_or(Separator::Space)
            }
        };
        (before, separator)
    }

    /// The token for a `-`, which begins an offset if it cannot continue a date and the date is
    /// complete without it.
    fn dash(&mut self, state: State, before: Scanner<'t>, [dash, space]: [Token; 2]) -> Token {
        let is_offset =
            step(state, dash).is_none() && matches!(step(state, space), Some(Step::Done(_)));
        if is_offset {
            self.scanner = before;
            return space;
        }
        dash
    }

    /// Reads the time of `2002-05-30T09:30:00`, up to the end of the text.
    pub(super) fn iso_time(&mut self) -> Option<(NaiveDateTime, Zone)> {
        let hour = self.scanner.take_two_digits()?;
        self.scanner.take_after_space(':')?;
        let minute = self.scanner.take_two_digits()?;
        let mut second = 0;
        if self.scanner.take_after_space(':').is_some() {
            second = self.scanner.take_two_digits()?;
            if self.scanner.take('.') {
                self.fraction = self.scanner.take_fraction()?;
            }
        }
        self.scanner.skip_white_space();
        match self.scanner.next() {
            Some('+' | '-') => {
                self.offset = Some(Offset::Minutes(self.scanner.take_offset()?));
                // .NET skips the character after it without looking at it.
                self.scanner.skip_one();
            }
            Some('Z' | 'z') => {
                self.offset = Some(Offset::Utc);
                self.scanner.skip_one();
            }
            _ => {}
        }
        for mark in ['#', '\0'] {
            self.scanner.skip_white_space();
            if self.scanner.next() == Some(mark) && !self.scanner.take_punctuation() {
                return None;
            }
        }
        self.scanner.skip_white_space();
        self.scanner.next().is_none().then_some(())?;
        let [month, day, _] = self.numbers.values;
        let date = calendar::date(self.long_year?, month, day)?;
        self.moment(date, [hour, minute, second])
    }
}

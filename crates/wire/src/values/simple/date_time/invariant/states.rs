//! The states of reading dates and times, and the transitions between them.

/// A part of a text with its separator. White space is allowed between digits or letters and the
/// separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    End,
    NumberEnd,
    /// A number before `AM` or `PM`.
    NumberHalf,
    NumberSpace,
    /// A number before `/` or `-`.
    NumberDash,
    /// A number before `:`.
    NumberColon,
    /// A number before `T`.
    NumberT,
    /// A number with a unit of a date.
    NumberDateUnit,
    /// A number with a unit of a time.
    NumberTimeUnit,
    MonthEnd,
    MonthSpace,
    MonthDash,
    /// A number of three digits or more.
    YearEnd,
    YearSpace,
    YearDash,
    Weekday,
    /// `GMT` or `Z`.
    Utc,
    Era,
}

/// The tokens that were read since the last date or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Start,
    Number,
    TwoNumbers,
    /// A number and `/` or `-`: part of a date, as in all states up to
    /// [`YearMonthDash`](Self::YearMonthDash).
    NumberDash,
    TwoOfDate,
    TwoOfDateDash,
    Month,
    MonthNumber,
    NumberMonth,
    MonthNumberDash,
    /// A number, and one or more with a unit.
    NumberUnit,
    Year,
    YearNumber,
    YearNumberDash,
    YearMonth,
    YearMonthDash,
    /// Numbers with units, the last one of a date.
    DateUnit,
    /// Numbers with units, the last one of a time.
    TimeUnit,
    /// A number and `:`.
    Hour,
    /// Two numbers, each with `:` after it.
    HourMinute,
}

/// A complete date or time: the meaning of its numbers and names, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Complete {
    MonthDay,
    MonthDayYear,
    NamedMonthDay,
    /// The number comes first.
    NamedMonthYear,
    /// Day and year, or year and day.
    NamedMonthNumbers,
    YearMonthDay,
    YearNamedMonthDay,
    YearMonth,
    YearNamedMonth,
    Hour,
    HourMinute,
    HourMinuteSecond,
    /// All numbers have units.
    Suffixed,
    /// A day, after numbers with units.
    Day,
    /// A year, before a month with its unit.
    YearOfSuffixed,
    /// Two numbers around those with units.
    NumbersOfSuffixed,
}

/// The result of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    To(State),
    Done(Complete),
}

/// The transition for a token in a state; `None` if it is not allowed there.
pub(super) fn step(state: State, token: Token) -> Option<Step> {
    use State as S;
    use Step::To;
    use Token as T;

    match (state, token) {
        // Tokens that do not determine the meaning of numbers.
        (S::Hour, T::Weekday) => None,
        (S::YearNumberDash, T::Weekday | T::Era) => Some(To(S::YearNumber)),
        (S::YearMonthDash, T::Weekday | T::Era) => Some(To(S::YearMonth)),
        (_, T::Weekday | T::Era) => Some(To(state)),
        (S::Start | S::Number | S::TwoNumbers | S::TimeUnit | S::Hour | S::HourMinute, T::Utc) => {
            Some(To(state))
        }
        (
            S::Start
            | S::TwoNumbers
            | S::TwoOfDate
            | S::MonthNumber
            | S::NumberMonth
            | S::NumberUnit
            | S::DateUnit
            | S::TimeUnit
            | S::Hour
            | S::HourMinute,
            T::NumberTimeUnit,
        ) => Some(To(S::TimeUnit)),
        (
            S::Start | S::Number | S::NumberDash | S::TwoNumbers | S::TwoOfDate | S::TwoOfDateDash,
            _,
        ) => step_of_numbers(state, token),
        (S::Month | S::MonthNumber | S::NumberMonth | S::MonthNumberDash, _) => {
            step_of_month(state, token)
        }
        (S::Year | S::YearNumber | S::YearNumberDash | S::YearMonth | S::YearMonthDash, _) => {
            step_of_year(state, token)
        }
        (S::NumberUnit | S::DateUnit | S::TimeUnit | S::Hour | S::HourMinute, _) => {
            step_of_time(state, token)
        }
    }
}

/// The transition after numbers only.
fn step_of_numbers(state: State, token: Token) -> Option<Step> {
    use Complete as C;
    use State as S;
    use Step::{Done, To};
    use Token as T;

    Some(match (state, token) {
        (S::Start, T::End) => To(S::Start),
        (S::Start, T::NumberHalf) => Done(C::Hour),
        (S::Start, T::NumberSpace) => To(S::Number),
        (S::Start, T::NumberDash) => To(S::NumberDash),
        (S::Start, T::NumberColon) => To(S::Hour),
        (S::Start, T::MonthSpace | T::MonthDash) => To(S::Month),
        (S::Start, T::NumberDateUnit) => To(S::DateUnit),
        (S::Start, T::YearSpace | T::YearDash) => To(S::Year),

        (S::Number | S::NumberDash, T::NumberEnd) => Done(C::MonthDay),
        (S::Number, T::NumberSpace) => To(S::TwoNumbers),
        (S::NumberDash, T::NumberSpace) => To(S::TwoOfDate),
        (S::Number | S::NumberDash, T::NumberDash) => To(S::TwoOfDateDash),
        (S::Number | S::NumberDash, T::MonthEnd) => Done(C::NamedMonthYear),
        (S::Number, T::MonthSpace) => To(S::NumberMonth),
        (S::NumberDash, T::MonthSpace) => To(S::MonthNumber),
        (S::Number | S::NumberDash, T::MonthDash) => To(S::MonthNumberDash),
        (S::Number, T::NumberDateUnit) => To(S::NumberUnit),
        (S::Number | S::NumberDash, T::YearSpace) => To(S::YearNumber),
        (S::Number | S::NumberDash, T::YearDash) => To(S::YearNumberDash),
        (S::Number | S::NumberDash, T::YearEnd) => Done(C::YearMonth),

        (S::TwoNumbers | S::TwoOfDate, T::End) => Done(C::MonthDay),
        (S::TwoNumbers | S::TwoOfDate, T::NumberEnd | T::NumberSpace) => Done(C::MonthDayYear),
        (S::TwoNumbers | S::TwoOfDate, T::NumberHalf) => Done(C::Hour),
        (S::TwoNumbers | S::TwoOfDate, T::NumberColon) => To(S::Hour),
        (S::TwoOfDate | S::TwoOfDateDash, T::NumberDateUnit) => Done(C::Suffixed),
        (S::TwoOfDateDash, T::NumberEnd | T::NumberHalf | T::NumberSpace) => Done(C::MonthDayYear),
        (S::TwoNumbers | S::TwoOfDate | S::TwoOfDateDash, T::MonthEnd | T::MonthSpace) => {
            Done(C::NamedMonthNumbers)
        }
        (S::TwoNumbers | S::TwoOfDate | S::TwoOfDateDash, T::YearEnd | T::YearSpace) => {
            Done(C::YearMonthDay)
        }
        _ => return None,
    })
}

/// The transition after the name of a month, with or without numbers.
fn step_of_month(state: State, token: Token) -> Option<Step> {
    use Complete as C;
    use State as S;
    use Step::{Done, To};
    use Token as T;

    Some(match (state, token) {
        (S::Month, T::NumberEnd) => Done(C::NamedMonthDay),
        (S::Month, T::NumberSpace) => To(S::MonthNumber),
        (S::Month, T::NumberDash) => To(S::MonthNumberDash),
        (S::Month, T::YearSpace) => To(S::YearMonth),
        (S::Month, T::YearDash) => To(S::YearMonthDash),
        (S::Month, T::YearEnd) => Done(C::YearNamedMonth),

        (S::MonthNumber, T::End) => Done(C::NamedMonthDay),
        (S::NumberMonth, T::End) => Done(C::NamedMonthYear),
        (S::MonthNumber | S::NumberMonth, T::NumberEnd | T::NumberHalf | T::NumberSpace) => {
            Done(C::NamedMonthNumbers)
        }
        (S::MonthNumber | S::NumberMonth, T::NumberColon) => To(S::Hour),
        (S::MonthNumber | S::NumberMonth, T::NumberDateUnit) => Done(C::Suffixed),
        (S::MonthNumberDash, T::NumberEnd | T::NumberSpace) => Done(C::NamedMonthNumbers),
        (S::MonthNumber | S::NumberMonth | S::MonthNumberDash, T::YearEnd | T::YearSpace) => {
            Done(C::YearNamedMonthDay)
        }
        _ => return None,
    })
}

/// The transition after a year of three digits or more.
fn step_of_year(state: State, token: Token) -> Option<Step> {
    use Complete as C;
    use State as S;
    use Step::{Done, To};
    use Token as T;

    Some(match (state, token) {
        (S::Year, T::NumberEnd) => Done(C::YearMonth),
        (S::Year, T::NumberSpace) => To(S::YearNumber),
        (S::Year, T::NumberDash) => To(S::YearNumberDash),
        (S::Year, T::MonthEnd) => Done(C::YearNamedMonth),
        (S::Year, T::MonthSpace | T::NumberDateUnit) => To(S::YearMonth),
        (S::Year, T::MonthDash) => To(S::YearMonthDash),

        (S::YearNumber, T::End) => Done(C::YearMonth),
        (S::YearNumber | S::YearNumberDash, T::NumberEnd | T::NumberHalf | T::NumberSpace) => {
            Done(C::YearMonthDay)
        }
        (S::YearNumber | S::YearNumberDash, T::MonthEnd | T::MonthSpace) => {
            Done(C::YearNamedMonthDay)
        }

        (S::YearMonth, T::End) => Done(C::YearNamedMonth),
        (S::YearMonth | S::YearMonthDash, T::NumberEnd | T::NumberHalf | T::NumberSpace) => {
            Done(C::YearNamedMonthDay)
        }
        _ => return None,
    })
}

/// The transition after numbers with units, and after a time.
fn step_of_time(state: State, token: Token) -> Option<Step> {
    use Complete as C;
    use State as S;
    use Step::{Done, To};
    use Token as T;

    Some(match (state, token) {
        (S::NumberUnit, T::End) => Done(C::YearOfSuffixed),
        (S::NumberUnit, T::NumberEnd | T::NumberHalf | T::NumberSpace) => {
            Done(C::NumbersOfSuffixed)
        }
        (S::NumberUnit, T::NumberColon) => To(S::Hour),
        (S::NumberUnit, T::NumberDateUnit) => To(S::NumberUnit),

        (S::DateUnit, T::End) => Done(C::Suffixed),
        (S::DateUnit, T::NumberEnd) => Done(C::Day),
        (S::DateUnit, T::NumberHalf) => Done(C::Hour),
        (S::DateUnit, T::NumberColon) => To(S::Hour),
        (S::TimeUnit, T::End | T::NumberEnd | T::NumberHalf) => Done(C::Suffixed),
        (S::TimeUnit, T::NumberDash) => To(S::NumberDash),
        (S::DateUnit | S::TimeUnit, T::NumberSpace) => To(S::Hour),
        (S::DateUnit | S::TimeUnit, T::NumberDateUnit) => To(S::DateUnit),

        (S::Hour, T::NumberEnd | T::NumberHalf | T::NumberSpace) => Done(C::HourMinute),
        (S::Hour, T::NumberColon) => To(S::HourMinute),
        (S::Hour, T::MonthEnd) => Done(C::NamedMonthYear),
        (S::Hour, T::MonthSpace) => To(S::NumberMonth),
        (S::HourMinute, T::NumberEnd | T::NumberHalf | T::NumberSpace) => Done(C::HourMinuteSecond),
        _ => return None,
    })
}

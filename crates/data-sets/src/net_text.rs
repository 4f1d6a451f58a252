//! The texts of cells in the form that .NET writes.

use std::borrow::Cow;

use svcgen_wire::internals::{Mismatch, Simple, TimeZone, base64, number};
use svcgen_wire::types::{self, DateTime, Zone};

use crate::date_time_mode::DateTimeMode;

/// The canonical text of the value of a text.
pub(crate) fn same<T: Simple>(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    Ok(text_of(&T::read_text(text)?, text))
}

/// The text of a value, which often equals the given one.
pub(crate) fn text_of<'t>(value: &impl Simple, text: &'t str) -> Cow<'t, str> {
    let mut written = Cow::Borrowed(text);
    value.text(|bytes| {
        if bytes != text.as_bytes() {
            written = String::from_utf8_lossy(bytes).into_owned().into();
        }
    });
    written
}

pub(crate) fn bytes(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let bytes = base64::decode(text).ok_or(Mismatch::Message("Invalid base64."))?;
    let mut written = Vec::new();
    base64::encode(&bytes, &mut written);
    if written == text.as_bytes() {
        return Ok(Cow::Borrowed(text));
    }
    Ok(String::from_utf8_lossy(&written).into_owned().into())
}

pub(crate) fn hexadecimal(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let bytes: Result<types::HexBinary, _> = text.parse();
    let bytes = bytes.map_err(|_| Mismatch::Message("Invalid hexadecimal digits."))?;
    Ok(bytes.to_string().into())
}

/// A duration as written by .NET's `TimeSpan`: its parts from days to fractions of seconds, with
/// 365 days for a year and 30 for a month.
pub(crate) fn span(text: &str) -> Result<String, Mismatch> {
    let given = types::Duration::read_text(text).map_err(|_| Mismatch::NotA("TimeSpan"))?;
    let too_long = Mismatch::Message("The TimeSpan is too long.");
    let days = given.years.checked_mul(365);
    let months = given.months.checked_mul(30);
    let days = days
        .zip(months)
        .and_then(|(years, months)| years.checked_add(months)?.checked_add(given.days));
    let seconds = days.map(|days| {
        let hours = u128::from(days) * 24 + u128::from(given.hours);
        (hours * 60 + u128::from(given.minutes)) * 60 + u128::from(given.seconds)
    });
    // Ticks of 100 nanoseconds in 64 bits.
    let limit = u128::from(i64::MAX.unsigned_abs()) / 10_000_000;
    let seconds = seconds.filter(|seconds| *seconds <= limit);
    let seconds = seconds.ok_or(too_long)? as u64;
    let spread = types::Duration {
        negative: given.negative,
        years: 0,
        months: 0,
        days: seconds / 86_400,
        hours: seconds / 3_600 % 24,
        minutes: seconds / 60 % 60,
        seconds: seconds % 60,
        nanoseconds: given.nanoseconds / 100 * 100,
    };
    Ok(spread.to_string())
}

/// Reads a `DateTimeOffset`, which has an offset and keeps it.
pub(crate) fn offset_time(text: &str) -> Result<Cow<'_, str>, Mismatch> {
    let value = DateTime::read_text(text)?;
    Ok(text_of(&value, number::trim(text)))
}

pub(crate) fn read_time(
    text: &str,
    mode: DateTimeMode,
    zone: TimeZone,
) -> Result<Cow<'_, str>, Mismatch> {
    let value = DateTime::read_in(zone, false, text)?;
    Ok(text_of(&read_as(value, mode, zone), number::trim(text)))
}

/// Converts a value, which is shown in a time zone, according to the mode of a column.
fn read_as(value: DateTime, mode: DateTimeMode, zone: TimeZone) -> DateTime {
    let is_shown = zone != TimeZone::AsWritten;
    let unspecified = DateTime::new(value.local, Zone::Unspecified);
    match mode {
        // .NET keeps only the digits.
        DateTimeMode::UnspecifiedLocal if is_shown && value.zone == Zone::Utc => unspecified,
        DateTimeMode::UnspecifiedLocal => value,
        DateTimeMode::Unspecified => unspecified,
        DateTimeMode::Utc => {
            let utc = value.to_utc().map(|utc| utc.naive_utc());
            DateTime::new(utc.unwrap_or(value.local), Zone::Utc)
        }
        DateTimeMode::Local => local(value, zone),
    }
}

/// A value with the offset of the time zone, unless values are shown as written.
fn local(value: DateTime, zone: TimeZone) -> DateTime {
    let offset = match value.to_utc() {
        Some(utc) => zone.offset_at(utc.naive_utc()),
        None => zone.offset_of_local(value.local),
    };
    let Some(offset) = offset else { return value };
    let local = match value.to_utc() {
        Some(utc) => utc.naive_utc().checked_add_offset(offset),
        None => Some(value.local),
    };
    local.map_or(value, |local| DateTime::new(local, Zone::Offset(offset)))
}

pub(crate) fn shown_time(text: &str, mode: DateTimeMode, zone: TimeZone) -> Cow<'_, str> {
    let is_local = matches!(mode, DateTimeMode::UnspecifiedLocal | DateTimeMode::Local);
    if !is_local || zone == TimeZone::AsWritten {
        return Cow::Borrowed(text);
    }
    match DateTime::read_text(text) {
        Ok(value) => text_of(&local(value, zone), text),
        Err(_) => Cow::Borrowed(text),
    }
}

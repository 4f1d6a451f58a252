//! Times of tokens and timestamps.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, NaiveDateTime};

/// Parses a time (XML Schema dateTime), in UTC if it has no zone. Returns `None` if it is
/// malformed, or before 1970.
pub fn parse(text: &str) -> Option<SystemTime> {
    let text = text.trim_ascii();
    let of_zone = DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let time = of_zone.or_else(|_| {
        let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f");
        time.map(|time| time.and_utc())
    });
    let time = time.ok()?;
    let seconds = u64::try_from(time.timestamp()).ok()?;
    let nanoseconds = time.timestamp_subsec_nanos().min(999_999_999);
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

/// Writes a time in UTC with milliseconds, as .NET does: `2026-01-31T09:30:00.000Z`.
pub fn write(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or(DateTime::UNIX_EPOCH);
    let milliseconds = since.subsec_millis();
    format!("{:?}.{milliseconds:03}Z", time.naive_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_other_stacks_are_read() {
        for text in [
            "2026-01-31T09:30:00Z",
            "2026-01-31T09:30:00.000Z",
            " 2026-01-31T10:30:00.0+01:00\n",
            "2026-01-31T09:30:00",
            "2026-01-31T09:30:00.0000000Z",
        ] {
            let time = parse(text).unwrap();
            assert_eq!(write(time), "2026-01-31T09:30:00.000Z", "{text}");
        }
        for text in [
            "",
            "2026-01-31",
            "1969-12-31T23:59:59Z",
            "now",
            "12026-01-31T09:30:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

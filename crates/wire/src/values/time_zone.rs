//! The time zone of a service, in which .NET shows times to its server.

use svcgen_model::Service;

/// How values of a message that name an offset are shown, and which offset times get that name none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum TimeZone {
    /// As they are written; UTC for times.
    #[default]
    AsWritten,
    /// In the zone of a fixed offset.
    #[cfg(feature = "time")]
    Fixed(chrono::FixedOffset),
    /// In a zone of the IANA database.
    #[cfg(feature = "time-zones")]
    Named(chrono_tz::Tz),
}

impl TimeZone {
    /// That of a service.
    ///
    /// # Panics
    ///
    /// There is no such zone, or it has a name and the feature `time-zones` is off.
    pub fn of(service: &Service<'_>) -> Self {
        Self::named(service.time_zone)
    }

    /// That of this name.
    ///
    /// # Panics
    ///
    /// As [`of`](Self::of) does.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            None => Self::AsWritten,
            Some(name) => Self::parse(name).unwrap_or_else(|| {
                panic!(
                    "`{name}` is no time zone that is known; names need the feature `time-zones`"
                )
            }),
        }
    }

    #[cfg(not(feature = "time"))]
    fn parse(_: &str) -> Option<Self> {
        // Without the feature no value depends on it.
        Some(Self::AsWritten)
    }

    #[cfg(feature = "time")]
    fn parse(name: &str) -> Option<Self> {
        use super::types::Zone;
        match super::simple::date_time::whole_zone(if name == "UTC" { "Z" } else { name }) {
            Some(Zone::Unspecified) => None,
            Some(zone) => zone.offset().map(Self::Fixed),
            #[cfg(feature = "time-zones")]
            None => name.parse().ok().map(Self::Named),
            #[cfg(not(feature = "time-zones"))]
            None => None,
        }
    }
}

#[cfg(feature = "time")]
mod moments {
    use std::time::{SystemTime, UNIX_EPOCH};

    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime};

    use super::TimeZone;

    fn now() -> NaiveDateTime {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.map_or(0, |since| since.as_secs());
        let seconds = i64::try_from(seconds).unwrap_or_default();
        let now = DateTime::from_timestamp(seconds, 0);
        now.unwrap_or_default().naive_utc()
    }

    impl TimeZone {
        /// Its offset at a moment in UTC; `None` if values are shown as they are written.
        pub fn offset_at(self, _moment: NaiveDateTime) -> Option<FixedOffset> {
            match self {
                Self::AsWritten => None,
                Self::Fixed(offset) => Some(offset),
                #[cfg(feature = "time-zones")]
                Self::Named(zone) => {
                    use chrono::{Offset as _, TimeZone as _};
                    let offset = zone.offset_from_utc_datetime(&_moment).fix();
                    // Local mean times of the years before zones have seconds, which XML Schema cannot write.
                    FixedOffset::east_opt(offset.local_minus_utc() / 60 * 60)
                }
            }
        }

        /// The offset of a date and time in it, the earlier one where clocks are put back; `None` if values are shown as they are written.
        pub fn offset_of_local(self, local: NaiveDateTime) -> Option<FixedOffset> {
            let first = self.offset_at(local.checked_sub_offset(self.offset_at(local)?)?)?;
            // The offset of the moment may be another than that of its digits, read as UTC.
            self.offset_at(local.checked_sub_offset(first)?)
        }

        /// Its offset now.
        pub(crate) fn offset_now(self) -> Option<FixedOffset> {
            self.offset_at(now())
        }

        /// The date in it; in UTC if values are shown as they are written.
        pub(crate) fn today(self) -> NaiveDate {
            let now = now();
            let local = self
                .offset_at(now)
                .and_then(|offset| now.checked_add_offset(offset));
            local.unwrap_or(now).date()
        }
    }
}

#[cfg(all(test, feature = "time-zones"))]
mod tests {
    use super::TimeZone;

    #[test]
    fn zones_have_offsets() {
        let offset = |zone: &str, day: &str| {
            let midnight = day.parse::<chrono::NaiveDate>().unwrap().into();
            let offset = TimeZone::parse(zone)?.offset_at(midnight)?;
            Some(offset.to_string())
        };
        let rows = [
            ("UTC", "2024-02-29", "+00:00"),
            ("-05:00", "2024-07-04", "-05:00"),
            ("America/New_York", "2024-02-29", "-05:00"),
            ("America/New_York", "2024-07-04", "-04:00"),
            ("America/New_York", "2099-07-04", "-04:00"),
            // The local mean time is 4:56:02 behind.
            ("America/New_York", "0001-01-01", "-04:56"),
            ("Asia/Kolkata", "2024-07-04", "+05:30"),
        ];
        for (zone, day, expected) in rows {
            assert_eq!(offset(zone, day).as_deref(), Some(expected), "{zone} {day}");
        }
        for wrong in ["", "Nowhere/At_All", "+15:00", "5"] {
            assert_eq!(TimeZone::parse(wrong), None, "{wrong}");
        }
    }
}

//! The time zone of a service, in which .NET shows times to its server.

/// Determines how values that state an offset are shown, and which offset is written for times that
/// state none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum TimeZone {
    /// As written; UTC for times.
    #[default]
    AsWritten,
    /// In the zone of a fixed offset.
    #[cfg(feature = "time")]
    Fixed(chrono::FixedOffset),
    /// In a zone of the IANA database.
    #[cfg(feature = "time-zones")]
    Named(chrono_tz::Tz),
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
        /// The offset of the zone at a moment in UTC; `None` if values are shown as written.
        pub fn offset_at(self, _moment: NaiveDateTime) -> Option<FixedOffset> {
            match self {
                Self::AsWritten => None,
                Self::Fixed(offset) => Some(offset),
                #[cfg(feature = "time-zones")]
                Self::Named(zone) => {
                    use chrono::{Offset as _, TimeZone as _};
                    let offset = zone.offset_from_utc_datetime(&_moment).fix();
                    // Local mean times, from before time zones existed, have seconds, which XML
                    // Schema cannot write.
                    FixedOffset::east_opt(offset.local_minus_utc() / 60 * 60)
                }
            }
        }

        /// The offset of a local date and time, the earlier one where clocks are put back; `None`
        /// if values are shown as written.
        pub fn offset_of_local(self, local: NaiveDateTime) -> Option<FixedOffset> {
            let first = self.offset_at(local.checked_sub_offset(self.offset_at(local)?)?)?;
            // The offset at the moment may differ from the offset at its digits read as UTC.
            self.offset_at(local.checked_sub_offset(first)?)
        }

        /// The current offset.
        pub(crate) fn offset_now(self) -> Option<FixedOffset> {
            self.offset_at(now())
        }

        /// The current date in the zone; in UTC if values are shown as written.
        pub(crate) fn today(self) -> NaiveDate {
            let now = now();
            let local = self
                .offset_at(now)
                .and_then(|offset| now.checked_add_offset(offset));
            local.unwrap_or(now).date()
        }
    }
}

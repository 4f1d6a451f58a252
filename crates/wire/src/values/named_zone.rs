//! The time zone that a service names.

use svcgen_model::Service;

use super::time_zone::TimeZone;

impl TimeZone {
    /// The time zone of a service.
    ///
    /// # Panics
    ///
    /// Panics if there is no such zone, or if it has a name and the feature `time-zones` is off.
    pub fn of(service: &Service<'_>) -> Self {
        Self::named(service.time_zone)
    }

    /// The time zone with this name.
    ///
    /// # Panics
    ///
    /// Panics as [`of`](Self::of) does.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            None => Self::AsWritten,
            Some(name) => Self::parse(name).unwrap_or_else(|| {
                panic!(
                    "`{name}` is not a time zone that is known; names need the feature `time-zones`"
                )
            }),
        }
    }

    #[cfg(not(feature = "time"))]
    fn parse(_: &str) -> Option<Self> {
        // Without the feature, no value depends on the zone.
        Some(Self::AsWritten)
    }

    #[cfg(feature = "time")]
    fn parse(name: &str) -> Option<Self> {
        use super::simple::calendar::zone;
        use super::simple::types::Zone;
        match zone(if name == "UTC" { "Z" } else { name }) {
            Some(Zone::Unspecified) => None,
            Some(zone) => zone.offset().map(Self::Fixed),
            #[cfg(feature = "time-zones")]
            None => name.parse().ok().map(Self::Named),
            #[cfg(not(feature = "time-zones"))]
            None => None,
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

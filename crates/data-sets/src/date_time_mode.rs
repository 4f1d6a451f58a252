//! The treatment of zones in columns of dates and times.

/// The way in which a column of the type `dateTime` keeps the zone of its values, .NET
/// `DataSetDateTime`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DateTimeMode {
    /// As written; a service in a time zone writes its offset.
    #[default]
    UnspecifiedLocal,
    /// Without a zone.
    Unspecified,
    /// In the time zone of the service.
    Local,
    /// In UTC.
    Utc,
}

impl DateTimeMode {
    const NAMES: [(Self, &'static str); 4] = [
        (Self::UnspecifiedLocal, "UnspecifiedLocal"),
        (Self::Unspecified, "Unspecified"),
        (Self::Local, "Local"),
        (Self::Utc, "Utc"),
    ];

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names
            .find(|(_, known)| *known == name)
            .map(|(mode, _)| *mode)
    }

    pub(crate) fn name(self) -> &'static str {
        let mut names = Self::NAMES.iter();
        names
            .find(|(mode, _)| *mode == self)
            .map_or("", |(_, name)| name)
    }
}

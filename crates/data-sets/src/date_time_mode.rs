//! What columns of dates and times keep of a zone.

/// How a column of the type `dateTime` keeps what a value says about its zone, .NET
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

//! The versions of WS-Addressing.

/// A version of WS-Addressing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Version {
    /// WS-Addressing 1.0, of 2005/08: WCF, zeep, CXF, Metro.
    #[default]
    Recommendation,
    /// The submission of 2004/08: WSE 2 and 3.
    Submission,
}

impl Version {
    pub(super) const ALL: [Self; 2] = [Self::Recommendation, Self::Submission];

    /// Returns the namespace of the headers.
    pub fn namespace(self) -> &'static str {
        match self {
            Self::Recommendation => "http://www.w3.org/2005/08/addressing",
            Self::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing",
        }
    }

    /// Returns the address of the caller who waits for the HTTP response.
    pub(super) fn anonymous(self) -> &'static str {
        match self {
            Self::Recommendation => "http://www.w3.org/2005/08/addressing/anonymous",
            Self::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
        }
    }

    /// Returns the address for answers that are not sent.
    pub(super) fn none(self) -> Option<&'static str> {
        match self {
            Self::Recommendation => Some("http://www.w3.org/2005/08/addressing/none"),
            Self::Submission => None,
        }
    }

    /// Returns the action of faults, about the headers or others.
    pub(super) fn fault_action(self, is_about_headers: bool) -> &'static str {
        match self {
            Self::Recommendation if is_about_headers => {
                "http://www.w3.org/2005/08/addressing/fault"
            }
            Self::Recommendation => "http://www.w3.org/2005/08/addressing/soap/fault",
            Self::Submission => "http://schemas.xmlsoap.org/ws/2004/08/addressing/fault",
        }
    }
}

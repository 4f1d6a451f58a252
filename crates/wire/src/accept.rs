//! Deviations from the standards that clients can accept.

/// A deviation from the standards in answers of some servers. Like .NET clients, clients refuse it
/// unless they are set to accept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Accept {
    /// Times of ISO 8601 that .NET does not read: `24:00:00` (the start of the next day), offsets
    /// such as `+0200` or `+02`, and a blank instead of `T`.
    ///
    /// They are refused by default, because a server that writes them may get other times wrong as
    /// well.
    Times,
    /// An empty element for an optional number, boolean, date, enumeration or other value that is a
    /// struct in .NET: it reads as absent.
    ///
    /// It is refused by default, because the server may have lost the value.
    EmptyNumbers,
    /// Text before the XML declaration, or before the first `<`: line feeds, or warnings of the
    /// program that wrote the message.
    ///
    /// It is refused by default, because the text may report an error that makes the answer wrong.
    LeadingText,
    /// An XML declaration that contradicts the encoding in the HTTP header: the declaration wins.
    ///
    /// By default, the header wins (RFC 7303), because proxies that change the encoding of a
    /// message change only the header.
    DeclaredEncoding,
    /// A prefix in `xsi:type` that is bound to the wrong namespace, or is undeclared: only the
    /// local name counts.
    ///
    /// It is refused by default, because types of different namespaces may share a name.
    TypeNames,
    /// References to characters that XML 1.0 forbids, such as `&#x1D;`, which .NET writes but does
    /// not read.
    ///
    /// They are refused by default, because few programs expect control characters in a text. They
    /// are never accepted in untyped XML (`any`).
    ControlCharacters,
}

impl Accept {
    /// All deviations.
    pub const ALL: [Self; 6] = [
        Self::Times,
        Self::EmptyNumbers,
        Self::LeadingText,
        Self::DeclaredEncoding,
        Self::TypeNames,
        Self::ControlCharacters,
    ];

    /// Returns the name for options of programs, such as `empty-numbers`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Times => "times",
            Self::EmptyNumbers => "empty-numbers",
            Self::LeadingText => "leading-text",
            Self::DeclaredEncoding => "declared-encoding",
            Self::TypeNames => "type-names",
            Self::ControlCharacters => "control-characters",
        }
    }

    /// Returns the deviation with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns a short description, for the help of programs.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Times => "24:00:00, offsets such as +0200, and a blank before a time",
            Self::EmptyNumbers => "an empty element for an optional number or the like",
            Self::LeadingText => "text before the document",
            Self::DeclaredEncoding => "the encoding of the XML declaration, not of the header",
            Self::TypeNames => "a wrong prefix in xsi:type",
            Self::ControlCharacters => "references to characters that XML forbids",
        }
    }
}

/// A set of accepted deviations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Accepted(u8);

impl Accepted {
    /// Deviations that .NET writes but does not read.
    pub const WRITTEN_BY_NET: Self = Self(0).with(Accept::ControlCharacters);

    /// The same set with another deviation.
    pub const fn with(self, one: Accept) -> Self {
        Self(self.0 | 1 << one as u8)
    }

    /// Whether the set contains a deviation.
    pub const fn has(self, one: Accept) -> bool {
        self.0 & 1 << one as u8 != 0
    }
}

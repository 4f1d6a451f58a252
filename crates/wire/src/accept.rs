//! What clients read beside what .NET reads.

/// Something that some servers answer and clients refuse, as those of .NET do, unless they are told to accept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Accept {
    /// Times as ISO 8601 has them and .NET does not: `24:00:00`, which is the start of the next day, offsets as `+0200` or `+02`, and a blank in the place of `T`.
    ///
    /// They are refused by default: a server that writes one of them may mean other times otherwise, too.
    Times,
    /// An empty element for a number, a boolean, a date, an enumeration or another value that .NET has as a struct, where it may be absent: it is.
    ///
    /// It is refused by default, as it may also be a value that was lost.
    EmptyNumbers,
    /// Anything before the XML declaration, or else before the first `<`: line feeds, or warnings of the program that wrote the message.
    ///
    /// It is refused by default, as what stands there may say that the answer is not to be trusted.
    LeadingText,
    /// An XML declaration that names another encoding than the header: what it says counts.
    ///
    /// The header counts by default (RFC 7303), as proxies that change the encoding of a message change that alone.
    DeclaredEncoding,
    /// A prefix in `xsi:type` that stands for another namespace than that of the type, or for none: the name alone counts.
    ///
    /// It is refused by default, as types of several namespaces may have one name.
    TypeNames,
    /// References to characters that XML 1.0 does not have, such as `&#x1D;`, which .NET writes and does not read itself.
    ///
    /// They are refused by default, as few programs expect a text with control characters. XML of no type (`any`) has them neither way.
    ControlCharacters,
}

impl Accept {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Times,
        Self::EmptyNumbers,
        Self::LeadingText,
        Self::DeclaredEncoding,
        Self::TypeNames,
        Self::ControlCharacters,
    ];

    /// The name in options of programs, such as `empty-numbers`.
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

    /// The one of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// What is accepted, for the help of programs.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Times => "24:00:00, offsets such as +0200, and a blank before a time",
            Self::EmptyNumbers => "an empty element for a number or the like that may be absent",
            Self::LeadingText => "text before the document",
            Self::DeclaredEncoding => "the encoding of the XML declaration, not of the header",
            Self::TypeNames => "a wrong prefix in xsi:type",
            Self::ControlCharacters => "references to characters that XML does not have",
        }
    }
}

/// A set of what is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Accepted(u8);

impl Accepted {
    /// What answers hold that .NET writes and does not read.
    pub const WRITTEN_BY_NET: Self = Self(0).with(Accept::ControlCharacters);

    /// The same set with one more.
    pub const fn with(self, one: Accept) -> Self {
        Self(self.0 | 1 << one as u8)
    }

    /// Whether the set has this one.
    pub const fn has(self, one: Accept) -> bool {
        self.0 & 1 << one as u8 != 0
    }
}

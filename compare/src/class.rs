//! Whom changes concern, and how bad they are.

/// Whom a change concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Audience {
    /// Whoever calls the service today, with whatever stack, and will call the new server.
    Callers,
    /// A client of the new definition that calls a server of the old one.
    NewClients,
    /// Who implements the handler trait.
    Implementors,
    /// Who uses the generated client in Rust.
    ClientUsers,
}

/// Whether a change breaks somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// It does not.
    Works,
    /// It does if they rely on what the reason says, such as a schema that is held to the letter.
    Depends,
    /// It does: a message is refused or read as something else; code does not compile.
    Breaks,
}

/// What a change is on the whole: the worst that it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Class {
    /// It breaks today's callers.
    Wire,
    /// It breaks today's callers if they rely on what the effect says.
    Depends,
    /// It breaks Rust code: of those who implement the service, or of those who use its client.
    Source,
    /// It breaks new clients for as long as the server is the old one.
    Rollout,
    /// It breaks nobody.
    Compatible,
    /// Nothing but documentation changes.
    Documentation,
}

impl Class {
    /// All of them, the worst first.
    pub const ALL: [Self; 6] = [
        Self::Wire,
        Self::Depends,
        Self::Source,
        Self::Rollout,
        Self::Compatible,
        Self::Documentation,
    ];

    /// `wire`, `depends`, `source`, `rollout`, `compatible` or `documentation`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Depends => "depends",
            Self::Source => "source",
            Self::Rollout => "rollout",
            Self::Compatible => "compatible",
            Self::Documentation => "documentation",
        }
    }
}

impl Audience {
    /// `callers`, `new-clients`, `implementors` or `client-users`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::NewClients => "new-clients",
            Self::Implementors => "implementors",
            Self::ClientUsers => "client-users",
        }
    }
}

impl Verdict {
    /// `works`, `depends` or `breaks`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Depends => "depends",
            Self::Breaks => "breaks",
        }
    }
}

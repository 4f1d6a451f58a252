//! The words for what a comparison finds.

/// What changed from one definition to another, the worst first.
#[derive(Debug, Clone)]
pub struct Comparison {
    changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Change {
    /// What kind of change it is: `parameter-added`.
    pub code: String,
    /// The change in one sentence.
    pub what: String,
    /// Where it stands in the old definition, if it does.
    pub old: Option<Spot>,
    /// Where it stands in the new definition, if it does.
    pub new: Option<Spot>,
    /// What it means for each of those who notice it.
    pub effects: Vec<Effect>,
    /// What would help.
    pub help: Option<String>,
    pub(super) is_documentation: bool,
}

/// A place in a definition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Spot {
    /// How many files come before it: the definition itself is the first, then comes what it includes.
    pub(super) number: usize,
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// What a change means for somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// For whom.
    pub audience: Audience,
    /// Whether it breaks them.
    pub verdict: Verdict,
    /// Over which bindings, as definitions call them; none for those who work on source code.
    pub bindings: Vec<&'static str>,
    /// In calls of which operations; none for those who work on source code.
    pub operations: Vec<String>,
    /// Why.
    pub why: String,
}

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

impl Effect {
    /// The class of a change with this effect alone.
    pub fn class(&self) -> Class {
        match (self.audience, self.verdict) {
            (_, Verdict::Works) => Class::Compatible,
            (Audience::Callers, Verdict::Breaks) => Class::Wire,
            (Audience::Callers, Verdict::Depends) => Class::Depends,
            (Audience::NewClients, _) => Class::Rollout,
            (Audience::Implementors | Audience::ClientUsers, _) => Class::Source,
        }
    }
}

impl Change {
    /// The worst that the change does.
    pub fn class(&self) -> Class {
        let classes = self.effects.iter().map(Effect::class);
        match self.is_documentation {
            true => Class::Documentation,
            false => classes.min().unwrap_or(Class::Compatible),
        }
    }

    /// Whether one of its effects is of this class.
    pub fn is(&self, class: Class) -> bool {
        class == self.class() || self.effects.iter().any(|effect| effect.class() == class)
    }
}

impl Comparison {
    /// The worst first, then in the order of the new definition; what is gone, in the order of the old one.
    pub(super) fn new(mut changes: Vec<Change>) -> Self {
        changes.sort_by_cached_key(|change| {
            let is_gone = change.new.is_none();
            let spot = change.new.as_ref().or(change.old.as_ref());
            (change.class(), is_gone, spot.cloned())
        });
        Self { changes }
    }

    /// The changes, the worst first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether a change has an effect of this class.
    pub fn has(&self, class: Class) -> bool {
        self.changes.iter().any(|change| change.is(class))
    }
}

//! What a comparison finds: changes, who is affected, and how badly.

use svcgen_codegen::model::Bindings;

use crate::codes::Code;

/// Declares an enum whose variants have names.
macro_rules! named {
    ($(#[$about:meta])* $enumeration:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $enumeration {
            $($(#[$doc])* #[doc = concat!("`", $name, "`.")] $value,)+
        }

        impl $enumeration {
            /// All variants, in order.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    };
}

pub(crate) use named;

named! {
    /// Who is affected by a change.
    Audience {
        /// Existing callers, on any SOAP stack, that will call the new server:
        Callers = "callers",
        /// Clients generated from the new definition that call a server of the old one:
        NewClients = "new-clients",
        /// Rust code that implements the handler trait:
        Implementors = "implementors",
        /// Rust code that uses the generated client:
        ClientUsers = "client-users",
    }
}

named! {
    /// Whether a change breaks an audience.
    Verdict {
        /// It does not:
        Works = "works",
        /// It does if they rely on what the reason names, such as strict validation against the schema:
        Depends = "depends",
        /// It does: a message is refused or misread, or code does not compile:
        Breaks = "breaks",
    }
}

named! {
    /// The class of a change is that of its worst effect. The worst class comes first.
    Class {
        /// It breaks existing callers:
        Wire = "wire",
        /// It breaks existing callers if they rely on what the effect names:
        Depends = "depends",
        /// It breaks Rust code that implements the handler trait or uses the client:
        Source = "source",
        /// It breaks new clients while the server is still the old one:
        Rollout = "rollout",
        /// It breaks nobody:
        Compatible = "compatible",
        /// It changes documentation alone:
        Documentation = "documentation",
    }
}

/// The changes from one definition to another, the worst first.
#[derive(Debug, Clone)]
pub struct Comparison {
    changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Change {
    /// The kind of change.
    pub code: Code,
    /// The change in one sentence.
    pub what: String,
    /// Its place in the old definition, unless it is new.
    pub old: Option<Span>,
    /// Its place in the new definition, unless it was removed.
    pub new: Option<Span>,
    /// What it means for each audience that notices it.
    pub effects: Vec<Effect>,
    /// What would help.
    pub help: Option<String>,
}

/// A place in a definition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Span {
    /// The number of the file: 0 for the definition itself, then those that it includes.
    pub(crate) number: usize,
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// What a change means for an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// Who is affected.
    pub audience: Audience,
    /// Whether it breaks them.
    pub verdict: Verdict,
    /// The bindings of the messages concerned; none for effects on Rust code.
    pub bindings: Bindings,
    /// The operations of the messages concerned; none for effects on Rust code.
    pub operations: Vec<String>,
    /// Why.
    pub why: String,
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
    /// The class of the worst effect.
    pub fn class(&self) -> Class {
        let classes = self.effects.iter().map(Effect::class);
        match self.code.row().class {
            Class::Documentation => Class::Documentation,
            _ => classes.min().unwrap_or(Class::Compatible),
        }
    }
}

impl Comparison {
    /// Sorts changes by class, then by their places in the new definition. Removals, sorted by their places in the old one, come last.
    pub(crate) fn new(mut changes: Vec<Change>) -> Self {
        changes.sort_by_cached_key(|change| {
            let is_gone = change.new.is_none();
            let span = change.new.as_ref().or(change.old.as_ref());
            (change.class(), is_gone, span.cloned())
        });
        Self { changes }
    }

    /// The changes, the worst first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether any change is of this class, or has an effect of it.
    pub fn has(&self, class: Class) -> bool {
        self.changes.iter().any(|change| {
            let mut effects = change.effects.iter();
            change.class() == class || effects.any(|effect| effect.class() == class)
        })
    }
}

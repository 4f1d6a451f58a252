//! The result of a comparison: changes, the affected audiences, and the severity.

use svcgen_codegen::model::Bindings;

use crate::class::{Audience, Class, Verdict};
use crate::codes::Code;

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
    /// The effect on each audience that notices the change.
    pub effects: Vec<Effect>,
    /// A hint.
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

/// The effect of a change on an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// The affected audience.
    pub audience: Audience,
    /// Whether the change breaks this audience.
    pub verdict: Verdict,
    /// The bindings of the messages concerned; empty for effects on Rust code.
    pub bindings: Bindings,
    /// The operations of the messages concerned; empty for effects on Rust code.
    pub operations: Vec<String>,
    /// The reason.
    pub why: String,
}

impl Effect {
    /// Returns the class of a change with this effect alone.
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
    /// Returns the class of the worst effect.
    pub fn class(&self) -> Class {
        let classes = self.effects.iter().map(Effect::class);
        match self.code.row().class {
            Class::Documentation => Class::Documentation,
            _ => classes.min().unwrap_or(Class::Compatible),
        }
    }
}

impl Comparison {
    /// Sorts changes by class, then by their places in the new definition. Removals, sorted by
    /// their places in the old one, come last.
    pub(crate) fn new(mut changes: Vec<Change>) -> Self {
        changes.sort_by_cached_key(|change| {
            let is_gone = change.new.is_none();
            let span = change.new.as_ref().or(change.old.as_ref());
            (change.class(), is_gone, span.cloned())
        });
        Self { changes }
    }

    /// Returns the changes, the worst first.
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

//! What a comparison finds.

use svcgen_codegen::model::Bindings;

use crate::class::{Audience, Class, Verdict};
use crate::codes::Code;

/// What changed from one definition to another, the worst first.
#[derive(Debug, Clone)]
pub struct Comparison {
    changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Change {
    /// What kind of change it is.
    pub code: Code,
    /// The change in one sentence.
    pub what: String,
    /// Where it stands in the old definition, if it does.
    pub old: Option<Span>,
    /// Where it stands in the new definition, if it does.
    pub new: Option<Span>,
    /// What it means for each of those who notice it.
    pub effects: Vec<Effect>,
    /// What would help.
    pub help: Option<String>,
}

/// Where something stands in a definition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Span {
    /// How many files come before it: the definition itself is the first, then comes what it includes.
    pub(crate) number: usize,
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
    /// Over which bindings; none for those who work on source code.
    pub bindings: Bindings,
    /// In calls of which operations; none for those who work on source code.
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
    /// The worst that the change does.
    pub fn class(&self) -> Class {
        let classes = self.effects.iter().map(Effect::class);
        match self.code.row().class {
            Class::Documentation => Class::Documentation,
            _ => classes.min().unwrap_or(Class::Compatible),
        }
    }

    /// Whether one of its effects is of this class.
    pub fn is(&self, class: Class) -> bool {
        class == self.class() || self.effects.iter().any(|effect| effect.class() == class)
    }
}

impl Comparison {
    /// The worst first, then in the order of the new definition; what is gone, in the order of the old one.
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

    /// Whether a change has an effect of this class.
    pub fn has(&self, class: Class) -> bool {
        self.changes.iter().any(|change| change.is(class))
    }
}

//! COMPARE: two models → what changed, and for whom.
//!
//! A message is written by one side and read by the other, which may know different definitions. So every difference on the wire comes
//! down to a few rules of reading, which are in `reading.rs`: what a reader makes of an element that it does not know, that is missing,
//! or that is of another type. Requests of old callers are written with the old definition and read with the new one, answers the other
//! way round; a new client on an old server is the mirror of both.
//!
//! | file | what |
//! |---|---|
//! | `change.rs` | the words for what is found |
//! | `places.rs` | where in the file something is defined |
//! | `matching.rs` | what of one side is what of the other; probable renames |
//! | `reach.rs` | which messages hold which types |
//! | `reading.rs` | the rules of reading: elements, types and their texts |
//! | `effects.rs` | a rule of reading, applied to all messages; what Rust code hears of it |
//! | `service.rs`, `operations.rs`, `members.rs`, `types.rs`, `enumerations.rs`, and the folders of these; `options.rs` | the rules, one function each |

mod change;
mod effects;
mod enumerations;
mod matching;
mod members;
mod operations;
mod options;
mod places;
mod reach;
mod reading;
mod service;
mod types;

pub use change::{Audience, Change, Class, Comparison, Effect, Spot, Verdict};

use crate::config::{Config, Options};
use crate::diagnostic::Diagnostics;
use crate::file::File;
use crate::generator::Described;
use crate::model::{Method, Model, TypeRef};
use effects::wire;
use matching::Matched;
use places::Places;
use reach::{Reach, Uses};
use reading::{Reading, Road};

/// Something found, whose places are not looked up yet.
#[derive(Debug)]
struct Finding {
    change: Change,
    /// The keys of the definition that lead to it, on each side that has it.
    old: Option<String>,
    new: Option<String>,
}

impl Finding {
    fn new(code: String, what: String, old: Option<String>, new: Option<String>) -> Self {
        let change = Change {
            code,
            what,
            old: None,
            new: None,
            effects: Vec::new(),
            help: None,
            is_documentation: false,
        };
        Self { change, old, new }
    }

    fn with(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.change.effects.extend(effects);
        self
    }

    /// What a rule of reading makes of the messages that it concerns.
    fn on_wire<R: Into<Option<Reading>>>(self, uses: &Uses, read: impl Fn(Road) -> R) -> Self {
        self.with(wire(uses, read))
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.change.help = Some(help.into());
        self
    }
}

/// What something is found of.
#[derive(Debug, Clone)]
struct Subject {
    /// What codes begin with: `operation`.
    kind: String,
    /// What sentences begin with: `` the type `Pet` ``.
    words: String,
    /// The keys of the definition that lead to it, on each side that has it.
    old: Option<String>,
    new: Option<String>,
}

impl Subject {
    /// Something at one place of both sides.
    fn new(kind: &str, words: impl Into<String>, key: impl Into<String>) -> Self {
        let key = key.into();
        Self {
            kind: kind.to_owned(),
            words: words.into(),
            old: Some(key.clone()),
            new: Some(key),
        }
    }

    /// The same with where another one stood.
    fn from(self, old: &Self) -> Self {
        let old = old.old.clone();
        Self { old, ..self }
    }

    /// The same with where another one stands.
    fn to(self, new: &Self) -> Self {
        let new = new.new.clone();
        Self { new, ..self }
    }

    /// It is on the old side alone, and something `like` it is on the new one.
    fn renamed(self, new: &Self, name: &str, like: &str) -> Finding {
        let said = format!("is gone and `{name}`{like} has come: probably renamed");
        self.to(new).finding("renamed", &said)
    }

    /// A part of it without a place of its own.
    fn part(&self, kind: &str, words: String) -> Self {
        Self::new(kind, words, "").from(self).to(self)
    }

    /// The same at a key of it.
    fn at(&self, key: &str) -> Self {
        let within = |keys: &Option<String>| Some(format!("{}/{key}", keys.as_ref()?));
        let (old, new) = (within(&self.old), within(&self.new));
        let at = self.clone();
        Self { old, new, ..at }
    }

    fn finding(&self, code: &str, said: &str) -> Finding {
        let (code, what) = (
            format!("{}-{code}", self.kind),
            format!("{} {said}", self.words),
        );
        Finding::new(code, what, self.old.clone(), self.new.clone())
    }

    /// It is on the new side alone.
    fn added(self) -> Finding {
        Self { old: None, ..self }.finding("added", "is new")
    }

    /// It is on the old side alone.
    fn removed(self) -> Finding {
        Self { new: None, ..self }.finding("removed", "is gone")
    }
}

/// Both models, and what of one is what of the other.
struct Compare<'m> {
    old: &'m Model,
    new: &'m Model,
    types: Matched,
    enumerations: Matched,
    old_reach: Reach<'m>,
    new_reach: Reach<'m>,
    old_options: &'m Options,
    /// How the code of the new side is generated.
    options: &'m Options,
    findings: Vec<Finding>,
}

impl Config {
    /// Compares two definitions, each given by its name and the bytes of its file: what changed, and whom it breaks.
    ///
    /// ```
    /// use svcgen_codegen::{Class, Config};
    ///
    /// let old = "{ service: S, namespace: urn:s, path: /s, operations: { A: { result: int } } }";
    /// let new = old.replace("int", "int?");
    /// let comparison = Config::new().compare(("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes()))?;
    /// assert_eq!(comparison.changes()[0].code, "result-optional");
    /// assert!(comparison.has(Class::Wire));
    /// # Ok::<(), svcgen_codegen::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// One of them breaks rules of the language; the old one is looked at first.
    pub fn compare(
        &self,
        old: (&str, &[u8]),
        new: (&str, &[u8]),
    ) -> Result<Comparison, Diagnostics> {
        let old = self.describe(old.0, old.1)?;
        Ok(old.compare(&self.describe(new.0, new.1)?))
    }
}

impl Described {
    /// What changed from this definition to a newer one, and whom it breaks. What they include is a part of them.
    pub fn compare(&self, newer: &Self) -> Comparison {
        let (old, new) = (self.file.all(), newer.file.all());
        let (old, new) = (Places::new(&old), Places::new(&new));
        let located = |finding: Finding| Change {
            old: finding.old.map(|keys| old.spot(&keys)),
            new: finding.new.map(|keys| new.spot(&keys)),
            ..finding.change
        };
        let findings = Compare::new(&self.file, &newer.file).all();
        Comparison::new(findings.into_iter().map(located).collect())
    }
}

/// The model of a file, and how its code is generated.
fn described(file: &File) -> (&Model, &Options) {
    let both = file.model.as_ref().zip(file.options.as_ref());
    both.expect("what is described is whole")
}

impl<'m> Compare<'m> {
    fn new(old: &'m File, new: &'m File) -> Self {
        let ((old, old_options), (new, options)) = (described(old), described(new));
        Self {
            old,
            new,
            types: matching::complex_types(old, new),
            enumerations: matching::enumerations(old, new),
            old_reach: Reach::new(old),
            new_reach: Reach::new(new),
            old_options,
            options,
            findings: Vec::new(),
        }
    }

    fn all(mut self) -> Vec<Finding> {
        self.service();
        self.operations();
        self.types();
        self.enumerations();
        self.options();
        self.findings
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Something may be documented otherwise.
    fn documentation(&mut self, subject: &Subject, old: &Option<String>, new: &Option<String>) {
        if old != new {
            self.find_in_words(subject.finding("doc", "is documented otherwise"));
        }
    }

    /// Something that nobody but readers of documentation notices.
    fn find_in_words(&mut self, mut finding: Finding) {
        finding.change.is_documentation = true;
        self.find(finding);
    }

    /// Whether an old type and a new one are one, perhaps renamed; what has changed in it is told there.
    fn is_same(&self, old: &TypeRef, new: &TypeRef) -> bool {
        match (old, new) {
            (TypeRef::Complex(old), TypeRef::Complex(new)) => self.types.has(old.0, new.0),
            (TypeRef::Enumeration(old), TypeRef::Enumeration(new)) => {
                self.enumerations.has(old.0, new.0)
            }
            (TypeRef::Choice(_), TypeRef::Choice(_)) => true,
            (TypeRef::List(old), TypeRef::List(new)) => {
                old.item == new.item
                    && old.nillable_items == new.nillable_items
                    && old.wrapped == new.wrapped
                    && self.is_same(&old.item_type, &new.item_type)
            }
            (old, new) => old.simple().is_some() && old.simple() == new.simple(),
        }
    }
}

/// The operations of a side; none if it has no service.
fn operations(model: &Model) -> &[Method] {
    let service = model.service.as_ref();
    service.map_or(&[], |service| &service.operations)
}

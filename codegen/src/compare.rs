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

use std::collections::HashMap;
use std::rc::Rc;

pub use change::{Audience, Change, Class, Comparison, Effect, Spot, Verdict};

use crate::Described;
use crate::config::{Config, Options};
use crate::diagnostic::Diagnostics;
use crate::include::File;
use crate::model::{ComplexTypeId, EnumerationId, Method, Model, TypeRef};
use matching::Pairs;
use places::spots;
use reach::{Reach, bases};

/// A definition on one side of a comparison.
struct Side<'s> {
    model: &'s Model,
    options: &'s Options,
    /// The file itself, then those that it includes.
    files: Vec<Rc<File>>,
}

/// Something found, whose places are not looked up yet.
#[derive(Debug)]
struct Finding {
    code: String,
    what: String,
    /// The keys of the definition that lead to it, on each side that has it.
    old: Option<String>,
    new: Option<String>,
    effects: Vec<Effect>,
    help: Option<String>,
    /// Whether nothing but documentation changes.
    is_documentation: bool,
}

impl Finding {
    /// Something at one place of both sides.
    fn at(code: impl Into<String>, key: impl Into<String>, what: String) -> Self {
        let key = key.into();
        Self {
            code: code.into(),
            what,
            old: Some(key.clone()),
            new: Some(key),
            effects: Vec::new(),
            help: None,
            is_documentation: false,
        }
    }

    /// Other words about something.
    fn documentation(code: impl Into<String>, key: impl Into<String>, what: String) -> Self {
        Self {
            is_documentation: true,
            ..Self::at(code, key, what)
        }
    }

    fn moved(mut self, old: Option<String>, new: Option<String>) -> Self {
        (self.old, self.new) = (old, new);
        self
    }

    fn with(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.effects.extend(effects);
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Both models, and what of one is what of the other.
struct Compare<'m> {
    old: &'m Model,
    new: &'m Model,
    pairs: Pairs,
    old_reach: Reach,
    new_reach: Reach,
    /// The type that each type extends.
    old_bases: Vec<Option<usize>>,
    new_bases: Vec<Option<usize>>,
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
        let (old, new) = (side(&self.file), side(&newer.file));
        let findings = Compare::new(&old, &new).all();
        Comparison::new(located(findings, &old, &new))
    }
}

fn side(file: &Rc<File>) -> Side<'_> {
    let whole = "what is described is whole";
    Side {
        model: file.model.as_ref().expect(whole),
        options: file.options.as_ref().expect(whole),
        files: file.all(),
    }
}

fn located(findings: Vec<Finding>, old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    let old_keys = findings.iter().filter_map(|finding| finding.old.as_deref());
    let new_keys = findings.iter().filter_map(|finding| finding.new.as_deref());
    let old_spots = spots(&old.files, old_keys);
    let new_spots = spots(&new.files, new_keys);
    let spot = |spots: &HashMap<&str, Spot>, keys: &Option<String>| {
        keys.as_ref()
            .and_then(|keys| spots.get(keys.as_str()))
            .cloned()
    };
    let change = |finding: &Finding| Change {
        code: finding.code.clone(),
        what: finding.what.clone(),
        old: spot(&old_spots, &finding.old),
        new: spot(&new_spots, &finding.new),
        effects: finding.effects.clone(),
        help: finding.help.clone(),
        is_documentation: finding.is_documentation,
    };
    findings.iter().map(change).collect()
}

impl<'m> Compare<'m> {
    fn new(old_side: &Side<'m>, new_side: &Side<'m>) -> Self {
        let (old, new) = (old_side.model, new_side.model);
        let (old_bases, new_bases) = (bases(old), bases(new));
        Self {
            old,
            new,
            pairs: Pairs::new(old, new),
            old_reach: Reach::new(old, &old_bases),
            new_reach: Reach::new(new, &new_bases),
            old_bases,
            new_bases,
            old_options: old_side.options,
            options: new_side.options,
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

    /// Whether an old type and a new one are one, perhaps renamed; what has changed in it is told there.
    fn is_same(&self, old: &TypeRef, new: &TypeRef) -> bool {
        match (old, new) {
            (TypeRef::Complex(ComplexTypeId(old)), TypeRef::Complex(ComplexTypeId(new))) => {
                self.pairs.complex.contains(&(*old, *new))
            }
            (
                TypeRef::Enumeration(EnumerationId(old)),
                TypeRef::Enumeration(EnumerationId(new)),
            ) => self.pairs.enumerations.contains(&(*old, *new)),
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

//! Both sides, what of one is what of the other, and what Rust code notices of a change.

use svcgen_codegen::model::{Bindings, Model, TypeRef};
use svcgen_codegen::{CodeOptions, Described};

use crate::change::Effect;
use crate::class::{Audience, Verdict};
use crate::codes::Kind;
use crate::finding::{Finding, Subject};
use crate::matching::{self, Matched};
use crate::reachability::Reachability;
use crate::usage::{Usage, Uses};

/// Both models, how their code is generated, and what was found.
pub(crate) struct Sides<'m> {
    pub old: &'m Model,
    pub new: &'m Model,
    pub types: Matched,
    pub enumerations: Matched,
    pub old_reachability: Reachability<'m>,
    pub new_reachability: Reachability<'m>,
    pub old_options: CodeOptions,
    pub options: CodeOptions,
    pub findings: Vec<Finding>,
}

/// Whose Rust code a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dependents {
    /// All that names it.
    Users,
    /// That which makes values of it.
    Builders,
    /// That which looks at values of it.
    Readers,
    /// The handler.
    Handlers,
}

impl<'m> Sides<'m> {
    pub fn new(old: &'m Described, new: &'m Described) -> Self {
        let (old_options, options) = (old.code_options(), new.code_options());
        let (old, new) = (old.model(), new.model());
        Self {
            old,
            new,
            types: matching::complex_types(old, new),
            enumerations: matching::enumerations(old, new),
            old_reachability: Reachability::new(old),
            new_reachability: Reachability::new(new),
            old_options,
            options,
            findings: Vec::new(),
        }
    }

    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Something may be documented otherwise.
    pub fn documentation(
        &mut self,
        subject: &Subject,
        kind: Kind,
        old: &Option<String>,
        new: &Option<String>,
    ) {
        if old != new {
            self.find(subject.finding(kind, "is documented otherwise"));
        }
    }

    /// Something may have another name in Rust, by which code refers to it as `item`.
    pub fn rust_name(
        &mut self,
        subject: &Subject,
        kind: Kind,
        usage: &Usage,
        item: &str,
        (was, is): (&str, &str),
    ) {
        if was != is {
            let said = format!("is `{is}` in Rust where it was `{was}`");
            let source = self.renamed_source(usage, item, was, is);
            self.find(subject.finding(kind, &said).with(source));
        }
    }

    /// Whether an old type and a new one are one, perhaps renamed; what has changed in it is told there.
    pub fn is_same(&self, old: &TypeRef, new: &TypeRef) -> bool {
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

    /// The messages that hold a type. Of files of types, nobody knows which.
    pub fn usage_in(&self, old: &Uses, new: &Uses) -> Usage {
        if self.old.service.is_none() && self.new.service.is_none() {
            return Usage::everywhere();
        }
        Usage::new(old, new)
    }

    /// Code that does not compile any more.
    pub fn source(&self, usage: &Usage, dependents: Dependents, why: &str) -> Vec<Effect> {
        let (requests, responses) = (usage.in_requests, usage.in_responses);
        let (implementors, users) = match dependents {
            Dependents::Users => (requests || responses, requests || responses),
            Dependents::Builders => (responses, requests),
            Dependents::Readers => (requests, responses),
            Dependents::Handlers => (true, false),
        };
        let audiences = [
            (Audience::Implementors, implementors && self.options.server),
            (Audience::ClientUsers, users && self.options.client),
        ];
        let hit = audiences.into_iter().filter(|(_, is_hit)| *is_hit);
        hit.map(|(audience, _)| Effect {
            audience,
            verdict: Verdict::Breaks,
            bindings: Bindings::NONE,
            operations: Vec::new(),
            why: why.to_owned(),
        })
        .collect()
    }

    /// Code of implementors and of client users that does not compile any more.
    pub fn all_source(&self, why: &str) -> Vec<Effect> {
        self.source(&Usage::everywhere(), Dependents::Users, why)
    }

    /// Code that names something whose name in Rust may be another one.
    pub fn renamed_source(&self, usage: &Usage, item: &str, was: &str, is: &str) -> Vec<Effect> {
        if was == is {
            return Vec::new();
        }
        self.source(usage, Dependents::Users, &format!("{item} is `{is}` now"))
    }
}

/// What keeps a name on the wire.
pub(crate) fn keep_on_wire(name: &str) -> String {
    format!("keep `{name}` on the wire and rename it in Rust only: `rust: …`")
}

//! Both sides, what of one is what of the other, and what was found.

use svcgen_codegen::model::{Model, Name, TypeRef};
use svcgen_codegen::{CodeOptions, Described};

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
        item: &str,
        (was, is): (&Name, &Name),
    ) {
        let (was, is) = (&was.rust, &is.rust);
        if was != is {
            let said = format!("is `{is}` in Rust where it was `{was}`");
            self.find(subject.finding(kind, &said).renamed_in_rust(item, was, is));
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
}

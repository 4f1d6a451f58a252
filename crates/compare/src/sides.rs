//! Both definitions, their matching items, and the changes found.

use std::rc::Rc;

use svcgen_codegen::model::{Method, Model, Name, TypeRef};
use svcgen_codegen::{CodeOptions, Described};

use crate::change::Change;
use crate::class::Audience;
use crate::codes::Kind;
use crate::finding::{Finding, Subject};
use crate::matching::{self, Matched};
use crate::message::{Messages, Usage};
use crate::reachability::Reachability;
use crate::spans::Spans;

/// One definition.
pub(crate) struct Side<'m> {
    pub model: &'m Model,
    pub reachability: Reachability<'m>,
    pub options: CodeOptions,
    spans: Spans,
}

impl<'m> Side<'m> {
    fn new(described: &'m Described) -> Self {
        let model = described.model();
        Self {
            model,
            reachability: Reachability::new(model),
            options: described.code_options(),
            spans: Spans::new(described),
        }
    }
}

/// Both definitions, and the changes found so far.
pub(crate) struct Sides<'m> {
    pub old: Side<'m>,
    pub new: Side<'m>,
    pub operations: Rc<Matched>,
    pub types: Rc<Matched>,
    pub enumerations: Rc<Matched>,
    pub changes: Vec<Change>,
}

impl<'m> Sides<'m> {
    pub fn new(old: &'m Described, new: &'m Described) -> Self {
        let (old, new) = (Side::new(old), Side::new(new));
        Self {
            operations: Rc::new(matching::operations(old.model, new.model)),
            types: Rc::new(matching::complex_types(old.model, new.model)),
            enumerations: Rc::new(matching::enumerations(old.model, new.model)),
            old,
            new,
            changes: Vec::new(),
        }
    }

    /// Adds a finding, without effects on code that is not generated.
    pub fn find(&mut self, finding: Finding) {
        let Finding {
            subject,
            code,
            what,
            mut effects,
            help,
        } = finding;
        let options = &self.new.options;
        effects.retain(|effect| match effect.audience {
            Audience::Implementors => options.server,
            Audience::ClientUsers => options.client,
            Audience::Callers | Audience::NewClients => true,
        });
        self.changes.push(Change {
            code,
            what,
            old: subject.old.map(|keys| self.old.spans.find(&keys)),
            new: subject.new.map(|keys| self.new.spans.find(&keys)),
            effects,
            help,
        });
    }

    /// Compares documentation.
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

    /// Compares the Rust names of an item, which sentences call `item`.
    pub fn rust_name(
        &mut self,
        subject: &Subject,
        kind: Kind,
        item: &str,
        (was, is): (&Name, &Name),
    ) {
        let (was, is) = (&was.rust, &is.rust);
        if was != is {
            let what = format!("is `{is}` in Rust where it was `{was}`");
            self.find(subject.finding(kind, what).renamed_in_rust(item, was, is));
        }
    }

    /// Returns the operations that both definitions have with the same name.
    pub fn both_operations(&self) -> impl Iterator<Item = (&'m Method, &'m Method)> {
        let (old, new) = (self.old.model.operations(), self.new.model.operations());
        let both = self.operations.both.iter();
        both.map(|(was, is)| (&old[*was], &new[*is]))
            .filter(|(old, new)| old.name.xml == new.name.xml)
    }

    /// Whether two types match, perhaps renamed. Changes inside them are reported once, where they
    /// are compared.
    pub fn is_same(&self, old: &TypeRef, new: &TypeRef) -> bool {
        match (old, new) {
            (TypeRef::Complex(old), TypeRef::Complex(new)) => self.types.has(old.0, new.0),
            (TypeRef::Enumeration(old), TypeRef::Enumeration(new)) => {
                self.enumerations.has(old.0, new.0)
            }
            (TypeRef::Group(old), TypeRef::Group(new)) => {
                let (old, new) = (&self.old.model.groups[old.0], &self.new.model.groups[new.0]);
                old.kind == new.kind
            }
            (TypeRef::List(old), TypeRef::List(new)) => {
                old.item == new.item
                    && old.nillable_items == new.nillable_items
                    && old.form == new.form
                    && self.is_same(&old.item_type, &new.item_type)
            }
            (TypeRef::Dictionary(old), TypeRef::Dictionary(new)) => {
                old.nullable_values == new.nullable_values
                    && self.is_same(&old.value_type, &new.value_type)
            }
            (old, new) => old.simple().is_some() && old.simple() == new.simple(),
        }
    }

    /// Returns the messages that contain a type. Those of files of types are unknown.
    pub fn usage(&self, old: &Messages, new: &Messages) -> Usage {
        if self.old.model.service.is_none() && self.new.model.service.is_none() {
            return Usage::in_all_code();
        }
        Usage::new(old, new)
    }
}

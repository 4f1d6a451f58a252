//! Members that are the same on the wire and others in Rust.

use super::owner::Both;
use crate::codes::Kind;
use crate::finding::Dependents;
use crate::sides::Sides;
use svcgen_codegen::model::{Element, TypeRef};

impl Sides<'_> {
    pub(crate) fn secret_changed(&mut self, both: &Both<'_>) {
        if both.old.element.secret != both.new.element.secret {
            let (now, why) = if both.new.element.secret {
                ("a secret", "is in a `Secret` now")
            } else {
                ("no secret any more", "is in no `Secret` any more")
            };
            self.changed_in_rust(both, Kind::MemberSecret, &format!("is {now}"), why);
        }
    }

    /// Another Rust type for the same simple type; or a `Box`, since a type has come to hold itself.
    pub(crate) fn rust_type_changed(&mut self, both: &Both<'_>) {
        let path = |element: &Element| match &element.type_ref {
            TypeRef::Custom(_, path) => Some(path.clone()),
            _ => None,
        };
        let (old, new) = (both.old.element, both.new.element);
        let differs = path(old) != path(new) || old.boxed != new.boxed;
        if differs && self.is_same(&old.type_ref, &new.type_ref) {
            let now = "is kept in another Rust type";
            self.changed_in_rust(both, Kind::MemberRustType, now, "is of another type");
        }
    }

    fn changed_in_rust(&mut self, both: &Both<'_>, kind: Kind, now: &str, why: &str) {
        let why = format!("{} {why}", both.owner.field(both.new.element));
        let said = format!("{now}; the wire is the same");
        let finding = both.subject.finding(kind, &said);
        self.find(finding.in_source(Dependents::Users, why));
    }
}

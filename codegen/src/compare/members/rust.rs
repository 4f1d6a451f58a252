//! Members that are the same on the wire and others in Rust, or in words.

use super::Owner;
use crate::compare::effects::Code;
use crate::compare::reading::Member;
use crate::compare::{Compare, Finding};
use crate::model::{Element, TypeRef};

impl Compare<'_> {
    pub(super) fn secret_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        if old.secret == new.secret {
            return None;
        }
        let (now, why) = match new.secret {
            true => ("a secret", "is in a `Secret` now"),
            false => ("no secret any more", "is in no `Secret` any more"),
        };
        let why = format!("{} {why}", owner.field(new));
        let what = format!("{} is {now}; the wire is the same", owner.subject(new));
        let finding = owner.finding("secret", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
    }

    pub(super) fn rust_name_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        if old.name.rust == new.name.rust {
            return None;
        }
        let why = format!("{} is `{}` now", owner.field(old), new.name.rust);
        let what = format!(
            "{} is `{}` in Rust where it was `{}`",
            owner.subject(new),
            new.name.rust,
            old.name.rust
        );
        let finding = owner.finding("rust-name", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
    }

    /// Another Rust type for the same simple type; or a `Box`, since a type has come to hold itself.
    pub(super) fn rust_type_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        let path = |element: &Element| match &element.type_ref {
            TypeRef::Custom(_, path) => Some(path.clone()),
            _ => None,
        };
        let differs = path(old) != path(new) || old.boxed != new.boxed;
        if !differs || !self.is_same(&old.type_ref, &new.type_ref) {
            return None;
        }
        let what = format!(
            "{} is kept in another Rust type; the wire is the same",
            owner.subject(new)
        );
        let why = format!("{} is of another type", owner.field(new));
        let finding = owner.finding("rust-type", old, new, what);
        Some(finding.with(self.source(&owner.messages, Code::Users, &why)))
    }

    pub(super) fn documentation_changed(
        &self,
        owner: &Owner,
        old: Member<'_>,
        new: Member<'_>,
    ) -> Option<Finding> {
        let (old, new) = (old.element, new.element);
        (old.documentation != new.documentation).then(|| {
            let what = format!("{} is documented otherwise", owner.subject(new));
            Finding {
                is_documentation: true,
                ..owner.finding("doc", old, new, what)
            }
        })
    }
}

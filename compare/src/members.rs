//! Parameters, elements, attributes, SOAP headers, alternatives of choices, results: whatever has a name and a type.

mod owner;
mod presence;
mod rust;
mod wire;

use crate::codes::{Kind, MemberKind};
use crate::matching::matched;
use crate::reading::Member;
use crate::sides::Sides;
use svcgen_codegen::model::{ChoiceId, Element, TypeRef};

pub(crate) use owner::{Owner, members_of, notation};

use owner::Both;

impl<'m> Sides<'m> {
    pub(crate) fn members(&mut self, owner: &Owner, old: &[Member<'m>], new: &[Member<'m>]) {
        let matched = matched(
            old,
            new,
            |member| &member.element.name.xml,
            |old, new| self.is_alike(old.element, new.element),
        );
        let (inherited_old, inherited_new) = owner.inherited;
        for removed in matched.removed {
            if removed >= inherited_old {
                self.member_removed(owner, old[removed]);
            }
        }
        for added in matched.added {
            if added >= inherited_new {
                self.member_added(owner, new[added]);
            }
        }
        let own = matched.both.into_iter();
        let own = own.filter(|(was, is)| *was >= inherited_old || *is >= inherited_new);
        let (both, renamed): (Vec<_>, Vec<_>) =
            own.partition(|(was, is)| old[*was].element.name.xml == new[*is].element.name.xml);
        for (was, is) in renamed {
            self.member_renamed(owner, old[was], new[is]);
        }
        if owner.is_ordered() && !both.iter().is_sorted_by_key(|(_, is)| is) {
            self.reordered(owner);
        }
        for (was, is) in both {
            self.both(owner, old[was], new[is]);
        }
    }

    /// A member that both sides have.
    pub(crate) fn both(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let both = Both {
            owner,
            subject: owner.subject(new.element),
            old,
            new,
        };
        let (old, new) = (old.element, new.element);
        self.type_changed(&both);
        self.optionality_changed(&both);
        self.absence_changed(&both);
        self.header_changed(&both);
        self.secret_changed(&both);
        let names = (&old.name, &new.name);
        let field = owner.field(old);
        self.rust_name(&both.subject, Kind::MemberRustName, &field, names);
        self.rust_type_changed(&both);
        let (was, is) = (&old.documentation, &new.documentation);
        self.documentation(&both.subject, Kind::MemberDoc, was, is);
        self.alternatives(owner, old, new);
    }

    /// Whether two elements differ by their names alone.
    fn is_alike(&self, old: &Element, new: &Element) -> bool {
        let mut type_ref = new.type_ref.clone();
        // The items of an unwrapped list are called as the list is.
        if let (TypeRef::List(old), TypeRef::List(new)) = (&old.type_ref, &mut type_ref)
            && !old.wrapped
        {
            new.item.clone_from(&old.item);
        }
        self.is_same(&old.type_ref, &type_ref) && old.absence == new.absence
    }

    /// The alternatives of a choice that both sides have.
    fn alternatives(&mut self, owner: &Owner, old: &'m Element, new: &'m Element) {
        let (Some(ChoiceId(old_id)), Some(ChoiceId(new_id))) =
            (old.type_ref.choice(), new.type_ref.choice())
        else {
            return;
        };
        let (old_choice, new_choice) = (&self.old.choices[old_id], &self.new.choices[new_id]);
        let choice = Owner {
            member: MemberKind::Alternative,
            of: format!(" of the choice `{}`{}", new.name.xml, owner.of),
            item: new_choice.rust.clone(),
            place: owner.place.at(&new.name.xml).at("choice"),
            inherited: (0, 0),
        };
        let (old, new) = (&old_choice.alternatives, &new_choice.alternatives);
        let old = members_of(choice.member, self.old, old);
        self.members(&choice, &old, &members_of(choice.member, self.new, new));
    }
}

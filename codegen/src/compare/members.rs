//! Parameters, elements, attributes, SOAP headers, alternatives of choices, results: whatever has a name and a type.

mod notation;
mod presence;
mod rust;
mod wire;

use super::effects::Messages;
use super::matching::matched;
use super::reading::Member;
use super::{Compare, Subject};
use crate::model::{ChoiceId, Element, HeaderRule, Name, TypeRef};

pub(super) use notation::notation;

/// What a member is a member of.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    /// What the members are: `parameter`, `element`, `attribute`, `header`, `alternative`.
    pub noun: &'static str,
    /// Whose they are, in words: `` of `Greet` ``.
    pub of: String,
    /// The struct of Rust that they are fields of, or the enum that they are variants of.
    pub item: String,
    /// Where they are.
    pub place: Subject,
    /// How many of them, the first ones, come from a type that both sides extend: what changes in those is told there.
    pub inherited: (usize, usize),
    pub messages: Messages,
}

impl Owner {
    pub fn new(
        noun: &'static str,
        of: &Name,
        item: &str,
        place: Subject,
        messages: Messages,
    ) -> Self {
        Self {
            noun,
            of: format!(" of `{}`", of.xml),
            item: item.to_owned(),
            place,
            inherited: (0, 0),
            messages,
        }
    }

    fn is_ordered(&self) -> bool {
        matches!(self.noun, "parameter" | "element")
    }

    fn is_choice(&self) -> bool {
        self.noun == "alternative"
    }

    /// `` the parameter `name` of `Greet` ``.
    pub fn subject(&self, element: &Element) -> Subject {
        let (noun, of, name) = (self.noun, &self.of, &element.name.xml);
        let words = match noun {
            "result" | "text" => format!("the {noun}{of}"),
            _ => format!("the {noun} `{name}`{of}"),
        };
        let key = if noun == "result" { noun } else { name };
        self.place.part(&noun.replace(' ', "-"), words).at(key)
    }

    /// `` `name` of `GreetRequest` ``.
    fn field(&self, element: &Element) -> String {
        match self.noun {
            "result" => format!("what `{}` answers", self.item),
            _ => format!("`{}` of `{}`", element.name.rust, self.item),
        }
    }
}

/// A member that is on both sides.
struct Both<'a> {
    owner: &'a Owner,
    subject: Subject,
    old: &'a Element,
    new: &'a Element,
    /// What holds of it on each side if it is a SOAP header.
    rules: Option<(HeaderRule, HeaderRule)>,
}

impl<'m> Compare<'m> {
    pub(super) fn members(&mut self, owner: &Owner, old: &[Member<'m>], new: &[Member<'m>]) {
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
    pub(super) fn both(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let rules = old.header.zip(new.header);
        let (old, new) = (old.element, new.element);
        let both = Both {
            owner,
            subject: owner.subject(new),
            old,
            new,
            rules,
        };
        self.type_changed(&both);
        self.optionality_changed(&both);
        self.absence_changed(&both);
        self.header_changed(&both);
        self.secret_changed(&both);
        let names = (&*old.name.rust, &*new.name.rust);
        self.rust_name(&both.subject, &owner.messages, &owner.field(old), names);
        self.rust_type_changed(&both);
        self.documentation(&both.subject, &old.documentation, &new.documentation);
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
            noun: "alternative",
            of: format!(" of the choice `{}`{}", new.name.xml, owner.of),
            item: new_choice.rust.clone(),
            place: owner.place.at(&new.name.xml).at("choice"),
            inherited: (0, 0),
            messages: owner.messages.clone(),
        };
        let (old, new) = (&old_choice.alternatives, &new_choice.alternatives);
        self.members(&choice, &members_of(old), &members_of(new));
    }
}

pub(super) fn members_of(elements: &[Element]) -> Vec<Member<'_>> {
    elements.iter().map(Member::from).collect()
}

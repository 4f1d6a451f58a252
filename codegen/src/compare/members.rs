//! Parameters, elements, attributes, SOAP headers, alternatives of choices, results: whatever has a name and a type.

mod notation;
mod presence;
mod rust;
mod wire;

use super::effects::Messages;
use super::matching::{is_reordered, matched};
use super::reading::Member;
use super::{Compare, Finding};
use crate::model::{ChoiceId, Element, TypeRef};

pub(super) use notation::notation;
use presence::reordered;

/// What a member is a member of.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    /// What the members are: `parameter`, `element`, `attribute`, `header`, `alternative`.
    pub noun: &'static str,
    /// Whose they are, in words: `` of `Greet` ``.
    pub of: String,
    /// The struct of Rust that they are fields of, or the enum that they are variants of.
    pub item: String,
    /// The keys that lead to them, on each side.
    pub old_keys: String,
    pub new_keys: String,
    /// How many of them, the first ones, come from a type that both sides extend: what changes in those is told there.
    pub inherited: (usize, usize),
    pub messages: Messages,
}

impl Owner {
    fn is_ordered(&self) -> bool {
        matches!(self.noun, "parameter" | "element")
    }

    fn is_choice(&self) -> bool {
        self.noun == "alternative"
    }

    pub fn finding(&self, code: &str, old: &Element, new: &Element, what: String) -> Finding {
        self.found(code, Some(old), Some(new), what)
    }

    fn found(
        &self,
        code: &str,
        old: Option<&Element>,
        new: Option<&Element>,
        what: String,
    ) -> Finding {
        let keys = |keys: &str, element: &Element| match self.noun {
            "result" => format!("{keys}/result"),
            _ => format!("{keys}/{}", element.name.xml),
        };
        Finding {
            code: format!("{}-{code}", self.noun.replace(' ', "-")),
            what,
            old: old.map(|element| keys(&self.old_keys, element)),
            new: new.map(|element| keys(&self.new_keys, element)),
            effects: Vec::new(),
            help: None,
            is_documentation: false,
        }
    }

    /// `` the parameter `name` of `Greet` ``.
    pub fn subject(&self, element: &Element) -> String {
        match self.noun {
            "result" | "text" => format!("the {}{}", self.noun, self.of),
            noun => format!("the {noun} `{}`{}", element.name.xml, self.of),
        }
    }

    /// `` `name` of `GreetRequest` ``.
    fn field(&self, element: &Element) -> String {
        match self.noun {
            "result" => format!("what `{}` answers", self.item),
            _ => format!("`{}` of `{}`", element.name.rust, self.item),
        }
    }
}

/// A rule about a member that is on both sides.
type Rule<'m> = fn(&Compare<'m>, &Owner, Member<'_>, Member<'_>) -> Option<Finding>;

impl<'m> Compare<'m> {
    const MEMBER_RULES: [Rule<'m>; 9] = [
        Self::type_changed,
        Self::optionality_changed,
        Self::absence_changed,
        Self::header_required,
        Self::header_understood,
        Self::secret_changed,
        Self::rust_name_changed,
        Self::rust_type_changed,
        Self::documentation_changed,
    ];

    pub(super) fn elements(&mut self, owner: &Owner, old: &'m [Element], new: &'m [Element]) {
        self.members(owner, &members_of(old), &members_of(new));
    }

    pub(super) fn members(&mut self, owner: &Owner, old: &[Member<'m>], new: &[Member<'m>]) {
        let matched = matched(
            old,
            new,
            |member| &member.element.name.xml,
            |old, new| self.is_alike(old.element, new.element),
        );
        let (inherited_old, inherited_new) = owner.inherited;
        let is_own = |list: &[Member<'m>], inherited: usize, member: &Member<'_>| {
            let told = list.iter().take(inherited);
            !told
                .into_iter()
                .any(|told| std::ptr::eq(told.element, member.element))
        };
        let old_own = |member: &Member<'_>| is_own(old, inherited_old, member);
        let new_own = |member: &Member<'_>| is_own(new, inherited_new, member);
        let mut both = matched.both;
        both.retain(|(old, new)| old_own(old) || new_own(new));
        let removed = matched.removed.iter().filter(|member| old_own(member));
        let added = matched.added.iter().filter(|member| new_own(member));
        let renamed = (matched.renamed.iter()).filter(|(old, new)| old_own(old) || new_own(new));
        let mut found: Vec<_> = removed
            .map(|member| self.removed(owner, **member))
            .chain(added.map(|member| self.added(owner, **member)))
            .chain(renamed.map(|(old, new)| self.renamed(owner, **old, **new)))
            .collect();
        if owner.is_ordered() && is_reordered(&both, new, |member| &member.element.name.xml) {
            found.push(reordered(owner));
        }
        self.findings.extend(found);
        for (old, new) in both {
            self.both(owner, *old, *new);
        }
    }

    /// A member that both sides have.
    pub(super) fn both(&mut self, owner: &Owner, old: Member<'m>, new: Member<'m>) {
        let found: Vec<_> = (Self::MEMBER_RULES.iter())
            .filter_map(|rule| rule(self, owner, old, new))
            .collect();
        self.findings.extend(found);
        self.alternatives(owner, old.element, new.element);
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
            old_keys: format!("{}/{}/choice", owner.old_keys, old.name.xml),
            new_keys: format!("{}/{}/choice", owner.new_keys, new.name.xml),
            inherited: (0, 0),
            messages: owner.messages.clone(),
        };
        self.elements(&choice, &old_choice.alternatives, &new_choice.alternatives);
    }
}

pub(super) fn members_of(elements: &[Element]) -> Vec<Member<'_>> {
    let members = elements.iter();
    members
        .map(|element| Member {
            element,
            header: None,
        })
        .collect()
}

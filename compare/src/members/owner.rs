//! What has members, and types of members as definitions write them.

use svcgen_codegen::model::{Absence, Element, Model, Name, TypeRef};

use crate::codes::MemberKind;
use crate::finding::Subject;
use crate::reading::Member;

/// What a member is a member of.
#[derive(Debug, Clone)]
pub(crate) struct Owner {
    /// What the members are.
    pub member: MemberKind,
    /// Whose they are, in words: `` of `Greet` ``.
    pub of: String,
    /// The struct of Rust that they are fields of, or the enum that they are variants of.
    pub item: String,
    /// Where they are, and the messages that hold them.
    pub place: Subject,
    /// How many of them, the first ones, come from a type that both sides extend: what changes in those is told there.
    pub inherited: (usize, usize),
}

impl Owner {
    pub fn new(member: MemberKind, of: &Name, item: &str, place: Subject) -> Self {
        Self {
            member,
            of: format!(" of `{}`", of.xml),
            item: item.to_owned(),
            place,
            inherited: (0, 0),
        }
    }

    pub fn is_ordered(&self) -> bool {
        matches!(self.member, MemberKind::Parameter | MemberKind::Element)
    }

    pub fn is_choice(&self) -> bool {
        self.member == MemberKind::Alternative
    }

    /// `` the parameter `name` of `Greet` ``.
    pub fn subject(&self, element: &Element) -> Subject {
        let (of, name) = (&self.of, &element.name.xml);
        let noun = self.noun();
        let (words, key) = match self.member {
            MemberKind::Result => (format!("the {noun}{of}"), "result"),
            MemberKind::Text => (format!("the {noun}{of}"), &**name),
            _ => (format!("the {noun} `{name}`{of}"), &**name),
        };
        self.named(words).at(key)
    }

    /// The same place for what is said of its members.
    pub fn named(&self, words: String) -> Subject {
        let member = Some(self.member);
        Subject {
            member,
            ..self.place.part(words)
        }
    }

    /// What people call its members.
    pub fn noun(&self) -> String {
        self.member.name().replace('-', " ")
    }

    /// `` `name` of `GreetRequest` ``.
    pub fn field(&self, element: &Element) -> String {
        match self.member {
            MemberKind::Result => format!("what `{}` answers", self.item),
            _ => format!("`{}` of `{}`", element.name.rust, self.item),
        }
    }
}

/// A member that is on both sides.
pub(crate) struct Both<'a> {
    pub owner: &'a Owner,
    pub subject: Subject,
    pub old: Member<'a>,
    pub new: Member<'a>,
}

pub(crate) fn members_of<'m>(
    kind: MemberKind,
    model: &'m Model,
    elements: &'m [Element],
) -> Vec<Member<'m>> {
    let member = |element| Member {
        kind,
        model,
        element,
        header: None,
    };
    elements.iter().map(member).collect()
}

/// The type of an element as definitions write it.
pub(crate) fn notation(model: &Model, element: &Element) -> String {
    let mark = match element.absence {
        Absence::Required => "",
        _ => "?",
    };
    let unwrapped = match &element.type_ref {
        TypeRef::List(list) if !list.wrapped => " (unwrapped)",
        _ => "",
    };
    let written = type_notation(model, &element.type_ref);
    format!("`{written}{mark}`{unwrapped}")
}

fn type_notation(model: &Model, type_ref: &TypeRef) -> String {
    match type_ref {
        TypeRef::Complex(id) => model.complex_types[id.0].name.xml.clone(),
        TypeRef::Enumeration(id) => model.enumerations[id.0].name.xml.clone(),
        TypeRef::Choice(_) => "choice".to_owned(),
        TypeRef::List(list) => {
            let mark = if list.nillable_items { "?" } else { "" };
            format!("{}{mark}[]", type_notation(model, &list.item_type))
        }
        type_ref => type_ref
            .simple()
            .map_or("", |simple| simple.name())
            .to_owned(),
    }
}

//! Choices, elements of which one is present, and sequences, elements that are present together.

use svcgen_language::definition::{ElementKeys, Entries, Located, Shape};
use svcgen_language::naming::{self, Case};
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::elements::Owner;
use super::names::{is_true, members, wire_name};
use crate::model::{
    Absence, Element, Group, GroupId, GroupKind, ListForm, Name, TypeRef, ValueConstraint,
};

impl Pass<'_, '_> {
    /// The field that holds a choice or a sequence, and the group itself.
    pub(super) fn group(
        &mut self,
        key: &Located<String>,
        kind: GroupKind,
        entries: &Located<Entries<Located<Shape>>>,
        keys: &ElementKeys,
        name: Name,
        owner: Owner<'_>,
    ) -> Option<Element> {
        self.check_group_keys(keys, kind);
        self.check_count(key, kind, entries);
        let rust = naming::joined(owner.rust?, &name.rust);
        let own = Owner {
            xml: owner.xml,
            rust: Some(&rust),
            is_nested: true,
        };
        let elements = match kind {
            GroupKind::Choice => {
                let takes_text = keys.list.is_some() && !owner.is_nested;
                self.alternatives(key, &entries.value, own, takes_text)
            }
            GroupKind::Sequence => self.elements(&entries.value, "elements", own),
        };
        let elements = elements?;
        if let Some(head) = &keys.head {
            self.check_members(head, &elements, &entries.value);
        }
        let (what, owner) = (kind.name(), owner.xml);
        self.claim(&rust, key.node, format!("the {what} `{key}`"));
        let group = TypeRef::Group(GroupId(self.items.groups.len()));
        self.items.groups.push(Group {
            rust,
            kind,
            head: keys.head.as_ref().map(|head| head.value.clone()),
            included: None,
            about: format!("The {what} `{key}` of `{owner}`."),
            elements,
            clones_in_place: false,
        });
        let (type_ref, absence) = if keys.list.is_some() {
            let list = TypeRef::repeated(&name.xml, group);
            (list, Absence::Required)
        } else if is_true(&keys.optional) {
            (group, Absence::Omitted)
        } else {
            (group, Absence::Required)
        };
        let occurs = self.occurs(&type_ref, keys);
        Some(Element {
            documentation: keys.doc.clone(),
            occurs,
            ..Element::new(name, type_ref, absence)
        })
    }

    fn check_count(
        &mut self,
        key: &Located<String>,
        kind: GroupKind,
        entries: &Located<Entries<Located<Shape>>>,
    ) {
        let (least, few, example) = match kind {
            GroupKind::Choice => (
                2,
                "is between fewer than two",
                "{ Email: string, Phone: Phone }",
            ),
            GroupKind::Sequence => (1, "is empty", "{ Street: string, Town: string }"),
        };
        if entries.value.0.len() < least {
            let what = kind.name();
            let message = format!("the {what} `{key}` {few}");
            (self.sink.add(Rule::Group, entries.node, message)).hint(format!(
                "a {what} is a map from elements to types: `{what}: {example}`"
            ));
        }
    }

    fn alternatives(
        &mut self,
        key: &Located<String>,
        entries: &Entries<Located<Shape>>,
        owner: Owner<'_>,
        takes_text: bool,
    ) -> Option<Vec<Element>> {
        let lowered = entries.0.iter().map(|(key, shape)| {
            let alternative = self.alternative(key, shape, owner, takes_text);
            (alternative, key.node)
        });
        let lowered = lowered.collect();
        let whose = format!("alternatives of `{key}`");
        members(lowered, &whose, |element| &element.name, self.sink)
    }

    fn alternative(
        &mut self,
        key: &Located<String>,
        shape: &Located<Shape>,
        owner: Owner<'_>,
        takes_text: bool,
    ) -> Option<Element> {
        let keys = shape.keys();
        let name = wire_name(key, [&keys.name, &keys.rust], Case::Type, self.sink);
        if let Some(sequence) = &keys.sequence {
            let hint = Some(
                "an alternative that is chosen is there once: put `optional` or `list` beside `choice`",
            );
            let why = "does not fit an alternative";
            self.refuse_keys(&keys, &["optional", "list", "min", "max"], why, hint);
            let keys = ElementKeys {
                optional: None,
                list: None,
                min: None,
                max: None,
                ..keys.clone()
            };
            return self.group(key, GroupKind::Sequence, sequence, &keys, name?, owner);
        }
        if let Some(any) = &keys.any {
            let why = "does not fit a wildcard";
            self.refuse_keys(
                &keys,
                &["choice", "head", "optional", "default", "fixed"],
                why,
                None,
            );
            if any.value == "text" {
                return self.characters(name?, any, &keys, takes_text);
            }
            let wildcard = self.wildcard(name?, any, &keys)?;
            let absence = Absence::Required;
            return Some(Element {
                absence,
                ..wildcard
            });
        }
        if let Some(choice) = &keys.choice {
            let message = format!("the alternative `{key}` is a choice");
            self.sink
                .add(Rule::Group, choice.node, message)
                .hint("put its alternatives among those of the choice that it is in");
            return None;
        }
        let mut element = self.shaped_element(name, shape, None)?;
        if matches!(element.absence, Absence::Omitted | Absence::Either) {
            let message = format!("the alternative `{key}` may be left out");
            self.sink
                .add(Rule::Group, shape.node, message)
                .hint("an alternative that is chosen is there: write `T`, or `absent: nil` if it may be nil");
        }
        if let Some(ValueConstraint::Default(text)) = element.constraint {
            element.constraint = Some(ValueConstraint::Initial(text));
        }
        Some(element)
    }

    fn check_group_keys(&mut self, keys: &ElementKeys, kind: GroupKind) {
        let what = kind.name();
        if let Some(list) = &keys.list
            && self.list_form(Some(list)) != ListForm::Unwrapped
        {
            let message = format!("the {what}s of a list are unwrapped");
            (self.sink.add(Rule::KeyDoesNotFit, list.node, message))
                .hint("write `list: unwrapped`");
        }
        if let (Some(_), Some(optional)) = (&keys.list, &keys.optional) {
            let message = "an unwrapped list has no absent form";
            (self.sink.add(Rule::KeyDoesNotFit, optional.node, message))
                .hint("without items nothing is written");
        }
        let members = match kind {
            GroupKind::Choice => "alternatives",
            GroupKind::Sequence => "elements",
        };
        if kind == GroupKind::Sequence {
            self.refuse_keys(keys, &["head"], "is for choices only", None);
        }
        if keys.list.is_none() {
            let hint = Some("write `list: unwrapped`");
            self.refuse_keys(keys, &["min", "max"], "is for lists only", hint);
        }
        let fitting = [
            what, "head", "optional", "list", "min", "max", "name", "form",
        ];
        let hint = format!("say it of the {members}");
        let why = format!("does not fit a {what}");
        self.refuse_other_keys(keys, &fitting, &why, &hint);
    }
}

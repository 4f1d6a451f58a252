//! Choices, elements of which one is present, and sequences, elements that are present together.

use super::context::Pass;
use super::elements::Owner;
use super::names::{is_true, members, wire_name};
use crate::definition::{ElementKeys, Entries, Located, Shape};
use crate::model::{Absence, Choice, ChoiceId, Element, ListForm, Name, TypeRef};
use crate::naming::{self, Case};
use crate::rules::Rule;

impl Pass<'_, '_> {
    /// The field that holds a choice, and the choice itself.
    pub(super) fn choice(
        &mut self,
        key: &Located<String>,
        entries: &Located<Entries<Located<Shape>>>,
        keys: &ElementKeys,
        name: Name,
        owner: Owner<'_>,
    ) -> Option<Element> {
        self.check_choice_keys(keys, "choice");
        if entries.value.0.len() < 2 {
            let message = format!("the choice `{key}` is between fewer than two");
            self.sink.add(Rule::Choice, entries.node, message)
                .hint("a choice is a map from elements to types: `choice: { Email: string, Phone: Phone }`");
        }
        let rust = naming::joined(owner.rust?, &name.rust);
        let own = Owner {
            xml: owner.xml,
            rust: Some(&rust),
            is_nested: true,
        };
        let lowered = entries.value.0.iter();
        let takes_text = keys.list.is_some() && !owner.is_nested;
        let lowered = lowered.map(|(key, shape)| {
            let alternative = self.alternative(key, shape, own, takes_text);
            (alternative, key.node)
        });
        let lowered = lowered.collect();
        let whose = format!("alternatives of `{key}`");
        let alternatives = members(lowered, &whose, |element| &element.name, self.sink)?;
        Some(self.field(key, keys, name, alternatives, (own, "choice")))
    }

    /// The field that holds a sequence, and the sequence itself.
    pub(super) fn sequence(
        &mut self,
        key: &Located<String>,
        entries: &Located<Entries<Located<Shape>>>,
        keys: &ElementKeys,
        name: Name,
        owner: Owner<'_>,
    ) -> Option<Element> {
        self.check_choice_keys(keys, "sequence");
        if entries.value.0.is_empty() {
            let message = format!("the sequence `{key}` is empty");
            (self.sink.add(Rule::Choice, entries.node, message)).hint(
                "a sequence is a map from elements to types: `sequence: { Street: string, Town: string }`",
            );
        }
        let rust = naming::joined(owner.rust?, &name.rust);
        let own = Owner {
            xml: owner.xml,
            rust: Some(&rust),
            is_nested: true,
        };
        let elements = self.elements(&entries.value, "elements", own)?;
        Some(self.field(key, keys, name, elements, (own, "sequence")))
    }

    /// Adds a choice or a sequence; `own` owns its elements.
    fn field(
        &mut self,
        key: &Located<String>,
        keys: &ElementKeys,
        name: Name,
        alternatives: Vec<Element>,
        (own, what): (Owner<'_>, &str),
    ) -> Element {
        let rust = own.rust.unwrap_or_default().to_owned();
        self.claim(&rust, key.node, format!("the {what} `{key}`"));
        let id = ChoiceId(self.items.choices.len());
        self.items.choices.push(Choice {
            rust,
            is_sequence: what == "sequence",
            included: None,
            about: format!("The {what} `{key}` of `{}`.", own.xml),
            alternatives,
        });
        let (type_ref, absence) = if keys.list.is_some() {
            let list = TypeRef::repeated(&name.xml, TypeRef::Choice(id));
            (list, Absence::Required)
        } else if is_true(&keys.optional) {
            (TypeRef::Choice(id), Absence::Omitted)
        } else {
            (TypeRef::Choice(id), Absence::Required)
        };
        Element {
            documentation: keys.doc.clone(),
            ..Element::new(name, type_ref, absence)
        }
    }

    fn alternative(
        &mut self,
        key: &Located<String>,
        shape: &Located<Shape>,
        owner: Owner<'_>,
        takes_text: bool,
    ) -> Option<Element> {
        let keys = shape.keys();
        let (wire, rust) = (keys.name.as_ref(), keys.rust.as_ref());
        let name = wire_name(key, wire, rust, Case::Type, self.sink);
        if let Some(sequence) = &keys.sequence {
            let hint = Some(
                "an alternative that is chosen is there once: put `optional` or `list` beside `choice`",
            );
            let why = "does not fit an alternative";
            self.refuse_keys(&keys, &["optional", "list"], why, hint);
            let keys = ElementKeys {
                optional: None,
                list: None,
                ..keys.clone()
            };
            return self.sequence(key, sequence, &keys, name?, owner);
        }
        if let Some(any) = &keys.any {
            let why = "does not fit a wildcard";
            self.refuse_keys(
                &keys,
                &["choice", "optional", "default", "fixed"],
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
                .add(Rule::Choice, choice.node, message)
                .hint("put its alternatives among those of the choice that it is in");
            return None;
        }
        let element = self.shaped_element(name, shape)?;
        if element.absence != Absence::Required {
            let message = format!("the alternative `{key}` may be absent");
            self.sink
                .add(Rule::Choice, shape.node, message)
                .hint("an alternative that is chosen is there: write `T`");
        }
        Some(element)
    }

    fn check_choice_keys(&mut self, keys: &ElementKeys, what: &str) {
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
        let other = if what == "choice" {
            "sequence"
        } else {
            "choice"
        };
        let others = [
            other,
            "type",
            "secret",
            "absent",
            "item",
            "rust_type",
            "min",
            "max",
            "net",
            "facets",
            "default",
            "fixed",
            "any",
            "namespace",
            "namespaces",
        ];
        let hint = Some(if what == "choice" {
            "say it of the alternatives"
        } else {
            "say it of the elements"
        });
        self.refuse_keys(keys, &others, &format!("does not fit a {what}"), hint);
    }
}

//! Choices: elements of which one is there.

use super::Lower;
use crate::definition::{ElementKeys, Entries, Located, NodeId, TypeOrMap};
use crate::model::{Absence, Choice, ChoiceId, Element, ListType, Name, TypeRef};
use crate::naming::{self, Case};
use crate::rules::Rule;

impl Lower<'_> {
    /// The field that holds a choice, and the choice itself.
    pub(super) fn choice(
        &mut self,
        key: &Located<String>,
        entries: &Located<Entries<Located<TypeOrMap>>>,
        keys: &ElementKeys,
        members: &str,
        name: Name,
        owner: &str,
    ) -> Option<Element> {
        self.check_choice_keys(keys);
        if entries.value.0.len() < 2 {
            let message = format!("the choice `{}` is between fewer than two", key.value);
            self.error(Rule::Choice, entries.node, message)
                .hint("a choice is a map from elements to types: `choice: { Email: string, Phone: Phone }`");
        }
        let alternatives: Option<Vec<_>> = entries
            .value
            .0
            .iter()
            .map(|(key, shape)| self.alternative(key, shape))
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        let alternatives = alternatives?;
        let named = alternatives
            .iter()
            .map(|(element, node)| (&element.name, *node));
        self.check_distinct(
            named.collect::<Vec<_>>(),
            &format!("alternatives of `{}`", key.value),
        );
        let rust = naming::joined(owner, &name.rust);
        self.claim_item(&rust, key.node, format!("the choice `{}`", key.value));
        let id = ChoiceId(self.choices.len());
        let whose = members.rsplit(" of ").next().unwrap_or(members);
        self.choices.push(Choice {
            rust,
            included: None,
            about: format!("The choice `{}` of {whose}.", key.value),
            alternatives: alternatives
                .into_iter()
                .map(|(element, _)| element)
                .collect(),
        });
        let unwrapped = keys.list.is_some();
        let optional = keys
            .optional
            .as_ref()
            .is_some_and(|optional| optional.value);
        let type_ref = match unwrapped {
            true => TypeRef::List(Box::new(ListType {
                item: name.xml.clone(),
                item_type: TypeRef::Choice(id),
                nillable_items: false,
                wrapped: false,
            })),
            false => TypeRef::Choice(id),
        };
        Some(Element {
            name,
            documentation: keys.doc.clone(),
            type_ref,
            absence: match optional && !unwrapped {
                true => Absence::Omitted,
                false => Absence::Required,
            },
            secret: false,
            boxed: false,
        })
    }

    fn alternative(
        &mut self,
        key: &Located<String>,
        shape: &Located<TypeOrMap>,
    ) -> Option<(Element, NodeId)> {
        let keys = shape.keys();
        let name = self.name(key, keys.rust.as_ref(), Case::Type);
        let element = self.shaped_element(name, shape)?;
        let fits =
            element.absence == Absence::Required && !matches!(element.type_ref, TypeRef::List(_));
        if !fits {
            let message = format!("the alternative `{}` may be absent or is a list", key.value);
            self.error(Rule::Choice, shape.node, message)
                .hint("an alternative that is chosen is there: write `T`, and put a list into a type of its own");
        }
        Some((element, key.node))
    }

    fn check_choice_keys(&mut self, keys: &ElementKeys) {
        if let Some(list) = &keys.list {
            self.check_list_word(list);
        }
        if let (Some(_), Some(optional)) = (&keys.list, &keys.optional) {
            self.error(
                Rule::KeyDoesNotFit,
                optional.node,
                "an unwrapped list has no absent form",
            )
            .hint("without items nothing is written");
        }
        let others = [
            ("type", keys.r#type.as_ref().map(|key| key.node)),
            ("secret", keys.secret.as_ref().map(|key| key.node)),
            ("absent", keys.absent.as_ref().map(|key| key.node)),
            ("item", keys.item.as_ref().map(|key| key.node)),
            ("rust_type", keys.rust_type.as_ref().map(|key| key.node)),
        ];
        for (key, node) in others {
            if let Some(node) = node {
                self.error(
                    Rule::KeyDoesNotFit,
                    node,
                    format!("`{key}` does not fit a choice"),
                )
                .hint("say it of the alternatives");
            }
        }
    }
}

//! Wildcards: elements and attributes that a type does not name.

use svcgen_language::definition::{ElementKeys, Located};
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::names::word;
use crate::model::{Absence, Element, Name, Occurs, SimpleType, TypeRef, Wildcard, WildcardOf};

impl Pass<'_, '_> {
    /// The field that holds the elements that its type or request does not name.
    pub(super) fn wildcard(
        &mut self,
        name: Name,
        any: &Located<String>,
        keys: &ElementKeys,
    ) -> Option<Element> {
        let words = [("elements", true), ("element", false)];
        let hint = "write `any: elements`, or `any: element` for one at most";
        let many = word("any", Some(any), &words, hint, self.sink);
        let type_ref = TypeRef::Simple(SimpleType::Any);
        let list = TypeRef::repeated(SimpleType::Any.item_name(), type_ref.clone());
        let mut occurs = self.occurs(&list, keys);
        let (type_ref, absence) = if many {
            (list, Absence::Required)
        } else {
            self.refuse_keys(keys, &["max"], "does not fit `any: element`", None);
            if occurs != Occurs::ANY {
                occurs.most = Some(1);
            }
            if occurs.least > 1
                && let Some(written) = &keys.min
            {
                let message = format!("`min` {} is above the one of `any: element`", occurs.least);
                (self.sink.add(Rule::Limits, written.node, message)).hint("write `any: elements`");
            }
            (type_ref, Absence::Omitted)
        };
        let element = self.any(name, type_ref, absence, keys, WildcardOf::Elements)?;
        Some(Element { occurs, ..element })
    }

    /// The field that holds the attributes that its type does not name.
    pub(super) fn any_attributes(
        &mut self,
        name: Name,
        any: &Located<String>,
        keys: &ElementKeys,
    ) -> Option<Element> {
        let hint = "write `any: attributes`";
        word("any", Some(any), &[("attributes", ())], hint, self.sink);
        let type_ref = TypeRef::Simple(SimpleType::Any);
        self.any(
            name,
            type_ref,
            Absence::Required,
            keys,
            WildcardOf::Attributes,
        )
    }

    /// Sets the elements that the schema allows among the text of an object.
    pub(super) fn limit_text(&mut self, text: Element, keys: &ElementKeys) -> Element {
        let list = TypeRef::repeated(SimpleType::Any.item_name(), text.type_ref.clone());
        let given = keys.namespaces.as_ref();
        let namespaces = given.and_then(|given| self.namespaces(given));
        let namespaces = namespaces.filter(|namespaces| !namespaces.is_empty());
        let wildcard = namespaces.map(|namespaces| Wildcard {
            of: WildcardOf::Text,
            namespaces,
        });
        Element {
            occurs: self.occurs(&list, keys),
            wildcard,
            ..text
        }
    }

    /// The alternative for the text between elements, which a repeated choice of a type or a
    /// message may have.
    pub(super) fn characters(
        &mut self,
        name: Name,
        any: &Located<String>,
        keys: &ElementKeys,
        has_place: bool,
    ) -> Option<Element> {
        let hint = "text between elements is a `string`";
        self.refuse_other_keys(
            keys,
            &["any", "choice", "sequence", "optional"],
            "does not fit text",
            hint,
        );
        if !has_place {
            let message = "text between elements is an alternative of a repeated choice, which a type or a message has as an element";
            (self.sink.add(Rule::TextBetween, any.node, message))
                .hint("write `Parts: { choice: { Text: { any: text }, b: string }, list: unwrapped }`; text instead of elements is `text: string`");
            return None;
        }
        let string = TypeRef::Simple(SimpleType::String);
        let string = self.rust_type(string, &ElementKeys::default());
        Some(Element {
            documentation: keys.doc.clone(),
            characters: true,
            ..Element::new(name, string, Absence::Required)
        })
    }

    fn any(
        &mut self,
        name: Name,
        type_ref: TypeRef,
        absence: Absence,
        keys: &ElementKeys,
        of: WildcardOf,
    ) -> Option<Element> {
        let mut fitting = vec!["any", "namespaces", "choice", "sequence", "optional"];
        if of == WildcardOf::Elements {
            fitting.extend(["min", "max"]);
        }
        let hint = "what a wildcard stands for has no type: leave it out";
        self.refuse_other_keys(keys, &fitting, "does not fit a wildcard", hint);
        let namespaces = keys.namespaces.as_ref();
        let namespaces = namespaces.map_or(Some(String::new()), |given| self.namespaces(given));
        Some(Element {
            documentation: keys.doc.clone(),
            wildcard: Some(Wildcard {
                of,
                namespaces: namespaces?,
            }),
            ..Element::new(name, type_ref, absence)
        })
    }

    fn namespaces(&mut self, given: &Located<String>) -> Option<String> {
        const WORDS: [&str; 4] = ["##any", "##other", "##local", "##targetNamespace"];
        let words: Vec<_> = given.value.split_ascii_whitespace().collect();
        let wrong = words.iter().find(|word| {
            let is_alone = matches!(**word, "##any" | "##other");
            (word.starts_with("##") && !WORDS.contains(word)) || (is_alone && words.len() > 1)
        });
        if wrong.is_none() && !words.is_empty() {
            return Some(words.join(" "))
                .filter(|words| words != "##any")
                .or(Some(String::new()));
        }
        let message = format!("`{given}` is not a list of namespaces");
        self.sink.add(Rule::Namespace, given.node, message)
            .hint("write URIs, `##local` and `##targetNamespace` with blanks between them, or `##other` alone; leave `namespaces` out for all");
        None
    }
}

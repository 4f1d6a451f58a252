//! Default and fixed values of elements and attributes.

use super::context::Pass;
use super::lexical::{example, has_texts, is_value};
use crate::definition::{ElementKeys, Located};
use crate::model::{Absence, Element, EnumerationId, TypeRef, ValueConstraint};
use crate::rules::Rule;

impl Pass<'_, '_> {
    /// The default or the fixed value, if the keys name one and it fits the element.
    pub(super) fn value_constraint(
        &mut self,
        element: &Element,
        keys: &ElementKeys,
    ) -> Option<ValueConstraint> {
        let (key, written) = match (&keys.default, &keys.fixed) {
            (None, None) => return None,
            (Some(_), Some(fixed)) => {
                let message = "a value that is fixed has no other default";
                (self.sink.add(Rule::KeyDoesNotFit, fixed.node, message))
                    .hint("leave out `default` or `fixed`");
                return None;
            }
            (Some(default), None) => ("default", default),
            (None, Some(fixed)) => ("fixed", fixed),
        };
        let text = written.value.clone();
        if key == "default" && element.absence != Absence::Required {
            let message = "what has a default is never absent";
            (self.sink.add(Rule::KeyDoesNotFit, written.node, message))
                .hint("write its type as `T`: what is not there has the default");
            return None;
        }
        if element.secret {
            let message = format!("a secret has no `{key}`: the WSDL would tell it");
            self.sink.add(Rule::KeyDoesNotFit, written.node, message);
            return None;
        }
        let complaint = match &element.type_ref {
            TypeRef::Enumeration(id) => self.unknown_values(*id, &text),
            type_ref => match type_ref.simple() {
                Some(simple) if is_value(simple, &text) => return Some(constraint(key, text)),
                Some(simple) if has_texts(simple) => Some((
                    simple.name().to_owned(),
                    format!("it is {}", example(simple)),
                )),
                _ => {
                    self.refuse_without_texts(key, written);
                    return None;
                }
            },
        };
        if let Some((type_name, hint)) = complaint {
            let message = format!("`{text}` is no value of `{type_name}`");
            self.sink
                .add(Rule::ValueText, written.node, message)
                .hint(hint);
            return None;
        }
        Some(constraint(key, text))
    }

    /// The name of an enumeration that has no value of this text, and what would help.
    fn unknown_values(&self, id: EnumerationId, text: &str) -> Option<(String, String)> {
        let known = self.context.texts_of_values(id);
        let is_known = if self.context.is_flags(id) {
            text.split_ascii_whitespace()
                .all(|word| known.contains(&word))
        } else {
            known.contains(&text)
        };
        let name = self.context.type_name(&TypeRef::Enumeration(id));
        (!is_known).then(|| (name, format!("its values are: {}", known.join(", "))))
    }

    fn refuse_without_texts(&mut self, key: &str, written: &Located<String>) {
        let message = format!("`{key}` is for values that are one text");
        (self.sink.add(Rule::KeyDoesNotFit, written.node, message))
            .hint("simple types and enumerations have one, but for bytes, `QName`, XML and lists");
    }
}

fn constraint(key: &str, text: String) -> ValueConstraint {
    match key {
        "default" => ValueConstraint::Default(text),
        _ => ValueConstraint::Fixed(text),
    }
}

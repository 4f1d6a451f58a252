//! Default and fixed values of elements and attributes.

use svcgen_language::definition::{ElementKeys, Located};
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::examples::example;
use crate::model::{Absence, Element, EnumerationId, ListForm, Occurs, TypeRef, ValueConstraint};

impl Pass<'_, '_> {
    /// The default or the fixed value, if the keys contain one and it fits the element.
    pub(super) fn value_constraint(
        &mut self,
        element: &Element,
        keys: &ElementKeys,
    ) -> Option<ValueConstraint<String>> {
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
                .hint("write its type as `T`: what is not there has the default; .NET ignores that of a nullable value");
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
                Some(simple) if simple.is_value(&text) => {
                    return Some(self.constraint(key, text, keys));
                }
                Some(simple) if simple.has_texts() => Some((
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
            let message = format!("`{text}` is not a value of `{type_name}`");
            self.sink
                .add(Rule::ValueText, written.node, message)
                .hint(hint);
            return None;
        }
        Some(self.constraint(key, text, keys))
    }

    fn constraint(
        &mut self,
        key: &str,
        text: String,
        keys: &ElementKeys,
    ) -> ValueConstraint<String> {
        if key == "fixed" {
            return ValueConstraint::Fixed(text);
        }
        let least = keys.min.as_ref();
        if let Some(least) = least.filter(|least| !(0..=1).contains(&least.value)) {
            let message = format!("`min` cannot be {}", least.value);
            (self.sink.add(Rule::Limits, least.node, message)).hint(
                "write `min: 1` for a value that is always written, also if it is the default",
            );
        }
        match least {
            Some(least) if least.value > 0 => ValueConstraint::Initial(text),
            _ => ValueConstraint::Default(text),
        }
    }

    /// The number of list items that the schema allows.
    pub(super) fn occurs(&mut self, type_ref: &TypeRef, keys: &ElementKeys) -> Occurs {
        let TypeRef::List(list) = type_ref else {
            return Occurs::ANY;
        };
        if list.form == ListForm::Text || list.inner().is_some() {
            let why = "is for lists of elements, and not for lists of lists";
            self.refuse_keys(keys, &["min", "max"], why, None);
            return Occurs::ANY;
        }
        let mut number = |key, written: &Option<Located<i64>>, least: u32| {
            let written = written.as_ref()?;
            let number = u32::try_from(written.value).ok();
            let number = number.filter(|number| *number >= least);
            if number.is_none() {
                let message = format!("`{key}` cannot be {}", written.value);
                (self.sink.add(Rule::Limits, written.node, message))
                    .hint("a list has 0 or more items at least, 1 or more at most");
            }
            number
        };
        let occurs = Occurs {
            least: number("min", &keys.min, 0).unwrap_or(0),
            most: number("max", &keys.max, 1),
        };
        if let (Some(most), Some(written)) = (occurs.most, &keys.min)
            && occurs.least > most
        {
            let message = format!("`min` {} is above `max` {most}", occurs.least);
            (self.sink.add(Rule::Limits, written.node, message)).hint("exchange the two");
        }
        occurs
    }

    /// The name of an enumeration that has no value with this text, and a hint.
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
            .hint("simple types and enumerations have one, but for bytes, `QName`, XML and lists, whose defaults .NET ignores or refuses");
    }
}

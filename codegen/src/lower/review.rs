//! What a careful reviewer would ask about a definition that breaks no rule.

use heck::ToSnakeCase;

use super::Lower;
use crate::definition::{ElementKeys, Entries, Located, TypeOrMap};
use crate::rules::{RULES, Rule, Severity};

/// Words in the names of what should not be seen.
const SECRETS: &[&str] = &["password", "passwd", "pwd", "passphrase", "secret"];

impl Lower<'_> {
    /// Hears which warnings are not wanted.
    pub(super) fn allow(&mut self) {
        for allowed in &self.definition.allow {
            let code = allowed.value.as_str();
            let complaint = match RULES.iter().find(|row| row.code == code) {
                Some(row) if row.severity == Severity::Warning => {
                    self.sink.allow(row.code);
                    continue;
                }
                Some(_) => format!("`{code}` is an error, which cannot be allowed"),
                None => format!("there is no warning `{code}`"),
            };
            let warnings = RULES.iter().filter(|row| row.severity == Severity::Warning);
            let warnings: Vec<_> = warnings.map(|row| format!("`{}`", row.code)).collect();
            let hint = format!("the warnings are {}", warnings.join(", "));
            self.error(Rule::KeyDoesNotFit, allowed.node, complaint)
                .hint(hint);
        }
    }

    /// Warns of what is allowed and hardly meant. A definition that is refused has no need of that.
    pub(super) fn review(&mut self) {
        if self.sink.definition_has_errors() || !self.whole {
            return;
        }
        let definition = self.definition;
        self.review_use();
        self.review_list(definition.bindings.iter().flat_map(|list| &list.value));
        for (_, body) in &definition.operations.0 {
            self.review_list(body.bindings.iter().flat_map(|list| &list.value));
            self.review_list(&body.faults);
            self.review_elements(&body.parameters);
        }
        for (_, body) in &definition.types.0 {
            self.review_elements(&body.elements);
            self.review_elements(&body.attributes);
        }
        self.review_elements(&definition.headers);
    }

    /// A list in which an item a second time says nothing.
    fn review_list<'l>(&mut self, list: impl IntoIterator<Item = &'l Located<String>>) {
        let mut seen: Vec<&Located<String>> = Vec::new();
        for item in list {
            if let Some(first) = seen.iter().find(|first| first.value == item.value) {
                let message = format!("`{item}` stands in this list twice");
                self.error(Rule::RepeatedItem, item.node, message)
                    .other(first.node, "first here")
                    .hint("leave one of them out");
            }
            seen.push(item);
        }
    }

    fn review_elements<K: Clone>(&mut self, entries: &Entries<Located<TypeOrMap<K>>>)
    where
        ElementKeys: From<K>,
    {
        for (key, shape) in &entries.0 {
            let keys = shape.keys();
            if let Some(choice) = &keys.choice {
                self.review_elements::<ElementKeys>(&choice.value);
            }
            if let Some(written) = &keys.r#type {
                self.review_bytes(written);
                if keys.secret.is_none() {
                    self.review_secret(key, written);
                }
            }
        }
    }

    fn review_secret(&mut self, key: &Located<String>, written: &Located<String>) {
        let words = key.value.to_snake_case();
        let is_named_so = words.split('_').any(|word| SECRETS.contains(&word));
        let fits = ["string", "base64Binary"].contains(&written.value.trim_end_matches('?'));
        if is_named_so && fits {
            let message = format!("`{key}` is named like a secret and not marked as one");
            self.error(Rule::SecretByName, key.node, message)
                .hint("`secret: true` hides the value in `Debug`, errors and traces; `secret: false` says that all may see it");
        }
    }

    fn review_bytes(&mut self, written: &Located<String>) {
        let bytes = ["byte[]", "byte[]?", "unsignedByte[]", "unsignedByte[]?"];
        if !bytes.contains(&written.value.as_str()) {
            return;
        }
        let mark = written.value.split("[]").nth(1).unwrap_or_default();
        let message = format!("`{written}` is a list of numbers, an element each");
        self.error(Rule::ListOfBytes, written.node, message)
            .fix(&written.value, format!("base64Binary{mark}"))
            .certain(false)
            .hint(format!(
                "bytes are `base64Binary{mark}`: that is what ASMX makes of `byte[]`"
            ));
    }
}

//! Warns of definitions that are valid and probably not intended.

use svcgen_language::definition::{Definition, ElementKeys, Entries, Located, Shape};
use svcgen_language::rules::{RULES, Rule, Severity};
use svcgen_language::secret_names::is_named_like_a_secret;
use svcgen_language::sink::Sink;

use super::unused::review_use;

/// Suppresses the warnings that the definition allows.
pub(super) fn allow(definition: &Definition, sink: &mut Sink) {
    for allowed in &definition.allow {
        let code = allowed.value.as_str();
        let complaint = match RULES.iter().find(|row| row.code == code) {
            Some(row) if row.severity == Severity::Warning => {
                sink.allow(row.code);
                continue;
            }
            Some(_) => format!("`{code}` is an error, which cannot be allowed"),
            None => format!("there is no warning `{code}`"),
        };
        let warnings = RULES.iter().filter(|row| row.severity == Severity::Warning);
        let warnings: Vec<_> = warnings.map(|row| format!("`{}`", row.code)).collect();
        let hint = format!("the warnings are {}", warnings.join(", "));
        sink.add(Rule::KeyDoesNotFit, allowed.node, complaint)
            .hint(hint);
    }
}

/// Warns of definitions that are valid and probably not intended.
pub(super) fn review(definition: &Definition, sink: &mut Sink) {
    review_use(definition, sink);
    let bindings = definition.bindings.iter();
    review_list(bindings.flat_map(|list| &list.value), sink);
    for (_, body) in &definition.operations.0 {
        review_list(body.bindings.iter().flat_map(|list| &list.value), sink);
        review_list(&body.faults, sink);
        review_elements(&body.parameters, sink);
        review_elements(&body.results, sink);
    }
    for (_, body) in &definition.types.0 {
        review_elements(&body.elements, sink);
        review_elements(&body.attributes, sink);
    }
    review_elements(&definition.headers, sink);
}

/// Warns of repeated items.
fn review_list<'l>(list: impl IntoIterator<Item = &'l Located<String>>, sink: &mut Sink) {
    let mut seen: Vec<&Located<String>> = Vec::new();
    for item in list {
        if let Some(first) = seen.iter().find(|first| first.value == item.value) {
            let message = format!("`{item}` stands in this list twice");
            sink.add(Rule::RepeatedItem, item.node, message)
                .other(first.node, "first here")
                .hint("leave one of them out");
        }
        seen.push(item);
    }
}

fn review_elements<K: Clone>(entries: &Entries<Located<Shape<K>>>, sink: &mut Sink)
where
    ElementKeys: From<K>,
{
    for (key, shape) in &entries.0 {
        let keys = shape.keys();
        for group in keys.choice.iter().chain(&keys.sequence) {
            review_elements::<ElementKeys>(&group.value, sink);
        }
        if let Some(written) = &keys.r#type {
            review_bytes(written, sink);
            // A value in the WSDL is not secret.
            let is_told = keys.default.is_some() || keys.fixed.is_some();
            if keys.secret.is_none() && !is_told {
                review_secret(key, written, sink);
            }
        }
    }
}

fn review_secret(key: &Located<String>, written: &Located<String>, sink: &mut Sink) {
    let fits = ["string", "base64Binary"].contains(&written.value.trim_end_matches('?'));
    if fits && is_named_like_a_secret(&key.value) {
        let message = format!("`{key}` is named like a secret and not marked as one");
        sink.add(Rule::SecretByName, key.node, message)
            .hint("`secret: true` hides the value in `Debug`, errors and traces; `secret: false` says that all may see it");
    }
}

fn review_bytes(written: &Located<String>, sink: &mut Sink) {
    let bytes = ["byte[]", "byte[]?", "unsignedByte[]", "unsignedByte[]?"];
    if !bytes.contains(&written.value.as_str()) {
        return;
    }
    let mark = written.value.split("[]").nth(1).unwrap_or_default();
    let message = format!("`{written}` is a list of numbers, an element each");
    sink.add(Rule::ListOfBytes, written.node, message)
        .fix(&written.value, format!("base64Binary{mark}"))
        .certain(false)
        .hint(format!(
            "bytes are `base64Binary{mark}`: that is what ASMX makes of `byte[]`"
        ));
}

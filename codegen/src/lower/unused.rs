//! What no operation leads to.

use std::collections::{HashMap, HashSet};

use super::Lower;
use super::type_expressions::TypeExpression;
use crate::definition::{Definition, ElementKeys, TypeDefinition};
use crate::rules::Rule;

impl Lower<'_> {
    /// Warns of types, enumerations and headers that no operation leads to. A file without a service has types for others.
    pub(super) fn review_use(&mut self) {
        let definition = self.definition;
        if definition.service.is_none() {
            return;
        }
        let used = used_types(definition);
        let types = definition.types.0.iter().map(|(key, _)| ("type", key));
        let enums = definition.enums.0.iter();
        let enums = enums.map(|(key, _)| ("enumeration", key));
        for (what, key) in types.chain(enums) {
            if !used.contains(&key.value) {
                let message = format!("the {what} `{}` is never used", key.value);
                self.error(Rule::Unused, key.node, message)
                    .hint("no operation, header or fault leads to it: leave it out, or say `allow: [SVC026]`");
            }
        }
        let operations = definition.operations.0.iter();
        let taken: HashSet<_> = operations
            .flat_map(|(_, body)| body.headers.r#in.iter().chain(&body.headers.out))
            .map(|name| name.value.as_str())
            .collect();
        for (key, _) in &definition.headers.0 {
            if !taken.contains(key.value.as_str()) {
                let message = format!("no operation has the header `{}`", key.value);
                self.error(Rule::Unused, key.node, message)
                    .hint("name it under the `headers` of an operation, or leave it out");
            }
        }
    }
}

/// The names of the types that operations, headers and faults lead to.
fn used_types(definition: &Definition) -> HashSet<String> {
    let types: HashMap<&str, &TypeDefinition> = (definition.types.0.iter())
        .map(|(key, body)| (key.value.as_str(), body))
        .collect();
    let mut derived: HashMap<&str, Vec<&str>> = HashMap::new();
    for (key, body) in &definition.types.0 {
        if let Some(base) = &body.extends {
            derived.entry(&base.value).or_default().push(&key.value);
        }
    }
    let mut open = roots(definition);
    let mut used = HashSet::new();
    while let Some(name) = open.pop() {
        // What extends a type may stand where that is asked for.
        let extending = derived.get(name.as_str()).into_iter().flatten();
        let held = types.get(name.as_str()).map(|body| held(body));
        if used.insert(name) {
            open.extend(extending.map(|name| (*name).to_owned()));
            open.extend(held.into_iter().flatten());
        }
    }
    used
}

fn roots(definition: &Definition) -> Vec<String> {
    let mut names = Vec::new();
    for (_, body) in &definition.operations.0 {
        let parameters = body.parameters.0.iter().map(|(_, shape)| shape);
        parameters
            .chain(&body.result)
            .for_each(|shape| names.extend(named(&shape.keys())));
    }
    for (_, shape) in &definition.headers.0 {
        names.extend(named(&shape.keys()));
    }
    for (_, shape) in &definition.faults.0 {
        names.extend(named(&shape.keys()));
    }
    names
}

/// The names of the types that a type holds or extends.
fn held(body: &TypeDefinition) -> Vec<String> {
    let mut names: Vec<_> = body.extends.iter().map(|base| base.value.clone()).collect();
    for (_, shape) in &body.elements.0 {
        names.extend(named(&shape.keys()));
    }
    let attributes = body.attributes.0.iter().map(|(_, shape)| shape);
    for shape in attributes.chain(&body.text) {
        names.extend(named(&shape.keys()));
    }
    names
}

/// The names of the types of an element, or of the alternatives of a choice.
fn named(keys: &ElementKeys) -> Vec<String> {
    let written = keys.r#type.iter();
    let mut names: Vec<_> = written
        .filter_map(|written| TypeExpression::parse(&written.value))
        .map(|expression| expression.name.to_owned())
        .collect();
    for (_, shape) in keys.choice.iter().flat_map(|choice| &choice.value.0) {
        names.extend(named(&shape.keys()));
    }
    names
}

//! Warns of types and headers that no operation uses.

use std::collections::{HashMap, HashSet};

use svcgen_language::definition::{
    Definition, ElementKeys, Entries, Located, OperationDefinition, Shape, TypeDefinition,
};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::type_expressions::TypeExpression;
use crate::model::SimpleType;

/// Warns of types, enumerations and headers that no operation uses. A file without a service has
/// types for others.
pub(super) fn review_use(definition: &Definition, sink: &mut Sink) {
    if definition.service.is_none() {
        return;
    }
    let used = used_types(definition, roots(definition));
    let types = definition.types.keys().map(|key| ("type", key));
    let enums = definition.enums.keys().map(|key| ("enumeration", key));
    for (what, key) in types.chain(enums) {
        if !used.contains(&key.value) {
            let message = format!("the {what} `{key}` is never used");
            sink.add(Rule::Unused, key.node, message).hint(
                "no operation, header or fault leads to it: leave it out, or say `allow: [SVC026]`",
            );
        }
    }
    let operations = definition.operations.0.iter();
    let taken: HashSet<_> = operations
        .flat_map(|(_, body)| {
            let headers = &body.headers;
            [&headers.r#in, &headers.out, &headers.fault]
        })
        .flatten()
        .map(|name| name.value.as_str())
        .collect();
    for key in definition.headers.keys() {
        if !taken.contains(key.value.as_str()) {
            let message = format!("no operation has the header `{key}`");
            sink.add(Rule::Unused, key.node, message)
                .hint("name it under the `headers` of an operation, or leave it out");
        }
    }
}

/// The names of the types in `open`, and of all types that they use.
pub(super) fn used_types(definition: &Definition, mut open: Vec<String>) -> HashSet<String> {
    let types: HashMap<&str, &TypeDefinition> = (definition.types.0.iter())
        .map(|(key, body)| (key.value.as_str(), body))
        .collect();
    let mut derived: HashMap<&str, Vec<&str>> = HashMap::new();
    for (key, body) in &definition.types.0 {
        if let Some(base) = body.base() {
            derived.entry(&base.value).or_default().push(&key.value);
        }
    }
    let mut used = HashSet::new();
    while let Some(name) = open.pop() {
        // A type that extends this one may replace it.
        let extending = derived.get(name.as_str()).into_iter().flatten();
        let held = types.get(name.as_str()).map(|body| held(body));
        let is_object = name == SimpleType::AnyType.name();
        if used.insert(name) {
            if is_object {
                open.extend(definition.names_of_types().map(str::to_owned));
            }
            open.extend(extending.map(|name| (*name).to_owned()));
            open.extend(held.into_iter().flatten());
        }
    }
    used
}

fn roots(definition: &Definition) -> Vec<String> {
    let mut names = named_by(&definition.headers);
    names.extend(named_by(&definition.faults));
    let operations = definition.operations.0.iter();
    names.extend(operations.flat_map(|(_, body)| named_by_operation(body)));
    // Page scripts create values of these types.
    let types = definition.types.0.iter();
    let types = types.filter(|(_, body)| body.script_type.is_some());
    names.extend(types.map(|(key, _)| key.value.clone()));
    let enums = definition.enums.0.iter();
    let enums = enums.filter(|(_, body)| body.0.script_type.is_some());
    names.extend(enums.map(|(key, _)| key.value.clone()));
    names
}

/// The names of the types of parameters and results.
pub(super) fn named_by_operation(body: &OperationDefinition) -> Vec<String> {
    let mut names = named_by(&body.parameters);
    names.extend(named_by(&body.results));
    names.extend(body.result.iter().flat_map(|shape| named(&shape.keys())));
    names
}

/// The names of the types that a type contains or extends.
fn held(body: &TypeDefinition) -> Vec<String> {
    let mut names: Vec<_> = body
        .base()
        .into_iter()
        .map(|base| base.value.clone())
        .collect();
    names.extend(named_by(&body.elements));
    names.extend(named_by(&body.attributes));
    names.extend(body.text.iter().flat_map(|shape| named(&shape.keys())));
    names
}

/// The names of the types of elements.
fn named_by<K: Clone>(entries: &Entries<Located<Shape<K>>>) -> Vec<String>
where
    ElementKeys: From<K>,
{
    let shapes = entries.0.iter();
    let names = shapes.flat_map(|(_, shape)| named(&shape.keys()));
    names.collect()
}

/// The names of the types of an element, of the alternatives of a choice, and of the members of a
/// union.
fn named(keys: &ElementKeys) -> Vec<String> {
    let written = keys.r#type.iter();
    let mut names: Vec<_> = written
        .filter_map(|written| TypeExpression::parse(&written.value))
        .map(|expression| expression.name.to_owned())
        .collect();
    let groups = keys.choice.iter().chain(&keys.sequence);
    names.extend(groups.flat_map(|group| named_by(&group.value)));
    let members = keys.facets.iter().flat_map(|facets| &facets.value.union);
    names.extend(members.flat_map(|member| named(&member.keys())));
    names
}

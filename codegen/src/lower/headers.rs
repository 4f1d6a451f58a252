//! SOAP headers and faults of the service and of its operations.

use std::collections::HashMap;

use svcgen_language::definition::{FaultKeys, HeaderKeys, Located, OperationDefinition, Shape};
use svcgen_language::naming::{self, Case};
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::names::{declared, is_true, members, message_name, name, wire_name};
use crate::model::{
    Absence, ComplexType, ComplexTypeId, Element, Fault, HeaderRule, Headers, Name, TypeRef,
};

/// The headers of an operation, as a struct whose name ends with `ending`.
pub(super) fn headers(
    pass: &mut Pass<'_, '_>,
    operation: &Name,
    names: &[Located<String>],
    ending: &str,
    incoming: bool,
) -> Option<Option<Headers>> {
    let (Some(first), definition) = (names.first(), pass.context.definition) else {
        return Some(None);
    };
    let (mut fields, mut rules) = (Vec::new(), Vec::new());
    for name in names {
        if let Some((key, shape)) = declared("header", &definition.headers, name, pass.sink) {
            let rule = header_rule(shape);
            let field = header(pass, key, shape, incoming && rule.required);
            fields.push((field, name.node));
            rules.push(rule);
        }
    }
    let whose = format!("headers of `{}`", operation.xml);
    let fields = members(fields, &whose, |element| &element.name, pass.sink);
    let name = message_name(operation, operation.xml.clone(), ending)?;
    pass.claim(&name.rust, first.node, whose);
    Some(Some(Headers {
        complex_type: ComplexType::new(name, fields?),
        rules,
    }))
}

fn header(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    shape: &Located<Shape<HeaderKeys>>,
    always: bool,
) -> Option<Element> {
    let keys = shape.keys();
    let name = wire_name(key, [&keys.name, &keys.rust], Case::Value, pass.sink);
    let mut element = pass.typed_element(name, shape.node, &keys)?;
    if let TypeRef::List(_) = element.type_ref {
        pass.sink
            .add(Rule::KeyDoesNotFit, shape.node, "a header is one value")
            .hint("put the list into a type of its own");
    }
    let is_said = match element.absence {
        Absence::Required => always,
        _ => keys.absent.is_some(),
    };
    if !is_said {
        element.absence = Absence::Omitted;
    }
    element.soap_attributes = is_true(&shape.value.0.soap_attributes);
    Some(element)
}

/// Checks all headers, used or not.
pub(super) fn check_headers(pass: &mut Pass<'_, '_>) {
    for (key, shape) in &pass.context.definition.headers.0 {
        header(pass, key, shape, false);
        let keys = &shape.value.0;
        let must = keys.must_understand.as_ref();
        if let (true, Some(must)) = (is_true(&keys.soap_attributes), must) {
            let message = "`must_understand` and `soap_attributes` exclude each other";
            (pass.sink.add(Rule::KeyDoesNotFit, must.node, message))
                .hint("set `must_understand` of the `SoapHeader` in each message that asks for it");
        }
    }
}

/// Refuses required headers of an operation over bindings without headers.
pub(super) fn refuse_required_headers(
    pass: &mut Pass<'_, '_>,
    body: &OperationDefinition,
    over: &str,
    rule: Rule,
    hint: &str,
) {
    for name in &body.headers.r#in {
        let declared = pass.context.definition.headers.get(&name.value);
        if declared.is_some_and(|(_, shape)| header_rule(shape).required) {
            let message = format!("the required header `{name}` cannot be sent over {over}");
            pass.sink.add(rule, name.node, message).hint(hint);
        }
    }
}

/// The faults of the service.
pub(super) fn faults(pass: &mut Pass<'_, '_>) -> Option<Vec<Fault>> {
    let (mut faults, mut details) = (Vec::new(), HashMap::new());
    for (key, shape) in &pass.context.definition.faults.0 {
        faults.push(fault(pass, key, shape, &mut details));
    }
    faults.into_iter().collect()
}

fn fault<'d>(
    pass: &mut Pass<'_, '_>,
    key: &'d Located<String>,
    shape: &Located<Shape<FaultKeys>>,
    details: &mut HashMap<ComplexTypeId, &'d str>,
) -> Option<Fault> {
    let keys = shape.keys();
    let name = name(key, None, Case::Type, pass.sink);
    let field = name.as_ref().map(|name| Name::new(&name.xml, "value"));
    let detail = pass.typed_element(field, shape.node, &keys)?;
    if detail.absence != Absence::Required {
        let node = keys.r#type.map_or(shape.node, |written| written.node);
        let message = "the detail of a fault is always there";
        pass.sink
            .add(Rule::KeyDoesNotFit, node, message)
            .hint("write its type without `?`; a fault without a detail needs no definition");
        return None;
    }
    // The trait of details can be implemented only once for a type of this module.
    let is_own = match &detail.type_ref {
        TypeRef::Complex(id) if pass.context.included_type(*id).is_none() => {
            *details.entry(*id).or_insert(&key.value) == key.value
        }
        _ => false,
    };
    let holder = name.map(|name| naming::joined(&name.rust, "Detail"));
    let holder = holder.filter(|_| !is_own);
    if let Some(rust) = &holder {
        let what = format!("the detail of the fault `{key}`");
        pass.claim(rust, key.node, what);
    }
    Some(Fault {
        name: key.value.clone(),
        documentation: keys.doc,
        detail,
        holder,
    })
}

fn header_rule(shape: &Located<Shape<HeaderKeys>>) -> HeaderRule {
    let keys = &shape.value.0;
    HeaderRule {
        required: is_true(&keys.required),
        must_understand: is_true(&keys.must_understand),
    }
}

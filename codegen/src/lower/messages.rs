//! The messages of operations: the elements around parameters and results, and the parameters and
//! results themselves.

use svcgen_language::definition::{Located, NameKeys, OperationDefinition, Shape};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::context::Pass;
use super::elements::Owner;
use super::names::{is_xml_name, message_name};
use super::wire_elements::{check_wire_elements, with_nodes};
use crate::model::{
    Bindings, ComplexType, Element, Name, OperationResult, ReturnedResult, Scope, Style, TypeRef,
};

/// Lowers a request: its name, its parameters and the scope of its element.
pub(super) fn request(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    operation: Option<&Name>,
    style: Style,
) -> (Option<Name>, Option<Vec<Element>>, Scope<String>) {
    let (wrapper, scope) = wrapper(pass, body.request.as_ref(), key, "", style);
    let name = operation.and_then(|operation| message_name(operation, wrapper, "Request"));
    let owner = owner(key, name.as_ref());
    let parameters = pass.elements(&body.parameters, "parameters", owner);
    (name, parameters, scope)
}

fn owner<'o>(key: &'o Located<String>, name: Option<&'o Name>) -> Owner<'o> {
    Owner {
        xml: &key.value,
        rust: name.map(|name| name.rust.as_str()),
        is_nested: false,
    }
}

/// The result over HTTP GET and POST, and over JSON, if its items have other names there.
pub(super) fn http_result(
    pass: &Pass<'_, '_>,
    answered: &Element,
    bindings: Bindings,
) -> Option<Element> {
    if !bindings.has_form() && !bindings.has_script() {
        return None;
    }
    let type_ref = pass.context.without_item_names(&answered.type_ref)?;
    Some(Element {
        type_ref,
        ..answered.clone()
    })
}

/// The only result of an operation.
pub(super) fn result(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    result: &Located<Shape>,
) -> Option<OperationResult> {
    let xml = wire_name(&body.result_element, key, "Result", pass.sink);
    let name = Name::new(xml.clone(), "result");
    let hint = format!(
        "clients of .NET do not know the default of a result: write `results: {{ {xml}: {{ … }} }}` for others"
    );
    let element = pass.shaped_element(Some(name), result, Some(&hint))?;
    if matches!(&element.type_ref, TypeRef::List(list) if !list.is_wrapped()) {
        let message = "a result cannot be an unwrapped list";
        let hint = format!(
            "write `results: {{ {}: {{ … }} }}`, which is named after the element",
            element.name.xml
        );
        (pass.sink.add(Rule::KeyDoesNotFit, result.node, message)).hint(hint);
    }
    let root = pass.context.root(&element.type_ref);
    Some(OperationResult {
        element,
        root,
        is_large: false,
    })
}

/// The response wrapper, with several results as its elements.
pub(super) fn response(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    operation: Option<&Name>,
    style: Style,
) -> Option<ComplexType> {
    let (wrapper, scope) = wrapper(pass, body.response.as_ref(), key, "Response", style);
    let name = operation.and_then(|operation| message_name(operation, wrapper, "Response"));
    let owner = owner(key, name.as_ref());
    let results = pass.elements(&body.results, "results", owner);
    if let Some(results) = &results {
        let results = with_nodes(results, &body.results);
        check_wire_elements(&results, &key.value, &pass.items.groups, pass.sink);
    }
    if let (Some(first), Some(name)) = (body.results.keys().next(), &name) {
        pass.claim(
            &name.rust,
            key.node,
            format!("the results of the operation `{key}`"),
        );
        if body.result.is_some() {
            let message = format!("`{key}` has a `result` and `results`");
            (pass.sink.add(Rule::KeyDoesNotFit, first.node, message))
                .hint("`results` holds all of them: name the one that was the `result` in it, too");
        }
    }
    Some(ComplexType {
        scope,
        ..ComplexType::new(name?, results?)
    })
}

/// The return value among several results; the others are `out` parameters.
pub(super) fn returned(
    pass: &mut Pass<'_, '_>,
    key: &Located<String>,
    body: &OperationDefinition,
    response: &ComplexType,
    has_form: bool,
) -> Option<ReturnedResult> {
    let name = wire_name(&body.result_element, key, "Result", pass.sink);
    let mut results = response.elements.iter();
    let index = match &*response.elements {
        // A wildcard has no name that distinguishes it from the others.
        [only] if only.wildcard.is_some() => has_form.then_some(0),
        _ => results.position(|result| result.name.xml == name && result.is_named()),
    };
    if let (None, Some(asked), Some(_)) = (index, &body.result_element, response.elements.first()) {
        let known = response.elements.iter().map(|result| &*result.name.xml);
        let message = format!("`{asked}` is none of the `results` of `{key}`");
        (pass.sink.add(Rule::KeyDoesNotFit, asked.node, message)).nearest(
            &asked.value,
            known,
            "it names the return value",
        );
    }
    let index = index?;
    let root = pass.context.root(&response.elements[index].type_ref);
    Some(ReturnedResult { index, root })
}

/// The name of the element around parameters or results, and the scope that it declares.
fn wrapper(
    pass: &mut Pass<'_, '_>,
    given: Option<&Located<Shape<NameKeys>>>,
    operation: &Located<String>,
    suffix: &str,
    style: Style,
) -> (String, Scope<String>) {
    let keys = given.map(|given| given.value.0.clone()).unwrap_or_default();
    let name = wire_name(&keys.name, operation, suffix, pass.sink);
    let scope = keys.namespace.and_then(|name| {
        if !name.value.is_empty() {
            return pass.namespace(&name);
        }
        if style != Style::Rpc {
            let message = "an element in no namespace fits the style `rpc` alone";
            (pass.sink.add(Rule::KeyDoesNotFit, name.node, message))
                .hint("name a namespace by its short name");
        }
        Some(Scope {
            namespace: Some(String::new()),
            ..Scope::default()
        })
    });
    (name, scope.unwrap_or_default())
}

/// The name of an element of an operation in the definition, or one derived from the operation's
/// name.
fn wire_name(
    given: &Option<Located<String>>,
    operation: &Located<String>,
    suffix: &str,
    sink: &mut Sink,
) -> String {
    match given {
        Some(given) if is_xml_name(given, sink) => given.value.clone(),
        _ => format!("{operation}{suffix}"),
    }
}

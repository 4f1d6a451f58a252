//! The limits of forms: checks of the parameters and results of operations that are offered over
//! HTTP GET and POST.

use std::collections::HashMap;

use svcgen_language::definition::{Located, NodeId, OperationDefinition};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::model::{ComplexType, Element, ListForm, Method, ReturnedResult, TypeRef};

/// Refuses parameters that forms cannot carry, or whose names differ only in letter case, which
/// forms ignore.
pub(super) fn check_form_parameters(
    narrowed: &str,
    parameters: &[(&Element, Option<NodeId>)],
    sink: &mut Sink,
) {
    let mut seen: HashMap<String, NodeId> = HashMap::new();
    for (parameter, node) in parameters {
        let (Some(node), name) = (*node, parameter.field_name()) else {
            continue;
        };
        if let Some(held) = not_for_forms(&parameter.type_ref) {
            let message = format!("`{name}` cannot be sent over HTTP GET and POST");
            sink.add(Rule::FormParameter, node, message)
                .label(held)
                .hint(narrowed);
        }
        if let Some(first) = seen.insert(name.to_lowercase(), node) {
            let message = format!("over HTTP GET and POST `{name}` is the name of two parameters");
            sink.add(Rule::XmlNameClash, node, message)
                .other(first, "the same in other letter case")
                .hint(narrowed);
        }
    }
}

/// The reason why forms cannot carry a type, if they cannot.
fn not_for_forms(type_ref: &TypeRef) -> Option<&'static str> {
    match type_ref {
        TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => {
            simple.is_xml().then_some("holds XML")
        }
        TypeRef::Enumeration(_) => None,
        TypeRef::Complex(_) => Some("holds an object"),
        TypeRef::Group(_) => Some("is a choice or a sequence"),
        TypeRef::List(list) if list.form == ListForm::Text => Some("is a list in one text"),
        TypeRef::List(list) if list.inner().is_some() => Some("is a list of lists"),
        TypeRef::List(list) => not_for_forms(&list.item_type),
        // Every binding but JSON refuses it elsewhere.
        TypeRef::Dictionary(_) => None,
    }
}

/// Refuses results that HTTP GET and POST cannot return.
pub(super) fn check_form_results(
    narrowed: &str,
    (key, body): (&Located<String>, &OperationDefinition),
    response: &ComplexType,
    returned: Option<&ReturnedResult>,
    sink: &mut Sink,
) {
    refuse_texts(key, narrowed, response, returned, sink);
    refuse_other_results(narrowed, body, returned, sink);
}

/// Refuses a list in one text as the result over HTTP GET and POST, where a list is always an
/// element around its items.
fn refuse_texts(
    key: &Located<String>,
    narrowed: &str,
    response: &ComplexType,
    returned: Option<&ReturnedResult>,
    sink: &mut Sink,
) {
    let returned = returned.map(|returned| &response.elements[returned.index]);
    let is_texts = |result: &Element| matches!(&result.type_ref, TypeRef::List(list) if list.form == ListForm::Text);
    if let Some(result) = returned.filter(|result| is_texts(result)) {
        let message = format!(
            "`{}` cannot be answered over HTTP GET and POST: it is a list in one text",
            result.name.xml
        );
        sink.add(Rule::FormParameter, key.node, message)
            .hint(narrowed);
    }
}

/// Refuses further results over HTTP GET and POST with a return value or parameters: ASMX offers an
/// operation with `out` parameters there only if it has nothing else, and returns nothing.
fn refuse_other_results(
    narrowed: &str,
    body: &OperationDefinition,
    returned: Option<&ReturnedResult>,
    sink: &mut Sink,
) {
    let mut others = body.results.keys().enumerate();
    let other = others.find(|(index, _)| returned.is_none_or(|one| one.index != *index));
    let has_more = returned.is_some() || !body.parameters.0.is_empty();
    let Some((_, other)) = other.filter(|_| has_more) else {
        return;
    };
    let message = format!(
        "`{other}` cannot be answered over HTTP GET and POST beside parameters or a return value"
    );
    sink.add(Rule::FormParameter, other.node, message)
        .hint(narrowed);
}

/// Warns of secrets in the URLs of calls.
pub(super) fn warn_of_secrets(key: &Located<String>, operation: &Method, sink: &mut Sink) {
    let mut parameters = operation.request.elements.iter();
    let mut bindings = operation.bindings.iter();
    let in_url = bindings.find(|binding| binding.has_parameters_in_url());
    if let (Some(secret), Some(binding)) = (parameters.find(|each| each.secret), in_url) {
        let (name, key_of_binding) = (&secret.name.xml, binding.key());
        let message = format!("over {binding} the secret `{name}` is part of the URL");
        let hint = format!(
            "leave `{key_of_binding}` out of `bindings`; a list of bindings with `{key_of_binding}` in it says that this is wanted",
        );
        sink.add(Rule::SecretInUrl, key.node, message).hint(hint);
    }
}

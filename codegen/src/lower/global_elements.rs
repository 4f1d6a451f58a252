//! The global elements of messages, by which callers and servers distinguish the messages.

use std::collections::HashMap;

use svcgen_language::definition::NodeId;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use crate::model::{Absence, Element, Form, Method, Routing, Style};

/// A global element of a message: a wrapper, or a part of a bare message, with its type.
struct GlobalElement<'o> {
    what: String,
    namespace: &'o str,
    name: &'o str,
    part: Option<&'o Element>,
    is_rpc: bool,
}

impl<'o> GlobalElement<'o> {
    /// The elements of the messages of an operation, those of the request first.
    fn of(operation: &'o Method, namespace: &'o str) -> Vec<Self> {
        let is_bare = operation.style == Style::Bare;
        let (requests, responses) = (&operation.request, &operation.response);
        let mut elements = Vec::new();
        for (message, wrapper) in [("request", requests), ("response", responses)] {
            let what = format!("the {message} of `{}`", operation.name.xml);
            let declared = wrapper.scope.namespace.as_deref().unwrap_or(namespace);
            if !is_bare {
                elements.push(Self {
                    what,
                    namespace: declared,
                    name: &wrapper.name.xml,
                    part: None,
                    is_rpc: operation.style == Style::Rpc,
                });
                continue;
            }
            let part = |part: &'o Element| Self {
                what: format!("`{}` in {what}", part.name.xml),
                namespace: match &part.form {
                    Form::Reference(other) => other,
                    _ => declared,
                },
                name: &part.name.xml,
                part: Some(part),
                is_rpc: false,
            };
            let is_named = |part: &&Element| part.wildcard.is_none();
            if message == "request" {
                elements.extend(requests.elements.iter().filter(is_named).map(part));
            } else {
                elements.extend(operation.result_elements().filter(is_named).map(part));
            }
        }
        elements
    }

    /// Whether both can be one element: parts of one type.
    fn is_same(&self, other: &Self) -> bool {
        let parts = self.part.zip(other.part);
        parts.is_some_and(|(one, other)| {
            one.type_ref == other.type_ref
                && (one.absence == Absence::Nil) == (other.absence == Absence::Nil)
        })
    }
}

/// Checks that the elements of messages are distinct: they identify messages unless actions do.
/// Parts of bare messages may be the same element, unless nothing else distinguishes two
/// operations.
pub(super) fn check_global_elements(
    operations: &[(Option<Method>, NodeId)],
    namespace: &str,
    routing: Routing,
    sink: &mut Sink,
) {
    let mut seen: HashMap<(&str, &str), (NodeId, GlobalElement<'_>)> = HashMap::new();
    for (operation, node) in operations {
        let Some(operation) = operation else { continue };
        for element in GlobalElement::of(operation, namespace) {
            let name = element.name;
            let Some((first, other)) = seen.get(&(element.namespace, name)) else {
                seen.insert((element.namespace, name), (*node, element));
                continue;
            };
            if element.is_same(other) {
                continue;
            }
            // These are overloads, which their parts distinguish.
            if element.is_rpc && other.is_rpc && first != node {
                continue;
            }
            if first == node {
                let message = format!("request and response have one element, `{name}`");
                sink.add(Rule::XmlNameClash, *node, message);
                continue;
            }
            let hint = match (element.part, other.part) {
                (Some(_), Some(_)) => {
                    "in bare messages one element may be used again for the same type"
                }
                (None, None) => "give one another name with `request` or `response`",
                _ => "give one another name",
            };
            let message = format!("two messages have the element `{name}`");
            sink.add(Rule::XmlNameClash, *node, message)
                .label(element.what)
                .other(*first, &other.what)
                .hint(hint);
        }
    }
    check_first_parts(operations, namespace, routing, sink);
    check_overloads(operations, namespace, routing, sink);
}

/// The action that distinguishes an operation from others; empty if requests are routed by element.
fn routed_action(operation: &Method, routing: Routing) -> &str {
    match routing {
        Routing::Action => &operation.action,
        Routing::Element => "",
    }
}

/// Refuses operations in rpc style whose requests have the same element, if neither the action nor
/// the names of their parts distinguish them.
fn check_overloads(
    operations: &[(Option<Method>, NodeId)],
    namespace: &str,
    routing: Routing,
    sink: &mut Sink,
) {
    let mut seen: HashMap<_, (NodeId, &str)> = HashMap::new();
    for (operation, node) in operations {
        let rpc = operation.iter().filter(|one| one.style == Style::Rpc);
        for operation in rpc {
            let request = &operation.request;
            let element = request.scope.namespace.as_deref().unwrap_or(namespace);
            let element = (element, request.name.xml.as_str());
            let action = routed_action(operation, routing);
            let parts = request.elements.iter().map(|part| part.name.xml.as_str());
            let mut parts: Vec<_> = parts.collect();
            parts.sort_unstable();
            let name = operation.name.xml.as_str();
            if let Some((first, other)) = seen.insert((element, action, parts), (*node, name)) {
                let message = format!(
                    "nothing tells `{other}` and `{name}` apart: their requests have one element and parts of the same names"
                );
                sink.add(Rule::XmlNameClash, *node, message)
                    .other(first, "the other one")
                    .hint("give each an `action` of its own");
            }
        }
    }
}

/// Refuses bare operations that neither the action nor the first element of their requests
/// distinguishes.
fn check_first_parts(
    operations: &[(Option<Method>, NodeId)],
    namespace: &str,
    routing: Routing,
    sink: &mut Sink,
) {
    let mut seen: HashMap<_, (NodeId, &str)> = HashMap::new();
    for (operation, node) in operations {
        let bare = operation.iter().filter(|one| one.style == Style::Bare);
        for operation in bare {
            let elements = GlobalElement::of(operation, namespace);
            let part = operation.request.elements.first();
            let is_any = part.is_some_and(|part| part.wildcard.is_some());
            let first = elements.first().filter(|_| part.is_some() && !is_any);
            let element = first.map(|first| (first.namespace.to_owned(), first.name.to_owned()));
            let action = routed_action(operation, routing);
            let name = operation.name.xml.as_str();
            if is_any && action.is_empty() {
                let message = format!("nothing names `{name}`: any element may begin its requests");
                sink.add(Rule::KeyDoesNotFit, *node, message).hint(
                    "let its `action` name it, without `routing: element`, or name its first parameter",
                );
            }
            let begins = match &element {
                Some((_, name)) => format!("begin with the element `{name}`"),
                None if is_any => "may begin with any element".to_owned(),
                None => "have an empty Body".to_owned(),
            };
            if let Some((first, other)) = seen.insert((action, element), (*node, name)) {
                let message = format!(
                    "nothing tells `{other}` and `{name}` apart: requests of both {begins}"
                );
                sink.add(Rule::XmlNameClash, *node, message)
                    .other(first, "the other one")
                    .hint("give each an `action` of its own that names the operation, or another element");
            }
        }
    }
}

//! SOAP encoding: which operations are encoded, the resulting namespaces, and the values that the
//! encoding cannot carry.

use std::collections::HashSet;

use svcgen_language::definition::{Definition, Located, OperationDefinition};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::names::word;
use super::unused::{named_by_operation, used_types};
use crate::model::{
    ComplexType, ComplexTypeId, Element, Form, ListForm, Method, Model, SimpleType, Style, TypeRef,
};

/// The encoding settings of a file.
pub(super) struct Encoding {
    /// Whether operations are encoded by default.
    by_default: bool,
    /// The namespace of encoded types.
    types: String,
    /// The namespace of literal types, if that is not the service's.
    pub literal_namespace: Option<String>,
}

impl Encoding {
    /// In a class with `[SoapRpcService]`, encoded types are in the namespace of the service and
    /// literal ones below it; in others it is the other way round.
    pub fn of(definition: &Definition, sink: &mut Sink) -> Self {
        let by_default = is_encoded(definition.r#use.as_ref(), sink);
        let style = definition.style.as_ref();
        let is_rpc = style.is_some_and(|style| style.value == "rpc");
        let namespace = definition.namespace.as_ref();
        let namespace = namespace.map_or("", |namespace| &namespace.value);
        let literal = svcgen_model::literal_types(namespace);
        let is_turned = by_default && is_rpc;
        Self {
            by_default,
            types: if is_turned {
                namespace.to_owned()
            } else {
                svcgen_model::encoded_types(namespace)
            },
            literal_namespace: is_turned.then_some(literal),
        }
    }

    /// Returns the namespace of the types in the messages of an operation, if these are encoded.
    pub fn of_operation(&self, body: &OperationDefinition, sink: &mut Sink) -> Option<String> {
        let is_encoded = match &body.r#use {
            Some(written) => is_encoded(Some(written), sink),
            None => self.by_default,
        };
        is_encoded.then(|| self.types.clone())
    }
}

fn is_encoded(written: Option<&Located<String>>, sink: &mut Sink) -> bool {
    let words = [("literal", false), ("encoded", true)];
    let hint = "it is `literal` or `encoded`, as in the binding of a WSDL";
    word("use", written, &words, hint, sink)
}

/// Refuses parts that encoded messages cannot carry.
pub(super) fn check_encoded(model: &Model, definition: &Definition, sink: &mut Sink) {
    let Some(service) = &model.service else {
        return;
    };
    let written = |operation: &Method| {
        let mut written = definition.operations.0.iter();
        written.find(|(key, _)| key.value == operation.name.xml)
    };
    let operations = service.operations.iter();
    let (encoded, literal): (Vec<_>, Vec<_>) = operations.partition(|one| one.encoded.is_some());
    let literal = literal.into_iter().filter_map(written);
    let literal = literal.flat_map(|(_, body)| named_by_operation(body));
    let literal = if encoded.is_empty() {
        HashSet::new()
    } else {
        used_types(definition, literal.collect())
    };
    for operation in encoded {
        let Some((key, body)) = written(operation) else {
            continue;
        };
        let Some(obstacle) = obstacle(model, operation, &literal) else {
            continue;
        };
        let node = body.r#use.as_ref().map_or(key.node, |written| written.node);
        let message = format!("`{key}` cannot be encoded: {obstacle}");
        sink.add(Rule::Encoded, node, message)
            .hint("SOAP encoding carries objects, their attributes, arrays and simple values; `use: literal` carries the rest");
    }
}

/// The reason why messages of an operation cannot be encoded. Other messages hold the types in
/// `literal`.
fn obstacle(model: &Model, operation: &Method, literal: &HashSet<String>) -> Option<String> {
    if operation.style == Style::Bare {
        return Some("its style is `bare`".to_owned());
    }
    let headers = operation.header_lists().into_iter().flatten();
    let headers = headers.flat_map(|headers| &headers.complex_type.elements);
    // A WSDL refers to the type of an encoded header, whose name .NET takes for that of the header.
    let is_named_so = |header: &&Element| match &header.type_ref {
        TypeRef::Complex(id) => model.complex_types[id.0].name.xml == header.name.xml,
        _ => false,
    };
    if let Some(header) = headers.clone().find(|header| !is_named_so(header)) {
        let name = &header.name.xml;
        return Some(format!(
            "its header `{name}` is not an object of a type `{name}`"
        ));
    }
    let mut search = Search {
        model,
        literal,
        seen: HashSet::new(),
        open: Vec::new(),
    };
    let parameters = operation.request.elements.iter();
    let mut parts = parameters.chain(operation.result_elements()).chain(headers);
    let found = parts.find_map(|part| search.of_element(part, "", false));
    found.or_else(|| {
        while let Some(id) = search.open.pop() {
            let complex = &model.complex_types[id.0];
            if let Some(found) = search.of_type(complex) {
                return Some(found);
            }
        }
        None
    })
}

/// A search among the types that messages can hold.
struct Search<'m> {
    model: &'m Model,
    literal: &'m HashSet<String>,
    seen: HashSet<usize>,
    open: Vec<ComplexTypeId>,
}

impl Search<'_> {
    fn of_type(&mut self, complex: &ComplexType) -> Option<String> {
        let of = format!(" of `{}`", complex.name.key);
        if complex.text.is_some() {
            return Some(format!("`{}` holds text", complex.name.key));
        }
        for attribute in &complex.attributes {
            let why = match &attribute.type_ref {
                _ if attribute.wildcard.is_some() => "is a wildcard",
                _ if attribute.form != Form::Default => "has a namespace or form of its own",
                TypeRef::List(_) => "is a list",
                _ => continue,
            };
            return Some(format!("the attribute `{}`{of} {why}", attribute.name.xml));
        }
        let family = complex.family.iter().flat_map(|family| &family.members);
        self.open.extend(
            family
                .map(|member| member.complex_type)
                .filter(|id| self.seen.insert(id.0)),
        );
        // .NET writes a list that is unwrapped in literal messages as an array.
        let has_lists = !self.literal.contains(&complex.name.key);
        let mut elements = complex.elements.iter();
        elements.find_map(|element| self.of_element(element, &of, has_lists))
    }

    fn of_element(&mut self, element: &Element, of: &str, has_lists: bool) -> Option<String> {
        let name = &element.name.xml;
        if element.wildcard.is_some() {
            return Some(format!("`{name}`{of} is a wildcard"));
        }
        if element.form != Form::Default {
            return Some(format!("`{name}`{of} has a namespace or form of its own"));
        }
        let what = match &element.type_ref {
            TypeRef::List(list) if list.form == ListForm::Unwrapped && !has_lists => {
                Some("an unwrapped list")
            }
            TypeRef::List(list) if list.form == ListForm::Text => Some("a list in one text"),
            type_ref => self.of_value(type_ref),
        };
        what.map(|what| format!("`{name}`{of} is {what}"))
    }

    /// A description of a value that encoding cannot carry; the types of others are searched later.
    fn of_value(&mut self, type_ref: &TypeRef) -> Option<&'static str> {
        match type_ref {
            TypeRef::Group(_) => return Some("a choice"),
            TypeRef::Simple(SimpleType::AnyType) => {
                let all = (0..self.model.complex_types.len()).filter(|id| self.seen.insert(*id));
                self.open.extend(all.map(ComplexTypeId));
            }
            TypeRef::Simple(simple) if simple.is_xml() => return Some("XML"),
            TypeRef::Complex(id) if self.seen.insert(id.0) => self.open.push(*id),
            TypeRef::List(list) if list.item_form != Form::Default => {
                return Some("a list whose items have a namespace of their own");
            }
            TypeRef::List(list) => return self.of_value(&list.item_type),
            _ => {}
        }
        None
    }
}

//! Namespaces and forms: short names, and what they make of types and elements.

use std::collections::HashMap;

use super::context::Pass;
use super::names::word;
use crate::definition::{Definition, ElementKeys, ItemNames, Located, NamespaceDefinition};
use crate::model::{
    Choice, ComplexType, Element, ElementForm, Form, Model, Scope, TypeRef, on_wire,
};
use crate::rules::Rule;
use crate::sink::Sink;

/// The namespace of `xml:lang` and its kin.
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespaces of a file, by their short names.
pub(super) struct Namespaces<'d> {
    named: HashMap<&'d str, Scope>,
    /// That of its types.
    of_types: Scope,
}

impl<'d> Namespaces<'d> {
    /// The namespaces of a file. Those of a file of types are its own; a service gives its to the types that have none.
    pub fn of(definition: &'d Definition, is_service: bool, sink: &mut Sink) -> Self {
        let mut named = HashMap::new();
        for (key, NamespaceDefinition(keys)) in &definition.namespaces.0 {
            let Some(uri) = &keys.uri else {
                let message = format!("the namespace `{key}` has no `uri`");
                sink.add(Rule::MissingKey, key.node, message).hint(
                    "write it like `common: { uri: \"urn:common\" }`, or `common: \"urn:common\"`",
                );
                continue;
            };
            check_namespace(uri, sink);
            let form = element_form(keys.element_form.as_ref(), sink);
            named.insert(key.value.as_str(), scope(uri, form));
        }
        let form = element_form(definition.element_form.as_ref(), sink);
        let of_types = match &definition.namespace {
            Some(namespace) if !is_service => scope(namespace, form),
            _ => Scope::default(),
        };
        Self { named, of_types }
    }

    /// That of a type, which may name one.
    pub fn of_type(&self, written: Option<&Located<String>>) -> &Scope {
        let named = written.and_then(|name| self.named.get(name.value.as_str()));
        named.unwrap_or(&self.of_types)
    }
}

fn scope(uri: &Located<String>, form: ElementForm) -> Scope {
    Scope {
        namespace: Some(uri.value.clone()),
        element_form: Some(form),
    }
}

/// Whether elements are in the namespace; they are by default.
pub(super) fn element_form(written: Option<&Located<String>>, sink: &mut Sink) -> ElementForm {
    let words = [
        ("qualified", ElementForm::Qualified),
        ("unqualified", ElementForm::Unqualified),
    ];
    let hint = "it is `qualified` or `unqualified`, as `elementFormDefault` of a schema";
    word("element_form", written, &words, hint, sink)
}

/// Refuses what no document can say as a namespace, and warns of what is no absolute URI.
pub(super) fn check_namespace(namespace: &Located<String>, sink: &mut Sink) {
    let text = namespace.value.as_str();
    let hint = "a namespace is written like `http://example.com/svc/auth` or `urn:example:auth`";
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        let message = format!("`{namespace}` cannot be a namespace");
        sink.add(Rule::Namespace, namespace.node, message)
            .hint(hint);
    } else if !is_absolute_uri(text) {
        let message = format!("`{namespace}` is not an absolute URI");
        let with_scheme = format!("http://{}", text.trim_start_matches('/'));
        let fits = is_absolute_uri(&with_scheme) && text.contains(['.', '/']);
        let pending = sink.add(Rule::RelativeNamespace, namespace.node, message);
        let pending = pending.hint(hint);
        if fits && !text.contains(':') {
            pending.fix(text, with_scheme).certain(false);
        }
    }
}

/// Whether a text is a scheme and something after it, in the characters of RFC 3986.
fn is_absolute_uri(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_matches('/').is_empty()
        && rest.chars().all(is_uri_character)
}

pub(super) fn is_uri_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}

impl Pass<'_, '_> {
    /// The namespace of a short name.
    pub(super) fn namespace(&mut self, name: &Located<String>) -> Option<Scope> {
        let named = &self.context.namespaces.named;
        if let Some(scope) = named.get(name.value.as_str()) {
            return Some(scope.clone());
        }
        if name.value == "xml" {
            return Some(Scope {
                namespace: Some(XML.to_owned()),
                element_form: None,
            });
        }
        let mut known: Vec<_> = named.keys().copied().collect();
        known.sort_unstable();
        let message = format!("there is no namespace `{name}`");
        let uri = if is_absolute_uri(&name.value) {
            &name.value
        } else {
            "urn:common"
        };
        let hint = format!(
            "`namespaces` of the file gives a namespace a short name: `namespaces: {{ common: \"{uri}\" }}`"
        );
        self.sink
            .add(Rule::Undeclared, name.node, message)
            .nearest(&name.value, known, &hint);
        None
    }

    /// The namespace of a type, that of its file unless it names another one.
    pub(super) fn scope_of_type(&mut self, written: Option<&Located<String>>) -> Scope {
        if let Some(name) = written {
            self.namespace(name);
        }
        self.context.namespaces.of_type(written).clone()
    }

    /// The namespace of an element or an attribute.
    pub(super) fn form(&mut self, keys: &ElementKeys) -> Form {
        let written = keys.form.as_ref();
        if let (Some(form), Some(_)) = (written, &keys.namespace) {
            let message = "an element of another namespace has no `form`: it is declared there, and qualified";
            self.sink
                .add(Rule::KeyDoesNotFit, form.node, message)
                .hint("leave one of them out");
        }
        if let Some(name) = &keys.namespace {
            return self.reference(name);
        }
        let Some(written) = written else {
            return Form::Default;
        };
        let words = [("qualified", true), ("unqualified", false)];
        let hint = "it is `qualified` or `unqualified`, as `form` of an element in a schema";
        if word("form", Some(written), &words, hint, self.sink) {
            Form::Qualified
        } else {
            Form::Unqualified
        }
    }

    fn reference(&mut self, name: &Located<String>) -> Form {
        let scope = self.namespace(name);
        let namespace = scope.and_then(|scope| scope.namespace);
        namespace.map_or(Form::Default, Form::Reference)
    }

    /// The namespace of the items of a list.
    pub(super) fn item_form(&mut self, keys: &ElementKeys) -> Form {
        match keys.item.as_ref().map(|item| &item.value) {
            Some(ItemNames::Keys(keys)) => match &keys.namespace {
                Some(name) => self.reference(name),
                None => Form::Default,
            },
            _ => Form::Default,
        }
    }
}

/// The form of an inherited element in a type of another scope. `service` is the namespace of the service, if the file has one.
pub(super) fn inherited(element: &mut Element, base: &Scope, service: Option<&str>) {
    let form = base.element_form.unwrap_or_default();
    element.form = match (&element.form, form) {
        (Form::Default, ElementForm::Qualified) | (Form::Qualified, _) => {
            match base.namespace.as_deref().or(service) {
                Some(namespace) => Form::Reference(namespace.to_owned()),
                None => return,
            }
        }
        (Form::Default, ElementForm::Unqualified) => Form::Unqualified,
        _ => return,
    };
}

/// Whether any type, element or attribute of a service is in a namespace or form of its own.
pub(super) fn has_scopes(model: &Model) -> bool {
    let Some(service) = &model.service else {
        return false;
    };
    let is_other = |scope: &Scope| {
        let namespace = scope.namespace.as_ref();
        let form = scope.element_form;
        namespace.is_some_and(|namespace| *namespace != service.namespace)
            || form.is_some_and(|form| form != service.element_form)
    };
    let has_scope = |complex: &ComplexType| {
        is_other(&complex.scope)
            || (complex.attributes.iter()).any(|attribute| attribute.form != Form::Default)
            || has_forms(&complex.elements, &model.choices)
    };
    let messages = service.operations.iter().flat_map(|operation| {
        let headers = [&operation.headers, &operation.response_headers];
        let headers = headers.into_iter().flatten();
        let headers = headers.map(|headers| &headers.complex_type);
        headers.chain([&operation.request, &operation.response])
    });
    let mut results = (service.operations.iter()).filter_map(|operation| operation.result.as_ref());
    model.complex_types.iter().chain(messages).any(has_scope)
        || results.any(|result| has_forms(std::slice::from_ref(&result.element), &model.choices))
}

fn has_forms(elements: &[Element], choices: &[Choice]) -> bool {
    let mut elements = elements
        .iter()
        .flat_map(|element| on_wire(element, choices));
    elements.any(|element| element.form != Form::Default || has_item_form(&element.type_ref))
}

fn has_item_form(type_ref: &TypeRef) -> bool {
    match type_ref {
        TypeRef::List(list) => list.item_form != Form::Default || has_item_form(&list.item_type),
        _ => false,
    }
}

//! The namespaces of a file and their short names.

use std::collections::HashMap;

use svcgen_language::definition::{Definition, Located, Shape};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;
use svcgen_model::is_uri_character;

use super::names::word;
use crate::model::{ElementForm, Scope};

/// The namespaces of a file, by their short names.
pub(super) struct Namespaces<'d> {
    pub named: HashMap<&'d str, Scope<String>>,
    /// The namespace of its types.
    of_types: Scope<String>,
}

impl<'d> Namespaces<'d> {
    /// Collects the namespaces of a file. A file of types has its own; a service sets its namespace
    /// for types without one.
    pub fn of(definition: &'d Definition, is_service: bool, sink: &mut Sink) -> Self {
        let mut named = HashMap::new();
        for (key, Shape(keys)) in &definition.namespaces.0 {
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

    /// Returns the namespace of a type, which may name one.
    pub fn of_type(&self, written: Option<&Located<String>>) -> &Scope<String> {
        let named = written.and_then(|name| self.named.get(name.value.as_str()));
        named.unwrap_or(&self.of_types)
    }
}

fn scope(uri: &Located<String>, form: ElementForm) -> Scope<String> {
    Scope {
        namespace: Some(uri.value.clone()),
        element_form: Some(form),
    }
}

/// Whether elements are in the namespace, which is the default.
pub(super) fn element_form(written: Option<&Located<String>>, sink: &mut Sink) -> ElementForm {
    let words = [
        ("qualified", ElementForm::Qualified),
        ("unqualified", ElementForm::Unqualified),
    ];
    let hint = "it is `qualified` or `unqualified`, as `elementFormDefault` of a schema";
    word("element_form", written, &words, hint, sink)
}

/// Refuses texts that no document can contain as a namespace, and warns of texts that are not an
/// absolute URI.
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
pub(super) fn is_absolute_uri(uri: &str) -> bool {
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

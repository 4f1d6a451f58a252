//! The effects of namespaces and forms on types and elements.

use svcgen_language::definition::{ElementKeys, ItemNames, Located};
use svcgen_language::rules::Rule;
use svcgen_model::TextForm;

use super::context::Pass;
use super::names::word;
use super::namespaces::is_absolute_uri;
use crate::model::{
    ComplexType, Element, ElementForm, Form, Group, Model, Scope, Service, TypeRef, on_wire,
};

/// The namespace of `xml:lang` and similar attributes.
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";

impl Pass<'_, '_> {
    /// Resolves the short name of a namespace.
    pub(super) fn namespace(&mut self, name: &Located<String>) -> Option<Scope<String>> {
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

    /// The scope of a type: that of its file unless it names another one.
    pub(super) fn scope_of_type(&mut self, written: Option<&Located<String>>) -> Scope<String> {
        if let Some(name) = written {
            self.namespace(name);
        }
        self.context.namespaces.of_type(written).clone()
    }

    /// The namespace of an element or an attribute.
    pub(super) fn form(&mut self, keys: &ElementKeys) -> Form<String> {
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

    fn reference(&mut self, name: &Located<String>) -> Form<String> {
        let scope = self.namespace(name);
        let namespace = scope.and_then(|scope| scope.namespace);
        namespace.map_or(Form::Default, Form::Reference)
    }

    /// The namespace of the items of a list.
    pub(super) fn item_form(&mut self, keys: &ElementKeys) -> Form<String> {
        match keys.item.as_ref().map(|item| &item.value) {
            Some(ItemNames::Keys(keys)) => match &keys.namespace {
                Some(name) => self.reference(name),
                None => Form::Default,
            },
            _ => Form::Default,
        }
    }
}

/// Sets the form of an inherited element in a type of another scope. `service` is the namespace of
/// the service, if the file has one.
pub(super) fn inherited(element: &mut Element, base: &Scope<String>, service: Option<&str>) {
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

/// Marks a service if any of its types, elements or attributes has a namespace or form of its own,
/// or any text differs from its value.
pub(super) fn mark_scopes(model: &mut Model) {
    let is_marked = model
        .service
        .as_ref()
        .is_some_and(|service| has_scopes(model, service));
    if let Some(service) = &mut model.service {
        service.has_scopes = is_marked;
    }
}

fn has_scopes(model: &Model, service: &Service) -> bool {
    let is_other = |scope: &Scope<String>| {
        let namespace = scope.namespace.as_ref();
        let form = scope.element_form;
        namespace.is_some_and(|namespace| *namespace != service.namespace)
            || form.is_some_and(|form| form != service.element_form)
    };
    let has_scope = |complex: &ComplexType| {
        is_other(&complex.scope)
            || has_forms(&complex.attributes, &model.groups)
            || (complex.text.iter()).any(|text| has_own_form(&text.type_ref))
            || has_forms(&complex.elements, &model.groups)
    };
    let messages = service.operations.iter().flat_map(|operation| {
        let headers = operation.header_lists().into_iter().flatten();
        let headers = headers.map(|headers| &headers.complex_type);
        headers.chain([&operation.request, &operation.response])
    });
    let mut results = (service.operations.iter()).filter_map(|operation| operation.result.as_ref());
    model.complex_types.iter().chain(messages).any(has_scope)
        || results.any(|result| has_forms(std::slice::from_ref(&result.element), &model.groups))
}

fn has_forms(elements: &[Element], groups: &[Group]) -> bool {
    let mut elements = elements.iter().flat_map(|element| on_wire(element, groups));
    elements.any(|element| element.form != Form::Default || has_own_form(&element.type_ref))
}

/// Whether items have a form, or texts differ from their values.
fn has_own_form(type_ref: &TypeRef) -> bool {
    match type_ref {
        TypeRef::List(list) => list.item_form != Form::Default || has_own_form(&list.item_type),
        TypeRef::Dictionary(dictionary) => has_own_form(&dictionary.value_type),
        TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => simple.row().text != TextForm::AsIs,
        _ => false,
    }
}

//! Members: the parameters, elements, attributes and so on of one definition.

use crate::codes::MemberKind;
use svcgen_codegen::model::{
    Absence, Element, ElementForm, Form, HeaderRule, Model, Scope, TypeRef,
};

/// A member of one definition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'m> {
    pub kind: MemberKind,
    pub model: &'m Model,
    /// The scope of the declaration.
    pub scope: &'m Scope<String>,
    pub element: &'m Element,
    /// The rule of a SOAP header.
    pub header: Option<HeaderRule>,
}

impl<'m> Member<'m> {
    pub fn new(
        kind: MemberKind,
        model: &'m Model,
        scope: &'m Scope<String>,
        element: &'m Element,
    ) -> Self {
        Self {
            kind,
            model,
            scope,
            element,
            header: None,
        }
    }

    pub fn is_required(self) -> bool {
        self.element.absence == Absence::Required
    }

    /// Returns its namespace: `None` for that of the service, an empty one for none.
    pub fn namespace(self) -> Option<&'m str> {
        self.namespace_of(&self.element.form)
    }

    /// Returns the forms of the member and, for a list, of its items.
    pub fn forms(self) -> Vec<&'m Form<String>> {
        let mut forms = vec![&self.element.form];
        let mut type_ref = &self.element.type_ref;
        while let TypeRef::List(list) = type_ref {
            forms.push(&list.item_form);
            type_ref = &list.item_type;
        }
        forms
    }

    /// Returns the namespace that a form results in within the scope of the member.
    pub fn namespace_of(self, form: &'m Form<String>) -> Option<&'m str> {
        let service = self.model.service.as_ref();
        let is_qualified = match self.kind {
            MemberKind::Attribute => false,
            MemberKind::Header | MemberKind::ResponseHeader | MemberKind::FaultHeader => true,
            _ => {
                let of_service = || service.map(|service| service.element_form);
                let form = self.scope.element_form.or_else(of_service);
                form.unwrap_or_default() == ElementForm::Qualified
            }
        };
        let namespace = match form {
            Form::Reference(namespace) => Some(namespace.as_str()),
            Form::Default if is_qualified => self.scope.namespace.as_deref(),
            Form::Default | Form::Unqualified => Some(""),
            Form::Qualified => self.scope.namespace.as_deref(),
        };
        let own = service.map(|service| service.namespace.as_str());
        namespace.filter(|namespace| own != Some(namespace))
    }
}

/// A namespace in a sentence: `None` for that of the service.
pub(crate) fn in_words(model: &Model, namespace: Option<&str>) -> String {
    let service = model.service.as_ref();
    let own = || service.map(|service| service.namespace.as_str());
    match namespace.or_else(own) {
        None => "the namespace of the service".to_owned(),
        Some("") => "no namespace".to_owned(),
        Some(namespace) => format!("the namespace `{namespace}`"),
    }
}

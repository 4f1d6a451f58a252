//! Which elements are in a namespace.

use svcgen_model::{ElementForm, Operation, Service, Style};

use super::error::ReadErrorKind;
use super::namespaces::{Namespace, SCHEMA_INSTANCE};
use super::tokens::{Open, Result, Tokens};

/// The forms of the elements in one that is always qualified, such as the request element of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Forms {
    /// Of its children.
    pub(crate) parts: ElementForm,
    /// Of the elements further down.
    pub(crate) fields: ElementForm,
}

impl Forms {
    /// Of the elements in the request and response elements of an operation.
    pub(crate) fn of(service: &Service<'_>, operation: &Operation<'_>) -> Self {
        Self {
            parts: match operation.style {
                Style::Document => service.element_form,
                Style::Rpc => ElementForm::Unqualified,
            },
            fields: service.element_form,
        }
    }

    /// The same form everywhere.
    pub(crate) fn all(form: ElementForm) -> Self {
        Self {
            parts: form,
            fields: form,
        }
    }

    /// The form of an element that is so many levels below the qualified one.
    pub(crate) fn at(self, level: usize) -> ElementForm {
        match level {
            0 => ElementForm::Qualified,
            1 => self.parts,
            _ => self.fields,
        }
    }
}

impl Tokens<'_> {
    /// Says that the innermost open element is qualified, and of which form the elements in it are.
    pub(super) fn set_forms(&mut self, forms: Forms) {
        self.forms = forms;
        self.qualified = self.open.len().saturating_sub(1);
    }

    /// The namespace of the elements in the innermost open element, whose type declares them.
    #[inline]
    pub(super) fn namespace_of_children(&self, parent: &Open) -> Namespace {
        if self.forms == Forms::default() {
            return parent.namespace;
        }
        match self.forms.at(self.open.len() - self.qualified) {
            ElementForm::Unqualified => Namespace::NONE,
            ElementForm::Qualified => self.open[self.qualified].namespace,
        }
    }

    /// The namespace of the types.
    pub(super) fn type_namespace(&self) -> &str {
        if self.forms == Forms::default() {
            return self.namespace();
        }
        self.namespaces.name(self.open[self.qualified].namespace)
    }

    /// Namespace and name of the type that the start tag read last says with `xsi:type`.
    pub(super) fn type_name(&self) -> Result<Option<(&str, &str)>> {
        let Some(name) = self.attribute_of(SCHEMA_INSTANCE, "type") else {
            return Ok(None);
        };
        let name = name.trim_matches([' ', '\t', '\n', '\r']);
        let (prefix, local_name) = name.split_once(':').unwrap_or(("", name));
        match self.namespaces.resolve(prefix) {
            Some(namespace) => Ok(Some((self.namespaces.name(namespace), local_name))),
            None => Err(self.error_at_element(
                ReadErrorKind::Value,
                format!("Namespace prefix '{prefix}' is not defined."),
            )),
        }
    }
}

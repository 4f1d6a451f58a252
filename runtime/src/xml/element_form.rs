//! The forms of local elements: qualified or not.

use svcgen_model::{ElementForm, Operation, Service, Style};

/// The forms of the elements in an element that is always qualified, such as the request element of an operation.
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

    /// The form of an element `level` levels below the qualified one.
    pub(crate) fn at(self, level: usize) -> ElementForm {
        match level {
            0 => ElementForm::Qualified,
            1 => self.parts,
            _ => self.fields,
        }
    }
}

//! The namespaces of types and elements.

/// The namespace of a type or a message, and the form of the elements that it declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope<T> {
    /// The namespace; `None` for that of the service.
    pub namespace: Option<T>,
    /// The form of elements; `None` for that of the service.
    pub element_form: Option<ElementForm>,
}

impl<'a> Scope<&'a str> {
    /// The namespace and the form of the service.
    pub const SERVICE: Self = Self {
        namespace: None,
        element_form: None,
    };

    /// Resolves the namespace and the form within a service with these.
    pub const fn within(self, service: (&'a str, ElementForm)) -> (&'a str, ElementForm) {
        let namespace = match self.namespace {
            Some(namespace) => namespace,
            None => service.0,
        };
        match self.element_form {
            Some(form) => (namespace, form),
            None => (namespace, service.1),
        }
    }

    pub(super) const fn is_own(self) -> bool {
        self.namespace.is_some() || self.element_form.is_some()
    }
}

/// The namespace of an element or an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form<T> {
    /// The namespace of the type that declares it, depending on the form of its elements;
    /// attributes are in none.
    #[default]
    Default,
    /// The namespace of the type that declares it.
    Qualified,
    /// No namespace.
    Unqualified,
    /// Another namespace, in which the schema declares it globally: a reference.
    Reference(T),
}

impl<'a> Form<&'a str> {
    /// Returns the namespace, empty for none, if it is not that of the declaring type.
    pub const fn own_namespace(self) -> Option<&'a str> {
        match self {
            Self::Reference(namespace) => Some(namespace),
            Self::Unqualified => Some(""),
            Self::Default | Self::Qualified => None,
        }
    }

    /// Returns the namespace of an element that a type in this scope declares; empty for none.
    pub const fn of_element(self, (namespace, form): (&'a str, ElementForm)) -> &'a str {
        match (self, form) {
            (Self::Default, ElementForm::Qualified) | (Self::Qualified, _) => namespace,
            (Self::Default, ElementForm::Unqualified) | (Self::Unqualified, _) => "",
            (Self::Reference(other), _) => other,
        }
    }

    /// Returns the namespace of an attribute that a type in this namespace declares; empty for
    /// none.
    pub const fn of_attribute(self, namespace: &'a str) -> &'a str {
        self.of_element((namespace, ElementForm::Unqualified))
    }
}

impl Form<String> {
    /// Borrows the text, as rows need it.
    pub fn as_deref(&self) -> Form<&str> {
        match self {
            Self::Default => Form::Default,
            Self::Qualified => Form::Qualified,
            Self::Unqualified => Form::Unqualified,
            Self::Reference(namespace) => Form::Reference(namespace),
        }
    }

    /// Returns the namespace that it specifies itself, empty for none.
    pub fn own_namespace(&self) -> Option<&str> {
        self.as_deref().own_namespace()
    }
}

/// Whether the elements that types declare are in their namespace (`elementFormDefault` of XML
/// Schema).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ElementForm {
    /// In the namespace.
    #[default]
    Qualified,
    /// In no namespace.
    Unqualified,
}

//! The namespaces of the elements in a message, if not all are in that of their parent.

use svcgen_model::{
    self as model, ComplexType, ElementForm, Form, Operation, Scope, Service, Style,
};

/// A namespace, and the form of the elements that are declared in it.
pub(crate) type Declared<'n> = (&'n str, ElementForm);

/// The declaration of the elements in the request or response element of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'n> {
    declared: Declared<'n>,
    style: Style,
}

impl<'n> Parts<'n> {
    /// The parts of requests.
    #[inline]
    pub fn of_request(operation: &Operation<'n>, service: &Service<'n>) -> Self {
        Self::new(operation, operation.parameters.scope, service)
    }

    /// The parts of responses.
    #[inline]
    pub fn of_response(operation: &Operation<'n>, service: &Service<'n>) -> Self {
        Self::new(operation, operation.response.scope, service)
    }

    fn new(operation: &Operation<'n>, scope: Scope<&'n str>, service: &Service<'n>) -> Self {
        Self {
            declared: operation.declares(scope, service),
            style: operation.style,
        }
    }

    /// Rows for these elements.
    #[inline]
    pub fn rows(self, elements: &'n [model::Element<'n>]) -> Rows<'n> {
        Rows {
            declared: self.declared,
            style: self.style,
            elements,
        }
    }
}

/// Determines the namespaces of the elements in a message.
#[derive(Clone, Copy, Debug)]
pub struct Scopes<'n> {
    /// The namespace of the service, and the form of the elements of its types.
    pub(crate) service: Declared<'n>,
    /// The parts of the message, until they are read.
    parts: Option<Parts<'n>>,
    /// The items in the element that is being read, if it is a list.
    items: Option<Rows<'n>>,
}

impl<'n> Scopes<'n> {
    /// Creates the scopes for a service, given its namespace and form.
    pub fn new(service: Declared<'n>) -> Self {
        Self {
            service,
            parts: None,
            items: None,
        }
    }

    /// Creates the scopes for messages of a service; `None` if all elements are in its namespace.
    pub fn of(service: &Service<'n>) -> Option<Self> {
        let is_scoped = service.is_scoped();
        is_scoped.then(|| Self::new(service.scope()))
    }

    /// Declares that the next object is the parameters or the results of an operation.
    pub(crate) fn expect(&mut self, parts: Parts<'n>) {
        self.parts = Some(parts);
    }

    /// The elements that a type declares.
    pub(crate) fn in_type(&mut self, complex: &ComplexType<'n>) -> Rows<'n> {
        match self.parts.take() {
            Some(parts) => parts.rows(complex.elements),
            None => Rows::new(complex.scope.within(self.service), complex.elements),
        }
    }

    /// The items of the list that is being read.
    pub(crate) fn in_list(&self) -> Option<Rows<'n>> {
        self.items
    }

    /// Enters the element with an index in `rows`.
    pub(crate) fn enter(&mut self, rows: Rows<'n>, index: usize) {
        self.items = rows.items(index, self.service);
    }
}

/// Elements, and the namespace that declares them.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'n> {
    /// The namespace that declares the elements.
    pub declared: Declared<'n>,
    /// The style of the message, if the elements are its parts.
    pub style: Style,
    /// The elements, in the order of the message.
    pub elements: &'n [model::Element<'n>],
}

impl<'n> Rows<'n> {
    /// Creates rows for elements, with their declaration.
    pub const fn new(declared: Declared<'n>, elements: &'n [model::Element<'n>]) -> Self {
        Self {
            declared,
            style: Style::Document,
            elements,
        }
    }

    /// Whether an element may be in this namespace. SOAP::Lite, node-soap and Mono's proxies send
    /// the parameters of rpc calls in the namespace of the service.
    pub fn admit(&self, index: usize, namespace: &str) -> bool {
        let expected = self.namespace_of(index);
        let is_rpc = self.style == Style::Rpc;
        namespace == expected || (is_rpc && expected.is_empty() && namespace == self.declared.0)
    }

    /// The items of an element that is a list, in a service with this scope.
    pub(crate) fn items(&self, index: usize, service: Declared<'n>) -> Option<Self> {
        let model::TypeRef::List(item) = self.elements[index].type_ref else {
            return None;
        };
        let declared = self.style.of_lists(self.declared, service);
        Some(Self::new(declared, std::slice::from_ref(item)))
    }

    /// The namespace of an element; empty for none.
    pub fn namespace_of(&self, index: usize) -> &'n str {
        self.elements[index].form.of_element(self.declared)
    }

    /// The namespace of all elements, unless some have a form of their own.
    pub(crate) fn namespace(&self) -> Option<&'n str> {
        let mut forms = self.elements.iter().map(|element| element.form);
        let same = forms.all(|form| form == Form::Default);
        same.then(|| Form::Default.of_element(self.declared))
    }
}

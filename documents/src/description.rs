//! A service, whole: its names and addresses, its operations and its types.

use std::collections::HashMap;

use crate::schema::{ComplexType, Element, Enumeration};

/// A service in the words of WSDL and XML Schema. All that documents are written from.
#[derive(Debug, Clone, Copy)]
pub struct Description<'a> {
    /// The name.
    pub name: &'a str,
    /// The namespace of its elements.
    pub namespace: &'a str,
    /// The path of its URL.
    pub path: &'a str,
    /// What it is for.
    pub documentation: Option<&'a str>,
    /// Whether the elements of its types are in its namespace.
    pub qualified: bool,
    /// The operations, in the order of the definition.
    pub operations: &'a [Operation<'a>],
    /// The SOAP headers that operations name, each once.
    pub headers: &'a [Element<'a>],
    /// The elements of faults' details that operations name.
    pub faults: &'a [Element<'a>],
    /// The complex types.
    pub types: &'a [ComplexType<'a>],
    /// The enumerations.
    pub enumerations: &'a [Enumeration<'a>],
}

/// An operation: its names on the wire, what it takes and what it answers.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// The name, also the last segment of its path over HTTP GET and POST.
    pub name: &'a str,
    /// What it does.
    pub documentation: Option<&'a str>,
    /// The SOAPAction.
    pub action: &'a str,
    /// The element in the Body of a request.
    pub request: &'a str,
    /// The element in the Body of an answer.
    pub response: &'a str,
    /// The elements in the request element; the form fields over HTTP GET and POST.
    pub parameters: &'a [Element<'a>],
    /// The element in the response element.
    pub result: Option<Element<'a>>,
    /// The root element of a result over HTTP GET and POST; empty without a result.
    pub root: &'a str,
    /// The bindings that it is offered over.
    pub bindings: Bindings,
    /// Whether its SOAP messages are laid out as rpc/literal; else document/literal.
    pub rpc: bool,
    /// Whether nothing is answered.
    pub one_way: bool,
    /// The SOAP headers of its requests.
    pub headers: &'a [Header<'a>],
    /// The SOAP headers of its answers.
    pub response_headers: &'a [Header<'a>],
    /// The names of the faults that it answers with.
    pub faults: &'a [&'a str],
}

/// A SOAP header of a message; its element is one of [`Description::headers`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Header<'a> {
    /// The name of the element.
    pub name: &'a str,
    /// Whether a request without it is refused.
    pub required: bool,
    /// Whether it is sent with `mustUnderstand`.
    pub must_understand: bool,
}

/// A way to call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binding {
    /// SOAP 1.1 over HTTP POST.
    Soap11,
    /// SOAP 1.2 over HTTP POST.
    Soap12,
    /// Parameters in the query.
    HttpGet,
    /// Parameters in a form.
    HttpPost,
}

impl Binding {
    /// All of them, in the order of documents.
    pub const ALL: [Self; 4] = [Self::Soap11, Self::Soap12, Self::HttpGet, Self::HttpPost];

    /// Whether it carries SOAP messages.
    pub const fn is_soap(self) -> bool {
        matches!(self, Self::Soap11 | Self::Soap12)
    }
}

/// The bindings that an operation is offered over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bindings {
    /// SOAP 1.1.
    pub soap11: bool,
    /// SOAP 1.2.
    pub soap12: bool,
    /// HTTP GET.
    pub http_get: bool,
    /// HTTP POST.
    pub http_post: bool,
}

impl Bindings {
    /// Whether it is offered over one of them.
    pub const fn contains(self, binding: Binding) -> bool {
        match binding {
            Binding::Soap11 => self.soap11,
            Binding::Soap12 => self.soap12,
            Binding::HttpGet => self.http_get,
            Binding::HttpPost => self.http_post,
        }
    }
}

impl<'a> Description<'a> {
    /// The operations that are offered over a binding.
    pub fn operations_over(&self, binding: Binding) -> impl Iterator<Item = &'a Operation<'a>> {
        self.operations
            .iter()
            .filter(move |operation| operation.bindings.contains(binding))
    }

    /// What the names of types stand for. A name that is not in it is that of a simple type.
    pub fn definitions(&self) -> HashMap<&'a str, TypeDefinition<'a>> {
        let types = self.types.iter();
        let types = types.map(|complex| (complex.name, TypeDefinition::Complex(complex)));
        let enumerations = self.enumerations.iter();
        let enumerations =
            enumerations.map(|values| (values.name, TypeDefinition::Enumeration(values)));
        types.chain(enumerations).collect()
    }
}

/// A type that a description defines.
#[derive(Debug, Clone, Copy)]
pub enum TypeDefinition<'a> {
    /// A complex type.
    Complex(&'a ComplexType<'a>),
    /// An enumeration.
    Enumeration(&'a Enumeration<'a>),
}
